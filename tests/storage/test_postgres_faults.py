"""Locked rows, errors of the server, changes that go together: nothing by halves, and nobody waits without end."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert
from structlog.testing import capture_logs

from adapters.storage import postgres_pool, schema
from adapters.storage.postgres import PostgresStore
from bot.model import Person
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Transfer, mint, wallet
from bot.store import (
    Committed,
    OutcomeUnknown,
    StoreBusy,
    StoreError,
    StoreUnusable,
)
from tests.contract.playing import next_change
from tests.storage.patience import BRIEF, opened, table, until

LOCK = "SELECT id FROM tables WHERE id = $1 FOR UPDATE"


@pytest.fixture
async def store(postgres: str) -> AsyncIterator[PostgresStore]:
    """A store that does not wait long for a lock."""
    async with opened(postgres, patience_seconds=BRIEF) as found:
        yield found


class TestLocks:
    async def test_a_locked_row_is_busy_and_the_others_play_on(self, store: PostgresStore, outside: Any) -> None:
        record, other = await table(store), await table(store, "t2")
        change = next_change(record, random.Random(1), "press", "answer")
        locked = outside.transaction()
        await locked.start()
        await outside.fetch(LOCK, "t1")
        outcomes = await asyncio.gather(
            store.commit(change), store.commit(next_change(other, random.Random(2))), return_exceptions=True
        )
        assert isinstance(outcomes[0], StoreBusy)
        assert not isinstance(outcomes[0], OutcomeUnknown)
        assert "lock" in str(outcomes[0])
        assert outcomes[1] == Committed()
        assert await store.load("t1") == record, "reading goes on"
        assert await store.answer_to("press") is None
        await locked.rollback()
        assert await store.commit(change) == Committed()
        assert await store.load("t1") == change.record

    async def test_a_short_lock_is_waited_for(self, postgres: str, outside: Any) -> None:
        async with opened(postgres) as store:
            record = await table(store)
            locked = outside.transaction()
            await locked.start()
            await outside.fetch(LOCK, "t1")
            task = asyncio.create_task(store.commit(next_change(record, random.Random(1))))
            await until(lambda: outside.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"))
            await locked.rollback()
            assert await task == Committed()

    async def test_two_that_lock_each_other_out_both_get_through(self, postgres: str) -> None:
        async with opened(postgres) as store:
            await table(store, "a")
            await table(store, "b")
            tries = 0

            def locking(first: str, second: str) -> Any:
                def work(connection: Connection) -> None:
                    nonlocal tries
                    tries += 1
                    for name in (first, second):
                        connection.exec_driver_sql(f"UPDATE tables SET deadline_ms = 1 WHERE id = '{name}'")  # noqa: S608
                        connection.exec_driver_sql("SELECT pg_sleep(0.1)")

                return work

            await asyncio.gather(store._writer.write(locking("a", "b")), store._writer.write(locking("b", "a")))
            assert tries >= 3, "one of them had to make way"

    async def test_when_all_connections_are_busy_it_says_so(self, postgres: str, outside: Any) -> None:
        async with opened(postgres, connections=2, patience_seconds=BRIEF) as store:
            for name in ("t1", "t2"):
                await table(store, name)
            locked = outside.transaction()
            await locked.start()
            await outside.execute("LOCK TABLE people")
            stuck = [asyncio.create_task(store.add_person(Person(f"p{n}", "Ana"), f"web:{n}")) for n in range(2)]
            outcomes = await asyncio.gather(*(store.load(f"t{n % 2 + 1}") for n in range(20)), return_exceptions=True)
            assert all(isinstance(outcome, StoreBusy) for outcome in outcomes)
            assert "2 connections" in str(outcomes[0])
            assert [type(outcome) for outcome in await asyncio.gather(*stuck, return_exceptions=True)] == [
                StoreBusy
            ] * 2
            await locked.rollback()
            assert await store.load("t1") is not None
            assert await store.person("p0") is None

    async def test_a_store_that_cannot_keep_up_says_so(
        self, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await table(store)
        monkeypatch.setattr(postgres_pool, "WAITING", 3)
        outcomes = await asyncio.gather(*(store.load("t1") for _ in range(5)), return_exceptions=True)
        assert [isinstance(outcome, StoreBusy) for outcome in outcomes] == [False, False, False, True, True]
        assert await store.load("t1") is not None

    async def test_a_statement_without_end_is_ended(self, store: PostgresStore) -> None:
        def work(connection: Connection) -> None:
            connection.exec_driver_sql("SET LOCAL statement_timeout = 50")
            connection.exec_driver_sql("SELECT pg_sleep(60)")

        with pytest.raises(StoreBusy, match="statement timeout"):
            await store._writer.write(work)

    async def test_a_server_that_does_not_answer_is_given_up(
        self, postgres: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres_pool, "LONGEST_SECONDS", 0.2)
        async with opened(postgres, patience_seconds=BRIEF) as store:
            with pytest.raises(StoreBusy, match="in time"):
                await store._writer.read(lambda c: c.exec_driver_sql("SELECT pg_sleep(60)"))
            assert await store.load("t1") is None


class TestErrors:
    @pytest.mark.parametrize(
        ("state", "kind"),
        [
            ("53100", StoreBusy),  # the disk is full
            ("53200", StoreBusy),
            ("58030", StoreBusy),  # the disk fails
            ("25006", StoreBusy),  # it has become a standby
            ("55P03", StoreBusy),
            ("57P03", StoreBusy),
            ("XX001", StoreUnusable),  # the database is damaged
            ("42501", StoreUnusable),
            ("23503", StoreError),
            ("0A000", StoreError),
        ],
    )
    async def test_what_each_error_means(self, store: PostgresStore, state: str, kind: type[StoreError]) -> None:
        raising = f"DO $$ BEGIN RAISE EXCEPTION 'a problem' USING ERRCODE = '{state}'; END $$"
        for doing in (store._writer.read, store._writer.view, store._writer.write):
            with pytest.raises(StoreError, match="a problem") as caught:
                await doing(lambda c: c.exec_driver_sql(raising))
            assert type(caught.value) is kind

    async def test_no_hand_is_in_any_error_or_log(self, store: PostgresStore) -> None:
        await table(store)

        def broken(values: dict[str, Any]) -> Any:
            return lambda connection: connection.execute(insert(schema.presses), values)

        row = {"press_id": "the secret hand", "table_id": "t1", "version": 1, "answer": "the secret hand", "at_ms": 1}
        with capture_logs() as logs:
            for values in ({**row, "table_id": "the secret hand"}, {**row, "at_ms": "the secret hand"}):
                with pytest.raises(StoreError) as caught:
                    await store._writer.write(broken(values))
                assert "secret" not in f"{caught.value!r} {caught.value.__cause__!r}"
            await store._writer.write(broken(row))
            with pytest.raises(StoreError) as caught:
                await store._writer.write(broken(row))
            assert "secret" not in f"{caught.value!r} {caught.value.__cause__!r}"
        assert logs
        assert "secret" not in f"{logs}"

    async def test_an_error_in_the_code_of_a_job_undoes_that_job(self, store: PostgresStore) -> None:
        record = await table(store)

        def broken(connection: Connection) -> None:
            connection.exec_driver_sql("UPDATE tables SET version = 99")
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await store._writer.write(broken)
        assert await store.load("t1") == record

    async def test_a_balance_that_no_column_holds_moves_nothing(self, store: PostgresStore) -> None:
        mark = place_mark("chat:1")
        ana, much = wallet(mark, "ana"), 1 << 62
        entries = (Entry(mint(mark), -much), Entry(ana, much))
        assert await store.post(Transfer("one", Cause.DAILY, entries)) is True
        for name, amount in (("two", much), ("three", much * 2), ("four", 1 << 80)):
            with pytest.raises(StoreError):
                await store.post(Transfer(name, Cause.DAILY, (Entry(mint(mark), -amount), Entry(ana, amount))))
        assert await store.balance(ana) == much
        assert list(await store.audit()) == []


class TestGroups:
    async def test_many_changes_share_a_commit(self, postgres: str) -> None:
        async with opened(postgres) as store:
            records = [await table(store, f"t{n}") for n in range(60)]
            changes = [next_change(record, random.Random(n), f"p{n}", "a") for n, record in enumerate(records)]
            commits = 0

            def count(_: object) -> None:
                nonlocal commits
                commits += 1

            event.listen(store._writer._engine.sync_engine, "commit", count)  # type: ignore[attr-defined]
            assert await asyncio.gather(*map(store.commit, changes)) == [Committed()] * 60
            assert commits <= 4
            for change in changes:
                assert await store.load(change.record.table.id) == change.record

    async def test_one_impossible_change_does_not_harm_its_group(self, store: PostgresStore) -> None:
        records = [await table(store, f"t{n}") for n in range(5)]
        changes = [next_change(record, random.Random(n)) for n, record in enumerate(records)]
        # An event that should not be there: what t2 wants to write collides.
        row = {"table_id": "t2", "seq": 1, "payload": b"{}", "at_ms": 1}
        await store._writer.write(lambda c: c.execute(insert(schema.events), row))
        outcomes = await asyncio.gather(*map(store.commit, changes), return_exceptions=True)
        assert [outcome == Committed() for outcome in outcomes] == [True, True, False, True, True]
        assert isinstance(outcomes[2], StoreError)
        assert await store.load("t2") == records[2]
        assert await store.load("t3") == changes[3].record
