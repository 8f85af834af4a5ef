"""Tables through the room: opening, sitting down, playing, watching, coming back."""

import asyncio

import pytest

from bot import rulesets
from tests.web.conftest import Room, RoomMaker
from tests.web.guest import Guest, Json, button, buttons, next_token

MOST_PRESSES = 600


async def on_turn(guest: Guest, code: str) -> Json:
    """The state once the guest is to move, or the deal is over."""
    for _ in range(400):
        state = await guest.state(code)
        if state["public"]["over"] or (state["hand"] or {}).get("active"):
            return state
        await asyncio.sleep(0.02)
    raise AssertionError("nobody moves")


async def play_on(guest: Guest, code: str, presses: int) -> Json:
    """Press on; returns the last state."""
    state, question = await on_turn(guest, code), None
    for _ in range(presses):
        token = next_token(state, question)
        if token is None:
            state = await on_turn(guest, code)
            if state["public"]["over"]:
                return state
            continue
        reply = await guest.press(code, token)
        if reply.status == 429:
            await asyncio.sleep(0.3)
            continue
        assert reply.status == 200, reply.text
        assert reply.json["ok"] or reply.json["reason"], reply.text
        state, question = reply.json["state"], reply.json["question"]
    return state


async def test_a_table_is_opened_and_its_opener_sits(ana: Guest) -> None:
    code = await ana.open_table("Ana", "2v2", target=2000)
    state = await ana.state(code)
    assert state["public"]["role"] == "lobby"
    assert any("Ana" in line for line in state["public"]["lines"])
    assert any("2.000" in line for line in state["public"]["lines"])
    assert state["join"] is None
    assert state["hand"] is None
    assert {choice["label"] for choice in buttons(state["public"])} >= {"Empezar", "+ Robot", "Salir"}


@pytest.mark.parametrize(
    "wrong",
    [{"ruleset": "nada"}, {"seating": "5v5"}, {"target": 1}, {"ruleset": "../clasico"}],
)
async def test_what_is_not_offered_cannot_be_opened(ana: Guest, wrong: Json) -> None:
    await ana.come_in()
    body = {"name": "Ana", "ruleset": "clasico", "seating": "2v2", **wrong}
    reply = await ana.post("/api/mesas", body)
    assert reply.status == 400
    assert reply.json["text"]


async def test_a_name_is_needed(ana: Guest, eva: Guest) -> None:
    await ana.come_in()
    reply = await ana.post("/api/mesas", {"name": " \u200b ", "ruleset": "clasico", "seating": "2v2"})
    assert reply.status == 400
    code = await ana.open_table()
    assert (await eva.join(code, "")).status == 400
    assert (await eva.join(code, "Eva")).json["ok"]


async def test_opening_twice_under_one_id_opens_one_table(ana: Guest) -> None:
    first = await ana.open_table(press_id="a" * 16)
    assert await ana.open_table(press_id="a" * 16) == first
    assert await ana.open_table(press_id="b" * 16) != first


async def test_a_guest_takes_a_seat_and_only_the_host_starts(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await eva.come_in()
    before = await eva.state(code)
    assert before["join"]["enabled"]
    assert [choice for choice in buttons(before["public"]) if choice["label"] == "Empezar"] == []
    joined = (await eva.join(code, "Eva")).json
    assert joined["ok"]
    assert joined["state"]["join"] is None
    assert joined["state"]["name"] == "Eva"
    start = button(await ana.state(code), "Empezar")["token"]
    refused = (await eva.press(code, start)).json
    assert not refused["ok"]
    assert refused["state"]["public"]["role"] == "lobby"
    assert (await ana.press(code, start)).json["ok"]
    for guest in (ana, eva):
        assert len((await guest.state(code))["hand"]["cards"]) == 11


async def test_a_full_table_says_so(room: Room, ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await eva.join(code, "Eva")
    third = await room.guest()
    await third.come_in()
    join = (await third.state(code))["join"]
    assert not join["enabled"]
    assert join["why"]
    assert not (await third.join(code, "Leo")).json["ok"]


async def test_two_people_play_several_turns(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await eva.join(code, "Eva")
    await ana.start(code)
    turns = 0
    state: Json = {}
    for _ in range(80):
        for guest in (ana, eva):
            state, question = await guest.state(code), None
            while token := next_token(state, question):
                reply = (await guest.press(code, token)).json
                assert reply["ok"] or reply["question"], reply["text"]
                state, question = reply["state"], reply["question"]
                turns += not state["hand"]["active"]
        if turns >= 10 or state["public"]["over"]:
            break
        await asyncio.sleep(0.3)
    assert turns >= 10
    assert any("Eva" in line for line in state["feed"])


async def test_a_whole_deal_against_robots(make_room: RoomMaker) -> None:
    room = await make_room(robot="normal")
    guest = await room.guest()
    code = await guest.open_table("Ana", "2v2")
    await guest.start(code)
    state = await play_on(guest, code, MOST_PRESSES)
    assert state["public"]["over"]
    assert len(state["public"]["lines"]) >= 2
    again = button(state, "Siguiente ronda")
    reply = (await guest.press(code, again["token"])).json
    assert reply["ok"], reply["text"]
    assert len(reply["state"]["hand"]["cards"]) >= 11


async def test_a_press_sent_twice_has_one_effect_and_one_answer(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    await ana.start(code)
    state = await on_turn(ana, code)
    token = next_token(state)
    assert token is not None
    once = (await ana.press(code, token, press_id="c" * 16)).json
    twice = (await ana.press(code, token, press_id="c" * 16)).json
    assert once["ok"]
    assert (twice["ok"], twice["text"]) == (once["ok"], once["text"])
    assert len(twice["state"]["hand"]["cards"]) == len(once["state"]["hand"]["cards"])


async def test_an_old_button_is_answered_with_the_table_as_it_is(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    await ana.start(code)
    state = await on_turn(ana, code)
    token = next_token(state)
    assert token is not None
    await ana.press(code, token)
    stale = (await ana.press(code, token)).json
    assert not stale["ok"]
    assert stale["reason"] == "stale"
    assert stale["state"]["hand"]["cards"]


async def test_what_the_rules_refuse_is_said_and_changes_nothing(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    await ana.start(code)
    state = await on_turn(ana, code)
    discard = state["hand"]["verbs"][-1]
    reply = (await ana.press(code, f"{discard['token']}:1")).json
    assert not reply["ok"]
    assert reply["reason"]
    assert reply["state"]["version"] == state["version"]


@pytest.mark.parametrize("token", ["", "x", "1:abc:0:dr", "1:abc:0:dr:" + "z" * 80, "☠", "1:a:0:dr\r\n"])
async def test_a_token_that_is_none_of_this_table_does_nothing(ana: Guest, token: str) -> None:
    code = await ana.open_table("Ana")
    reply = await ana.press(code, token)
    assert reply.status == 200
    assert not reply.json["ok"]
    assert reply.json["text"]


async def test_a_token_of_another_table_does_nothing(ana: Guest) -> None:
    code, other = await ana.open_table("Ana"), await ana.open_table("Ana")
    start = button(await ana.state(other), "Empezar")["token"]
    assert not (await ana.press(code, start)).json["ok"]
    assert (await ana.state(other))["public"]["role"] == "lobby"


async def test_who_reloads_has_the_same_hand_and_who_watches_has_none(room: Room, ana: Guest) -> None:
    code = await ana.open_table("Ana")
    await ana.start(code)
    hand = (await ana.state(code))["hand"]["cards"]
    assert (await ana.get(f"/mesa/{code}")).status == 200
    faces = [(card["code"], card["back"]) for card in (await ana.state(code))["hand"]["cards"]]
    assert faces == [(card["code"], card["back"]) for card in hand]
    watcher = await room.guest()
    state = await watcher.state(code)
    assert state["hand"] is None
    assert state["join"] is None
    assert buttons(state["public"]) == []
    assert state["public"]["words"]


async def test_sorting_and_colours_change_only_how_the_hand_looks(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    state = await ana.start(code)
    for choice in [one for one in buttons(state["hand"]) if one["slot"]]:
        reply = (await ana.press(code, choice["token"])).json
        assert reply["ok"]
        assert reply["state"]["version"] >= state["version"]
        assert len(reply["state"]["hand"]["cards"]) == len(state["hand"]["cards"])


async def test_names_come_out_as_they_went_in(ana: Guest, eva: Guest) -> None:
    name = '"><img src=x onerror=alert(1)>'
    code = await ana.open_table(name)
    await eva.come_in()
    state = await eva.state(code)
    told = str(state)
    assert "<img" not in told
    page = (await eva.get(f"/mesa/{code}")).text
    assert "alert(1)" not in page
    assert (await ana.join(code, "\u202e" + "x" * 5000)).json["state"]["name"] == "x" * 20


async def test_the_id_of_a_press_is_ones_own(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana", press_id="d" * 16)
    assert (await eva.join(code, "Eva", press_id="d" * 16)).json["ok"]


@pytest.mark.parametrize("ruleset", rulesets.ids())
async def test_every_rule_set_can_be_played_here(ana: Guest, ruleset: str) -> None:
    start = await ana.come_in()
    rule = next(rule for rule in start["rules"] if rule["value"] == ruleset)
    assert rule["lines"]
    code = ""
    for seating in rule["seatings"]:
        code = await ana.open_table("Ana", seating["value"], ruleset=ruleset)
        await ana.start(code)
    state = await play_on(ana, code, 24)
    assert state["public"]["picture"]


async def test_a_table_that_its_only_guest_leaves_is_closed(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    state = (await ana.press(code, button(await ana.state(code), "Salir")["token"])).json["state"]
    assert state["public"]["role"] == "note"
    assert state["public"]["lines"]
    assert state["join"] is None


async def test_everybody_may_read_the_rules_of_a_table(room: Room, ana: Guest) -> None:
    code = await ana.open_table("Ana")
    stranger = await room.guest()
    for guest in (ana, stranger):
        state = await guest.state(code)
        reply = (await guest.press(code, state["public"]["rules"]["token"])).json
        assert reply["ok"]
        assert len(reply["reading"]["lines"]) > 10
        assert reply["question"] is None
    await ana.start(code)
    state = await stranger.state(code)
    assert (await stranger.press(code, state["public"]["rules"]["token"])).json["reading"]["title"]


async def test_waiting_tables_are_listed_and_private_ones_are_not(room: Room, ana: Guest) -> None:
    beto = await room.guest()
    code = await ana.open_table("Ana", "1v1", title="Los jueves")
    hidden = await ana.open_table("Ana", "1v1", private=True)
    start = await beto.come_in()
    (listed,) = start["waiting"]
    assert listed["code"] == code
    assert listed["title"].startswith("Los jueves · 1v1")
    assert (await ana.come_in())["waiting"] == [], "one's own are among one's own"
    for joined in (code, hidden):
        assert (await beto.join(joined, "Beto")).json["ok"], "whoever has the address knows the code"
    assert (await beto.come_in())["waiting"] == []


async def test_a_match_for_coins_in_the_room(room: Room, ana: Guest) -> None:
    beto = await room.guest()
    code = await ana.open_table("Ana", "1v1", stake=6000)
    state = await ana.state(code)
    assert any("cada quien pone 6.000 monedas" in line for line in state["public"]["lines"])
    for stake, told in ((100, "va de 6.000"), (900_000, "tienes 30.000")):
        reply = await ana.post("/api/mesas", {"name": "Ana", "ruleset": "clasico", "seating": "1v1", "stake": stake})
        assert reply.status == 400
        assert told in reply.json["text"]
    assert (await beto.join(code, "Beto")).json["ok"]
    await ana.start(code)
    purse = next(choice for choice in (await ana.come_in())["me"] if choice["label"] == "Mis monedas")
    told_purse = await ana.post("/api/lectura/pulsar", {"token": purse["token"]})
    assert "Tienes 24.000 monedas." in told_purse.json["reading"]["lines"]
