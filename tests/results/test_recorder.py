"""Each finished match is written down exactly once, whatever happens when."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from bot import rulesets
from bot.model import Person, Status
from bot.results.model import Kind, Result
from bot.results.rating import recomputed
from bot.store import Record, StoreBusy
from bot.tokens import Verb
from bot.turns import seat_on_turn
from engine.ruleset import with_options
from engine.seating import Seating
from tests.bot.rooms import House


@pytest.fixture(autouse=True)
def _one_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches of one deal."""
    load = rulesets.load
    monkeypatch.setattr(rulesets, "load", lambda name: with_options(load(name), {"target": 0}))


async def finished(house: House, people: int = 2, seating: Seating = Seating.ONE_ON_ONE) -> tuple[str, list[Person]]:
    """A table that has been played to its end."""
    table_id, crowd = await house.started(people, seating)
    await house.play_out(table_id, crowd)
    assert (await house.record(table_id)).table.status is Status.OVER
    return table_id, crowd


async def settle(house: House) -> None:
    """Let everything be written down."""
    await asyncio.sleep(0)
    await house.app._recorder.settled()


async def play_with_robots(house: House, table_id: str, person: Person) -> None:
    """Press for the one person until the match is over; robots think in threads of their own."""
    async with asyncio.timeout(60):
        while (record := await house.record(table_id)).table.status is Status.PLAYING:
            if seat_on_turn(record.match) == record.table.seat_of(person.id):
                await house.play_on(table_id, [person])
            else:
                await asyncio.sleep(0.001)


async def test_a_match_that_ends_is_written_down() -> None:
    house = House()
    table_id, (ana, luis) = await finished(house)
    await settle(house)
    (result,) = await house.store.results()
    match = await house.match(table_id)
    assert (result.table_id, result.totals, result.winner) == (table_id, match.totals, match.winner)
    assert (result.kind, result.origin, len(result.deals)) == (Kind.PEOPLE, "chat:1", 1)
    assert set(result.people) == {ana.id, luis.id}
    assert len(await house.store.ratings_of(ana.id)) == 1
    await house.app.stop()


async def test_what_ended_as_the_process_died_is_written_down_at_the_next_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.results.recorder.Recorder.look", lambda *_: None)
    house = House()
    tables = []
    for _ in range(3):
        house.clock.ms += 1000
        tables.append((await finished(house))[0])
    await settle(house)
    await house.app.stop()
    assert list(await house.store.results()) == []
    monkeypatch.undo()
    results: Sequence[Result] = ()
    for _ in range(2):
        house = house.again()
        await house.app.start()
        await settle(house)
        results = await house.store.results()
        assert [result.table_id for result in results] == tables
        await house.app.stop()
    anew = recomputed(results)
    for person in {person for person, _ in anew}:
        assert {(one.person, one.seating): one for one in await house.store.ratings_of(person)} == {
            key: rating for key, rating in anew.items() if key[0] == person
        }


async def test_told_twice_it_is_written_down_once() -> None:
    house = House()
    table_id, crowd = await finished(house)
    record = await house.record(table_id)
    for _ in range(3):
        house.app._recorder.look(record)
    await house.app._recorder.settled()
    assert len(await house.store.results()) == 1
    (rating,) = await house.store.ratings_of(crowd[0].id)
    assert rating.matches == 1
    await house.app.stop()


async def test_a_store_that_is_busy_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    add = house.store.add_result
    refused: list[object] = []

    async def busy(*arguments: object) -> bool:
        if len(refused) < 3:
            refused.append(arguments)
            raise StoreBusy("locked")
        return await add(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(house.store, "add_result", busy)
    await finished(house)
    await house.app._recorder.settled()
    assert len(refused) == 3
    assert len(await house.store.results()) == 1
    await house.app.stop()


async def test_a_save_that_cannot_be_read_keeps_nobody_from_starting() -> None:
    house = House()
    table_id, _ = await finished(house)
    await settle(house)
    again = house.again()
    house.store._results.clear()
    house.store.unreadable.add(table_id)
    await again.app.start()
    assert list(await house.store.results()) == []
    await again.app.stop()
    await house.app.stop()


async def test_robots_at_the_table_are_told_and_rate_nobody() -> None:
    house = House()
    table_id, (ana,) = await house.started(1)
    await play_with_robots(house, table_id, ana)
    await settle(house)
    (result,) = await house.store.results()
    assert result.kind is Kind.ROBOTS
    assert result.people == (ana.id,)
    assert list(await house.store.ratings_of(ana.id)) == []
    await house.app.stop()


async def test_whoever_leaves_has_lost() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    record = await house.record(table_id)
    assert (await house.press(luis, table_id, Verb.LEAVE)).screen is not None
    token = f"1:{table_id}:0:+lv"
    assert (await house.app.press(luis, token, house.press_id())).ok
    await play_with_robots(house, table_id, ana)
    await settle(house)
    (result,) = await house.store.results()
    seat = record.table.seat_of(luis.id)
    assert seat is not None
    assert (result.kind, result.players[seat].name, result.won(seat)) == (Kind.SUBSTITUTED, luis.name, False)
    assert list(await house.store.ratings_of(ana.id)) == []
    (rating,) = await house.store.ratings_of(luis.id)
    assert rating.skill.mu < 25
    await house.app.stop()


async def test_erasing_goes_through_the_same_door() -> None:
    house = House()
    _, (ana, luis) = await finished(house)
    await settle(house)
    assert await house.app._recorder.erase(ana.id) == 1
    (result,) = await house.store.results()
    assert result.people == (luis.id,)
    await house.app.stop()


async def test_whoever_was_erased_while_the_match_went_on_is_not_in_its_result() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    await house.play_out_turn(table_id, [ana, luis])
    await house.play_out(table_id, [ana, luis])
    del house.store._people[ana.id]
    await settle(house)
    (result,) = await house.store.results()
    assert result.people == (luis.id,)
    assert ana.name not in [player.name for player in result.players]
    assert list(await house.store.ratings_of(ana.id)) == []
    assert len(await house.store.ratings_of(luis.id)) == 1
    await house.app.stop()


async def test_tables_that_never_ended_have_no_result() -> None:
    house = House()
    table_id, _ = await house.started(2)
    record = await house.record(table_id)
    cancelled = msgspec.structs.replace(record.table, status=Status.CANCELLED)
    house.app._recorder.look(Record(cancelled))
    house.app._recorder.look(record)
    await settle(house)
    assert list(await house.store.results()) == []
    await house.app.stop()
