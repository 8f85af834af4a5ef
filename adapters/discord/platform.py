"""Discord as a platform of the application: connected in the background, whatever happens to the connection."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.client import BuracoClient
from adapters.discord.emojis import CardEmojis, Draw
from adapters.discord.faults import FAILURES
from adapters.discord.intake import Interactions, InteractionSettings
from adapters.discord.limits import ALTERNATIVE, EDITS_A_MINUTE
from adapters.discord.people import PLATFORM
from adapters.discord.refusals import Refusals
from adapters.discord.shards import Reach, ShardedClient, ShardRange
from bot.announcing import PlaceClosed, PlatformUnusable
from bot.app import App
from bot.desk import PictureDesk
from bot.drawing.base import Draws
from bot.model import Home
from bot.screens import Capabilities, Screen

log = structlog.get_logger(__name__)

CAPABILITIES: Final = Capabilities(
    name=PLATFORM,
    token_length=100,
    most_buttons=25,
    most_picks=125,
    alternative_length=ALTERNATIVE,
    pushes_hands=False,
    edits_a_minute=EDITS_A_MINUTE,
)
RETRY_SECONDS: Final = (2.0, 5.0, 15.0, 60.0)
"""Pauses before the next attempt to connect, the last one again and again."""
_CLOSE_SECONDS: Final = 5.0


class DiscordUnavailable(PlatformUnusable):
    """Discord does not take this bot."""


class DiscordPlatform:
    """Plays in Discord. Make it known with ``app.add_platform`` before ``app.start()``."""

    def __init__(
        self,
        app: App,
        draws: Draws,
        token: str,
        emojis: Mapping[str, Draw],
        *,
        api: str | None = None,
        interactions: InteractionSettings | None = None,
        shards: ShardRange | None = None,
        on_ready: Callable[[str], None] = lambda _: None,
        retry_seconds: tuple[float, ...] = RETRY_SECONDS,
        **options: Any,
    ) -> None:
        """Prepare a connection.

        Args:
            app: the application.
            draws: draws the pictures.
            token: the bot's token.
            emojis: how to draw each card emoji, by its name.
            api: the base of another REST server, such as a rate-limit proxy; its ``GET /gateway`` names the gateway.
            interactions: where interactions are listened for in place of the gateway.
            shards: the part of the shards that this process has; without one it has them all, as one.
            on_ready: told who the bot is and how it is invited, once it is connected.
            retry_seconds: pauses between attempts to connect.
            options: of discord.Client, for tests.
        """
        self._app = app
        self._token = token
        self._api = api
        self._desk = PictureDesk(draws)
        self._emojis = CardEmojis(emojis)
        self._on_ready = on_ready
        self._retry_seconds = retry_seconds
        self._options = options
        self._intake = None if interactions is None else Interactions(interactions, self._take, self._bury)
        self._shards = shards
        self._reach = None if shards is None else Reach(shards)
        self._is_open = False
        self._refusals = Refusals()
        self._client: BuracoClient | None = None
        self._connecting: asyncio.Task[None] | None = None
        # At lower levels the library logs bodies and tokens of interactions.
        for name in ("discord", "discord.http", "discord.gateway", "discord.client", "discord.webhook.async_"):
            logging.getLogger(name).setLevel(logging.WARNING)

    @property
    def capabilities(self) -> Capabilities:
        """What Discord can do."""
        return CAPABILITIES

    @property
    def is_connected(self) -> bool:
        """Whether the gateway's session stands, or interactions are listened for."""
        client = self._client
        return client is not None and not client.is_closed() and (self._is_open or client.is_ready())

    async def start(self) -> str:
        """Log in, and stay connected in the background; returns the bot's name, or nothing where Discord is away.

        Raises:
            DiscordUnavailable: the token or the application is not accepted, or the address of the interactions is not.
        """
        if self._intake is not None:
            await self._listen(self._intake)
        if self._api is not None:
            Route.BASE = self._api.rstrip("/")
        client = None
        try:
            client = await self._login()
        except FAILURES as error:
            log.warning("discord.away", error=repr(error))
        self._connecting = asyncio.create_task(self._stay_connected(client), name="discord")
        return "" if client is None or client.user is None else str(client.user)

    async def stop(self) -> None:
        """Disconnect. May be called twice."""
        task, self._connecting = self._connecting, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._intake is not None:
            await self._intake.stop()
        if self._reach is not None:
            await self._reach.stop()
        await self._close()
        await self._desk.close()

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Bring a channel's message up to date.

        Raises:
            PlaceClosed: nothing can be posted there, or the bot is not connected.
        """
        client = self._client
        if client is None or not self.is_connected:
            raise PlaceClosed("not connected")
        return await client.boards.show(home, screen)

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Bring the private hands that are open up to date."""
        del version
        if self._client is not None:
            await self._client.answers.refresh(table_id)

    # several processes

    @property
    def keeps_hands(self) -> bool:
        """Hands are open through the interactions of one process."""
        return False

    def reaches(self, home: Home) -> bool:
        """Whether a channel is one of this process's shards, where it has a part of them."""
        client = self._client
        if client is None or not self.is_connected:
            return False
        return self._reach is None or self._reach.has(home, client)

    def watched(self) -> Collection[str]:
        """The tables of which somebody has a hand open through this process."""
        return () if self._client is None else self._client.answers.hands.tables()

    # the connection

    def make_client(self) -> BuracoClient:
        """A new client, which is the one through which everything is shown from now on."""
        options: dict[str, Any] = dict(self._options)
        make: type[BuracoClient] = BuracoClient
        if self._shards is not None:
            make = ShardedClient
            # How long a session may have to wait for those of other processes is not known.
            options |= {
                "shard_ids": list(self._shards.ids),
                "shard_count": self._shards.count,
                "shard_connect_timeout": None,
            }
        self._client = make(
            self._app,
            self._desk,
            self._emojis,
            on_ready_once=self._tell,
            knows_servers=self._intake is None,
            refusals=self._refusals,
            **options,
        )
        return self._client

    async def _login(self) -> BuracoClient:
        client = self.make_client()
        try:
            await client.login(self._token)
            if self._api is not None:
                answer: Any = await client.http.request(Route("GET", "/gateway"))
                DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(answer["url"])
            if isinstance(client, ShardedClient):
                await client.learn_limits()
        except discord.LoginFailure:
            await self._close()
            raise DiscordUnavailable(
                "DISCORD_TOKEN is not accepted by Discord",
                "copy the bot's token again from the Developer Portal (Bot, Reset Token)",
            ) from None
        except BaseException:
            await self._close()
            raise
        return client

    async def _stay_connected(self, client: BuracoClient | None) -> None:
        """Keep a connection; one that is lost for good is made anew, ever more slowly."""
        attempt = 0
        while True:
            try:
                client = client or await self._login()
                attempt = 0
                if self._intake is not None:
                    # Nothing is connected: from now on everything comes by itself.
                    self._is_open = True
                    await client.on_ready()
                    return
                await client.connect()
                log.warning("discord.disconnected")
            except DiscordUnavailable as error:
                log.error("discord.refused", problem=error.problem, advice=error.advice)
                return
            except discord.PrivilegedIntentsRequired:
                log.error("discord.intents", problem="the application lacks an intent that is not privileged")
                return
            except (aiohttp.ClientError, OSError, TimeoutError, discord.DiscordException) as error:
                log.warning("discord.lost", error=repr(error))
            except Exception:
                log.exception("discord.failed")
            client = None
            await self._close()
            await asyncio.sleep(self._retry_seconds[min(attempt, len(self._retry_seconds) - 1)])
            attempt += 1

    async def _listen(self, intake: Interactions) -> None:
        try:
            await intake.start()
        except OSError as error:
            raise DiscordUnavailable(
                f"Discord's interactions cannot be listened for: {error.strerror}",
                "choose another address with BURACO_DISCORD_INTERACTIONS",
            ) from None

    def _take(self, data: dict[str, Any]) -> bool:
        """Take in an interaction that came over HTTP, on the very path of those that come through the gateway."""
        client = self._client
        if client is None or not self._is_open:
            return False
        client.take(data)
        return True

    async def _bury(self, number: str, error: Exception, data: object) -> None:
        await self._app.dead_letters.keep(PLATFORM, number, error, data)

    async def _close(self) -> None:
        client, self._client = self._client, None
        self._is_open = False
        if client is None:
            return
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await client.close()
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            log.info("discord.not_closed_cleanly", error=repr(error))

    def _tell(self, client: BuracoClient) -> None:
        """Tell whoever started the bot who it is."""
        self._on_ready(f"Buraco plays in Discord as {client.user}. Invite it with {client.invitation()}")
