"""Time, as a dependency: tests bring their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Wall time and waiting."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class SharedClock:
    """The time of the store that several processes share, gone on with by this machine's monotonic clock.

    What a machine's own clock shows, or jumps to, matters nowhere then.
    """

    def __init__(self, clock: Clock, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Begin with what ``clock`` shows; it goes on to be what waiting is done by."""
        self._clock = clock
        self._monotonic = monotonic
        self.adopt(clock.now_ms())

    def adopt(self, now_ms: int) -> None:
        """It is so late now, in milliseconds since the epoch."""
        self._ms = now_ms
        self._at = self._monotonic()

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._ms + int((self._monotonic() - self._at) * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._clock.sleep(seconds)
