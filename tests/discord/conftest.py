"""Discord without a network: the real client of discord.py in a simulated Discord, over a store in memory."""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import simcord
import structlog

from adapters.discord.client import BuracoClient
from adapters.discord.platform import DiscordPlatform
from adapters.storage.memory import MemoryStore
from bot.app import App
from bot.clock import SystemClock
from bot.robots.registry import make_robot
from bot.shuffling import seeded_deal
from engine.actions import StartDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from tests.discord.world import FlatRenderer, World


@pytest.fixture(autouse=True)
def _spanish_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated people's apps speak Spanish; the simulator's own always speak English."""
    made = simcord.interactions.base_payload

    def spanish(*args: Any, **options: Any) -> Any:
        record, payload = made(*args, **options)
        return record, {**payload, "locale": "es-ES"}

    monkeypatch.setattr(simcord.interactions, "base_payload", spanish)


def dealer() -> Callable[[Ruleset, Seating], StartDeal]:
    """Seeded deals, one after the other."""
    deals = iter(range(1000))
    return lambda rules, seating: seeded_deal(rules, seating, next(deals))


class QuickClock(SystemClock):
    """A clock with which every pause is a thousand times as short."""

    async def sleep(self, seconds: float) -> None:
        """Wait a little."""
        await super().sleep(seconds / 1000)


class Bot:
    """Everything of one process: store, application, platform and client."""

    def __init__(self, store: MemoryStore, robot: str = "random") -> None:
        self.store = store
        self.renderer = FlatRenderer()
        self.app = App(
            store, QuickClock(), dealer(), {"normal": make_robot(robot)}, robot_pause=0.1, lot=random.Random(1)
        )
        self.platform = DiscordPlatform(self.app, self.renderer, "token", {})
        self.client: BuracoClient = self.platform.make_client()
        self.app.add_platform(self.platform)


@pytest.fixture(autouse=True)
def _quiet_logs() -> Iterator[None]:
    """Logs stay quiet unless a test looks at them."""
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()], logger_factory=structlog.ReturnLoggerFactory()
    )
    yield
    structlog.reset_defaults()


@pytest.fixture
def bot() -> Bot:
    """A bot that has not started."""
    return Bot(MemoryStore(SystemClock().now_ms))


@pytest.fixture
def simcord_bot(bot: Bot) -> BuracoClient:
    """The client that the simulated Discord drives."""
    return bot.client


@pytest.fixture
async def world(bot: Bot, simcord_env: Any) -> AsyncIterator[World]:
    """A simulated Discord with the bot in a server; nothing that is sent may be malformed."""
    # A limit for what hangs, not for a busy machine.
    simcord_env.settle_timeout = 60.0
    world = World(simcord_env, bot)
    yield world
    await world.bot.app.stop()
    await world.bot.platform.stop()
    world.check_requests()
