"""How updates come in: asked for by long polling, or sent to a webhook; confirmed after their effect either way.

What is confirmed too late is delivered again and recognised by its id; what is confirmed too early would be lost.
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from aiohttp import web
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from adapters.listening import Listener
from adapters.telegram.api import QuietBot
from adapters.telegram.limits import (
    BODY_BYTES,
    COMMIT_SECONDS,
    CONFLICT_PAUSE,
    DUTY_PAUSE,
    HOOK_SECONDS,
    PAUSES,
    POLL_SECONDS,
)
from adapters.telegram.updates import ALLOWED
from bot.clock import Clock

log = structlog.get_logger()

Take = Callable[[list[dict[str, Any]], float], Awaitable[None]]
"""Takes updates in, and returns when they have had their effect or this many seconds."""
_SECRET = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header
_LAST_SECONDS = 2.0


class WebhookSettings(msgspec.Struct, frozen=True):
    """Where Telegram sends updates, and where they are listened for."""

    url: str
    """Public, HTTPS."""
    secret: str
    """Sent along with every update: 32 to 256 letters, figures, ``_`` and ``-``."""
    host: str = "127.0.0.1"
    port: int = 8643

    def __repr__(self) -> str:
        """Without the secret."""
        return f"<webhook {self.host}:{self.port}>"


class Polling:
    """Asks for updates again and again, whatever happens to the line."""

    def __init__(
        self,
        bot: QuietBot,
        take: Take,
        clock: Clock,
        is_mine: Callable[[], Awaitable[bool]],
        back: Callable[[], None] = lambda: None,
    ) -> None:
        """Make everything ready for :meth:`run`.

        Args:
            bot: asks.
            take: takes what has come.
            clock: the time.
            is_mine: tells whether it is for this process to ask; Telegram answers only one at a time.
            back: called when Telegram answers again after it did not.
        """
        self._back = back
        self._bot = bot
        self._take = take
        self._clock = clock
        self._is_mine = is_mine
        self._offset = 0
        self.is_heard = True
        """Whether Telegram answered the last question."""

    async def run(self) -> None:
        """Poll until cancelled."""
        failures = 0
        while True:
            if not await self._is_mine():
                # Another process asks. It starts where that one ended: what was not confirmed is delivered again.
                self._offset, self.is_heard = 0, True
                await self._clock.sleep(DUTY_PAUSE)
                continue
            try:
                # After a failure the first answer comes at once: nobody waits for news to learn that the line is back.
                batch = await self._ask(POLL_SECONDS if self.is_heard else 0)
                was_heard, failures, self.is_heard = self.is_heard, 0, True
                if not was_heard:
                    self._back()
            except Conflict:
                self.is_heard = False
                log.error("telegram.conflict", advice="another process asks for this bot's updates: stop one of them")
                await self._clock.sleep(CONFLICT_PAUSE)
                continue
            except InvalidToken:
                self.is_heard = False
                log.error("telegram.token", advice="the token is not taken any more: get a new one from @BotFather")
                await self._clock.sleep(PAUSES[-1])
                continue
            except (TelegramError, ValueError) as error:
                self.is_heard = False
                log.warning("telegram.poll", error=type(error).__name__)
                pause = PAUSES[min(failures, len(PAUSES) - 1)]
                if isinstance(error, RetryAfter):
                    pause = PAUSES[-1]
                failures += 1
                await self._clock.sleep(pause)
                continue
            await self._take(batch, COMMIT_SECONDS)
            self._offset = max([self._offset, *(int(update["update_id"]) + 1 for update in batch)])

    async def finish(self) -> None:
        """Confirm what has been done, so that it is not delivered again."""
        if not self._offset:
            return
        try:
            async with asyncio.timeout(_LAST_SECONDS):
                await self._ask(0)
        except (TelegramError, TimeoutError):
            log.debug("telegram.unconfirmed")

    async def _ask(self, seconds: int) -> list[dict[str, Any]]:
        return await self._bot.raw_updates(self._offset, 100 if seconds else 1, seconds, ALLOWED)


class Webhook:
    """Listens for updates that Telegram sends."""

    def __init__(self, settings: WebhookSettings, take: Take) -> None:
        self._settings = settings
        self._take = take
        path = urlsplit(settings.url).path or "/"
        self._listener = Listener(
            settings.host,
            settings.port,
            [web.post(path, self._posted)],
            body_bytes=BODY_BYTES,
            shutdown_seconds=_LAST_SECONDS,
        )

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the address cannot be used.
        """
        await self._listener.start()

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return self._listener.port

    async def stop(self) -> None:
        """Stop listening."""
        await self._listener.stop()

    async def _posted(self, request: web.Request) -> web.Response:
        given = request.headers.get(_SECRET, "").encode()
        if not hmac.compare_digest(given, self._settings.secret.encode()):
            return web.Response(status=403)
        try:
            update = json.loads(await request.read())
        except (ValueError, RecursionError):
            return web.Response(status=400)
        if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
            return web.Response(status=400)
        await self._take([update], HOOK_SECONDS)
        return web.Response()
