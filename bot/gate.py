"""The gate before everything that people do: who comes too fast waits outside, and nobody is cut off in the middle.

What is refused here costs no look into the store. One line of the log tells what became of a press: never whose it was,
nor a card.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot import metrics
from bot.buckets import Buckets
from bot.commands import CommandError, CommandProblem
from bot.failures import BUSY, FAILED
from bot.model import Person
from bot.presenter import notices
from bot.screens import Answer
from bot.texts import texts
from bot.tokens import Intent, TokenError, read_token

log = structlog.get_logger()

PRESSES_A_SECOND: Final = 10.0
PRESSES_AT_ONCE: Final = 30
OPENINGS_A_SECOND: Final = 1 / 20
OPENINGS_AT_ONCE: Final = 6
TOO_FAST: Final = "too_fast"
RESTARTING: Final = "restarting"
_TOLD_APART: Final = frozenset({"stale", BUSY, FAILED, TOO_FAST, RESTARTING})


class Gate:
    """Lets presses in and counts them."""

    def __init__(self, presses: Buckets | None = None, openings: Buckets | None = None) -> None:
        """Without buckets, nobody is too fast."""
        self._presses = presses
        self._openings = openings
        self._under_way = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.is_draining = False
        """Whether no new tables are opened; set by :meth:`drain`."""
        self.is_closed = False
        """Whether the bot is stopping."""

    # people

    async def press(self, person: Person, token: str, via: str, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """What a press comes to; ``via`` is the platform, ``work`` answers it unless it is turned away here."""
        began = time.perf_counter()
        t = texts(person.locale)
        if self.is_closed:
            answer = Answer(notices.restarting_text(t), ok=False, reason=RESTARTING)
        elif self._presses is not None and not self._presses.take(person.id):
            answer = Answer(notices.too_fast_text(t), ok=False, reason=TOO_FAST)
        else:
            answer = await self._counted(work)
        self._take_down(token, via, answer, time.perf_counter() - began)
        return answer

    async def _counted(self, work: Callable[[], Awaitable[Answer]]) -> Answer:
        self._under_way += 1
        self._quiet.clear()
        metrics.PRESSES_UNDER_WAY.set(self._under_way)
        try:
            return await work()
        finally:
            self._under_way -= 1
            metrics.PRESSES_UNDER_WAY.set(self._under_way)
            if not self._under_way:
                self._quiet.set()

    def check_opening(self, person: Person) -> None:
        """Let a table be opened.

        Raises:
            CommandError: none is opened now, or this person has just opened several.
        """
        if self.is_draining or self.is_closed:
            raise CommandError(CommandProblem.NO_NEW_TABLES)
        if self._openings is not None and not self._openings.take(person.id):
            raise CommandError(CommandProblem.TOO_MANY_TABLES)

    # life

    def drain(self, *, on: bool = True) -> None:
        """Open no new tables from now on, or open them again; matches that have begun go on either way."""
        if on != self.is_draining:
            log.warning("gate.draining" if on else "gate.open")
        self.is_draining = on
        metrics.DRAINING.set(on)

    def close(self) -> None:
        """Let nobody in any more: whoever presses is told to press again in a moment."""
        self.is_closed = True

    async def settled(self) -> None:
        """Wait until the presses under way have been answered."""
        await self._quiet.wait()

    # what is told of it

    @staticmethod
    def _take_down(token: str, via: str, answer: Answer, seconds: float) -> None:
        result = result_of(answer)
        platform = metrics.platform_label(via)
        metrics.PRESSES.labels(platform, result).inc()
        metrics.PRESS_SECONDS.labels(platform).observe(seconds)
        intent = _intent(token)
        log.info(
            "press",
            table=intent.table_id if intent else "",
            version=answer.screen.version if answer.screen else intent.version if intent else -1,
            verb=str(intent.verb) if intent else "",
            via=platform,
            ms=round(seconds * 1000, 1),
            result=result,
            reason="" if answer.ok or answer.reason in _TOLD_APART else answer.reason,
        )


def limited_gate() -> Gate:
    """A gate with the limits of a bot that everybody can reach."""
    return Gate(Buckets(PRESSES_A_SECOND, PRESSES_AT_ONCE), Buckets(OPENINGS_A_SECOND, OPENINGS_AT_ONCE))


def result_of(answer: Answer) -> str:
    """What came of a press, as one of few words."""
    if answer.ok:
        return "ok"
    return answer.reason if answer.reason in _TOLD_APART else "refused"


def _intent(token: str) -> Intent | None:
    try:
        return read_token(token)
    except TokenError:
        return None
