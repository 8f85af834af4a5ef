"""Order where it matters: what concerns one table happens in turn, what concerns different ones at the same time."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

import structlog

from adapters.telegram.limits import SEEN_UPDATES
from bot.announcing import PlaceClosed

log = structlog.get_logger()


class Lanes:
    """A lock for each key, for as long as somebody holds it or waits for it; first come, first served."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Wait for one's turn."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        async with lock:
            yield


class Seen:
    """Ids of what has been dealt with lately: what is delivered again is passed over."""

    def __init__(self, most: int = SEEN_UPDATES) -> None:
        self._most = most
        self._ids: OrderedDict[int, None] = OrderedDict()

    def first(self, number: int) -> bool:
        """Whether this one is new; from now on it is not."""
        if number in self._ids:
            return False
        self._ids[number] = None
        while len(self._ids) > self._most:
            self._ids.popitem(last=False)
        return True


class Background:
    """Tasks that nobody waits for; their failures are logged, and they end with the platform."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    def run(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[None] | None:
        """Do something by the way."""
        if self._stopped:
            work.close()
            return None
        task = asyncio.get_running_loop().create_task(self._quietly(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is stopped before its first step leaves its work untouched.
        task.add_done_callback(lambda _: work.close())
        return task

    async def stop(self) -> None:
        """End everything."""
        self._stopped = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @staticmethod
    async def _quietly(work: Coroutine[Any, Any, Any], name: str) -> None:
        try:
            await work
        except PlaceClosed as error:
            log.info("telegram.closed", work=name, error=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the failure of one piece of work is its own
            log.warning("telegram.failed", work=name, error=type(error).__name__, problem=str(error)[:200])
