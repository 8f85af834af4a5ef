"""The server: it takes requests as api.telegram.org does, and lets tests break things."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp
from aiohttp import web

from tests.telegram.fake import about, answering, lookups, sending
from tests.telegram.fake.calls import Call, read_call
from tests.telegram.fake.errors import ApiError, Json, too_many
from tests.telegram.fake.registry import COUNTED, METHODS, Handler
from tests.telegram.fake.spec import Spec
from tests.telegram.fake.state import Chat
from tests.telegram.fake.world import World

TOKEN = "7000001:AAfake-token-for-tests-0123456789abcde"
_MEGABYTE = 1024 * 1024
_PARTS = (about, answering, lookups, sending)  # importing them registers their methods


@dataclass
class Fault:
    """Something that will go wrong with the next requests of a method."""

    method: str
    times: int
    chat_id: int | None = None
    error: ApiError | None = None
    drop: bool = False
    executed: bool = True
    delay: float = 0.0

    def hits(self, call: Call) -> bool:
        """Whether it concerns this request."""
        named = call.method == self.method or (self.method == "*" and call.method != "getUpdates")
        return self.times > 0 and named and self.chat_id in {None, call.chat_id}


class BotApi(World):
    """The Bot API for one bot on 127.0.0.1.

    Requests are kept in `calls`. `problems` lists what a correct bot never does (unknown methods, parameters that
    break the description of the API); `warnings` what Telegram takes but a good bot avoids.
    """

    def __init__(
        self,
        *,
        username: str = "buraco_bot",
        token: str = TOKEN,
        clock: Callable[[], float] = time.time,
        budget: bool = False,
        spec: Spec | None = None,
    ) -> None:
        super().__init__(username=username, clock=clock, budget=budget)
        self.token = token
        self.spec = spec or Spec()
        self.calls: list[Call] = []
        self.port = 0
        self._faults: list[Fault] = []
        self._busy = 0
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None

    @property
    def base_url(self) -> str:
        """The `base_url` of python-telegram-bot."""
        return f"http://127.0.0.1:{self.port}/bot"

    @property
    def base_file_url(self) -> str:
        """The `base_file_url` of python-telegram-bot."""
        return f"http://127.0.0.1:{self.port}/file/bot"

    # Life

    async def start(self) -> None:
        """Listen, on the port of last time if there was one."""
        app = web.Application(client_max_size=64 * _MEGABYTE)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self._session = self._session or aiohttp.ClientSession()

    async def stop(self) -> None:
        """Stop listening: requests find no server until `start`."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.updates.stop()
        await self.stop()
        if self._session is not None:
            await self._session.close()

    # Trouble

    def fail(
        self,
        method: str,
        status: int,
        description: str,
        times: int = 1,
        parameters: Json | None = None,
        *,
        chat: Chat | None = None,
    ) -> None:
        """Refuse the next requests of a method ("*": of any but getUpdates), perhaps in one chat only."""
        error = ApiError(status, description, parameters)
        self._faults.append(Fault(method, times, chat.id if chat else None, error))

    def flood(self, method: str, seconds: int, times: int = 1, *, chat: Chat | None = None) -> None:
        """Answer the next requests with 429."""
        error = too_many(seconds)
        self.fail(method, error.code, error.description, times, error.parameters, chat=chat)

    def drop(self, method: str, times: int = 1, *, executed: bool = False, chat: Chat | None = None) -> None:
        """Cut the connection of the next requests, before or after they are executed."""
        self._faults.append(Fault(method, times, chat.id if chat else None, drop=True, executed=executed))

    def slow(self, method: str, seconds: float, times: int = 1, *, chat: Chat | None = None) -> None:
        """Execute the next requests at once but answer late."""
        self._faults.append(Fault(method, times, chat.id if chat else None, delay=seconds))

    def redeliver(self, count: int = 1) -> None:
        """Hand the last updates out once more, with the same ids."""
        self.updates.redeliver(count)

    # What happened

    def called(self, method: str, chat: Chat | None = None) -> list[Call]:
        """List the requests of a method, perhaps in one chat only."""
        return [c for c in self.calls if c.method == method and (chat is None or c.chat_id == chat.id)]

    async def quiet(self, ms: int = 150, *, within: float = 10.0) -> None:
        """Wait until all updates are confirmed and no request has been under way for a while.

        A bot that asks for no updates is never quiet while some wait: TimeoutError after `within` seconds.
        """
        limit = time.monotonic() + within
        while True:
            rest = self.touched + ms / 1000 - time.monotonic()
            if rest <= 0 and not self._busy and not self.updates.waiting:
                return
            if time.monotonic() > limit:
                raise TimeoutError(f"{self._busy} requests under way, {self.updates.waiting} updates not confirmed")
            await asyncio.sleep(min(max(rest, 0.005), 0.05))

    # Requests

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return _answer(ApiError(401, "Unauthorized"))
        call = await read_call(name, request)
        call.time = self.clock()
        call.chat_id = self._chat_id(call)
        if name == "getUpdates":
            return await self._execute(call, request)
        self._busy += 1
        self.touch()
        try:
            return await self._execute(call, request)
        finally:
            self._busy -= 1
            self.touch()

    async def _execute(self, call: Call, request: web.Request) -> web.StreamResponse:
        self.calls.append(call)
        self.problems += self.spec.check(call)
        fault = next((fault for fault in self._faults if fault.hits(call)), None)
        if fault is not None:
            fault.times -= 1
        try:
            if fault is not None and fault.error is not None:
                raise fault.error
            if fault is not None and not fault.executed:
                raise ApiError(500, "the connection was cut before this was executed")
            call.result = await self._result(call)
        except ApiError as error:
            call.error = error
        if fault is not None and fault.delay:
            await asyncio.sleep(fault.delay)
        if fault is not None and fault.drop and request.transport is not None:
            request.transport.abort()
        return _answer(call.error) if call.error else web.json_response({"ok": True, "result": call.result})

    async def _result(self, call: Call) -> Any:
        if call.method == "getUpdates":
            return await self.updates.poll(call)
        if call.method == "setWebhook":
            assert self._session is not None, "the server is not running"
            return self.updates.set_webhook(call, self._session)
        handler: Handler | None = METHODS.get(call.method)
        if handler is None:
            self.problems.append(f"{call.method}: not simulated")
            raise ApiError(404, "Not Found")
        counted = call.method in COUNTED and call.chat_id is not None
        if counted and call.chat_id is not None:
            self.budget.check(call.chat_id)
        result = handler(self, call)
        if counted and call.chat_id is not None:
            self.budget.spend(call.chat_id)
        return result

    def _chat_id(self, call: Call) -> int | None:
        try:
            return self.chat(call).id
        except ApiError:
            return None

    async def _download(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        found = next((file for file in self.files.values() if file.path == path), None)
        if request.match_info["token"] != self.token or found is None:
            return _answer(ApiError(404, "Not Found"))
        return web.Response(body=found.data)


def _answer(error: ApiError) -> web.Response:
    return web.json_response(error.to_json(), status=error.code)
