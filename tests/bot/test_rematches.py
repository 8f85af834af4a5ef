"""After a match: the hands of all, and the next match of the same table."""

import asyncio

import msgspec
import pytest

from bot.model import Chair, Home, Pace, Person, Status
from bot.rotation import side_of, turned
from bot.screens import Role
from bot.store import Change, Committed
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.fakes import FakePlatform, settled
from tests.bot.rooms import House
from tests.bot.tables import choices, dealt, table_of, verb_of


async def finished(house: House, seating: Seating = Seating.TWO_PAIRS) -> tuple[str, list[Person]]:
    """A table whose match has been won."""
    crowd = await house.people(seating.seats)
    record = await house.app.open_table(
        crowd[0],
        ruleset_id="clasico",
        seating=seating,
        options={"closing_bonus": 200},
        pace=Pace.FREE,
        origin="chat:1",
        home=Home("", "chat", "room"),
    )
    table_id = record.table.id
    for person in crowd[1:]:
        await house.press(person, table_id, Verb.JOIN)
    await house.press(crowd[0], table_id, Verb.START)
    await house.play_out(table_id, crowd)
    record = await house.record(table_id)
    assert record.match is not None
    won = msgspec.structs.replace(record.match, winner=0)
    over = msgspec.structs.replace(record.table, status=Status.OVER)
    change = Change(msgspec.structs.replace(record, table=over, match=won, version=record.version + 1))
    assert await house.store.commit(change) == Committed()
    return table_id, crowd


async def test_everybody_s_last_cards_are_seen_when_the_deal_is_over_and_not_before() -> None:
    house = House()
    table_id, crowd = await house.started(2)
    hidden = await house.press(crowd[0], table_id, Verb.FINAL_HANDS)
    assert not hidden.ok
    assert "cuando termina la ronda" in hidden.text
    await house.play_out(table_id, crowd)
    public = await house.app.shared_screen(table_id)
    assert public is not None
    assert Verb.FINAL_HANDS in [verb_of(choice) for choice in choices(public)]
    watcher = await house.app.meet("test:w", "Mirón")
    shown = (await house.press(watcher, table_id, Verb.FINAL_HANDS)).screen
    assert shown is not None
    assert shown.role is Role.READING
    assert len(shown.lines) == 2
    assert any("sin cartas" in line or "(−" in line for line in shown.lines)
    await house.app.stop()


async def test_a_rematch_keeps_rules_places_and_pairs() -> None:
    house = House()
    platform = FakePlatform()
    house.app.add_platform(platform)
    table_id, crowd = await finished(house)
    old = (await house.record(table_id)).table
    answer = await house.press(crowd[2], table_id, Verb.REMATCH)
    assert "Revancha" in answer.text
    assert answer.screen is not None
    new_id = answer.screen.table_id
    assert new_id != table_id
    for person in (crowd[0], crowd[1], crowd[3]):
        assert (await house.press(person, table_id, Verb.REMATCH)).ok
    record = await house.record(new_id)
    table = record.table
    assert (table.rules, table.options, table.pace, table.origin, table.name) == (
        old.rules,
        old.options,
        old.pace,
        old.origin,
        old.name,
    )
    assert table.host == crowd[2].id
    sides = {chair.person: chair.side for chair in table.chairs}
    for seat, chair in enumerate(old.chairs):
        assert sides[chair.person] == old.seating.side_of(seat)
    await settled()
    assert [home.place for home in await house.app.homes(new_id)] == ["room"]
    assert platform.screens["room"][-1].table_id == new_id
    await house.app.stop()


async def test_many_who_press_at_once_open_one_rematch() -> None:
    house = House()
    table_id, crowd = await finished(house, Seating.ONE_ON_ONE)
    answers = await asyncio.gather(
        *(
            house.press(person, table_id, Verb.REMATCH, press_id=f"{person.id}-{n}")
            for n in range(3)
            for person in crowd
        )
    )
    tables = {answer.screen.table_id for answer in answers if answer.screen is not None}
    assert len(tables) == 1
    assert len((await house.record(tables.pop())).table.people) == 2
    await house.app.stop()


async def test_a_match_that_goes_on_has_no_rematch() -> None:
    house = House()
    table_id, crowd = await house.started(2)
    answer = await house.press(crowd[0], table_id, Verb.REMATCH)
    assert not answer.ok
    assert answer.text == "Esta partida todavía no terminó."
    assert not (await house.app.press(crowd[0], "1:nothere000:0:rm", "x")).ok
    await house.app.stop()


async def pairs_of(house: House, table_id: str) -> set[frozenset[str]]:
    """Who plays with whom at a table in its lobby."""
    sides: dict[int | None, set[str]] = {}
    for chair in (await house.record(table_id)).table.chairs:
        sides.setdefault(chair.side, set()).add(chair.name)
    assert None not in sides, "nobody is left to the lot"
    return {frozenset(names) for names in sides.values()}


async def over(house: House, table_id: str) -> None:
    """Begin a table and let side 0 win at once."""
    record = await house.record(table_id)
    host = record.table.host
    person = await house.store.person(host or "")
    assert person is not None
    assert (await house.press(person, table_id, Verb.START)).ok
    record = await house.record(table_id)
    assert record.match is not None
    won = msgspec.structs.replace(record.match, winner=0)
    done = msgspec.structs.replace(record.table, status=Status.OVER)
    change = Change(msgspec.structs.replace(record, table=done, match=won, version=record.version + 1))
    assert await house.store.commit(change) == Committed()


@pytest.mark.parametrize(("seating", "matches"), [(Seating.TWO_PAIRS, 3), (Seating.THREE_PAIRS, 5)])
async def test_partners_change_until_everybody_has_played_with_everybody(seating: Seating, matches: int) -> None:
    house = House()
    crowd = await house.people(seating.seats)
    record = await house.app.open_table(crowd[0], ruleset_id="clasico", seating=seating)
    table_id = record.table.id
    for person in crowd[1:]:
        await house.press(person, table_id, Verb.JOIN)
    seen: list[set[frozenset[str]]] = []
    for number in range(matches + 1):
        await over(house, table_id)
        opener = crowd[number % len(crowd)]
        table = (await house.record(table_id)).table
        if number == 0:
            sides = (table.seating.seats_of(side) for side in range(seating.sides))
            seen.append({frozenset(table.chairs[seat].name for seat in seats) for seats in sides})
        if number == 2:
            house = house.again()
        answer = await house.press(opener, table_id, Verb.REMATCH, "r")
        assert answer.screen is not None
        old, table_id = table_id, answer.screen.table_id
        for person in crowd:
            if person != opener:
                # Whichever they press: there is one rematch a table.
                assert (await house.press(person, old, Verb.REMATCH)).ok
        seen.append(await pairs_of(house, table_id))
    assert seen[matches] == seen[0], "the circle begins anew"
    together = [pair for pairs in seen[:matches] for pair in pairs]
    assert len(together) == len(set(together)) == seating.seats * (seating.seats - 1) // 2
    await house.app.stop()


async def test_a_circle_begins_anew_with_other_people() -> None:
    chairs = tuple(Chair(name, person=name) for name in "abcd")
    table = msgspec.structs.replace(table_of(dealt(Seating.TWO_PAIRS, 1)), chairs=chairs)
    circle, turns = turned(table)
    assert (circle, turns) == (("a", "c", "b", "d"), 1)
    assert [side_of(circle, 0, person) for person in "abcd"] == [0, 1, 0, 1]
    again = msgspec.structs.replace(table, circle=circle, round=turns)
    assert turned(again) == (circle, 2)
    robot = (*chairs[:3], Chair("Lola", robot="normal"))
    assert turned(msgspec.structs.replace(again, chairs=robot)) == (("a", "c", "b", ""), 1)
    assert side_of(circle, 1, "nobody") is None


async def test_the_same_people_play_by_other_rules() -> None:
    house = House()
    table_id, crowd = await finished(house)
    asked = (await house.press(crowd[1], table_id, Verb.REMATCH, "o")).screen
    assert asked is not None
    assert asked.role is Role.QUESTION
    cerrado = next(choice for choice in choices(asked) if choice.label == "Cerrado")
    which = (await house.app.press(crowd[1], cerrado.token, "other")).screen
    assert which is not None
    assert (await house.record(table_id)).table.rematch == "", "nothing is opened while something is open"
    three = next(choice for choice in choices(which) if "pareja" in choice.label.lower())
    answer = await house.app.press(crowd[1], three.token, "seating")
    assert answer.ok
    assert answer.screen is not None
    table = (await house.record(answer.screen.table_id)).table
    assert (table.rules.id, table.options, table.host) == ("cerrado", {}, crowd[1].id)
    assert (await house.press(crowd[0], table_id, Verb.REMATCH, "r")).ok
    assert (await house.record(table.id)).table.seat_of(crowd[0].id) == 1
    await house.app.stop()


async def test_a_rematch_that_makes_no_sense_is_refused() -> None:
    house = House()
    table_id, crowd = await finished(house, Seating.ONE_ON_ONE)
    for wrong in (["r"], ["q"], ["o", "nothing"], ["o", "cerrado", "9v9"], ["o", "cerrado", "2v2", "x"]):
        assert "ya no sirve" in (await house.press(crowd[0], table_id, Verb.REMATCH, *wrong)).text
    public = await house.app.shared_screen(table_id)
    assert public is not None
    assert "Rotar parejas" not in [choice.label for choice in choices(public)]
    await house.app.stop()
