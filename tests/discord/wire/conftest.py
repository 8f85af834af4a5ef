"""A fake Discord, a channel in it, and a bot that is connected to it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from structlog.testing import capture_logs

from tests.discord.wire.player import Company
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.sample import Bot
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordServer]:
    """Return a running server with discord.py pointed at it."""
    async with DiscordServer() as server:
        server.quiet = 0.05
        monkeypatch.setattr(Route, "BASE", server.api)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        yield server


@pytest.fixture
def place(server: DiscordServer) -> Channel:
    """Return a text channel."""
    return server.channel(server.guild("Casa"), "general")


@pytest.fixture
async def bot(server: DiscordServer, place: Channel) -> AsyncIterator[Bot]:
    """Return a connected bot."""
    bot = Bot(discord.Intents(guilds=True, guild_messages=True, dm_messages=True))
    task = asyncio.create_task(bot.start(server.bot_token))
    try:
        await server.connected()
        await asyncio.wait_for(bot.wait_until_ready(), server.patience)
        yield bot
    finally:
        await bot.close()
        await task


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Return what is logged while the test runs."""
    with capture_logs() as events:
        yield Complaints(events)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Identify a second time without the pause of five seconds."""

    async def no_pause(*_: object, **__: object) -> None:
        """Go on."""

    monkeypatch.setattr(discord.Client, "before_identify_hook", no_pause)


@pytest.fixture
async def product(
    server: DiscordServer,
    place: Channel,
    at_once: None,
    complaints: Complaints,
    caplog: pytest.LogCaptureFixture,
) -> AsyncIterator[Product]:
    """Return the bot itself, connected; whatever the test does, nothing may be refused as malformed or raise unseen."""
    product = Product(server)
    server.quiet = 0.01
    try:
        assert await product.start() == "buraco"
        await product.ready()
        yield product
    finally:
        await product.stop()
    server.check()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture
def company(server: DiscordServer, place: Channel, product: Product) -> Company:
    """Return four people in the channel."""
    return Company(place, *(server.user(name, *server.guilds.values()) for name in ("Ana", "Beto", "Caro", "Dani")))
