"""What every store must do with results: :class:`bot.results.storing.ResultStore`, word for word."""

import random
from collections.abc import Sequence

import msgspec
import pytest

from bot.results.model import Result, Skill
from bot.results.places import place_mark
from bot.results.rating import rated, ratings_after, recomputed
from bot.store import Store, StoreError
from engine.seating import Seating
from tests.contract.conftest import Backend
from tests.contract.playing import lobby, next_change, started
from tests.results.keeping import keep, over
from tests.results.samples import NOON, player, result


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
    assert not await store.add_result(other, ratings_after(rated(other, {}), {}))
    assert list(await store.results()) == [first]
    ((mine,), (theirs,)) = await store.ratings_of("ana"), await store.ratings_of("beto")
    assert (mine.skill, theirs.skill) == (first.players[0].after, first.players[1].after)
    assert (mine.matches, theirs.matches) == (1, 1)


async def test_a_result_needs_its_table(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.add_result(result([player("ana"), player("beto")]), ())
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
    assert await store.add_result(one, ())
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
    new = rated(one, {"ana": Skill(30.0, 2.0)})
    assert await store.add_result(new, ratings_after(new, {}))
    store = await backend.reopen()
    assert await store.result("t1") == new
    assert await store.load("t1") == record
