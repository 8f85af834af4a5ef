"""A part of Discord's shards: which servers belong to this process, and how its sessions are begun.

The gateway splits servers by ``(server >> 22) % count``. One process, a *cluster*, has a range of the shards; what
happens in a server, and its tables' messages, are that process's. Direct messages are the first shard's.
"""

import asyncio
from collections import OrderedDict
from typing import Any, Final

import discord
import msgspec
import structlog

from adapters.discord.boards import read_posted
from adapters.discord.client import BuracoClient
from adapters.discord.sessions import check_sessions
from bot.leases import Leases
from bot.model import Home

log = structlog.get_logger(__name__)

IDENTIFY_SECONDS: Final = 5.0
"""How long Discord wants to be left alone after a session of a bucket was begun."""
_PAUSE: Final = 0.2
_PLACES_KEPT: Final = 10_000


class ShardRange(msgspec.Struct, frozen=True):
    """The shards of a process."""

    ids: range
    count: int
    """How many there are in all."""

    def has(self, guild_id: int) -> bool:
        """Whether a server is one of this process; 0 stands for direct messages."""
        return (guild_id >> 22) % self.count in self.ids


class ShardedClient(BuracoClient, discord.AutoShardedClient):
    """The client of a process that has a part of the shards."""

    max_concurrency = 1
    """How many sessions Discord lets a bot begin at a time."""

    async def learn_limits(self) -> None:
        """Ask Discord how many sessions may be begun at a time.

        Raises:
            discord.DiscordException: it does not answer.
        """
        _, _, limit = await self.http.get_bot_gateway()
        self.max_concurrency = max(1, int(limit.get("max_concurrency", 1)))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until no process begins a session of the same bucket.

        It stays taken for five seconds whatever becomes of this process: a lock that ended with it would let the next
        one be too early.

        Raises:
            SessionsSpent: there are no sessions left today; the library tries again.
        """
        leases: Leases = self._app.leases
        if not leases.is_shared:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        key = identify_key(self.application_id or 0, (shard_id or 0) % self.max_concurrency)
        while not await leases.take(key):  # noqa: ASYNC110 - it is another process that has it
            await asyncio.sleep(_PAUSE)
        begins = False
        try:
            await check_sessions(self.http)
            begins = True
        finally:
            await leases.release(key, kept_seconds=IDENTIFY_SECONDS if begins else 0.0)


def identify_key(application_id: int, bucket: int) -> str:
    """The lease of beginning a session."""
    return f"discord:identify:{application_id}:{bucket}"


class Reach:
    """Tells which homes are this process's."""

    def __init__(self, shards: ShardRange) -> None:
        self._shards = shards
        self._guilds: OrderedDict[str, int] = OrderedDict()
        self._asking: dict[str, asyncio.Task[None]] = {}

    def has(self, home: Home, client: discord.Client) -> bool:
        """Whether a home is in a server of this process. Where nobody knows its server, Discord is asked meanwhile."""
        guild = read_posted(home.posted).guild or _known(client, home.place) or self._guilds.get(home.place)
        if guild is None:
            if home.place.isdecimal() and home.place not in self._asking:
                asking = asyncio.get_running_loop().create_task(self._ask(client, home.place), name="discord place")
                self._asking[home.place] = asking
            return False
        return self._shards.has(guild)

    async def _ask(self, client: discord.Client, place: str) -> None:
        try:
            found: Any = await client.http.get_channel(int(place))
            self._keep(place, int(found.get("guild_id") or 0))
        except (discord.NotFound, discord.Forbidden):
            self._keep(place, 0)
        except Exception as error:  # noqa: BLE001 - asked again with the next look
            log.info("discord.place_unknown", error=type(error).__name__)
        finally:
            self._asking.pop(place, None)

    def _keep(self, place: str, guild: int) -> None:
        self._guilds[place] = guild
        while len(self._guilds) > _PLACES_KEPT:
            self._guilds.popitem(last=False)

    async def stop(self) -> None:
        """Ask no more."""
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _known(client: discord.Client, place: str) -> int | None:
    channel = client.get_channel(int(place)) if place.isdecimal() else None
    guild = getattr(channel, "guild", None)
    return None if guild is None else int(guild.id)
