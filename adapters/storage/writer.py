"""The one task that uses the one connection, a group of jobs at a time, with one commit for all writes of a group.

Every use of the connection happens here, so a cancelled caller interrupts nothing, and a read never sees what is not
committed. A caller is told of a write only after its commit.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection

from adapters.storage.changes import Draft
from adapters.storage.groups import Server, Work
from bot.store import CommitResult, StoreBusy, StoreError

GROUP: Final = 64
"""Jobs that are served together, at most."""
WAITING: Final = 10_000
"""Jobs in the queue before the store says that it is busy."""

_T = TypeVar("_T")


class Database(Protocol):
    """A connection that runs synchronous work, each piece as a whole."""

    async def run(self, work: Work[_T]) -> _T:
        """The result of some work on the connection."""

    async def release(self) -> None:
        """Close the connection and let go of all that belongs to it."""


class _Job:
    """Something to do, and the future that its caller waits for."""

    __slots__ = ("future", "reads", "work")

    def __init__(self, work: Work[Any] | Draft, *, reads: bool = False) -> None:
        self.work = work
        self.reads = reads
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.future.add_done_callback(_seen)

    def settle(self, outcome: object) -> None:
        if self.future.done():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


def _seen(future: asyncio.Future[Any]) -> None:
    """The caller may have been cancelled: an error that nobody awaits is no news for the event loop."""
    if not future.cancelled():
        future.exception()


class Writer:
    """Takes jobs from everybody and does them one group after the other."""

    def __init__(self, database: Database, server: Server) -> None:
        """Start the task; the database belongs to it from now on."""
        self._database = database
        self._server = server
        self._queue: asyncio.Queue[_Job | None] = asyncio.Queue()
        self._stopping = False
        self._task = asyncio.create_task(self._run(), name="storage-writer")

    async def read(self, work: Work[_T]) -> _T:
        """Do something that only reads, outside any transaction of a group."""
        result: _T = await self._wait(_Job(work, reads=True))
        return result

    async def view(self, work: Work[_T]) -> _T:
        """Do something that only reads: between two statements nobody else comes in."""
        return await self.read(work)

    async def write(self, work: Work[_T], again: Work[_T] | None = None) -> _T:
        """Do something that writes, in the next group; durable when this returns.

        What a commit to a file comes to is always known, so nothing is ever done ``again``.
        """
        del again
        result: _T = await self._wait(_Job(work))
        return result

    async def sweep(self, work: Work[_T]) -> _T:
        """Do something that writes; however long it takes, everybody waits."""
        return await self.write(work)

    async def commit(self, change: Draft) -> CommitResult:
        """Write a change in the next group; durable when this returns."""
        result: CommitResult = await self._wait(_Job(change))
        return result

    async def _wait(self, job: _Job) -> Any:
        if self._stopping or self._task.done():
            raise StoreError("the store is closed")
        if self._queue.qsize() >= WAITING:
            raise StoreBusy(f"{WAITING} jobs are waiting")
        self._queue.put_nowait(job)
        return await asyncio.shield(job.future)

    async def close(self) -> None:
        """Finish what was asked for and let go of the database; may be called twice, also at the same time."""
        if not self._stopping:
            self._stopping = True
            self._queue.put_nowait(None)
        await asyncio.wait([self._task])  # cancelling this wait cancels nothing else
        if not self._task.cancelled():
            self._task.result()

    async def _run(self) -> None:
        try:
            while group := await self._next_group():
                await self._serve(group)
        finally:
            # Also when the event loop ends without anybody having closed the store.
            self._stopping = True
            while not self._queue.empty():
                left = self._queue.get_nowait()
                if left is not None:
                    left.settle(StoreError("the store is closed"))
            await self._database.release()

    async def _next_group(self) -> list[_Job]:
        """What is waiting, up to the size of a group; empty when the end has been reached."""
        job = await self._queue.get()
        group: list[_Job] = []
        while job is not None:
            group.append(job)
            if len(group) >= GROUP or self._queue.empty():
                return group
            job = self._queue.get_nowait()
        if group:
            self._queue.put_nowait(None)  # the end again, for the next call
        return group

    async def _serve(self, group: list[_Job]) -> None:
        reads = [job for job in group if job.reads]
        writes = [job for job in group if not job.reads]
        try:
            outcomes = await self._database.run(lambda connection: self._outcomes(connection, reads, writes))
            for job, outcome in zip((*reads, *writes), outcomes, strict=True):
                job.settle(outcome)
        except Exception as error:  # noqa: BLE001 - the connection is lost: the callers learn it, the task lives on
            problem = StoreError(f"the outcome is unknown: {error!r}")
            for job in group:
                job.settle(problem)
        finally:
            for job in group:
                job.settle(StoreError("the store stopped in the middle: the outcome is unknown"))

    def _outcomes(self, connection: Connection, reads: Sequence[_Job], writes: Sequence[_Job]) -> Sequence[object]:
        outcomes: list[object] = []
        for job in reads:
            if isinstance(job.work, Draft):
                raise AssertionError("a change is no read")
            outcomes.append(self._server.read(connection, job.work))
        if writes:
            outcomes += self._server.write(connection, [job.work for job in writes])
        return outcomes
