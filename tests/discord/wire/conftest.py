"""A fake Discord, a channel in it, and a bot that is connected to it."""

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

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
