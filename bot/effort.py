"""How hard the process works: what may wait a moment, waits where it works hard."""

import time
from collections.abc import Callable
from typing import Final

HARD: Final = 0.6
"""Of one core: beyond that, what may wait waits. One core is what a Python program has for itself; processes that draw
have one each."""
LOOK_SECONDS: Final = 2.0
SLOW_SECONDS: Final = 1.0
"""What is shown should be seen within that: where it takes longer, the machine or a platform is busy with others."""
_WEIGHT: Final = 0.1
"""Of the newest among the times that showing something took."""


class Effort:
    """How hard the process and those that draw for it work, looked at every few seconds, and how long showing takes."""

    def __init__(
        self,
        hard: float = HARD,
        now: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
        drawn: Callable[[], float] | None = None,
    ) -> None:
        """``hard`` is the share of one core.

        ``now`` and ``used`` tell seconds; ``drawn`` those that processes beside this one have drawn, each on average.
        """
        self._hard = hard
        self._now = now
        self._used = (used,) if drawn is None else (used, drawn)
        self._since = now(), self._all()
        self._share = 0.0
        self._took = 0.0

    def took(self, seconds: float) -> None:
        """Something was shown that long after it was there to be shown."""
        self._took += _WEIGHT * (seconds - self._took)

    @property
    def is_hard(self) -> bool:
        """Whether the process has worked hard lately, or things are shown late."""
        since, before = self._since
        now = self._now()
        if now - since >= LOOK_SECONDS:
            used = self._all()
            self._share = max(after - of_old for after, of_old in zip(used, before, strict=True)) / (now - since)
            self._since = now, used
        return self._share > self._hard or self._took > SLOW_SECONDS

    def _all(self) -> tuple[float, ...]:
        return tuple(used() for used in self._used)
