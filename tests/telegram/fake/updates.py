"""The queue of updates and the two ways to get them: long polling and a webhook."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from tests.telegram.fake.calls import Call
from tests.telegram.fake.errors import ApiError, Json, bad

_NOT_BY_DEFAULT = {"chat_member", "message_reaction", "message_reaction_count"}
_TERMINATED = "Conflict: terminated by {}; make sure that only one bot instance is running"
_WEBHOOK_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
RETRY_SECONDS = 0.1


class Updates:
    """What happened and has not been confirmed yet."""

    def __init__(self, touch: Callable[[], None]) -> None:
        self.pending: list[Json] = []
        self.delivered: list[Json] = []
        self.again: list[Json] = []
        self.allowed: list[str] | None = None
        self.webhook: Json = {}
        self._touch = touch
        self._next = 1000
        self._wake = asyncio.Event()
        self._poll: asyncio.Future[None] | None = None
        self._posting: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many updates the bot has not confirmed."""
        return len(self.pending) + len(self.again)

    def push(self, kind: str, payload: Json) -> int | None:
        """Add an update, unless the bot does not want its kind; give its id."""
        wanted = kind not in _NOT_BY_DEFAULT if not self.allowed else kind in self.allowed
        if not wanted:
            return None
        self._next += 1
        self.pending.append({"update_id": self._next, kind: payload})
        self._touch()
        self._wake.set()
        return self._next

    def redeliver(self, count: int) -> None:
        """Hand the last updates out once more, with the same ids."""
        assert self.delivered, "nothing has been delivered yet"
        self.again += self.delivered[-count:]
        self._touch()
        self._wake.set()

    async def poll(self, call: Call) -> list[Json]:
        """Answer getUpdates: at once when there is something, else when there is or when time is up."""
        if self.webhook:
            raise ApiError(409, _WEBHOOK_ACTIVE)
        self._end_poll("other getUpdates request")
        self._allow(call)
        self._confirm(call.number("offset"))
        mine = asyncio.get_running_loop().create_future()
        self._poll = mine
        limit = min(max(call.number("limit", 100), 1), 100)
        try:
            return await self._some(limit, min(call.number("timeout"), 50), mine)
        finally:
            if self._poll is mine:
                self._poll = None

    async def _some(self, limit: int, seconds: float, mine: "asyncio.Future[None]") -> list[Json]:
        deadline = asyncio.get_running_loop().time() + seconds
        while not (self.again or self.pending):
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                return []
            self._wake.clear()
            woken = asyncio.ensure_future(self._wake.wait())
            either: set[asyncio.Future[Any]] = {woken, mine}
            try:
                await asyncio.wait(either, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                woken.cancel()
            if mine.done():
                mine.result()
        repeated, self.again = self.again[:limit], self.again[limit:]
        batch = repeated or self.pending[:limit]
        self._deliver(batch)
        return batch

    def _deliver(self, batch: list[Json]) -> None:
        known = {update["update_id"] for update in self.delivered}
        self.delivered += [update for update in batch if update["update_id"] not in known]
        if batch:
            self._touch()

    def _confirm(self, offset: int) -> None:
        before = len(self.pending)
        if offset > 0:
            self.pending = [update for update in self.pending if update["update_id"] >= offset]
        elif offset < 0:
            self.pending = self.pending[offset:]
        if len(self.pending) < before:
            self._touch()

    def _allow(self, call: Call) -> None:
        if "allowed_updates" in call.params:
            self.allowed = call.json("allowed_updates") or None

    def _end_poll(self, why: str) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_exception(ApiError(409, _TERMINATED.format(why)))

    def set_webhook(self, call: Call, session: aiohttp.ClientSession) -> bool:
        """Start to post updates to an address."""
        url = call.text("url")
        if not url:
            return self.delete_webhook(call)
        parts = urlsplit(url)
        if parts.scheme != "https" and parts.hostname not in {"127.0.0.1", "localhost"}:
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        if call.text("secret_token") and not _SECRET.fullmatch(call.text("secret_token")):
            raise bad("secret token contains unallowed characters")
        self._end_poll("setWebhook request")
        self._allow(call)
        if call.flag("drop_pending_updates"):
            self.pending.clear()
        self.stop()
        self.webhook = {"url": url, "secret": call.text("secret_token")}
        self._posting = asyncio.create_task(self._post(session))
        return True

    def delete_webhook(self, call: Call) -> bool:
        """Stop posting."""
        if call.flag("drop_pending_updates"):
            self.pending.clear()
        self.webhook = {}
        self.stop()
        return True

    def info(self) -> Json:
        """Give the WebhookInfo object."""
        data: Json = {
            "url": self.webhook.get("url", ""),
            "has_custom_certificate": False,
            "pending_update_count": len(self.pending),
        }
        if self.webhook.get("error"):
            data |= {"last_error_date": self.webhook["error_date"], "last_error_message": self.webhook["error"]}
        if self.allowed:
            data["allowed_updates"] = self.allowed
        return data

    def stop(self) -> None:
        """End the posting of updates."""
        if self._posting is not None:
            self._posting.cancel()
            self._posting = None

    async def _post(self, session: aiohttp.ClientSession) -> None:
        while True:
            queue = self.again or self.pending
            if not queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            update = queue[0]
            error = await self._post_one(session, update)
            if error is None:
                self._deliver([update])
                if update in queue:
                    queue.remove(update)
                continue
            self.webhook |= {"error": error, "error_date": int(time.time())}
            await asyncio.sleep(RETRY_SECONDS)

    async def _post_one(self, session: aiohttp.ClientSession, update: Json) -> str | None:
        headers: dict[str, Any] = {}
        if self.webhook["secret"]:
            headers["X-Telegram-Bot-Api-Secret-Token"] = self.webhook["secret"]
        try:
            async with session.post(self.webhook["url"], json=update, headers=headers) as answer:
                return None if answer.ok else f"Wrong response from the webhook: {answer.status} {answer.reason}"
        except aiohttp.ClientError as error:
            return f"Connection failed: {type(error).__name__}"
