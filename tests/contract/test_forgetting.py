"""What every store must do to find and to forget: people, old matches, old presses."""

import random

import msgspec
import pytest

from bot.model import Chair, Home, Person, PlaceSettings, Status
from bot.store import Change, Committed, Erasure, PressCount, Record, Store
from tests.contract.conftest import Backend
from tests.contract.playing import lobby, next_change, play, started

LEFT = [("telegram", "-1"), ("telegram", "12"), ("web", "1")]
DAY_MS = 24 * 3600 * 1000


async def kept(store: Store, table_id: str) -> Record:
    """A table that must be there."""
    record = await store.load(table_id)
    assert record is not None
    return record


async def change(
    store: Store, record: Record, press_id: str | None = None, answer: str = "", **fields: object
) -> Record:
    """The record after its table got other fields."""
    table = msgspec.structs.replace(record.table, **fields)
    after = msgspec.structs.replace(record, table=table, version=record.version + 1)
    assert await store.commit(Change(after, press_id=press_id, answer=answer)) == Committed()
    return after


async def played(store: Store, table_id: str = "t1", actions: int = 5, **more: object) -> Record:
    """A table with some play."""
    record = started(lobby(table_id, **more))  # type: ignore[arg-type]
    await store.create(record, None, f"open:ana:{table_id}")
    for one in play(record, seed=3, actions=actions):
        assert await store.commit(one) == Committed()
        record = one.record
    return record


async def test_all_seats_of_a_person_are_found_however_the_tables_stand(store: Store) -> None:
    for number, status in enumerate(Status):
        table = msgspec.structs.replace(lobby(f"t{number}", created_ms=100 - number), status=status)
        await store.create(Record(table), None)
    await store.create(Record(lobby("other", people=("eva",))), None)
    assert list(await store.seats_of("ana")) == ["t4", "t3", "t2", "t1", "t0"]
    assert list(await store.seats_of("nobody")) == []


async def test_tables_that_mention_something_are_found(backend: Backend) -> None:
    store = backend.store
    await store.create(Record(lobby("t1", people=("zoe",), created_ms=2)), None)
    named = msgspec.structs.replace(lobby("t2", people=(), created_ms=1), name='Mesa de "Ñu" ♣')
    await store.create(Record(named), None)
    assert list(await store.mentioning(["zoe"])) == ["t1"]
    assert list(await store.mentioning(['"Ñu"'])) == ["t2"]
    assert list(await store.mentioning(["zoe", '"Ñu"'])) == ["t2", "t1"]
    assert list(await store.mentioning(["eva"])) == list(await store.mentioning([])) == []
    store = await backend.damage("t1", data=b'{"chairs":"zoe', data_digest=None)
    assert list(await store.mentioning(["zoe"])) == ["t1"]


async def test_presses_of_a_person_are_counted(backend: Backend) -> None:
    store = backend.store
    assert await store.presses_of("ana") == PressCount()
    record = Record(lobby())
    await store.create(record, None, "open:ana:1")
    backend.clock.now += 5
    record = await change(store, record, "ana:web:2", "{}", name="x")
    backend.clock.now += 5
    await change(store, record, "anabel:web:2", "{}", name="y")
    first = 1_700_000_000_000
    assert await store.presses_of("ana") == PressCount(2, first, first + 5)


async def test_a_person_is_forgotten_and_nobody_else(backend: Backend) -> None:
    store = backend.store
    ana, eva = Person("ana", "Ana Ñ"), Person("eva", "Eva")
    await store.add_person(ana, "discord:1")
    await store.add_person(ana, "telegram:1")
    await store.add_person(eva, "telegram:2")
    record = await played(store)
    record = await change(store, record, "ana:1", '{"text":"Hola"}', name="x")
    record = await change(store, record, "eva:1", '{"text":"Empieza Ana Ñ."}', name="y")
    record = await change(store, record, "eva:2", '{"text":"Te toca."}', name="z")
    await store.save_place_settings("discord:1:alone", PlaceSettings("abierto"))
    await store.save_place_settings("discord:1", PlaceSettings("cerrado"))
    await store.add_home(Home("t1", "telegram", "1"))
    await store.add_home(Home("t1", "telegram", "1:7"))
    await store.add_home(Home("t1", "telegram", "-1"))
    await store.add_home(Home("t1", "telegram", "12"))
    await store.add_home(Home("t1", "web", "1"))
    record = await change(store, record, chairs=(Chair("Robot", robot="normal"), *record.table.chairs[1:]))
    erasure = Erasure("ana", ("Ana Ñ",), ("discord:1:alone", "elsewhere"), (("telegram", "1"),))
    for _ in range(2):
        await store.erase_person(erasure)
        store = await backend.reopen()
        assert await store.person("ana") is None
        assert await store.person_by_key("discord:1") is None
        assert list(await store.keys_of("ana")) == []
        assert await store.person_by_key("telegram:2") == eva
        assert await store.answer_to("ana:1") is None
        assert await store.answer_to("open:ana:t1") is None
        assert await store.answer_to("eva:1") == "{}"
        assert await store.answer_to("eva:2") == '{"text":"Te toca."}'
        assert await store.place_settings("discord:1:alone") is None
        assert await store.place_settings("discord:1") == PlaceSettings("cerrado")
        assert [(home.platform, home.place) for home in await store.homes("t1")] == LEFT
        assert await kept(store, "t1") == record
        assert len(await store.events("t1")) == record.events
    assert await store.presses_of("ana") == PressCount()


async def test_a_person_is_forgotten_at_a_table_that_cannot_be_read(backend: Backend) -> None:
    store = backend.store
    await store.create(Record(lobby()), None)
    await store.suspend("t1")
    await store.erase_person(Erasure("ana"))
    assert list(await store.seats_of("ana")) == []
    assert list(await store.seats_of("beto")) == ["t1"]


@pytest.mark.parametrize("status", [Status.OVER, Status.CANCELLED])
async def test_old_matches_lose_events_and_presses_and_keep_their_end(backend: Backend, status: Status) -> None:
    store = backend.store
    over = await change(store, await played(store, "t1"), "ana:end", "{}", status=status)
    going = await played(store, "t2")
    backend.clock.now += DAY_MS
    recent = await change(store, await played(store, "t3"), status=status)
    assert await store.forget_matches(backend.clock.now) == 1
    assert await store.forget_matches(backend.clock.now) == 0
    store = await backend.reopen()
    assert list(await store.events("t1")) == []
    assert await store.answer_to("ana:end") is None
    for record in (over, going, recent):
        assert await kept(store, record.table.id) == record
    assert len(await store.events("t2")) == going.events
    assert len(await store.events("t3")) == recent.events


async def test_old_presses_are_dropped_and_new_ones_kept(backend: Backend) -> None:
    store = backend.store
    record = await played(store)
    backend.clock.now += DAY_MS
    new = next_change(record, random.Random(1), "new", "{}")
    await store.commit(new)
    assert await store.forget_presses(backend.clock.now) == 6
    assert await store.forget_presses(backend.clock.now) == 0
    assert await store.answer_to("new") == "{}"
    assert await kept(store, "t1") == new.record
    assert len(await store.events("t1")) == new.record.events


async def test_tidying_changes_nothing_that_is_kept(backend: Backend) -> None:
    store = backend.store
    record = await played(store, actions=30)
    await store.forget_presses(backend.clock.now + 1)
    await store.tidy()
    assert await kept(store, "t1") == record
    store = await backend.reopen()
    assert await kept(store, "t1") == record
    assert (await change(store, record, name="Otra")).version == record.version + 1
