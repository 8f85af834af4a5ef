"""The day's budget of gateway sessions: a bot that spends it gets a new token from Discord, and stands still.

Discord tells what is left (``GET /gateway/bot``) and is asked before each session. The last ones are left alone.
"""

from typing import Any, Final

import aiohttp
import msgspec
import structlog
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route

from adapters.discord.faults import FAILURES
from bot import metrics

log = structlog.get_logger(__name__)

FEW: Final = 100
"""Fewer sessions left than that are worth an alarm."""
RESERVE: Final = 5
"""So many are left alone: others may run with the same token."""


class SessionsSpent(aiohttp.ClientError):
    """No session of the gateway may be begun now. The library takes it for a line that is down, and tries again."""


class _Limit(msgspec.Struct):
    """What Discord tells of a day's sessions; ``reset_after`` is in milliseconds."""

    total: int
    remaining: int
    reset_after: int


class _Gateway(msgspec.Struct):
    session_start_limit: _Limit


async def check_sessions(http: HTTPClient) -> None:
    """Look how many sessions are left, before one is begun.

    Raises:
        SessionsSpent: none may be begun now.
    """
    try:
        told: Any = await http.request(Route("GET", "/gateway/bot"))
        limit = msgspec.convert(told, _Gateway).session_start_limit
    except (*FAILURES, msgspec.ValidationError) as error:
        log.info("discord.sessions_unknown", error=repr(error))
        return
    metrics.SESSIONS_LEFT.set(limit.remaining)
    if limit.remaining < FEW:
        log.warning("discord.few_sessions", left=limit.remaining, of=limit.total, hours=limit.reset_after // 3_600_000)
    if limit.remaining <= RESERVE:
        log.error("discord.no_sessions", left=limit.remaining, hours=limit.reset_after // 3_600_000)
        raise SessionsSpent(f"{limit.remaining} sessions are left today")


_begin: Final = DiscordWebSocket.identify


async def _begin_or_close(self: DiscordWebSocket) -> None:
    """Begin a session. Refused or cancelled, the library would leave the connection and its thread behind."""
    try:
        await _begin(self)
    except BaseException:
        await self.close()
        raise


DiscordWebSocket.identify = _begin_or_close  # type: ignore[method-assign]
