"""Token buckets: how often something may happen, by key, with some at once."""

import time
from collections import OrderedDict
from collections.abc import Callable


class Buckets:
    """Token buckets by key: ``rate`` a second, ``burst`` at once."""

    def __init__(self, rate: float, burst: int, *, most: int = 4096, now: Callable[[], float] = time.monotonic) -> None:
        """At most ``most`` keys are remembered; the longest unused is forgotten first."""
        self._rate = rate
        self._burst = burst
        self._most = most
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """Whether one more is allowed now; if so, it is counted."""
        now = self._now()
        left, then = self._buckets.pop(key, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._rate)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return allowed
