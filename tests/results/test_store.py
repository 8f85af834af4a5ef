"""What every store must do with results: :class:`bot.results.storing.ResultStore`, word for word."""

import asyncio
import random
from collections.abc import Sequence

import msgspec
import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from adapters.storage.memory import MemoryStore
from adapters.storage.schema import results
from adapters.storage.sql import SqlStore
from bot.results.meetings import FREE, WINDOW_MS
from bot.results.model import Result
from bot.results.places import place_mark
from bot.results.rating import rated, recomputed
from bot.store import Store, StoreError
from engine.seating import Seating
from tests.contract.conftest import Backend
from tests.contract.playing import lobby, next_change, started
from tests.results.keeping import keep, over
from tests.results.samples import DAY, NOON, player, result

HOUR = DAY // 24


def matches(count: int) -> Sequence[Result]:
    """Matches between changing people."""
    dice = random.Random(5)
    found = []
    for number in range(count):
        seating = dice.choice((Seating.ONE_ON_ONE, Seating.TWO_PAIRS))
        people = [player(name) for name in dice.sample(("ana", "beto", "eva", "luis", "pepe"), seating.seats)]
        origin = dice.choice(("discord:server:1", "telegram:-5", ""))
        found.append(result(people, number=number, seating=seating, winner=dice.randrange(2), origin=origin))
    return found


async def test_nothing_is_there_at_first(store: Store) -> None:
    assert list(await store.without_result()) == []
    assert await store.result("t1") is None
    assert list(await store.results()) == []
    assert list(await store.results_of("ana")) == []
    assert list(await store.results_at(place_mark("discord:server:1"))) == []
    assert list(await store.ratings(("ana",), Seating.TWO_PAIRS)) == []
    assert list(await store.ratings([], Seating.TWO_PAIRS)) == []
    assert list(await store.ratings_of("ana")) == []
    assert await store.anonymise_results("ana") == 0


async def test_results_are_kept_as_they_are(backend: Backend) -> None:
    kept = await keep(backend.store, *matches(12))
    store = await backend.reopen()
    assert list(await store.results()) == kept
    for one in kept:
        assert await store.result(one.table_id) == one
    for person in ("ana", "eva", "nobody"):
        assert list(await store.results_of(person)) == [one for one in kept if person in one.people]


async def test_a_result_is_kept_once(store: Store) -> None:
    first, *_ = await keep(store, result([player("ana"), player("beto")]))
    other = msgspec.structs.replace(first, winner=1, table="another")
    assert not await store.add_result(other)
    assert list(await store.results()) == [first]
    ((mine,), (theirs,)) = await store.ratings_of("ana"), await store.ratings_of("beto")
    assert (mine.skill, theirs.skill) == (first.players[0].after, first.players[1].after)
    assert (mine.matches, theirs.matches) == (1, 1)


def often(count: int, number: int = 0, at_ms: int = NOON, seating: Seating = Seating.TWO_PAIRS) -> list[Result]:
    """Matches of the same people, an hour apart, in changing places."""
    seats = [player("ana"), player("beto"), player("eva"), player("luis")][: seating.seats]
    return [
        result(
            seats,
            number=number + n,
            seating=seating,
            winner=n % 2,
            origin=f"discord:server:{n % 3}",
            ended_ms=at_ms + n * HOUR,
        )
        for n in range(count)
    ]


async def test_how_much_a_match_counts_follows_from_what_is_kept(backend: Backend) -> None:
    kept = await keep(backend.store, *often(9), *often(3, 10, seating=Seating.ONE_ON_ONE))
    assert [one.weight for one in kept] == [
        *[1.0] * FREE,
        *(pytest.approx(FREE / (n + 1), abs=1e-6) for n in range(FREE, 9)),
        *[1.0] * 3,
    ]
    store = await backend.reopen()
    again, alone, late = await keep(
        store,
        *often(1, 20, NOON + DAY),
        *often(1, 21, NOON + DAY, Seating.ONE_ON_ONE),
        *often(1, 22, NOON + WINDOW_MS + 2 * HOUR),
    )
    assert again.weight == pytest.approx(FREE / 10, abs=1e-6)
    assert alone.weight == 1.0
    assert late.weight == pytest.approx(FREE / 8, abs=1e-6), "the first three are forgotten"
    anew = recomputed(await store.results())
    for name in ("ana", "beto", "eva", "luis"):
        ratings = await store.ratings_of(name)
        assert {(one.person, one.seating): one for one in ratings} == {k: v for k, v in anew.items() if k[0] == name}
        assert {one.seating: one.matches for one in ratings}[Seating.TWO_PAIRS] == 11


async def test_results_that_are_kept_in_the_same_moment_are_rated_one_after_the_other(backend: Backend) -> None:
    todo = [one for number in range(8) for one in often(1, number, NOON + number)]
    for one in todo:
        await over(backend.store, one.table_id)
    assert all(await asyncio.gather(*(backend.store.add_result(one) for one in todo)))
    store = await backend.reopen()
    kept = await store.results()
    assert sorted(one.weight or 0 for one in kept) == sorted(min(1.0, round(FREE / (n + 1), 6)) for n in range(8))
    anew = recomputed(kept)
    assert {one.person: one for name in ("ana", "beto", "eva", "luis") for one in await store.ratings_of(name)} == {
        person: rating for (person, _), rating in anew.items()
    }


async def test_a_result_that_cannot_be_read_keeps_no_other_from_being_kept(backend: Backend) -> None:
    await keep(backend.store, *often(8))
    await spoil(backend.store, "t3")
    with capture_logs() as logs:
        (new,) = await keep(backend.store, *often(1, 20, NOON + DAY))
    assert new.weight == pytest.approx(FREE / 8, abs=1e-6), "seven are known"
    assert [line["table"] for line in logs if line["event"] == "results.unreadable"] == ["t3"]


async def spoil(store: Store, table_id: str) -> None:
    """Make a table's result unreadable."""
    if isinstance(store, MemoryStore):
        store._results[table_id] = b"{"
        return
    assert isinstance(store, SqlStore)
    change = update(results).where(results.c.table_id == table_id).values(data=b"{")
    await store._writer.write(lambda connection: connection.execute(change))


async def test_a_result_needs_its_table(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.add_result(result([player("ana"), player("beto")]))
    assert list(await store.results()) == []


async def test_what_ended_without_a_result_is_known_the_oldest_first(backend: Backend) -> None:
    store = backend.store
    for number, table_id in enumerate(("b", "a", "c")):
        backend.clock.now += 1000
        await over(store, table_id, code=f"C{number}")
    await store.create(started(lobby("playing")), None)
    store = await backend.reopen()
    now = backend.clock.now
    assert list(await store.without_result()) == [("b", now - 2000), ("a", now - 1000), ("c", now)]
    one = msgspec.structs.replace(result([player("ana"), player("beto")]), table_id="a")
    assert await store.add_result(one)
    assert [table_id for table_id, _ in await store.without_result()] == ["b", "c"]


async def test_places_have_their_results_by_time(store: Store) -> None:
    kept = await keep(store, *matches(20))
    for origin in ("discord:server:1", "telegram:-5"):
        here = [one for one in kept if one.origin == origin]
        assert list(await store.results_at(place_mark(origin))) == here
        middle = here[len(here) // 2].ended_ms
        since, before = here[len(here) // 2 :], here[: len(here) // 2]
        assert list(await store.results_at(place_mark(origin), middle)) == since
        assert list(await store.results_at(place_mark(origin), 0, middle)) == before


async def test_a_place_s_results_go_along_to_its_new_name(store: Store) -> None:
    kept = await keep(store, *matches(10))
    old = [one.table_id for one in kept if one.origin == "telegram:-5"]
    await store.move_results("telegram:-5", "telegram:-1005")
    assert list(await store.results_at(place_mark("telegram:-5"))) == []
    moved = await store.results_at(place_mark("telegram:-1005"))
    assert [one.table_id for one in moved] == old
    assert {one.origin for one in moved} == {"telegram:-1005"}
    assert len(await store.results()) == len(kept)


async def test_stored_ratings_are_those_that_follow_from_the_results(backend: Backend) -> None:
    await keep(backend.store, *matches(40))
    store = await backend.reopen()
    anew = recomputed(await store.results())
    for person in ("ana", "beto", "eva", "luis", "pepe"):
        ratings = await store.ratings_of(person)
        assert {(rating.person, rating.seating): rating for rating in ratings} == {
            key: rating for key, rating in anew.items() if key[0] == person
        }
        assert [rating.seating for rating in ratings] == sorted(
            (rating.seating for rating in ratings), key=list(Seating).index
        )


async def test_an_erased_person_is_nowhere_and_the_others_keep_everything(backend: Backend) -> None:
    kept = await keep(backend.store, *matches(30))
    store = backend.store
    before = {person: await store.ratings_of(person) for person in ("beto", "eva", "luis", "pepe")}
    played = sum("ana" in one.people for one in kept)
    assert await store.anonymise_results("ana") == played
    assert await store.anonymise_results("ana") == 0
    store = await backend.reopen()
    after = await store.results()
    assert len(after) == len(kept)
    for was, one in zip(kept, after, strict=True):
        assert (one.totals, one.winner, one.kind, one.ended_ms) == (was.totals, was.winner, was.kind, was.ended_ms)
        for past, now in zip(was.players, one.players, strict=True):
            expected = msgspec.structs.replace(past, name="", person=None) if past.person == "ana" else past
            assert now == expected
    assert list(await store.results_of("ana")) == []
    assert list(await store.ratings_of("ana")) == []
    for person, ratings in before.items():
        assert await store.ratings_of(person) == ratings
    anew = recomputed(after)
    assert {person for person, _ in anew} == set(before)
    assert all(anew[person, rating.seating] == rating for person, ratings in before.items() for rating in ratings)


async def test_a_real_match_has_a_table_and_a_result(backend: Backend) -> None:
    store = backend.store
    record = started(lobby("t1", people=("ana", "beto"), seating=Seating.ONE_ON_ONE))
    await store.create(record, None)
    dice = random.Random(2)
    for _ in range(20):
        change = next_change(record, dice)
        await store.commit(change)
        record = change.record
    one = msgspec.structs.replace(result([player("ana"), player("beto")]), table_id="t1", ended_ms=NOON)
    assert await store.add_result(one)
    store = await backend.reopen()
    assert await store.result("t1") == rated(one, {})
    assert await store.load("t1") == record
