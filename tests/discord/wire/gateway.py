"""The gateway: sessions, heartbeats, resuming, and all the ways in which Discord hangs up."""

import asyncio
import importlib
import json
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from tests.discord.wire.world import Channel, Guild, Json, member_json

if TYPE_CHECKING:
    from tests.discord.wire.server import DiscordServer

GUILDS = 1 << 0
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
"""Members, presences and the content of messages."""

_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME, _RECONNECT, _INVALID, _HELLO, _ACK = 0, 1, 2, 6, 7, 9, 10, 11
_IGNORED = (3, 4, 8)  # presence, voice, request of members


@dataclass(eq=False)
class Connection:
    """A websocket of the bot."""

    request: web.Request
    socket: web.WebSocketResponse
    encode: Callable[[str], bytes | str]
    queue: "asyncio.Queue[Json | int]" = field(default_factory=asyncio.Queue)
    """What is to be sent; a number closes the socket with that code."""
    session: "Session | None" = None

    def send(self, op: int, data: Any = None) -> None:
        """Send something that is no event."""
        self.queue.put_nowait({"op": op, "d": data, "s": None, "t": None})

    def abort(self) -> None:
        """Cut the line without a word."""
        if self.request.transport is not None:
            self.request.transport.abort()


@dataclass(eq=False)
class Session:
    """What outlives a connection: the events so far, to be replayed."""

    id: str
    intents: int
    log: list[Json] = field(default_factory=list)
    gone: int = 0
    """How many events came before those in the log."""
    connection: Connection | None = None
    shard: tuple[int, int] = (0, 1)
    """Which part of the servers it is told of, and how many parts there are."""

    @property
    def sent(self) -> int:
        """How many events there have been."""
        return self.gone + len(self.log)

    def forget(self, keep: int) -> None:
        """Let go of all events but the newest."""
        left = self.log[-keep:]
        self.gone, self.log = self.sent - len(left), left

    def hears(self, guild_id: int) -> bool:
        """Whether a server is in its part; 0 stands for what is in none."""
        return (guild_id >> 22) % self.shard[1] == self.shard[0]

    def dispatch(self, event: str, data: Any) -> None:
        """Record an event and send it if anybody listens."""
        payload: Json = {"op": _DISPATCH, "t": event, "s": self.sent + 1, "d": data}
        self.log.append(payload)
        if self.connection is not None:
            self.connection.queue.put_nowait(payload)


class Gateway:
    """The gateway of a fake Discord."""

    def __init__(self, server: "DiscordServer") -> None:
        self.server = server
        self.sessions: dict[str, Session] = {}
        self.connections: list[Connection] = []
        self.identifies: list[Json] = []
        """The data of each IDENTIFY, without the token."""
        self.resumes = 0
        self.heartbeats = 0
        self.ready = asyncio.Event()
        """Whether a bot is connected, with a session that has begun or resumed."""

    @property
    def connected(self) -> bool:
        """Whether some session has a live connection."""
        return any(session.connection is not None for session in self.sessions.values())

    def dispatch(self, event: str, data: Any, intent: int = 0) -> None:
        """Send an event to every session, connected or not, that has asked for it and whose part it is in."""
        guild_id = int(data.get("id" if event.startswith("GUILD_") else "guild_id") or 0) if data else 0
        for session in self.sessions.values():
            if session.hears(guild_id) and (not intent or session.intents & intent):
                session.dispatch(event, data)

    def drop(self, code: int | None = None, *, resumable: bool = True) -> None:
        """Cut all the connections: without a word, or with a close code."""
        if not resumable:
            self.sessions.clear()
        for connection in self.connections:
            if code is None:
                connection.abort()
            else:
                connection.queue.put_nowait(code)
            self._detach(connection)

    def reconnect(self) -> None:
        """Ask the bot to connect anew and resume, as Discord does now and then."""
        for connection in self.connections:
            connection.send(_RECONNECT)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell the bot that its session is invalid."""
        for connection in self.connections:
            if not resumable and connection.session is not None:
                self.sessions.pop(connection.session.id, None)
            connection.send(_INVALID, resumable)

    def forget(self, keep: int) -> None:
        """Let go of all events but the newest; a bot that was away for longer has to begin anew."""
        for session in self.sessions.values():
            session.forget(keep)

    def _detach(self, connection: Connection) -> None:
        if connection.session is not None and connection.session.connection is connection:
            connection.session.connection = None
            connection.session = None
        if not self.connected:
            self.ready.clear()

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection."""
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(request, socket, _encoder(request.query.get("compress")))
        self.connections.append(connection)
        connection.send(_HELLO, {"heartbeat_interval": self.server.heartbeat_ms})
        writer = asyncio.create_task(self._write(connection))
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._receive(connection, json.loads(message.data))
        finally:
            self.connections.remove(connection)
            if connection.session is not None and socket.close_code in (1000, 1001):
                del self.sessions[connection.session.id]  # closed on purpose: the session is over
            self._detach(connection)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        return socket

    async def _write(self, connection: Connection) -> None:
        while True:
            item = await connection.queue.get()
            if isinstance(item, int):
                await connection.socket.close(code=item)
                return
            data = connection.encode(json.dumps(item))
            try:
                await (
                    connection.socket.send_bytes(data) if isinstance(data, bytes) else connection.socket.send_str(data)
                )
            except ConnectionError:
                return

    def _receive(self, connection: Connection, payload: Json) -> None:
        op, data = payload.get("op"), payload.get("d")
        if op == _HEARTBEAT:
            self.heartbeats += 1
            connection.send(_ACK)
        elif op == _IDENTIFY and isinstance(data, dict):
            self._identify(connection, data)
        elif op == _RESUME and isinstance(data, dict):
            self._resume(connection, data)
        elif op not in _IGNORED:
            self.server.problems.append(f"gateway: unknown opcode {op}")
            connection.queue.put_nowait(4001)

    def _identify(self, connection: Connection, data: Json) -> None:
        self.identifies.append({name: value for name, value in data.items() if name != "token"})
        intents = data.get("intents")
        if data.get("token") != self.server.bot_token:
            connection.queue.put_nowait(4004)
        elif connection.session is not None:
            connection.queue.put_nowait(4005)
        elif not isinstance(intents, int):
            connection.queue.put_nowait(4013)
        elif intents & PRIVILEGED & ~self.server.privileged_intents:
            connection.queue.put_nowait(4014)
        else:
            shard = tuple(data.get("shard") or (0, 1))
            session = Session(secrets.token_hex(16), intents, connection=connection, shard=shard)
            self.sessions[session.id] = session
            connection.session = session
            self._greet(session, data)

    def _greet(self, session: Session, identify: Json) -> None:
        server = self.server
        guilds = [guild for guild in server.guilds.values() if guild.installed and session.hears(guild.id)]
        ready: Json = {
            "v": 10,
            "user": server.bot.json() | {"verified": True, "mfa_enabled": True, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": server.gateway_url,
            "application": {"id": str(server.bot.id), "flags": 0},
        }
        if "shard" in identify:
            ready["shard"] = identify["shard"]
        session.dispatch("READY", ready)
        for guild in guilds:
            if session.intents & GUILDS:
                session.dispatch("GUILD_CREATE", self.guild_json(guild))
        self.ready.set()

    def _resume(self, connection: Connection, data: Json) -> None:
        session = self.sessions.get(data.get("session_id") or "")
        seen = data.get("seq") or 0
        if data.get("token") != self.server.bot_token:
            connection.queue.put_nowait(4004)
        elif session is None or seen < session.gone:
            connection.send(_INVALID, False)
        elif seen > session.sent:
            connection.queue.put_nowait(4007)
        else:
            self.resumes += 1
            for payload in session.log[seen - session.gone :]:
                connection.queue.put_nowait(payload)
            session.connection, connection.session = connection, session
            session.dispatch("RESUMED", {})
            self.ready.set()

    def guild_json(self, guild: Guild) -> Json:
        """Return a guild as GUILD_CREATE has it."""
        bot = self.server.bot
        everyone: Json = {"id": str(guild.id), "name": "@everyone", "permissions": "0", "position": 0, "color": 0}
        everyone |= {"colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}
        everyone |= {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
        there = [item for item in self.server.channels.values() if item.guild is guild and not item.deleted]
        lists = (
            "emojis",
            "stickers",
            "presences",
            "voice_states",
            "stage_instances",
            "guild_scheduled_events",
            "features",
        )
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": str(self.server.owner.id),
            "preferred_locale": guild.locale,
            "roles": [everyone],
            "channels": [item.json(bot) for item in there if not item.is_thread],
            "threads": [item.json(bot) for item in there if item.is_thread],
            "members": [member_json(bot)],
            "member_count": len(guild.members) + 1,
            "large": False,
            "unavailable": False,
            "joined_at": "2024-01-01T00:00:00+00:00",
            "soundboard_sounds": [],
            **{name: [] for name in lists},
        }

    def tell_channel(self, event: str, channel: Channel) -> None:
        """Tell of a channel or a thread: `event` is `CREATE`, `UPDATE` or `DELETE`."""
        if channel.guild is not None and channel.guild.installed:
            name = "THREAD" if channel.is_thread else "CHANNEL"
            self.dispatch(f"{name}_{event}", channel.json(self.server.bot), GUILDS)


def _encoder(kind: str | None) -> Callable[[str], bytes | str]:
    """Return what turns a payload into a frame, as the client has asked in `compress`."""
    if kind is None:
        return lambda text: text
    if kind == "zlib-stream":
        stream = zlib.compressobj()
        return lambda text: stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
    if kind == "zstd-stream":
        return _zstd()
    raise web.HTTPBadRequest(text=f"unknown compression {kind}")


def _zstd() -> Callable[[str], bytes | str]:
    try:
        module = importlib.import_module("zstandard")
    except ImportError:
        standard = importlib.import_module("compression.zstd").ZstdCompressor()
        return lambda text: bytes(standard.compress(text.encode(), standard.FLUSH_BLOCK))
    stream = module.ZstdCompressor().compressobj()
    return lambda text: bytes(stream.compress(text.encode()) + stream.flush(module.COMPRESSOBJ_FLUSH_BLOCK))
