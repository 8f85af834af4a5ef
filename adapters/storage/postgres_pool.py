"""Work on a PostgreSQL server: a bounded number of connections, one transaction for each piece of work.

What fails for a reason that passes is done again, because every piece of work reads what it needs in its own
transaction: two that were there in the same moment (a taken key, a deadlock), and a connection that was lost before
the commit. A connection that breaks in the commit leaves it open whether the work was done: then the work's ``again``
looks, under the same locks. Whoever waits longer than the store's patience is told that it is busy.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Generic, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.storage.changes import Draft
from adapters.storage.commits import apply_again, apply_change, apply_free_changes
from adapters.storage.groups import Work
from adapters.storage.postgres_errors import Fault, fault_of, is_ours, problem_of, translate
from adapters.storage.postgres_groups import Alone, Groups, Result
from bot.store import CommitResult, OutcomeUnknown, StoreBusy, StoreError

WAITING: Final = 1_000
"""Pieces of work under way or waiting before the store says that it is busy."""
RACES: Final = 8
"""How often a piece of work makes way for others."""
LONGEST_CHANGE_SECONDS: Final = 10.0
"""How long one try of a table's change may take, whatever the network does."""
LONGEST_SECONDS: Final = 60.0
"""How long one try of anything else may take, but for what is known to look at everything there is."""
LONGEST_SWEEP_SECONDS: Final = 900.0
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5

_T = TypeVar("_T")

_log = structlog.get_logger(__name__)


def _unhurried(work: Work[_T]) -> Work[_T]:
    """Some work whose statements are not ended after the usual time."""

    def unhurried(connection: Connection) -> _T:
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {round(LONGEST_SWEEP_SECONDS * 1000)}")
        return work(connection)

    return unhurried


class _Job(Generic[_T]):
    """Something to do, and whether it may have been done already."""

    def __init__(self, engine: AsyncEngine, work: Work[_T], *, commits: bool = False, seconds: float) -> None:
        self._engine = engine
        self._work = work
        self._commits = commits
        self._seconds = seconds
        self._commit_began = False

    async def once(self, work: Work[_T] | None = None) -> _T:
        """Do it, or something else in its place, on a connection of its own."""
        self._commit_began = False
        async with asyncio.timeout(self._seconds), self._engine.connect() as connection:
            try:
                return await connection.run_sync(self._transact, work or self._work)
            except BaseException as error:
                # Also when time is up: whatever the server still does with this connection is none of our business.
                if not isinstance(error, Exception) or fault_of(error) is Fault.LOST:
                    await connection.invalidate()
                raise

    def _transact(self, connection: Connection, work: Work[_T]) -> _T:
        result = work(connection)
        if self._commits:
            self._commit_began = True
            connection.commit()
        return result

    def is_unsure_after(self, error: BaseException) -> bool:
        """Whether nobody knows if it was done."""
        return self._commit_began and fault_of(error) is Fault.LOST


class Pool:
    """The connections of a store to its server; see :class:`adapters.storage.jobs.Jobs`."""

    def __init__(self, engine: AsyncEngine, size: int, patience_seconds: float) -> None:
        """Work with at most ``size`` connections at a time.

        Args:
            engine: makes them; it belongs to the pool from now on.
            size: how many there are.
            patience_seconds: how long a connection, or the server's return, is waited for.
        """
        self._engine = engine
        self._alone = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._moment = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._size = size
        self._free = asyncio.Semaphore(size)
        self._patience = patience_seconds
        self._groups = Groups(self._together)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def read(self, work: Work[_T]) -> _T:
        """Do something that only reads, each statement for itself."""
        return await self._wait(self._served(_Job(self._alone, work, seconds=LONGEST_SECONDS)))

    async def view(self, work: Work[_T]) -> _T:
        """Do something that only reads, all of one moment."""
        return await self._wait(self._served(_Job(self._moment, _unhurried(work), seconds=LONGEST_SWEEP_SECONDS)))

    async def write(self, work: Work[_T], again: Work[_T] | None = None) -> _T:
        """Do something in a transaction."""
        job = _Job(self._engine, work, commits=True, seconds=LONGEST_SECONDS)
        return await self._wait(self._served(job, again))

    async def sweep(self, work: Work[_T]) -> _T:
        """Do something in a transaction that may take long."""
        job = _Job(self._engine, _unhurried(work), commits=True, seconds=LONGEST_SWEEP_SECONDS)
        return await self._wait(self._served(job))

    async def commit(self, change: Draft) -> CommitResult:
        """Write a change of a table in a transaction, with others that come at the same time."""
        return await self._wait(self._changed(change))

    async def close(self) -> None:
        """Finish what was asked for and close all connections."""
        self._closing = True
        while self._tasks:
            await asyncio.wait(set(self._tasks))
        await self._engine.dispose()

    async def _wait(self, doing: Coroutine[Any, Any, _T]) -> _T:
        """What comes of a job. It goes on in a task of its own, so that the end of whoever waits interrupts nothing."""
        if self._closing or len(self._tasks) >= WAITING:
            doing.close()
            raise StoreError("the store is closed") if self._closing else StoreBusy(f"{WAITING} jobs are waiting")
        task = asyncio.create_task(doing, name="storage-job")
        self._tasks.add(task)
        task.add_done_callback(self._seen)
        return await asyncio.shield(task)

    def _seen(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # its caller may have been cancelled

    async def _changed(self, change: Draft) -> CommitResult:
        unsure = False
        if not change.transfers:  # they lock accounts, for which many wait
            outcome = await self._groups.add(change)
            if isinstance(outcome, Exception):
                raise outcome
            if not isinstance(outcome, Alone):
                return outcome
            unsure = outcome.unsure
        job = _Job(self._engine, lambda c: apply_change(c, change), commits=True, seconds=LONGEST_CHANGE_SECONDS)
        return await self._served(job, lambda c: apply_again(c, change), unsure=unsure)

    async def _together(self, changes: Sequence[Draft]) -> Sequence[Result]:
        """Try changes once, in one transaction."""
        job = _Job(self._engine, lambda c: apply_free_changes(c, changes), commits=True, seconds=LONGEST_CHANGE_SECONDS)
        try:
            async with self._connection():
                outcomes = await job.once()
        except StoreBusy as error:
            return [error] * len(changes)
        except Exception as error:  # noqa: BLE001 - each for itself will tell whose it is
            return [Alone(job.is_unsure_after(error))] * len(changes)
        return [Alone(unsure=False) if outcome is None else outcome for outcome in outcomes]

    async def _served(self, job: _Job[_T], again: Work[_T] | None = None, *, unsure: bool = False) -> _T:
        try:
            async with self._connection():
                return await self._tried(job, again, unsure=unsure)
        except StoreBusy as error:
            if unsure and not isinstance(error, OutcomeUnknown):
                raise OutcomeUnknown(f"the connection broke in the commit, and now: {error}") from None
            raise

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[None]:
        """The right to use one of the connections.

        Raises:
            StoreBusy: none becomes free.
        """
        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
        except TimeoutError:
            raise StoreBusy(f"all {self._size} connections to the database are busy") from None
        try:
            yield
        finally:
            self._free.release()

    async def _tried(self, job: _Job[_T], again: Work[_T] | None, *, unsure: bool) -> _T:
        """Do a job until it is done, or until it is known that it cannot be; ``unsure`` whether it has been."""
        clock: Callable[[], float] = asyncio.get_running_loop().time
        gives_up = clock() + self._patience
        races, pause = 0, _FIRST_PAUSE
        while True:
            try:
                return await job.once(again if unsure else None)
            except Exception as error:  # sorted out below
                if not is_ours(error):
                    raise
                failed = error
            unsure = unsure or job.is_unsure_after(failed)
            fault = fault_of(failed)
            if fault is Fault.RACE and races < RACES:
                races += 1
                await asyncio.sleep(random.random() * 0.002 * races)  # noqa: S311 - so that two do not meet again
                continue
            if fault is Fault.LOST and clock() < gives_up:
                if pause == _FIRST_PAUSE:  # once is enough: hundreds may be waiting
                    _log.warning("storage.connection_lost", problem=problem_of(failed), in_commit=unsure)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            problem = problem_of(failed)
            _log.warning("storage.job_failed", problem=problem, in_commit=unsure)
            if unsure:
                raise OutcomeUnknown(f"the connection broke in the commit, and now: {problem}") from None
            raise translate(failed) from None
