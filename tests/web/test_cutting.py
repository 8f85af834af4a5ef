"""Cutting in the browser room: what everybody's page says, and the figures on the page of whoever cuts."""

from tests.web.conftest import Room
from tests.web.guest import Guest, Json, button, buttons


async def waiting(ana: Guest, eva: Guest) -> str:
    """A table that waits for its cut."""
    code = await ana.open_table("Ana", "1v1")
    await eva.join(code, "Eva")
    reply = await ana.press(code, button(await ana.state(code), "Con corte")["token"])
    assert reply.json["ok"], reply.text
    assert any("alguien corta el mazo" in line for line in (await eva.state(code))["public"]["lines"])
    await ana.start(code)
    return code


def figures(screen: Json | None) -> dict[str, str]:
    """The tokens of the figures on a screen."""
    return {one["label"]: one["token"] for one in buttons(screen) if one["label"].isdecimal()}


async def test_one_page_has_the_figures_and_all_have_the_seal(ana: Guest, eva: Guest, room: Room) -> None:
    code = await waiting(ana, eva)
    table_id = await room.app.find(code)
    (seal,) = (await room.app.record(table_id)).table.seals
    states = {guest: await guest.state(code) for guest in (ana, eva)}
    for state in states.values():
        public = state["public"]
        assert (public["role"], public["picture"], public["over"]) == ("table", False, False)
        assert any(seal.commitment in line for line in public["lines"])
        assert public["left_ms"] > 0
        assert public["rules"] is not None
        assert state["hand"]["cards"] == []
    (cutter,) = [guest for guest, state in states.items() if figures(state["hand"])]
    (other,) = [guest for guest in states if guest is not cutter]
    assert states[cutter]["hand"]["active"]
    watcher = await room.guest()
    watched = await watcher.state(code)
    assert watched["hand"] is None
    assert buttons(watched["public"]) == []
    first = figures(states[cutter]["hand"])
    assert sorted(first) == list("0123456789")
    refused = (await other.press(code, first["3"])).json
    assert not refused["ok"]
    assert "Corta" in refused["text"]
    shown, answer = states[cutter]["hand"], {}
    for figure in "375":
        answer = (await cutter.press(code, figures(shown)[figure])).json
        assert answer["ok"], answer
        shown = answer["question"]
    assert shown is None
    assert "Cortaste en 375." in answer["text"]
    assert len(answer["state"]["hand"]["cards"]) == 11
    state = await other.state(code)
    assert len(state["hand"]["cards"]) == 11
    assert state["public"]["picture"]
    assert any("375" in line for line in state["public"]["lines"])
    again = (await cutter.press(code, first["3"] + "75")).json
    assert (again["ok"], again["reason"]) == (False, "stale")


async def test_no_page_and_no_answer_holds_a_salt_or_a_card_before_the_cut(ana: Guest, eva: Guest, room: Room) -> None:
    code = await waiting(ana, eva)
    table_id = await room.app.find(code)
    table = (await room.app.record(table_id)).table
    salt = await room.app._keeper.sealer.salt(table_id, 0, table.seals[0].mix)
    told = ""
    for guest in (ana, eva, await room.guest()):
        state = await guest.state(code)
        told += (await guest.get(f"/api/mesas/{code}")).text
        for one in (*buttons(state["public"]), *buttons(state["hand"])):
            if one["label"] in ("Reglas", "⋯", "Cortar el mazo", "1"):
                told += (await guest.press(code, one["token"])).text
        assert (await guest.get(f"/api/mesas/{code}/tabla.png")).status == 404, "there is nothing to be drawn"
    assert table.seals[0].commitment in told
    for hidden in (salt, table.seals[0].mix):
        assert hidden not in told
    assert (await room.app.record(table_id)).match is None
