"""Platforms that are away: while one is, and for a moment after, nobody's time runs out at the tables that it shows."""

from collections.abc import Iterable
from typing import Final

import structlog

from bot.announcing import Platform
from bot.clock import Clock

log = structlog.get_logger()

GRACE_SECONDS: Final = 60.0
"""How long after its return nobody's time runs out yet."""


class Outages:
    """Knows which platforms are away, or have just come back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._platforms: dict[str, Platform] = {}
        self._away: set[str] = set()
        self._until_ms: dict[str, int] = {}

    def add(self, platform: Platform) -> None:
        """Make a platform known; one that does not tell whether it is connected always is."""
        self._platforms[platform.capabilities.name] = platform

    def look(self) -> None:
        """See who is away; to be done now and then, so that short outages are noticed too."""
        for name, platform in self._platforms.items():
            if not getattr(platform, "is_connected", True):
                if name not in self._away:
                    log.warning("platform.away", platform=name)
                self._away.add(name)
            elif name in self._away:
                self.back(name)

    def back(self, platform: str) -> None:
        """A platform says that it has come back."""
        if platform in self._away:
            self._away.discard(platform)
            log.warning("platform.back", platform=platform)
            self._until_ms[platform] = self._clock.now_ms() + int(GRACE_SECONDS * 1000)

    def holds(self, platforms: Iterable[str]) -> bool:
        """Whether time may not run out at a table that is shown on these platforms."""
        self.look()
        now = self._clock.now_ms()
        return any(name in self._away or now < self._until_ms.get(name, 0) for name in platforms)
