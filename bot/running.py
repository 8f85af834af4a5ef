"""Running the bot: store, application and platforms come up in order, and go down in order, whatever ends them."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import structlog

from bot.announcing import Platform
from bot.app import App
from bot.clock import SystemClock
from bot.config import Settings
from bot.pictures import Renderer
from bot.privacy import Upkeep
from bot.robots.registry import LEVELS, make_robot
from bot.shuffling import secure_deal
from bot.store import Store

log = structlog.get_logger()

STOP_SECONDS = 10.0
"""How long each part may take to stop before the process goes on without it."""


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


OpenStore = Callable[[str], Awaitable[Store]]
MakePlace = Callable[[App, Renderer, Settings], Place]


async def run(
    settings: Settings,
    open_store: OpenStore,
    makers: Sequence[MakePlace],
    renderer: Renderer,
    announce: Callable[[str, str], None],
) -> None:
    """Run until SIGINT or SIGTERM. ``announce`` is told of each place's name and what it is reached by.

    Raises:
        StoreUnusable: the database cannot be opened.
        Exception: what a place raises that can never be opened so, such as a token that is refused.
    """
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, stopping.set)
    store = await open_store(settings.database_url)
    try:
        app = App(
            store,
            SystemClock(),
            secure_deal,
            {level: make_robot(level) for level in LEVELS},
            robot_pause=settings.robot_pause,
            robot_workers=settings.robot_workers,
        )
        upkeep = Upkeep(store, SystemClock(), settings.keep_days)
        places = [make(app, renderer, settings) for make in makers]
        for place in places:
            app.add_platform(place)
        try:
            reached = [await place.start() for place in places]
            await app.start()
            upkeep.start()
            for place, address in zip(places, reached, strict=True):
                announce(place.capabilities.name, address)
            await stopping.wait()
        finally:
            await _in_time("upkeep", upkeep.stop())
            # Robots and notices first: a place that closes would fail whatever is being shown there.
            await _in_time("app", app.stop())
            for place in reversed(places):
                await _in_time(place.capabilities.name, place.stop())
    finally:
        await _in_time("store", store.close())


async def _in_time(part: str, stopping: Awaitable[None]) -> None:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await stopping
    except TimeoutError:
        log.error("stop.timeout", part=part)
