"""Interactions over HTTP in place of the gateway: no shards and no session, any number of processes behind a balancer.

Discord signs every call with the application's key, and tries now and then whether a bad signature is refused. What is
signed well goes the same way as what comes through the gateway: discord.py reads the same JSON.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import structlog
from aiohttp import web
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from adapters.discord.people import PLATFORM
from adapters.listening import Listener
from bot import metrics

log = structlog.get_logger(__name__)

WINDOW_SECONDS: Final = 300.0
"""How far the signed time may be from ours: what is older may be somebody's recording."""
BODY_BYTES: Final = 1024 * 1024
SEEN: Final = 20_000
"""Interactions remembered within the window: a recording that is played at once finds nothing to do either."""
_SIGNATURE: Final = "X-Signature-Ed25519"
_TIMESTAMP: Final = "X-Signature-Timestamp"
_PING: Final = 1
_SHUTDOWN_SECONDS: Final = 2.0

Take = Callable[[dict[str, Any]], bool]
"""Takes an interaction in, without waiting for its answer; False where Discord cannot be answered now."""


Bury = Callable[[str, Exception, Any], Awaitable[object]]
"""Counts and keeps an interaction of which nothing can be made: its id, what went wrong, and its JSON."""


class InteractionSettings(msgspec.Struct, frozen=True):
    """Where interactions are listened for, and by which key they are signed (64 hexadecimal figures)."""

    host: str
    port: int
    public_key: str


class Interactions:
    """Listens for interactions."""

    def __init__(
        self, settings: InteractionSettings, take: Take, bury: Bury, now: Callable[[], float] = time.time
    ) -> None:
        """Prepare to listen.

        Raises:
            ValueError: the public key is none.
        """
        self._take = take
        self._bury = bury
        self._now = now
        self._key = VerifyKey(bytes.fromhex(settings.public_key))
        self._seen: OrderedDict[str, float] = OrderedDict()
        self._listener = Listener(
            settings.host,
            settings.port,
            [web.post("/{path:.*}", self._posted)],
            body_bytes=BODY_BYTES,
            shutdown_seconds=_SHUTDOWN_SECONDS,
        )

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the address cannot be used.
        """
        await self._listener.start()

    @property
    def port(self) -> int:
        """The port that is listened on; 0 where none is."""
        return self._listener.port

    async def stop(self) -> None:
        """Listen no more. May be called twice."""
        await self._listener.stop()

    async def _posted(self, request: web.Request) -> web.Response:
        body = await request.read()
        if not self._is_genuine(request.headers.get(_SIGNATURE, ""), request.headers.get(_TIMESTAMP, ""), body):
            metrics.BAD_SIGNATURES.labels(PLATFORM).inc()
            return web.Response(status=401)
        try:
            data = json.loads(body)
            kind, number = data["type"], str(data["id"])
        except (ValueError, RecursionError, KeyError, TypeError):
            return web.Response(status=400)
        if kind == _PING:
            return web.json_response({"type": _PING})
        if not self._is_new(number):
            return web.Response(status=202)
        try:
            taken = self._take(data)
        except Exception as error:  # noqa: BLE001 - a kind of interaction that the library does not know
            await self._bury(number, error, data)
            log.warning("discord.unreadable", error=type(error).__name__)
            return web.Response(status=400)
        if not taken:
            self._seen.pop(number, None)
        # The answer itself goes through the interaction's callback, as that of an interaction from the gateway does.
        return web.Response(status=202 if taken else 503)

    def _is_genuine(self, signature: str, timestamp: str, body: bytes) -> bool:
        """Whether Discord signed it, not long ago."""
        try:
            self._key.verify(timestamp.encode() + body, bytes.fromhex(signature))
            return abs(self._now() - int(timestamp)) <= WINDOW_SECONDS
        except (BadSignatureError, ValueError):
            return False

    def _is_new(self, number: str) -> bool:
        now = self._now()
        while self._seen and (len(self._seen) > SEEN or next(iter(self._seen.values())) < now - 2 * WINDOW_SECONDS):
            self._seen.popitem(last=False)
        if number in self._seen:
            return False
        self._seen[number] = now
        return True
