"""How the process fares: whether it lives, whether it is ready for people, and what stands still.

*Live* means that the event loop comes round; a process that is not is worth nothing and should be started again.
*Ready* means that presses can be answered: the store takes a write, every platform is connected, and nobody is told to
come back later.
"""

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from typing import Final, Protocol

import msgspec
import structlog

from bot import metrics
from bot.gate import Gate
from bot.store import Store, StoreError

log = structlog.get_logger()

BEAT_SECONDS: Final = 0.1
STILL_SECONDS: Final = 0.25
"""The loop is told of where it has stood still for longer, with what it was doing."""
DEAD_SECONDS: Final = 5.0
"""A loop that comes round later than that is no more called live."""
FRESH_SECONDS: Final = 1.0
"""How old the last answer of the store may be before it is asked again."""
PROBE_SECONDS: Final = 2.0
SAMPLE_SECONDS: Final = 10.0
PROBE_NOTE: Final = "probe"
_FRAMES: Final = 12


class Connected(Protocol):
    """A platform, as far as its connection goes."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def is_connected(self) -> bool:
        """Whether people reach it now."""
        ...


class Health(msgspec.Struct, frozen=True):
    """What is told of liveness: nothing of anybody."""

    live: bool
    loop_lag_seconds: float


class Readiness(msgspec.Struct, frozen=True):
    """What is told of readiness: nothing of anybody."""

    ready: bool
    started: bool
    stopping: bool
    draining: bool
    store: bool
    platforms: dict[str, bool]


class Vitals:
    """Watches one process."""

    def __init__(self, store: Store, gate: Gate, platforms: Sequence[Connected] = ()) -> None:
        self._store = store
        self._gate = gate
        self._platforms = platforms
        self.is_started = False
        """Whether the application goes on where it left off; set by whoever starts it."""
        self._beat = time.monotonic()
        self._lag = 0.0
        self._task: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._store_works = False
        self._probed = float("-inf")
        self._sampled = float("-inf")
        self._probing = asyncio.Lock()

    # life

    def start(self) -> None:
        """Begin to watch the event loop that runs this."""
        self._beat = time.monotonic()
        self._task = asyncio.get_running_loop().create_task(self._watch(), name="vitals")
        self._thread = threading.Thread(target=self._guard, args=(threading.get_ident(),), name="vitals", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Watch no more. May be called twice."""
        self._ended.set()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._thread is not None:
            self._thread.join(1.0)

    async def _watch(self) -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
            self._beat = time.monotonic()
            self._lag = max(0.0, self._beat - began - BEAT_SECONDS)
            metrics.LOOP_LAG.observe(self._lag)

    def _guard(self, loop_thread: int) -> None:
        """Look from another thread: a loop that stands still cannot tell of itself."""
        told = False
        while not self._ended.wait(BEAT_SECONDS):
            still = time.monotonic() - self._beat - BEAT_SECONDS
            if still < STILL_SECONDS:
                told = False
            elif not told:
                told = True
                metrics.LOOP_BLOCKED.inc()
                log.info("loop.blocked", ms=round(still * 1000), doing=_stack_of(loop_thread))

    # what is told

    def health(self) -> Health:
        """Whether the process lives."""
        lag = max(self._lag, time.monotonic() - self._beat - BEAT_SECONDS, 0.0)
        return Health(lag < DEAD_SECONDS, round(lag, 3))

    async def readiness(self) -> Readiness:
        """Whether people can be served; the store is asked unless it has just been."""
        works = await self._probe()
        platforms = {platform.name: platform.is_connected for platform in self._platforms}
        for name, connected in platforms.items():
            metrics.CONNECTED.labels(metrics.platform_label(name)).set(connected)
        stopping, draining = self._gate.is_closed, self._gate.is_draining
        ready = self.is_started and works and all(platforms.values()) and not stopping and not draining
        metrics.READY.set(ready)
        return Readiness(ready, self.is_started, stopping, draining, works, platforms)

    async def figures(self) -> bytes:
        """All figures, with those that are only counted when somebody looks."""
        if time.monotonic() - self._sampled > SAMPLE_SECONDS and not self._gate.is_closed:
            self._sampled = time.monotonic()
            try:
                async with asyncio.timeout(PROBE_SECONDS):
                    metrics.OPEN_TABLES.set(len(await self._store.open_tables()))
                    metrics.LAGGING_HOMES.set(len(await self._store.lagging_homes()))
            except (StoreError, TimeoutError) as error:
                log.warning("vitals.not_counted", error=type(error).__name__)
        await self.readiness()
        return metrics.exposition()

    async def _probe(self) -> bool:
        async with self._probing:
            if time.monotonic() - self._probed < FRESH_SECONDS:
                return self._store_works
            try:
                async with asyncio.timeout(PROBE_SECONDS):
                    with metrics.PROBE_SECONDS.time():
                        await self._store.write_note(PROBE_NOTE, str(int(time.time())))
                self._store_works = True
            except (StoreError, TimeoutError) as error:
                if self._store_works:
                    log.error("vitals.store_fails", error=str(error) or type(error).__name__)
                self._store_works = False
            self._probed = time.monotonic()
            return self._store_works


def _stack_of(thread: int) -> str:
    """What a thread is doing: files, lines and functions, never a value."""
    frame = sys._current_frames().get(thread)
    if frame is None:
        return ""
    found = traceback.extract_stack(frame)[-_FRAMES:]
    return " < ".join(f"{one.name} ({one.filename.rpartition('/')[2]}:{one.lineno})" for one in reversed(found))
