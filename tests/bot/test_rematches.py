"""After a match: the hands of all, and the next match of the same table."""

import asyncio

import msgspec

from bot.model import Home, Pace, Person, Status
from bot.screens import Role
from bot.store import Change, Committed
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.fakes import FakePlatform, settled
from tests.bot.rooms import House
from tests.bot.tables import choices, verb_of


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
