"""Running the bot: store, application and platforms come up in order, and go down in order, whatever ends them."""

import asyncio
import gc
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

import structlog

from bot.announcing import Platform
from bot.app import App
from bot.clock import SystemClock
from bot.config import Settings
from bot.drawing.base import Drawing, Draws
from bot.effort import Effort
from bot.gate import Gate, limited_gate
from bot.limits import limits_of
from bot.privacy import Upkeep
from bot.robots.registry import LEVELS, make_robot
from bot.shuffling import secure_deal
from bot.store import OpenStore
from bot.supervising import Supervised
from bot.vitals import Vitals

log = structlog.get_logger()

STOP_SECONDS: float = 7.0
"""How long everything but the store may take to stop, all together, before the process goes on without it."""
PRESSES_SECONDS: Final = 4.0
"""How long presses under way may take of that."""
PART_SECONDS: Final = 3.0
"""How long one part may take of that."""
STORE_SECONDS: Final = 2.0
"""How long the store may take to write what it was given, in any case."""
_LEAST_SECONDS: Final = 0.1
SWITCH_SECONDS: Final = 0.001
"""How long a thread that draws or writes keeps the interpreter while the event loop wants it; Python's own is five."""


class Place(Platform, Protocol):
    """A platform that has to be opened and closed: the browser room, a chat."""

    async def start(self) -> str:
        """Open it; returns what it is reached by, such as the room's address; empty where that is not known yet.

        A chat that is merely away is no reason to fail: it keeps trying by itself.
        """
        ...

    async def stop(self) -> None:
        """Close it."""
        ...

    @property
    def is_connected(self) -> bool:
        """Whether people reach it now."""
        ...


class Service(Protocol):
    """Something beside the platforms that is opened and closed with the bot."""

    async def start(self) -> str:
        """Open it; returns what it is reached by, or nothing."""
        ...

    async def stop(self) -> None:
        """Close it."""
        ...


MakePlace = Callable[[App, Draws, Settings], Place]
MakeService = Callable[[Vitals, Gate, Settings], Service]


@contextmanager
def serving() -> Iterator[None]:
    """Let the event loop have the interpreter sooner, while pictures are drawn beside it.

    Afterwards the process is as it was found, memory that was settled meanwhile too: a measurement or a test goes on
    in it, and garbage that stays frozen would never be collected.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()


def settle_memory() -> None:
    """Leave what has been made at the start alone: the collector need not look at it again while this is serving."""
    gc.collect()
    gc.freeze()


async def run(
    settings: Settings,
    open_store: OpenStore,
    makers: Sequence[MakePlace],
    draws: Draws,
    announce: Callable[[str, str], None],
    *,
    services: Sequence[MakeService] = (),
    on_stopping: Callable[[], None] = lambda: None,
) -> None:
    """Run until SIGINT or SIGTERM; SIGUSR1 begins and ends the time in which no new tables are opened.

    Args:
        settings: the settings.
        open_store: opens the store.
        makers: make the platforms.
        draws: draws. A place that draws for all is stopped after them.
        announce: told of each place's name and what it is reached by.
        services: make what is opened before the platforms and closed after them, such as the health checks.
        on_stopping: called when the end begins.

    Raises:
        StoreUnusable: the database cannot be opened.
        Exception: what a place raises that can never be opened so, such as a token that is refused.
    """
    with serving():
        stopping = asyncio.Event()
        gate = limited_gate()
        gate.drain(on=settings.drain)
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, stopping.set)
        if hasattr(signal, "SIGUSR1"):
            loop.add_signal_handler(signal.SIGUSR1, lambda: gate.drain(on=not gate.is_draining))
        store = await open_store(settings.database_url)
        try:
            clock = SystemClock()
            app = App(
                store,
                clock,
                secure_deal,
                {level: make_robot(level) for level in LEVELS},
                robot_pause=settings.robot_pause,
                robot_workers=settings.robot_workers,
                effort=Effort(drawn=(lambda: draws.busy_seconds) if isinstance(draws, Drawing) else None),
                gate=gate,
                limits=limits_of(settings),
            )
            upkeep = Upkeep(store, clock, settings.keep_days)
            places = [make(app, draws, settings) for make in makers]
            vitals = Vitals(store, gate, [_Named(place) for place in places])
            beside = [make(vitals, gate, settings) for make in services]
            supervised = Supervised(vitals)
            for place in places:
                app.add_platform(place)

            async def begin() -> None:
                vitals.start()
                for service in beside:
                    await service.start()
                reached = [await place.start() for place in places]
                await app.start()
                upkeep.start()
                settle_memory()
                vitals.is_started = True
                supervised.started()
                for place, address in zip(places, reached, strict=True):
                    announce(place.capabilities.name, address)

            try:
                await _unless(stopping, begin())
                await stopping.wait()
            finally:
                on_stopping()
                # From here on nobody is ready, and whoever presses is told to press again in a moment.
                gate.close()
                await supervised.stop()
                going = _Going(loop.time() + STOP_SECONDS)
                await going.wait("presses", gate.settled(), PRESSES_SECONDS)
                await going.wait("upkeep", upkeep.stop())
                # Robots and notices first: a place that closes would fail whatever is being shown there.
                await going.wait("app", app.stop())
                for place in reversed(places):
                    await going.wait(place.capabilities.name, place.stop())
                for service in reversed(beside):
                    await going.wait("service", service.stop())
                if isinstance(draws, Drawing):
                    await going.wait("pictures", draws.stop())
                await going.wait("vitals", vitals.stop())
        finally:
            await _in_time("store", store.close(), STORE_SECONDS)


async def _unless(stopping: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do some work, or leave it where the end comes first."""
    doing, ending = asyncio.create_task(work), asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({doing, ending}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            await doing
    finally:
        for task in (doing, ending):
            task.cancel()
        await asyncio.gather(doing, ending, return_exceptions=True)


class _Named:
    """A place, as the vital signs see it."""

    def __init__(self, place: Place) -> None:
        self._place = place

    @property
    def name(self) -> str:
        return self._place.capabilities.name

    @property
    def is_connected(self) -> bool:
        return self._place.is_connected


class _Going:
    """The time in which everything has to stop; a part that hangs takes no more than its own."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    async def wait(self, part: str, stopping: Awaitable[None], seconds: float = PART_SECONDS) -> None:
        left = self._deadline - asyncio.get_running_loop().time()
        await _in_time(part, stopping, max(_LEAST_SECONDS, min(seconds, left)))


async def _in_time(part: str, stopping: Awaitable[None], seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stopping
    except TimeoutError:
        log.error("stop.timeout", part=part)
