"""Locked rows, broken connections, a server that goes and comes back: nothing by halves, and nothing twice."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, event, insert
from structlog.testing import capture_logs

from adapters.storage import postgres_pool, schema
from adapters.storage.postgres import PostgresStore
from bot.model import Home, Person
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Transfer, mint, wallet
from bot.stakes.rules import WELCOME, welcome
from bot.store import (
    Change,
    Committed,
    Conflict,
    OutcomeUnknown,
    Record,
    Repeated,
    StoreBusy,
    StoreError,
    StoreUnusable,
)
from tests.contract.playing import lobby, next_change, started
from tests.postgres import make_server
from tests.storage.conftest import at_noon
from tests.storage.cutting import Cut, Way, way_to

BRIEF = 0.3
END_THE_OTHERS = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
LOCK = "SELECT id FROM tables WHERE id = $1 FOR UPDATE"


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[PostgresStore]:
    """A store for a while, which waits for nothing for long."""
    store = await PostgresStore.open(url, at_noon, **{"patience_seconds": 5.0, **options})
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(postgres: str) -> AsyncIterator[PostgresStore]:
    """A store that does not wait long for a lock."""
    async with opened(postgres, patience_seconds=BRIEF) as found:
        yield found


@pytest.fixture
async def outside(postgres: str) -> AsyncIterator[Any]:
    """A connection as another program would have it."""
    connection = await asyncpg.connect(postgres)
    try:
        yield connection
    finally:
        await connection.close()


async def table(store: PostgresStore, table_id: str = "t1") -> Record:
    """A new table with its match."""
    record = started(lobby(table_id))
    assert await store.create(record, None) == Committed()
    return record


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


class TestSeveralProcesses:
    """Two stores stand for two processes: they share nothing but the database."""

    @pytest.fixture
    async def both(self, postgres: str) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
        async with opened(postgres) as one, opened(postgres) as other:
            yield one, other

    async def test_of_many_in_two_processes_exactly_one_wins_each_version(
        self, both: tuple[PostgresStore, PostgresStore]
    ) -> None:
        record, dice = await table(both[0]), random.Random(5)
        expected: list[object] = []
        for version in range(20):
            changes = [next_change(record, dice, f"{version}:{n}", f"answer {n}") for n in range(8)]
            outcomes = await asyncio.gather(*(both[n % 2].commit(change) for n, change in enumerate(changes)))
            winners = [change for change, outcome in zip(changes, outcomes, strict=True) if outcome == Committed()]
            assert len(winners) == 1
            assert outcomes.count(Conflict()) == 7
            record, expected = winners[0].record, [*expected, *winners[0].events]
            assert await both[0].load("t1") == await both[1].load("t1") == record
        assert list(await both[1].events("t1")) == expected

    async def test_a_press_delivered_to_two_processes_has_one_effect(
        self, both: tuple[PostgresStore, PostgresStore]
    ) -> None:
        records = [await table(both[0], f"t{n}") for n in range(4)]
        for number in range(15):
            changes = [next_change(record, random.Random(number), f"press {number}", "a") for record in records]
            outcomes = await asyncio.gather(*(both[n % 2].commit(changes[n // 2]) for n in range(8)))
            assert outcomes.count(Committed()) == 1, "a press counts for all tables"
            assert outcomes.count(Repeated("a")) == 7
            loaded = await asyncio.gather(*(both[0].load(f"t{n}") for n in range(4)))
            records = [record for record in loaded if record is not None]
        assert sum(record.version for record in records) == 15

    async def test_what_must_be_one_is_one(self, both: tuple[PostgresStore, PostgresStore]) -> None:
        for number in range(10):
            told = await asyncio.gather(*(both[n % 2].settle_note(f"s{number}", f"{n}") for n in range(8)))
            assert len(set(told)) == 1
            people = [Person(f"p{number}-{n}", "Ana") for n in range(8)]
            met = await asyncio.gather(*(both[n % 2].add_person(one, f"web:{number}") for n, one in enumerate(people)))
            assert len(set(met)) == 1
            tables = [Record(lobby(f"t{number}-{n}", code=f"C{number}")) for n in range(8)]
            made = await asyncio.gather(*(both[n % 2].create(one, None) for n, one in enumerate(tables)))
            assert sorted(map(repr, made)) == sorted(map(repr, [Committed(), *[Conflict()] * 7]))

    async def test_every_coin_is_accounted_for(self, both: tuple[PostgresStore, PostgresStore]) -> None:
        mark, dice = place_mark("chat:1"), random.Random(3)
        people = [wallet(mark, f"p{n}") for n in range(4)]
        welcomes = [welcome(mark, f"p{n}") for n in range(4)]
        told = await asyncio.gather(*(both[n % 2].post(welcomes[n // 2]) for n in range(8)))
        assert told.count(True) == 4
        spend = []
        for number in range(80):
            one, other = dice.sample(people, 2)
            amount = dice.randrange(1, WELCOME)
            spend.append(Transfer(f"{number}", Cause.STAKE, (Entry(one, -amount), Entry(other, amount))))
        await asyncio.gather(
            *(both[n % 2].post(one) for n, one in enumerate(spend)),
            *(both[n % 2].forget_wallets("p3") for n in range(2)),
            both[0].move_coins("chat:1", "chat:2"),
        )
        assert list(await both[1].audit()) == []

    async def test_shown_versions_only_grow(self, both: tuple[PostgresStore, PostgresStore]) -> None:
        await table(both[0])
        versions = list(range(40))
        random.Random(3).shuffle(versions)
        homes = [Home("t1", "web", "room", str(v), v) for v in versions]
        await asyncio.gather(*(both[n % 2].mark_shown(home) for n, home in enumerate(homes)))
        assert list(await both[0].homes("t1")) == [Home("t1", "web", "room", "39", 39)]


class TestBrokenConnections:
    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    @pytest.mark.parametrize("press", [True, False], ids=["with a press", "without"])
    async def test_a_connection_cut_in_the_commit_changes_nothing_twice(
        self, postgres: str, cut: Cut, press: bool
    ) -> None:
        async with way_to(postgres) as (way, url), opened(url) as store:
            record, dice, change = await table(store), random.Random(4), None
            for number in range(12):
                change = next_change(record, dice, f"press {number}" if press else None, "answer")
                way.cut, way.times = cut, number % 3
                assert await store.commit(change) == Committed()
                record = change.record
                assert await store.load("t1") == record
            assert way.cuts >= 8
            events = await store.events("t1")
            assert len(events) == record.events
            if press:
                assert change is not None
                assert await store.commit(change) == Repeated("answer")

    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    async def test_a_group_cut_in_the_commit_changes_nothing_twice(self, postgres: str, cut: Cut) -> None:
        async with way_to(postgres) as (way, url), opened(url) as store:
            records = [await table(store, f"t{n}") for n in range(20)]
            for number in range(4):
                changes = [next_change(one, random.Random(n), f"{number}:{n}", "a") for n, one in enumerate(records)]
                way.cut, way.times = cut, 2
                assert await asyncio.gather(*map(store.commit, changes)) == [Committed()] * 20
                records = [change.record for change in changes]
            assert way.cuts == 8
            for record in records:
                assert await store.load(record.table.id) == record
                assert len(await store.events(record.table.id)) == record.events

    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    async def test_everything_else_is_done_once_too(self, postgres: str, cut: Cut) -> None:
        mark = place_mark("chat:1")
        async with way_to(postgres) as (way, url), opened(url) as store:

            def cutting() -> Way:
                way.cut, way.times = cut, 1
                return way

            cutting()
            record = started(lobby())
            assert await store.create(record, Home("t1", "web", "room"), "open") == Committed()
            cutting()
            assert await store.create(started(lobby("t2")), None) == Committed()
            cutting()
            assert await store.settle_note("secret", "mine") == "mine"
            cutting()
            assert await store.add_person(Person("p1", "Ana"), "web:1") == Person("p1", "Ana")
            cutting()
            assert await store.post(welcome(mark, "ana")) in (True, False)
            assert await store.balance(wallet(mark, "ana")) == WELCOME
            cutting()
            coins = (Entry(wallet(mark, "ana"), -5), Entry(mint(mark), 5))
            paid = next_change(record, random.Random(1), "pay", "paid")
            paid = Change(paid.record, paid.events, "pay", "paid", transfers=(Transfer("t", Cause.STAKE, coins, "t1"),))
            assert await store.commit(paid) == Committed()
            assert await store.balance(wallet(mark, "ana")) == WELCOME - 5
            assert way.cuts == 6
            assert list(await store.audit()) == []

    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    async def test_while_the_server_stays_away_the_outcome_is_unknown_and_the_same_press_settles_it(
        self, postgres: str, cut: Cut
    ) -> None:
        async with way_to(postgres) as (way, url), opened(url, patience_seconds=BRIEF) as store:
            record = await table(store)
            change = next_change(record, random.Random(4), "press", "answer")
            way.cut, way.times, way.closes_after = cut, 1, True
            with pytest.raises(OutcomeUnknown):
                await store.commit(change)
            with pytest.raises(StoreBusy):
                await store.load("t1")
            way.closed = False
            expected = Committed() if cut is Cut.BEFORE else Repeated("answer")
            # The session that was cut off may still hold the row for a moment.
            assert await patiently(lambda: store.commit(change)) == expected
            assert await store.load("t1") == change.record
            assert await store.answer_to("press") == "answer"

    async def test_sessions_that_the_server_ends_are_made_anew(self, postgres: str, outside: Any) -> None:
        async with opened(postgres) as store:
            record, dice = await table(store), random.Random(4)
            for _ in range(10):
                ended = (
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
                )
                await outside.fetchval(f"{ended} AND pid <> pg_backend_pid()")
                assert await store.load("t1") == record
                change = next_change(record, dice)
                assert await store.commit(change) == Committed()
                record = change.record

    async def test_a_server_that_is_started_again_is_found_again(self) -> None:
        server = make_server()
        try:
            async with opened(server.url(await server.database()), patience_seconds=BRIEF) as store:
                record = await table(store)
                server.kill()
                change = next_change(record, random.Random(1), "press", "answer")
                for work in (store.commit(change), store.load("t1"), store.write_note("a", "b")):
                    with pytest.raises(StoreBusy):
                        await work
                await asyncio.to_thread(server.start)
                assert await store.load("t1") == record
                assert await store.commit(change) == Committed()
        finally:
            server.stop()


async def until(ask: Any) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(30):
        while not await ask():  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.01)


async def patiently(ask: Any) -> Any:
    """What comes of something that is tried until the store is not busy any more."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await ask()
            except StoreBusy:
                await asyncio.sleep(0.05)
