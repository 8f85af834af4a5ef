"""Running the bot: store, application and room come up in order, and go down in order, whatever ends them."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from bot.announcing import Platform
from bot.app import App
from bot.clock import SystemClock
from bot.config import Settings
from bot.pictures import Renderer
from bot.robots.registry import NORMAL, make_robot
from bot.shuffling import secure_deal
from bot.store import Store

log = structlog.get_logger()

STOP_SECONDS = 10.0
"""How long each part may take to stop before the process goes on without it."""


class Room(Platform, Protocol):
    """The browser room: a platform that has to be opened and closed."""

    async def start(self) -> str:
        """Open it; returns its address."""
        ...

    async def stop(self) -> None:
        """Close it."""
        ...


OpenStore = Callable[[str], Awaitable[Store]]
MakeRoom = Callable[[App, Renderer, str, int], Room]


async def run(
    settings: Settings,
    open_store: OpenStore,
    make_room: MakeRoom,
    renderer: Renderer,
    announce: Callable[[str], None],
) -> None:
    """Run until SIGINT or SIGTERM. ``announce`` is told the room's address once it is open.

    Raises:
        StoreUnusable: the database cannot be opened.
        RoomUnavailable: the address cannot be listened on.
    """
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, stopping.set)
    store = await open_store(settings.database_url)
    try:
        app = App(store, SystemClock(), secure_deal, {NORMAL: make_robot(NORMAL)}, robot_pause=settings.robot_pause)
        room = make_room(app, renderer, settings.web_host, settings.web_port)
        app.add_platform(room)
        try:
            address = await room.start()
            await app.start()
            announce(address)
            await stopping.wait()
        finally:
            await _in_time("room", room.stop())
            await _in_time("app", app.stop())
    finally:
        await _in_time("store", store.close())


async def _in_time(part: str, stopping: Awaitable[None]) -> None:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await stopping
    except TimeoutError:
        log.error("stop.timeout", part=part)
