"""How the statements of a store reach its database: the one thing in which SQLite and PostgreSQL differ.

Work is a synchronous function of a SQLAlchemy connection. Whoever is cancelled while it is done interrupts nothing.
"""

from typing import Any, Protocol, TypeVar

from adapters.storage.changes import Draft
from adapters.storage.groups import Work
from bot.store import CommitResult

_T = TypeVar("_T")


class Jobs(Protocol):
    """Does work on a database. Every method may raise :class:`bot.store.StoreBusy`."""

    async def read(self, work: Work[_T]) -> _T:
        """Do something that only reads, or that no transaction may hold."""

    async def view(self, work: Work[_T]) -> _T:
        """Do something that only reads and whose statements must all see the same moment; it may take long."""

    async def write(self, work: Work[_T], again: Work[_T] | None = None) -> _T:
        """Do something in a transaction; durable when this returns.

        Args:
            work: what is done, alone in its transaction as far as it can tell. It may be done anew after a rollback.
            again: done in its place where a connection broke in the commit, so that nobody knows whether the work was
                done; left out where doing it twice is as good as once.
        """

    async def sweep(self, work: Work[_T]) -> _T:
        """Do something in a transaction that may take long, and twice is as good as once."""

    async def commit(self, change: Draft) -> CommitResult:
        """Write a change of a table in a transaction; durable when this returns."""

    async def close(self) -> Any:
        """Finish what was asked for and let go of the database; may be called twice, also at the same time."""
