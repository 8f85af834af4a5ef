"""Counting what Discord refuses: whoever is refused ten thousand times in ten minutes is kept out altogether.

Every request passes here (as aiohttp's trace), those of discord.py's own repeats too. At half of what Discord bears
everything is held back that can wait; the answers to interactions go on, for people wait for those.
"""

import re
import time
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Final

import aiohttp
import structlog

from adapters.discord.people import PLATFORM
from bot import metrics

log = structlog.get_logger(__name__)

BORNE: Final = 10_000
"""Refusals in :data:`WINDOW_SECONDS` after which Discord's front keeps an address out."""
MOST: Final = BORNE // 2
WINDOW_SECONDS: Final = 600
_SLICE_SECONDS: Final = 10
_COUNTED: Final = frozenset({401, 403, 429})
_ANSWERS: Final = re.compile(r"/(?:interactions|webhooks)/")


class HeldBack(aiohttp.ClientError):
    """A request that was not made, because too many were refused of late."""


class Refusals:
    """Counts refused requests of the last ten minutes, and holds requests back when there were too many."""

    def __init__(self, most: int = MOST, now: Callable[[], float] = time.monotonic) -> None:
        """``most`` refusals are borne before requests are held back."""
        self._most = most
        self._now = now
        self._slices: deque[tuple[int, int]] = deque()
        self._told = False

    @property
    def count(self) -> int:
        """How many there were in the last ten minutes."""
        oldest = self._slice() - WINDOW_SECONDS // _SLICE_SECONDS
        while self._slices and self._slices[0][0] <= oldest:
            self._slices.popleft()
        return sum(times for _, times in self._slices)

    def refused(self, status: int, scope: str = "") -> None:
        """Count an answer, if it is a refusal; a limit that others share is nobody's fault."""
        if status not in _COUNTED or (status == 429 and scope == "shared"):
            return
        number = self._slice()
        times = self._slices.pop()[1] if self._slices and self._slices[-1][0] == number else 0
        self._slices.append((number, times + 1))
        metrics.REFUSED_CALLS.labels(PLATFORM, str(status)).inc()

    def check(self, path: str) -> None:
        """Let a request be made.

        Raises:
            HeldBack: too many have been refused of late, and this one can wait.
        """
        count = self.count
        holding = count >= self._most
        if holding != self._told:
            self._told = holding
            metrics.HELD_BACK.labels(PLATFORM).set(holding)
            if holding:
                log.error("discord.held_back", refused=count, minutes=WINDOW_SECONDS // 60)
            else:
                log.warning("discord.goes_on", refused=count)
        if holding and not _ANSWERS.search(path):
            raise HeldBack(f"{count} requests were refused in ten minutes")

    def _slice(self) -> int:
        return int(self._now() // _SLICE_SECONDS)

    # aiohttp's trace

    def trace(self) -> aiohttp.TraceConfig:
        """What discord.Client takes as ``http_trace``."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._starts)
        trace.on_request_end.append(self._ends)
        return trace

    async def _starts(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, told: aiohttp.TraceRequestStartParams
    ) -> None:
        if told.url.scheme not in ("ws", "wss"):
            self.check(told.url.path)

    async def _ends(self, _: aiohttp.ClientSession, __: SimpleNamespace, told: aiohttp.TraceRequestEndParams) -> None:
        self.refused(told.response.status, told.response.headers.get("X-RateLimit-Scope", ""))
