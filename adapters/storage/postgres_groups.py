"""Changes of several tables in one transaction: what waits while one is under way goes together in the next.

A table's change is a handful of statements, and most of its cost is their way to the server and back; a group shares
them, and the flush to the disk. A group never waits for anybody: where a row is locked by another process, or anything
at all goes wrong, each change is done for itself, with all the patience there is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from adapters.storage.changes import Draft
from adapters.storage.commits import Outcome
from bot.store import StoreBusy

GROUP: Final = 32
"""Changes in one transaction, at most."""
AT_ONCE: Final = 2
"""Groups under way at the same time: while one is on its way to the disk, the next is on its way to the server."""


class Alone(NamedTuple):
    """A change has to be done for itself."""

    unsure: bool
    """Whether it may have been written all the same."""


Result = Outcome | StoreBusy | Alone
Write = Callable[[Sequence[Draft]], Awaitable[Sequence[Result]]]
"""Writes a group; an outcome for each, in their order. It raises nothing."""


class Groups:
    """Puts changes together that come at the same time."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: list[tuple[Draft, asyncio.Future[Result]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def add(self, change: Draft) -> Result:
        """What came of a change in its group."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, future))
        if len(self._tasks) < AT_ONCE:
            task = asyncio.create_task(self._run(), name="storage-group")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await future

    async def _run(self) -> None:
        while self._waiting:
            group = self._waiting[:GROUP]
            del self._waiting[:GROUP]
            outcomes: Sequence[Result] = [Alone(unsure=True)] * len(group)
            try:
                outcomes = await self._write([change for change, _ in group])
            finally:  # also when the event loop ends
                for (_, future), outcome in zip(group, outcomes, strict=True):
                    if not future.done():
                        future.set_result(outcome)
