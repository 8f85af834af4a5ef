"""Full disk, locked file, failing driver: nothing is written by halves, and play goes on afterwards."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, insert
from structlog.testing import capture_logs

from adapters.storage import schema
from adapters.storage.sql import SqlStore
from adapters.storage.writer import GROUP
from bot.model import Home, Person
from bot.store import Change, Committed, Record, StoreBusy, StoreError, StoreUnusable
from tests.contract.playing import lobby, next_change, started
from tests.storage.conftest import is_sound, outside


async def pragma(store: SqlStore, text: str) -> object:
    """The answer to a PRAGMA on the store's own connection."""
    answer: object = await store._writer.read(lambda c: c.exec_driver_sql(f"PRAGMA {text}").scalar())
    return answer


async def test_a_locked_database_is_busy_and_recovers(store: SqlStore, path: Path) -> None:
    record = started(lobby())
    await store.create(record, None)
    change = next_change(record, random.Random(1), "press", "answer")
    with outside(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="locked"):
            await store.commit(change)
        with pytest.raises(StoreBusy):
            await store.add_person(Person("p1", "Ana"), "web:1")
        assert await store.load("t1") == record, "reading goes on"
        assert await store.answer_to("press") is None
        other.execute("ROLLBACK")
    assert await store.commit(change) == Committed()
    assert await store.load("t1") == change.record


async def test_a_short_lock_is_waited_for(store: SqlStore, path: Path) -> None:
    await store.create(Record(lobby()), None)
    with outside(path) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.suspend("t1"))
        await asyncio.sleep(0.02)
        other.execute("ROLLBACK")
        await task


async def test_a_full_disk_is_busy_and_recovers(store: SqlStore, path: Path) -> None:
    record = started(lobby())
    await store.create(record, None)
    pages = await pragma(store, "page_count")
    assert isinstance(pages, int)
    await pragma(store, f"max_page_count={pages + 6}")
    dice, acknowledged = random.Random(2), 0
    change = next_change(record, dice, "press 0", "answer")
    while await busy(store, change) is None:
        record, acknowledged = change.record, acknowledged + 1
        change = next_change(record, dice, f"press {acknowledged}", "answer")
    assert "full" in str(await busy(store, change))
    assert acknowledged > 3
    assert await store.load("t1") == record, "reading goes on"
    assert await store.answer_to(f"press {acknowledged}") is None
    await pragma(store, "max_page_count=1073741823")
    assert await store.commit(change) == Committed()
    assert await store.load("t1") == change.record
    assert len(await store.events("t1")) == change.record.events
    for number in range(acknowledged):
        assert await store.answer_to(f"press {number}") == "answer"
    assert is_sound(path)


async def busy(store: SqlStore, change: Change) -> StoreBusy | None:
    """What a commit was refused with; None where it was committed."""
    try:
        assert await store.commit(change) == Committed()
    except StoreBusy as error:
        return error
    return None


@contextmanager
def failing(at: int, code: int, name: str) -> Iterator[list[str]]:
    """Let the driver fail at the n-th statement; gives the statements that were tried."""
    seen: list[str] = []

    def fail(*arguments: Any) -> None:
        statement = next(argument for argument in arguments if isinstance(argument, str))
        seen.append(statement)
        if len(seen) == at:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode, error.sqlite_errorname = code, name
            raise error

    kinds = ("do_execute", "do_executemany", "do_execute_no_params")
    for kind in kinds:
        event.listen(Engine, kind, fail)
    try:
        yield seen
    finally:
        for kind in kinds:
            event.remove(Engine, kind, fail)


async def test_an_input_or_output_error_at_any_statement_writes_nothing(store: SqlStore, path: Path) -> None:
    record = started(lobby())
    await store.create(record, Home("t1", "web", "room"))
    dice, failures = random.Random(3), 0
    for number in range(1, 30):
        change = next_change(record, dice, f"press {number}", "answer")
        with failing(number, sqlite3.SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE") as seen:
            try:
                result = await store.commit(change)
            except StoreBusy:
                failures += 1
                result = None
        if result is not None:
            assert len(seen) < number
            break
        assert await store.load("t1") == record
        assert await store.answer_to(f"press {number}") is None
        assert await store.commit(change) == Committed()
        record = change.record
    assert failures >= 6
    assert is_sound(path)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_CORRUPT, StoreUnusable),
        (sqlite3.SQLITE_NOTADB, StoreUnusable),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusy),
        (sqlite3.SQLITE_FULL, StoreBusy),
        (sqlite3.SQLITE_READONLY, StoreBusy),
        (sqlite3.SQLITE_ERROR, StoreError),
    ],
)
async def test_what_each_error_means(store: SqlStore, code: int, kind: type[StoreError]) -> None:
    await store.create(Record(lobby()), None)
    with failing(1, code, "SQLITE"), pytest.raises(StoreError) as reading:
        await store.load("t1")
    with failing(1, code, "SQLITE"), pytest.raises(StoreError) as writing:
        await store.suspend("t1")
    assert type(reading.value) is type(writing.value) is kind
    assert await store.load("t1") is not None


async def test_one_impossible_job_does_not_harm_its_group(store: SqlStore) -> None:
    records = [started(lobby(f"t{n}")) for n in range(5)]
    for record in records:
        await store.create(record, None)
    changes = [next_change(record, random.Random(n)) for n, record in enumerate(records)]
    # An event that should not be there: what t2 wants to write collides.
    row = {"table_id": "t2", "seq": 1, "payload": b"{}", "at_ms": 1}
    await store._writer.write(lambda c: c.execute(insert(schema.events), row))
    results = await asyncio.gather(
        *map(store.commit, changes),
        store.add_home(Home("nothing", "web", "room")),
        store.add_home(Home("t0", "web", "room")),
        return_exceptions=True,
    )
    assert [result == Committed() for result in results[:5]] == [True, True, False, True, True]
    assert isinstance(results[2], StoreError)
    assert isinstance(results[5], StoreError)
    assert results[6] is None
    assert await store.load("t2") == records[2]
    assert await store.load("t3") == changes[3].record
    assert len(await store.homes("t0")) == 1


async def test_an_error_in_the_code_of_a_job_harms_only_that_job(store: SqlStore) -> None:
    record = Record(lobby())
    await store.create(record, None)

    def broken(connection: Connection) -> None:
        connection.exec_driver_sql("UPDATE tables SET version = 99")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store._writer.write(broken)
    with pytest.raises(ZeroDivisionError):
        await store._writer.read(lambda _: 1 // 0)
    results = await asyncio.gather(store._writer.write(broken), store.suspend("t1"), return_exceptions=True)
    assert isinstance(results[0], ZeroDivisionError)
    after = await store.load("t1")
    assert after is not None
    assert after.version == 0


async def test_many_writes_share_a_commit(store: SqlStore) -> None:
    records = [started(lobby(f"t{n}")) for n in range(GROUP)]
    await asyncio.gather(*(store.create(record, None) for record in records))
    changes = [next_change(record, random.Random(n)) for n, record in enumerate(records)]
    with failing(0, 0, "") as seen:
        results = await asyncio.gather(*map(store.commit, changes))
    assert results == [Committed()] * GROUP
    # The first group may have caught a few of them only.
    assert seen.count("BEGIN IMMEDIATE") <= 2
    assert sum(statement.startswith("INSERT INTO events") for statement in seen) <= 2


async def test_no_hand_is_in_any_error_or_log(store: SqlStore) -> None:
    record = started(lobby())
    await store.create(record, None)
    change = next_change(record, random.Random(1))
    failure = failing(4, sqlite3.SQLITE_ERROR, "SQLITE_ERROR")
    with capture_logs() as logs, failure, pytest.raises(StoreError) as caught:
        await store.commit(change)
    shown = f"{caught.value!r} {logs}"
    assert logs
    assert "hands" not in shown
    assert "deal_started" not in shown


async def test_a_reader_never_sees_what_is_not_committed(store: SqlStore) -> None:
    record = started(lobby())
    await store.create(record, None)
    dice = random.Random(9)
    for _ in range(30):
        change = next_change(record, dice)
        commit = asyncio.create_task(store.commit(change))
        seen = await asyncio.gather(*(store.load("t1") for _ in range(5)))
        await commit
        assert all(one in (record, change.record) for one in seen)
        record = change.record


async def test_a_store_that_cannot_keep_up_says_so(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    await store.create(Record(lobby()), None)
    monkeypatch.setattr("adapters.storage.writer.WAITING", 3)
    results = await asyncio.gather(*(store.load("t1") for _ in range(5)), return_exceptions=True)
    assert [isinstance(result, StoreBusy) for result in results] == [False, False, False, True, True]
    assert await store.load("t1") is not None
