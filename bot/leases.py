"""Who does what, where several processes share one store.

A *lease* is the right to do one piece of work, such as a robot's turn at one table. It is renewed for as long as its
holder lives, and falls free soon after its holder has died, without anybody having to notice the death. A *duty* is
something that only one process may do at all, such as asking Telegram for updates: it is bound to a connection to the
database and ends with it.

Neither guards a table. What is written is judged by the table's version and the press's key alone, so a lease that is
lost while its holder hangs costs some work that is thrown away, and nothing else.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final, Protocol

LEASE_SECONDS: Final = 1.0
"""How long a lease lasts after it was renewed last."""
RENEW_SECONDS: Final = 0.25
POLL_SECONDS: Final = 0.5
"""How often each process looks for work that nobody does. A lease and this together are the longest that work which
was due stands still when a process dies: below two seconds."""
_TURN_SECONDS: Final = 0.05


def _nothing() -> None:
    """Nobody wants to know."""


class Leases(Protocol):
    """Leases and duties of one process. Where they cannot be asked for they are not granted; nothing is raised."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may be at work on the same store."""

    async def take(self, key: str, lost: Callable[[], None] = _nothing) -> bool:
        """Take a lease unless somebody has it, also where that is this process itself.

        ``lost`` is called if it is lost before it is released.
        """

    async def take_due(self, most: int, lost: Callable[[str], None]) -> Sequence[str]:
        """Take the leases of up to so many tables at which something is due and nobody is at work, the longest first.

        The lease of a table is that of :func:`table_key`. ``lost`` is told of a table whose lease is lost.
        """

    async def release(self, key: str, *, kept_seconds: float = 0.0) -> None:
        """Let a lease go; with ``kept_seconds`` nobody gets it before that, whatever becomes of this process."""

    async def only(self, name: str) -> bool:
        """Whether this process alone has a duty from now on, until it gives it up, ends or loses the database."""

    async def give_up(self, name: str) -> None:
        """Leave a duty to others."""

    async def close(self) -> None:
        """Let everything go; may be called twice."""


class Alone:
    """The leases of a process that has its store for itself: everything is granted, and nothing is looked up."""

    is_shared: bool = False

    async def take(self, key: str, lost: Callable[[], None] = _nothing) -> bool:
        """Nobody else could have it."""
        del key, lost
        return True

    async def take_due(self, most: int, lost: Callable[[str], None]) -> Sequence[str]:
        """What is due is known in the process itself."""
        del most, lost
        return ()

    async def release(self, key: str, *, kept_seconds: float = 0.0) -> None:
        """Nobody waits for it."""
        del key, kept_seconds

    async def only(self, name: str) -> bool:
        """There is nobody else."""
        del name
        return True

    async def give_up(self, name: str) -> None:
        """Nobody waits for it."""
        del name

    async def close(self) -> None:
        """There is nothing to let go."""


def table_key(table_id: str) -> str:
    """The lease of what the program itself does at a table."""
    return f"table:{table_id}"


def shown_key(table_id: str, platform: str) -> str:
    """The lease of showing a table on a platform."""
    return f"show:{table_id}:{platform}"


def hand_key(platform: str, account: str, table_id: str) -> str:
    """The lease of somebody's private hand at a table."""
    return f"hand:{platform}:{account}:{table_id}"


@asynccontextmanager
async def turn(leases: Leases, key: str) -> AsyncIterator[None]:
    """Wait for a lease, and have it for as long as something is done."""
    while not await leases.take(key):  # noqa: ASYNC110 - it is another process that has it
        await asyncio.sleep(_TURN_SECONDS)
    try:
        yield
    finally:
        await leases.release(key)
