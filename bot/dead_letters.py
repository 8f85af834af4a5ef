"""Dead letters: updates that failed at every try, kept for whoever mends the program, without what people wrote.

An update that is kept can be confirmed, so that the next one comes. What is kept of it is its outline: which fields
there were and of what kind, never what stood in them.
"""

import json
import re
import secrets
import traceback
from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec
import structlog

from bot import metrics
from bot.clock import Clock

log = structlog.get_logger(__name__)

KEPT: Final = 1000
"""So many letters are kept at most, the newest."""
KEPT_DAYS: Final = 30
"""After so many days a letter is dropped."""
OUTLINE: Final = 4000
"""Characters of an outline; the rest of a longer one is cut off."""
_DEEPEST: Final = 10
_LONGEST: Final = 20
_NUMBER: Final = re.compile(r"-?[0-9]{1,32}")
_FIELD: Final = re.compile(r"[a-z][a-z0-9_]{0,40}")


class DeadLetter(msgspec.Struct, frozen=True):
    """An update that failed at every try."""

    platform: str
    number: str
    """The platform's number of the update, in words; the error's where it has none."""
    error: str
    """What went wrong and where; not what the error says, for that may tell of people."""
    error_id: str
    """The number that the person was told and that the log has."""
    tries: int
    at_ms: int
    """When it was given up, in milliseconds since the epoch."""
    outline: str
    """The update's fields as JSON, with the kinds of values in the place of the values."""


class LetterStore(Protocol):
    """Dead letters; part of :class:`bot.store.Store`. Every method may raise ``StoreBusy``."""

    async def keep_letter(self, letter: DeadLetter) -> bool:
        """Keep a letter; False where one of its platform and number is kept already, and nothing changes.

        With more than :data:`KEPT` of them the oldest go.
        """

    async def letters(self) -> Sequence[DeadLetter]:
        """All letters, the newest first."""

    async def forget_letters(self, before_ms: int) -> int:
        """Drop letters from before then; returns how many there were."""


class DeadLetters:
    """Counts and keeps what had to be given up."""

    def __init__(self, store: LetterStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def keep(self, platform: str, number: object, error: Exception, raw: object, *, tries: int = 1) -> str:
        """Count and keep an update that is given up; never raises for a store that cannot keep it.

        Args:
            platform: whose update it is.
            number: the platform's number of it; anything else where it has none.
            error: what went wrong the last time.
            raw: the update as it came, as JSON or text; only its outline is kept.
            tries: how often it was tried.

        Returns:
            A number for the log and for the person who waits.
        """
        error_id = secrets.token_hex(4)
        metrics.DEAD_LETTERS.labels(platform).inc()
        name = str(number) if _NUMBER.fullmatch(str(number)) else error_id
        now_ms = self._clock.now_ms()
        letter = DeadLetter(platform, name, _told(error), error_id, tries, now_ms, outline(raw))
        try:
            await self._store.keep_letter(letter)
        except Exception as failure:  # noqa: BLE001 - a full disk must not hold up the next update as well
            log.warning("dead_letter.not_kept", platform=platform, error_id=error_id, error=type(failure).__name__)
        return error_id


def outline(raw: object) -> str:
    """The fields of an update as JSON, without anything that stood in them."""
    return json.dumps(_outline(raw, _DEEPEST), separators=(",", ":"))[:OUTLINE]


def _outline(value: Any, depth: int) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, dict | list) and not depth:
        return "…"
    if isinstance(value, dict):
        # A field's name that the platform did not give is somebody's text.
        names = (str(name) if _FIELD.fullmatch(str(name)) else "?" for name in value)
        return {name: _outline(part, depth - 1) for name, part in zip(names, value.values(), strict=True)}
    if isinstance(value, list):
        return [_outline(part, depth - 1) for part in value[:_LONGEST]]
    return {str: "text", int: "number", float: "number"}.get(type(value), "?")


def _told(error: Exception) -> str:
    """The kind of an error, and the module and line in which it came up."""
    frames = list(traceback.walk_tb(error.__traceback__))
    if not frames:
        return type(error).__name__
    frame, line = frames[-1]
    return f"{type(error).__name__} in {frame.f_globals.get('__name__', '?')}:{line}"
