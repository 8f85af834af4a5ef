"""Leases and duties: everything is granted to a process alone; of several that share a store, one gets each."""

import asyncio
from collections.abc import AsyncIterator, Callable

import asyncpg
import pytest

from adapters.storage.postgres_leases import PostgresLeases
from bot.leases import LEASE_SECONDS, POLL_SECONDS, RENEW_SECONDS, Alone, Leases, table_key, turn
from bot.model import Home, Status
from bot.store import Change, Committed, Record, Store
from tests.contract.conftest import Backend
from tests.contract.playing import lobby, started


async def until(what: Callable[[], bool]) -> None:
    """Wait for something that comes about by itself."""
    async with asyncio.timeout(60):
        while not what():  # noqa: ASYNC110 - it comes about in the database
            await asyncio.sleep(0.01)


class TestEveryStore:
    async def test_what_is_granted_can_be_let_go_and_had_again(self, store: Store) -> None:
        leases = store.leases
        for _ in range(3):
            assert await leases.take("a")
            await leases.release("a")
        async with turn(leases, "a"):
            pass
        assert await leases.only("duty")
        assert await leases.only("duty"), "who has it, has it"
        await leases.give_up("duty")
        assert await leases.only("duty")

    async def test_once_closed_nothing_breaks(self, store: Store) -> None:
        assert await store.leases.take("a")
        await store.leases.close()
        await store.leases.close()
        await store.leases.release("a")

    async def test_due_is_kept_with_a_change_and_for_its_version_alone(self, backend: Backend) -> None:
        store = backend.store
        record = started(lobby())
        await store.create(record, None)
        after = Record(record.table, 1, record.match)
        assert await store.commit(Change(after, due_ms=5)) == Committed()
        await store.set_due("t1", 0, None)
        await store.set_due("t1", 1, 7)
        await store.set_due("nowhere", 1, 7)
        assert await store.versions(["t1", "nowhere"]) == {"t1": 1}
        assert await store.versions([]) == {}


class TestBeingUp:
    async def test_the_first_of_all_starts_moves_nothing(self, store: Store) -> None:
        await clocked(store)
        assert (await store.wake(1_700_000_000_000, 0, 60_000)).moved_ms == 0
        assert await deadline(store) == 5_000

    async def test_after_a_time_without_anybody_the_clocks_are_moved_once(self, store: Store) -> None:
        await clocked(store)
        now = (await store.wake(1_700_000_000_000, 0, 0)).now_ms
        await store.write_note("alive", str(now - 10_000))
        moved = [woken.moved_ms for woken in await asyncio.gather(*(store.wake(now, 3_000, 60_000) for _ in range(9)))]
        by = max(moved)
        assert moved.count(0) == 8, "by one of those who ask, however many there are"
        assert 70_000 <= by < 90_000
        assert await deadline(store) == 5_000 + by
        assert (await store.wake(now, 3_000, 60_000)).moved_ms == 0

    async def test_while_somebody_is_up_nothing_is_moved(self, store: Store) -> None:
        await clocked(store)
        now = (await store.wake(1_700_000_000_000, 0, 0)).now_ms
        assert (await store.wake(now + 2_000, 3_000, 60_000)).moved_ms == 0
        assert await deadline(store) == 5_000


class TestHomesOfOthers:
    async def test_what_has_changed_lately_and_what_was_never_shown(self, backend: Backend) -> None:
        store = backend.store
        for number in (1, 2):
            table = lobby(f"t{number}", code=f"C{number}")
            await store.create(Record(table), Home(f"t{number}", "chat", "room"))
            await store.mark_shown(Home(f"t{number}", "chat", "room", "m", 0))
        backend.clock.now += 60_000
        since = backend.clock.now
        await store.commit(Change(Record(lobby("t1", code="C1"), 1)))
        assert [home.table_id for home in await store.lagging_homes(since)] == ["t1"]
        assert [home.table_id for home in await store.lagging_homes(since + 1)] == []
        await store.show_anew("t2")
        assert [home.table_id for home in await store.lagging_homes(since + 1)] == ["t2"]
        assert [home.table_id for home in await store.lagging_homes()] == ["t1", "t2"]
        await store.mark_shown(Home("t2", "chat", "room", "m", 0))
        assert [home.table_id for home in await store.lagging_homes()] == ["t1"]


async def clocked(store: Store) -> None:
    """A table whose clock runs."""
    record = started(lobby())
    await store.create(record, None)
    await store.commit(Change(Record(record.table, 1, record.match), deadline_ms=5_000))


async def deadline(store: Store) -> int | None:
    """The deadline of that table."""
    record = await store.load("t1")
    assert record is not None
    assert list(await store.deadlines()) == [("t1", record.deadline_ms)]
    return record.deadline_ms


@pytest.fixture
async def two(postgres: str) -> AsyncIterator[tuple[PostgresLeases, PostgresLeases]]:
    """Two processes that share a database."""
    ours, theirs = (PostgresLeases(lambda: asyncpg.connect(postgres)) for _ in range(2))
    yield ours, theirs
    await ours.close()
    await theirs.close()


Two = tuple[PostgresLeases, PostgresLeases]


class TestOfTwo:
    def test_a_process_alone_asks_nobody(self) -> None:
        alone: Leases = Alone()
        assert not alone.is_shared
        assert LEASE_SECONDS + POLL_SECONDS < 2.0, "what was due stands still no longer when a process dies"
        assert RENEW_SECONDS * 3 <= LEASE_SECONDS, "a renewal that fails once or twice loses nothing"

    async def test_one_gets_a_lease_and_keeps_it_for_as_long_as_it_lives(self, two: Two) -> None:
        ours, theirs = two
        granted = await asyncio.gather(*(one.take("a") for one in two for _ in range(5)))
        assert granted.count(True) == 1
        holder, other = (ours, theirs) if any(granted[:5]) else (theirs, ours)
        await asyncio.sleep(LEASE_SECONDS * 1.5)
        assert not await other.take("a")
        await holder.release("a")
        assert await other.take("a")

    async def test_a_lease_of_the_dead_falls_free(self, two: Two) -> None:
        ours, theirs = two
        assert await ours.take("a")
        assert ours._renewing is not None
        ours._renewing.cancel()  # killed
        assert not await theirs.take("a")
        async with asyncio.timeout(60):
            async with turn(theirs, "a"):
                pass

    async def test_who_renews_too_late_is_told(self, two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
        ours, theirs = two
        lost: list[str] = []
        assert await ours.take("a", lambda: lost.append("a"))
        async with ours._using:  # it hangs
            async with asyncio.timeout(60):
                async with turn(theirs, "a"):
                    assert lost == []
                assert await theirs.take("a")
        await until(lambda: lost == ["a"])
        await ours.release("a")
        assert not await ours.take("a"), "what is lost cannot be let go in the other's place"

    async def test_what_is_kept_stays_taken_whatever_becomes_of_its_holder(self, two: Two) -> None:
        ours, theirs = two
        assert await ours.take("a")
        await ours.release("a", kept_seconds=1.5)
        assert not await ours.take("a")
        await ours.close()
        assert not await theirs.take("a")
        async with asyncio.timeout(60):
            async with turn(theirs, "a"):
                pass

    async def test_a_duty_ends_with_the_connection(self, two: Two, postgres: str) -> None:
        ours, theirs = two
        assert await ours.only("poll")
        assert not await theirs.only("poll")
        assert await theirs.only("other")
        connection = await asyncpg.connect(postgres)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
            " WHERE locktype = 'advisory' AND datname = current_database()"
        )
        await connection.close()
        granted: list[PostgresLeases] = []
        async with asyncio.timeout(60):
            while len(granted) != 1:  # for a moment nobody may have noticed yet
                granted = [one for one in two if await one.only("poll")]
                await asyncio.sleep(0.05)
        assert len(granted) == 1, "it is asked for anew, and one gets it"

    async def test_a_duty_that_is_given_up_goes_to_another(self, two: Two) -> None:
        ours, theirs = two
        assert await ours.only("poll")
        await ours.give_up("poll")
        assert await theirs.only("poll")
        assert not await ours.only("poll")


class TestWhatIsDue:
    async def test_each_table_goes_to_one_the_longest_due_first(self, two: Two, postgres: str) -> None:
        ours, theirs = two
        store = await opened(postgres)
        try:
            for number in range(30):
                due = None if number >= 20 else 1_000 - number if number < 19 else 10**15
                await put(store, f"t{number:02}", due)
            first = await ours.take_due(5, lambda _: None)
            assert list(first) == ["t18", "t17", "t16", "t15", "t14"] or set(first) == {f"t{n}" for n in range(14, 19)}
            parts = await asyncio.gather(*(one.take_due(4, lambda _: None) for one in (*two, *two, *two, *two)))
            found = [table_id for part in parts for table_id in part]
            assert sorted([*first, *found]) == [f"t{number:02}" for number in range(19)]
            assert not await theirs.take(table_key("t18"))
            assert await ours.take_due(0, lambda _: None) == ()
            await ours.release(table_key("t18"))
            assert list(await theirs.take_due(9, lambda _: None)) == ["t18"]
        finally:
            await store.close()

    async def test_a_table_that_somebody_is_changing_is_passed_over(self, two: Two, postgres: str) -> None:
        ours, _ = two
        store = await opened(postgres)
        connection = await asyncpg.connect(postgres)
        try:
            await put(store, "t1", 1)
            async with connection.transaction():
                await connection.execute("SELECT FROM tables WHERE id = 't1' FOR UPDATE")
                assert await ours.take_due(9, lambda _: None) == []
            assert await ours.take_due(9, lambda _: None) == ["t1"]
        finally:
            await connection.close()
            await store.close()

    async def test_a_table_that_is_not_played_at_is_never_due(self, two: Two, postgres: str) -> None:
        store = await opened(postgres)
        try:
            await store.create(Record(lobby()), None)
            await store.set_due("t1", 0, 1)
            assert await two[0].take_due(9, lambda _: None) == []
        finally:
            await store.close()

    async def test_where_the_database_is_away_nothing_is_granted_and_nothing_is_raised(self) -> None:
        async def refuse() -> None:
            raise OSError

        leases = PostgresLeases(refuse)
        assert not await leases.take("a")
        assert await leases.take_due(9, lambda _: None) == []
        assert not await leases.only("a")
        await leases.release("a")
        await leases.give_up("a")
        await leases.close()


async def opened(url: str) -> Store:
    """The store of a database."""
    from adapters.storage import open_store

    return await open_store(url)


async def put(store: Store, table_id: str, due_ms: int | None) -> None:
    """A table in play at which something is due."""
    record = started(lobby(table_id))
    assert record.table.status is Status.PLAYING
    await store.create(record, None)
    await store.set_due(table_id, 0, due_ms)
