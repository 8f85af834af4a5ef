"""aiosqlite's connection and its thread, with SQLAlchemy Core on top of them.

SQLAlchemy's own asynchronous driver makes three hops into that thread for every statement, a few milliseconds of the
event loop for every transaction. Here a whole piece of work is one hop.
"""

import sqlite3
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import StaticPool

from adapters.storage.groups import Work
from adapters.storage.lock import FileLock

_T = TypeVar("_T")


class SqliteConnection(aiosqlite.Connection):
    """One connection to a file that this process has locked. SQLAlchemy sees it only inside its thread."""

    def __init__(self, path: Path, lock: FileLock) -> None:
        """Describe the connection; awaiting it opens it."""
        # Transactions are begun by hand: the driver's own would be deferred, and those fail at once when another
        # process has written in between, whatever the busy timeout.
        super().__init__(partial(sqlite3.connect, path, isolation_level=None), iter_chunk_size=64)
        self._lock = lock
        self._engine: Engine | None = None
        self._core: Connection | None = None

    async def run(self, work: Work[_T]) -> _T:
        """The result of some work, which nothing interrupts: not even the end of whoever awaits it."""
        result: _T = await self._execute(self._work, work)  # type: ignore[no-untyped-call]
        return result

    def _work(self, work: Work[_T]) -> _T:
        if self._core is None:
            self._engine = create_engine(
                "sqlite://",
                creator=lambda: self._conn,
                poolclass=StaticPool,
                isolation_level="AUTOCOMMIT",
                hide_parameters=True,  # hands are secret, and errors are logged
            )
            self._core = self._engine.connect()
        return work(self._core)

    async def release(self) -> None:
        """Close in order, whatever happens on the way: the thread must end and the lock must go."""
        try:
            if self._core is not None:
                await self._execute(self._close_core)  # type: ignore[no-untyped-call]
        finally:
            try:
                await self.close()
            finally:
                self._lock.release()

    def _close_core(self) -> None:
        try:
            if self._core is not None:
                self._core.close()
        finally:
            if self._engine is not None:
                self._engine.dispose()
