"""Slots: so many at a time, where whoever takes too long counts no more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slots:
    """Lets a number of tasks in at a time; one that hangs keeps its place from the others only for a while."""

    def __init__(self, count: int, seconds: float) -> None:
        """``count`` tasks at a time, each of which counts for at most so many seconds."""
        self._seconds = seconds
        self._free = asyncio.Semaphore(count)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot and have it until the end of the block, or until it has lasted too long."""
        await self._free.acquire()
        counts = True

        def release() -> None:
            nonlocal counts
            if counts:
                counts = False
                self._free.release()

        given_up = asyncio.get_running_loop().call_later(self._seconds, release)
        try:
            yield
        finally:
            given_up.cancel()
            release()
