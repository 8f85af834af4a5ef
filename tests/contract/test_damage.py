"""Damaged saves: what the events can tell is rebuilt, what nothing can tell is refused, and the others play on."""

from typing import Any

import pytest

from adapters.storage.codec import SCHEMA, digest_of
from bot.model import Home, Person
from bot.store import Committed, Record, Store, UnreadableSave
from tests.contract.conftest import Backend, PostgresBackend, SqliteBackend
from tests.contract.playing import lobby, play, started


async def played(store: Store, table_id: str = "t1", actions: int = 30) -> Record:
    """A table in the middle of a deal."""
    record = started(lobby(table_id), first_starter=2)
    await store.create(record, Home(table_id, "web", "room", "m", 0))
    for change in play(record, seed=11, actions=actions):
        assert await store.commit(change) == Committed()
        record = change.record
    return record


SNAPSHOTS: list[dict[str, Any]] = [
    {"snapshot": b"\xff\xfe nothing"},
    {"snapshot": b""},
    {"snapshot": None},
    {"snapshot": b'{"totals":[0,0]', "digest": None},
    {"snapshot": b'{"totals":"what"}', "digest": None},
    {"snapshot": b"\xff", "digest": None},
    {"digest": b"0123456789abcdef"},
    {"schema": SCHEMA + 1, "digest": None},
    {"first_starter": None},
]


@pytest.mark.parametrize("columns", SNAPSHOTS, ids=str)
async def test_a_broken_snapshot_is_rebuilt_from_the_events(backend: Backend, columns: dict[str, Any]) -> None:
    record = await played(backend.store)
    store = await backend.damage("t1", **columns)
    assert await store.load("t1") == record
    for change in play(record, seed=12, actions=5):
        assert await store.commit(change) == Committed()
        assert await store.load("t1") == change.record


async def test_one_flipped_bit_of_a_snapshot_is_noticed(backend: Backend) -> None:
    record = await played(backend.store)
    match = record.match
    assert match is not None
    wrong = b'{"totals":[0,1],"deals":1,"deal":null,"winner":null}'
    store = await backend.damage("t1", snapshot=wrong)
    assert await store.load("t1") == record
    store = await backend.damage("t1", digest=digest_of(wrong))
    repaired = await store.load("t1")
    assert repaired is not None
    assert repaired.match is not None
    assert repaired.match.totals == (0, 1)


async def test_a_match_before_its_first_deal_is_rebuilt_too(backend: Backend) -> None:
    record = started(lobby(), first_starter=3)
    await backend.store.create(record, None)
    store = await backend.damage("t1", snapshot=b"?")
    assert await store.load("t1") == record


async def test_of_many_tables_those_that_are_whole_are_read_together(backend: Backend) -> None:
    whole = {table_id: await played(backend.store, table_id) for table_id in ("t1", "t2", "t3", "t4")}
    assert await backend.store.load_whole([]) == {}
    assert await backend.store.load_whole(["t3", "nowhere", "t1"]) == {"t3": whole["t3"], "t1": whole["t1"]}
    await backend.damage("t2", snapshot=b"?")
    store = await backend.damage("t3", data=b"{}", data_digest=None)
    assert await store.load_whole(list(whole)) == {"t1": whole["t1"], "t4": whole["t4"]}
    assert await store.load("t2") == whole["t2"]


TABLES: list[dict[str, Any]] = [
    {"data": b"\x00"},
    {"data": b"{}", "data_digest": None},
    {"data": b"\xff\xff", "data_digest": None},
    {"data_digest": b"wrong"},
    {"data_schema": SCHEMA + 1, "data_digest": None},
    {"data_schema": -1, "data_digest": None},
]


@pytest.mark.parametrize("columns", TABLES, ids=str)
async def test_a_broken_table_is_refused_and_the_others_play_on(backend: Backend, columns: dict[str, Any]) -> None:
    await played(backend.store)
    other = await played(backend.store, "t2")
    store = await backend.damage("t1", **columns)
    with pytest.raises(UnreadableSave) as caught:
        await store.load("t1")
    assert caught.value.table_id == "t1"
    assert list(await store.open_tables()) == ["t1", "t2"]
    assert list(await store.tables_of("ana")) == ["t1", "t2"]
    assert await store.find("codet1") == "t1"
    assert len(await store.lagging_homes()) == 2
    await store.suspend("t1")
    assert list(await store.open_tables()) == ["t2"]
    with pytest.raises(UnreadableSave):
        await store.load("t1")
    for change in play(other, seed=13, actions=5):
        assert await store.commit(change) == Committed()


@pytest.mark.parametrize("seq", [1, 20])
async def test_events_with_a_gap_rebuild_nothing(backend: Backend, seq: int) -> None:
    record = await played(backend.store)
    store = await backend.drop_event("t1", seq)
    assert await store.load("t1") == record, "the snapshot still stands"
    store = await backend.damage("t1", snapshot=b"?")
    with pytest.raises(UnreadableSave, match="events are there"):
        await store.load("t1")


async def test_events_that_contradict_each_other_rebuild_nothing(backend: Backend) -> None:
    record = await played(backend.store)
    await backend.drop_event("t1", 1)
    store = await backend.damage("t1", snapshot=b"?", events=record.events - 1)
    with pytest.raises(UnreadableSave, match="contradict"):
        await store.load("t1")


async def test_a_match_of_which_nothing_is_left_is_refused(backend: Backend) -> None:
    await backend.store.create(started(lobby()), None)
    store = await backend.damage("t1", snapshot=b"?", first_starter=None)
    with pytest.raises(UnreadableSave, match="who starts"):
        await store.load("t1")


@pytest.mark.parametrize("backend", ["sqlite", "postgres"], indirect=True)
async def test_unreadable_events_and_people_are_named(backend: SqliteBackend | PostgresBackend) -> None:
    await played(backend.store)
    await backend.store.add_person(Person("p1", "Ana"), "web:1")
    await backend.execute("UPDATE events SET payload = ? WHERE seq = 3", b'{"type":"from the future"}')
    await backend.execute("UPDATE people SET data = ? WHERE id = 'p1'", b"\xff")
    store = backend.store
    with pytest.raises(UnreadableSave, match="event 3"):
        await store.events("t1")
    with pytest.raises(UnreadableSave, match="p1"):
        await store.person("p1")
    with pytest.raises(UnreadableSave, match="web:1"):
        await store.person_by_key("web:1")
