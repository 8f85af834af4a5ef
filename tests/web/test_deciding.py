"""Deciding together in the browser room: a vote, a seat that somebody takes over, other rules for the next match."""

from tests.web.conftest import Room
from tests.web.guest import Guest, Json, button, buttons


async def chosen(guest: Guest, code: str, screen: Json, label: str) -> Json:
    """Press a button of a screen by the beginning of its label; the answer."""
    found = next((one for one in buttons(screen) if one["label"].startswith(label)), None)
    assert found is not None, [one["label"] for one in buttons(screen)]
    reply = await guest.press(code, found["token"])
    assert reply.status == 200, reply.text
    return dict(reply.json)


async def test_a_match_is_ended_together(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana", "1v1")
    await eva.join(code, "Eva")
    state = await ana.start(code)
    menu = (await chosen(ana, code, state["public"], "⋯"))["question"]
    proposals = (await chosen(ana, code, menu, "Proponer algo"))["question"]
    assert (await chosen(ana, code, proposals, "Terminar la partida sin"))["ok"]
    state = await eva.state(code)
    assert any("Ana propone terminar la partida" in line for line in state["public"]["lines"])
    assert button(state, "No")["enabled"]
    assert (await chosen(eva, code, state["public"], "Sí"))["text"] == "Decidido: sí."
    assert "canceló" in " ".join((await ana.state(code))["public"]["lines"])


async def test_a_robot_s_seat_is_taken_over_by_whoever_has_a_name(ana: Guest, eva: Guest, room: Room) -> None:
    code = await ana.open_table("Ana", "1v1")
    await ana.start(code)
    await eva.come_in()
    await eva.open_table("Eva", "1v1")
    assert buttons((await (await room.guest()).state(code))["public"]) == [], "whoever has given no name only watches"
    asked = await chosen(eva, code, (await eva.state(code))["public"], "Tomar el asiento de")
    assert asked["text"] == "Pedido: decide quien dirige la mesa, o cualquiera de ella si no está."
    state = await ana.state(code)
    assert any("Eva quiere tomar el asiento de" in line for line in state["public"]["lines"])
    assert (await chosen(ana, code, state["public"], "Sí"))["ok"]
    for _ in range(200):
        if (await eva.state(code))["hand"] is not None:
            break
    assert (await eva.state(code))["hand"] is not None
