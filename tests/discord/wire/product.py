"""The bot in the test's own process: the real platform and client over a store in memory, with time that runs fast."""

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import structlog

from adapters.discord.client import BuracoClient
from adapters.discord.intake import InteractionSettings
from adapters.discord.platform import DiscordPlatform
from adapters.discord.shards import ShardRange
from adapters.storage.memory import MemoryStore
from bot.app import App
from bot.pictures import HandPicture, ProfilePicture, Renderer, TablePicture
from bot.robots.registry import make_robot
from bot.shuffling import seeded_deal
from bot.store import Record
from engine.actions import StartDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel, Json

PNG = b"\x89PNG\r\n\x1a\n"
_SPEED = 100


class QuickClock:
    """The machine's clock, with pauses that are over a hundred times as fast."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Wait a little."""
        await asyncio.sleep(seconds / _SPEED)


class FlatRenderer(Renderer):
    """Writes down what there is to draw, in place of a picture."""

    def table(self, picture: TablePicture) -> bytes:
        """All that the picture of a table is made from."""
        return PNG + repr(picture).encode()

    def profile(self, picture: ProfilePicture) -> bytes:
        """All that the picture of a profile is made from."""
        return PNG + repr(picture).encode()

    def hand(self, picture: HandPicture) -> bytes:
        """All that the picture of a hand is made from."""
        return PNG + repr(picture).encode()


def dealer() -> Callable[[Ruleset, Seating], StartDeal]:
    """Seeded deals, one after the other."""
    deals = iter(range(1000))
    return lambda rules, seating: seeded_deal(rules, seating, next(deals))


class Product:
    """One process of the bot; another one over the same ``store`` is the next."""

    def __init__(
        self,
        server: DiscordServer,
        *,
        store: MemoryStore | None = None,
        renderer: Renderer | None = None,
        robot: str = "random",
        token: str | None = None,
        interactions: InteractionSettings | None = None,
        shards: ShardRange | None = None,
        clock: QuickClock | None = None,
    ) -> None:
        self.server = server
        self.clock = clock or QuickClock()
        self.store = store or MemoryStore(self.clock.now_ms)
        self.told: list[str] = []
        self.app = App(self.store, self.clock, dealer(), {"normal": make_robot(robot)}, lot=random.Random(1))
        self.platform = DiscordPlatform(
            self.app,
            renderer or FlatRenderer(),
            token or server.bot_token,
            {},
            api=server.api,
            interactions=interactions,
            shards=shards,
            on_ready=self.told.append,
            retry_seconds=(0.05,),
            guild_ready_timeout=0.05,
        )
        self.app.add_platform(self.platform)

    async def start(self) -> str:
        """Start as the program does; who the bot is, empty where Discord is away."""
        name = await self.platform.start()
        await self.app.start()
        return name

    async def ready(self) -> None:
        """Wait until the bot is connected and knows its servers."""
        await self.server.until(lambda: bool(self.told))

    async def stop(self) -> None:
        """Stop as the program does."""
        await self.platform.stop()
        await self.app.stop()

    @property
    def client(self) -> BuracoClient:
        """The client of the connection."""
        client = self.platform._client
        assert client is not None
        return client

    async def record(self, place: Channel) -> Record:
        """The newest table of a channel as it is kept."""
        return await self.app.record((await self.app.tables_at("discord", str(place.id)))[0])


def posts(server: DiscordServer, place: Channel) -> list[Json]:
    """Every message that was posted in a channel, as it was when it was new."""
    calls = server.calls_to("POST", "/channels/{channel_id}/messages")
    return [call.result for call in calls if call.status == 200 and call.args["channel_id"] == str(place.id)]


class Complaints:
    """What the bot and its libraries logged."""

    def __init__(self, events: list[structlog.typing.EventDict]) -> None:
        self.events = events

    def named(self, name: str) -> list[structlog.typing.EventDict]:
        """The events of a name."""
        return [event for event in self.events if event["event"] == name]

    def clear(self) -> None:
        """Let go of what was told so far."""
        self.events.clear()

    def failures(self, *known: str) -> list[Any]:
        """Errors and failures, without those of the ``known`` names."""
        return [
            event
            for event in self.events
            if event["event"] not in known
            and (event["log_level"] in ("error", "critical") or str(event["event"]).endswith("failed"))
        ]
