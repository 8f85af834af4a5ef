"""The fake Discord itself: an HTTP server on the loopback with the REST API and the gateway.

    async with DiscordServer() as server:
        place = server.channel(server.guild("Casa"), "general")
        ...  # start the bot with server.api and server.bot_token
        await server.connected()
        ana = server.user("Ana")
        table = await ana.slash(place, "buraco", "nueva", modo="2v2")
        hand = await ana.press(table, "Mi mano")
        assert hand.ack == 5 and hand.ephemeral and "Tu mano" in hand.text()
        server.check()  # nothing that Discord would not take

How to point discord.py 2.7 at it (or at any other address)
-----------------------------------------------------------
discord.py has no option for it. Two class attributes hold the addresses, and both have to be set before `login`:

    discord.http.Route.BASE = server.api                                   # ".../api/v10", no slash at the end
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)

`Client.connect` never asks `GET /gateway`: it uses `DEFAULT_GATEWAY`, and later the `resume_gateway_url` of READY. A
program that knows only the REST address can read the other after `login` and before `connect`:

    _, url, _ = await client.http.get_bot_gateway()
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)

Webhooks and the answers to interactions use `Route.BASE` too. Links to files are absolute and lead to this server.

What makes tests quick: `discord.Client(..., guild_ready_timeout=0.05)` spares the two seconds that discord.py waits for
one more guild before `on_ready`; a `before_identify_hook` that does nothing spares the five seconds before a second
IDENTIFY. discord.py waits 1, 3, 5... seconds after each 500, 502, 504 and 524 (and, in webhooks, each 5xx).
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

from tests.discord.wire import messages, routes
from tests.discord.wire.forms import read
from tests.discord.wire.gateway import GUILDS, Gateway
from tests.discord.wire.messages import Files
from tests.discord.wire.openapi import check_body
from tests.discord.wire.people import Person
from tests.discord.wire.world import (
    DM,
    PUBLIC_THREAD,
    TEXT,
    ApiError,
    Channel,
    Guild,
    Json,
    Message,
    User,
    World,
)

_PREFIX = "/api/v10"
_SLICES = 5


@dataclass(eq=False)
class Call:
    """A request that the bot has made."""

    method: str
    path: str
    """The part after `/api/v10`."""
    route: str
    """The same with `{names}` for the variable parts; empty where the route is unknown."""
    args: dict[str, str]
    query: dict[str, str]
    body: Any
    """The JSON, or the `payload_json` of a multipart request; empty where there is none."""
    files: Files
    at: float = field(default_factory=time.monotonic)
    status: int = 0
    """The status of the answer; 0 where the connection was dropped."""
    result: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.path} -> {self.status}"


@dataclass(eq=False)
class Fault:
    """Something that goes wrong with the next requests that match."""

    method: str
    path_prefix: str
    status: int
    code: int
    times: int
    retry_after: float
    everywhere: bool
    drop: bool
    applied: bool

    def matches(self, call: Call) -> bool:
        """Whether it strikes a request."""
        hit = call.path.startswith(self.path_prefix) or call.route.startswith(self.path_prefix)
        return self.times > 0 and self.method in ("*", call.method) and hit


class DiscordServer(World):
    """A Discord of its own, to be used as `async with DiscordServer() as server`."""

    def __init__(self, *, bot_token: str = "wire-token") -> None:  # noqa: S107 - a token of no use
        super().__init__()
        self.bot_token = bot_token
        self.gateway = Gateway(self)
        self.calls: list[Call] = []
        """Every request, in the order of arrival."""
        self.problems: list[str] = []
        """What no test should see: unknown routes, bodies that breach the description, errors of the fake."""
        self.ack_window = 3.0
        """Seconds in which an interaction has to be acknowledged."""
        self.endpoint: Callable[[Json], None] | None = None
        """Where interactions are sent in place of the gateway."""
        self.token_life = 900.0
        """Seconds for which the token of an interaction is good."""
        self.nonce_life = 300.0
        """Seconds for which an enforced nonce is remembered."""
        self.old_edits: int | None = None
        """How many edits of messages older than an hour are left before the 30046; `None` for no limit."""
        self.old_edit_retry_after = 0.01
        self.attachment_limit = 10 * 1024 * 1024
        self.heartbeat_ms = 41_250
        self.sessions_left = 999
        """How many sessions `GET /gateway/bot` says may still be begun."""
        self.privileged_intents = 0
        """The privileged intents that are switched on for the bot; others close the gateway with 4014."""
        self.quiet = 0.15
        """Seconds without a request after which the bot is taken to have finished."""
        self.patience = 5.0
        """Seconds after which a test no longer waits for the bot."""
        self._faults: list[Fault] = []
        self._open = 0
        self._runner: web.AppRunner | None = None

    # Life.

    async def start(self) -> None:
        """Listen on a free port of the loopback."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/attachments/{tail:.*}", self._file)
        app.router.add_route("*", "/{tail:.*}", self._serve)
        self._runner = web.AppRunner(app, shutdown_timeout=0.2, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.origin = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Cut all connections and stop listening."""
        self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def api(self) -> str:
        """The address of the REST API."""
        return self.origin + _PREFIX

    @property
    def gateway_url(self) -> str:
        """The address of the gateway."""
        return f"ws{self.origin.removeprefix('http')}/gateway/"

    # The world.

    def user(self, name: str, *guilds: Guild) -> Person:
        """Return the user with a name, new if need be, as a member of some guilds."""
        found = next((user for user in self.users.values() if isinstance(user, Person) and user.name == name), None)
        person = found or Person(self, self.snowflake(), name)
        self.users[person.id] = person
        for guild in guilds:
            guild.members[person.id] = person
        return person

    def guild(self, name: str, *, installed: bool = True) -> Guild:
        """Create a guild; with `installed=False` the bot is no member and only users have installed the app."""
        guild = Guild(self.snowflake(), name, installed)
        self.guilds[guild.id] = guild
        if installed and self.gateway.connected:
            self.gateway.dispatch("GUILD_CREATE", self.gateway.guild_json(guild), GUILDS)
        return guild

    def channel(self, guild: Guild, name: str) -> Channel:
        """Create a text channel."""
        return self._add(Channel(self.snowflake(), TEXT, name, guild))

    def thread(self, parent: Channel, name: str, *, kind: int = PUBLIC_THREAD, number: int | None = None) -> Channel:
        """Create a thread of the bot."""
        thread = Channel(number or self.snowflake(), kind, name, parent.guild, parent, self.bot.id)
        thread.bot_permissions, thread.user_permissions = parent.bot_permissions, parent.user_permissions
        return self._add(thread)

    def dm(self, user: User) -> Channel:
        """Return the DM of a user with the bot."""
        return self.private(user, self.bot)

    def private(self, *users: User) -> Channel:
        """Return the DM between users; without the bot, they can use it there only as an app of their own."""
        found = (item for item in self.channels.values() if item.kind == DM and set(item.recipients) == set(users))
        return next(found, None) or self._add(Channel(self.snowflake(), DM, recipients=list(users)))

    def _add(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        self.gateway.tell_channel("CREATE", channel)
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel, and tell the bot."""
        channel.deleted = True
        self.gateway.tell_channel("DELETE", channel)

    def delete_message(self, message: Message) -> None:
        """Delete a message, as a moderator would."""
        messages.delete(self, message)

    def remove_bot(self, guild: Guild) -> None:
        """Put the bot out of a guild."""
        guild.installed = False
        self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, GUILDS)

    def spend_old_edit(self, message: Message) -> None:
        """Count an edit of a message that is older than an hour."""
        if self.old_edits is None:
            return
        if self.old_edits == 0:
            text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
            raise ApiError(429, 30046, text, retry_after=self.old_edit_retry_after)
        self.old_edits -= 1

    # Tests.

    def fail(
        self,
        method: str,
        path_prefix: str,
        status: int = 500,
        code: int = 0,
        times: int = 1,
        *,
        retry_after: float = 0.05,
        everywhere: bool = False,
        drop: bool = False,
        applied: bool = False,
    ) -> None:
        """Make the next requests fail: `method` may be `*`, `path_prefix` may have `{names}` as in `Call.route`.

        With 429, `everywhere` makes it the global limit. `drop` cuts the connection in place of an answer. `applied`
        lets the request do its work first, so that only the answer is lost.
        """
        self._faults.append(
            Fault(method, path_prefix, status, code, times, retry_after, everywhere, drop, applied),
        )

    def drop(self, code: int | None = None, *, resumable: bool = True) -> None:
        """Cut the gateway connections; see `Gateway.drop`."""
        self.gateway.drop(code, resumable=resumable)

    def calls_to(self, method: str, route: str = "") -> list[Call]:
        """Return the requests with a method whose route or path starts so."""
        return [call for call in self.calls if call.method == method and (call.route or call.path).startswith(route)]

    def forget(self, keep: int) -> None:
        """Let go of what a long run is done with: all requests, events, interactions and files but the newest.

        All of it lives in the bot's own process. With tens of thousands of them the garbage collector walks through
        them for seconds at a time, in which nothing is acknowledged in Discord's three.
        """
        super().forget(keep)
        del self.calls[:-keep]
        self.gateway.forget(keep)

    @property
    def refused(self) -> list[Call]:
        """The requests that were not answered with success."""
        return [call for call in self.calls if not 200 <= call.status < 300]

    async def connected(self) -> None:
        """Wait until a bot has a session."""
        await asyncio.wait_for(self.gateway.ready.wait(), self.patience)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds; raise `TimeoutError` when patience is over."""
        end = time.monotonic() + self.patience
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError
            await asyncio.sleep(0.002)

    async def settle(self, quiet: float | None = None) -> None:
        """Wait until the bot has made no request for a while; time in which it kept the loop busy does not count."""
        pause, end = self.quiet if quiet is None else quiet, time.monotonic() + self.patience
        calm = 0
        while calm < _SLICES and time.monotonic() < end:
            before = len(self.calls)
            await asyncio.sleep(pause / _SLICES)
            calm = calm + 1 if self._open == 0 and len(self.calls) == before else 0

    def check(self) -> None:
        """Raise if there are problems."""
        if self.problems:
            raise AssertionError("the bot did what Discord would not take:\n" + "\n".join(self.problems))

    # HTTP.

    async def _file(self, request: web.Request) -> web.Response:
        found = self.files.get(request.raw_path)
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=found.content, content_type=found.content_type)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self._open += 1
        try:
            return await self._answer(request)
        except Exception as error:
            self.problems.append(f"{request.method} {request.path}: the fake failed: {error!r}")
            raise
        finally:
            self._open -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix(_PREFIX) if request.path.startswith(_PREFIX + "/") else request.path
        body, files = await read(request)
        found = routes.find(request.method, path) if path != request.path else None
        template, args, handler = found or ("", {}, None)
        call = Call(request.method, path, template, args, dict(request.query), {} if body is None else body, files)
        self.calls.append(call)
        if handler is not None and body is not None:
            self.problems += check_body(call.method, path, body)
        fault = next((item for item in self._faults if item.matches(call)), None)
        if fault is not None:
            fault.times -= 1
        if fault is None:
            return self._run(request, call, handler)
        if fault.applied:
            self._run(request, call, handler)
        if fault.drop:
            call.status = 0
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        return self._fault_answer(call, fault)

    def _run(self, request: web.Request, call: Call, handler: routes.Handler | None) -> web.Response:
        try:
            if handler is None:
                self.problems.append(f"unknown route: {call.method} {call.path}")
                raise ApiError(404, 0, "404: Not Found")
            free = call.path.startswith(("/interactions/", "/webhooks/")) or call.path == "/gateway"
            if not free and request.headers.get("Authorization") != f"Bot {self.bot_token}":
                raise ApiError(401, 0, "401: Unauthorized")
            application = call.args.get("application_id")
            if application not in (None, str(self.bot.id)):
                raise ApiError(403, 20012, "You are not authorized to perform this action on this application")
            result = handler(self, call)
        except ApiError as error:
            return _json(call, error.status, error.body)
        return _json(call, 204 if result is None else 200, result)

    def _fault_answer(self, call: Call, fault: Fault) -> web.Response:
        if fault.status == 429:
            body: Json = {"message": "You are being rate limited.", "retry_after": fault.retry_after}
            return _json(call, 429, body | {"global": fault.everywhere, "code": fault.code})
        text = {500: "500: Internal Server Error", 502: "502: Bad Gateway", 503: "503: Service Unavailable"}
        return _json(call, fault.status, {"message": text.get(fault.status, "Error"), "code": fault.code})


def _json(call: Call, status: int, result: Any) -> web.Response:
    call.status, call.result = status, result
    headers = {"Via": "1.1 google"}  # without it discord.py takes a 429 for a ban
    if status == 429:
        pause = str(result.get("retry_after", 0))
        headers |= {"Retry-After": pause, "X-RateLimit-Reset-After": pause}
        if result.get("global"):
            headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
        else:
            headers |= {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Scope": "user"}
    if status == 204:
        return web.Response(status=204, headers=headers)
    headers["Content-Type"] = "application/json"  # discord.py takes nothing else, not even a charset
    return web.Response(body=json.dumps(result).encode(), status=status, headers=headers)
