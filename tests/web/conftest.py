"""A room over a store in memory, and guests in it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import aiohttp
import pytest

from adapters.storage import open_store
from adapters.web import WebRoom
from bot.app import App
from bot.clock import SystemClock
from bot.pictures import HandPicture, ProfilePicture, Renderer, TablePicture
from bot.presses import Shuffle
from bot.robots.registry import make_robot
from bot.shuffling import seeded_deal
from engine.actions import StartDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from tests.web.guest import Guest

RoomMaker = Callable[..., Awaitable["Room"]]


class FlatRenderer(Renderer):
    """Draws nothing, at once: the bytes tell the view apart."""

    def __init__(self) -> None:
        self.drawn = 0

    def table(self, picture: TablePicture) -> bytes:
        self.drawn += 1
        return b"\x89PNG " + repr(picture.view).encode()

    def profile(self, picture: ProfilePicture) -> bytes:
        return b"\x89PNG " + repr(picture).encode()

    def hand(self, picture: HandPicture) -> bytes:
        raise AssertionError("the room draws no hands")


class Room:
    """A room that is open, its application, and how to come in."""

    def __init__(self, app: App, web: WebRoom, address: str, stack: AsyncExitStack) -> None:
        self.app = app
        self.web = web
        self.address = address
        self._stack = stack

    async def guest(self) -> Guest:
        """Somebody new."""
        session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        return Guest(await self._stack.enter_async_context(session), self.address)


def dealer() -> Shuffle:
    """Seeded deals, one after the other."""
    deals = iter(range(1000))

    def deal(rules: Ruleset, seating: Seating) -> StartDeal:
        return seeded_deal(rules, seating, next(deals))

    return deal


async def until(done: Callable[[], object], seconds: float = 5) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not done():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.01)


@pytest.fixture
async def make_room() -> AsyncIterator[RoomMaker]:
    """Open rooms; all are closed in the end."""
    async with AsyncExitStack() as stack:

        async def make(
            renderer: Renderer | None = None,
            *,
            shuffle: Shuffle | None = None,
            robot: str = "random",
            host: str = "127.0.0.1",
            pause: float = 0,
            **options: Any,
        ) -> Room:
            store = await open_store("memory:")
            stack.push_async_callback(store.close)
            robots = {"normal": make_robot(robot)}
            app = App(store, SystemClock(), shuffle or dealer(), robots, robot_pause=pause, lot=Random(5))
            web = WebRoom(app, renderer or FlatRenderer(), host, 0, **options)
            app.add_platform(web)
            await app.start()
            stack.push_async_callback(app.stop)
            address = await web.start()
            stack.push_async_callback(web.stop)
            return Room(app, web, address, stack)

        yield make


@pytest.fixture
async def room(make_room: RoomMaker) -> Room:
    """A room."""
    return await make_room()


@pytest.fixture
async def ana(room: Room) -> Guest:
    """A guest."""
    return await room.guest()


@pytest.fixture
async def eva(room: Room) -> Guest:
    """Another guest."""
    return await room.guest()
