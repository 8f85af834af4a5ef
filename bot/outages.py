"""Platforms that are away: while one is, and for a moment after, nobody's time runs out at the tables that it shows.

Where several processes share the store, each notes there what it does not reach, for time may run out in another one.
"""

from collections.abc import Iterable
from typing import Final

import structlog

from bot.announcing import Platform
from bot.clock import Clock
from bot.store import Store

log = structlog.get_logger()

GRACE_SECONDS: Final = 60.0
"""How long after its return nobody's time runs out yet."""
TELL_SECONDS: Final = 5.0
"""How often other processes are told of a platform that is away."""


class Outages:
    """Knows which platforms are away, or have just come back."""

    def __init__(self, clock: Clock, store: Store) -> None:
        self._clock = clock
        self._store = store
        self._platforms: dict[str, Platform] = {}
        self._away: set[str] = set()
        self._until_ms: dict[str, int] = {}
        self._told_ms: dict[str, int] = {}

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

    async def tell(self) -> None:
        """Note for the other processes which platforms are away from here.

        Raises:
            StoreError: the store cannot take it now.
        """
        self.look()
        now = self._clock.now_ms()
        for name in sorted(self._away):
            if now - self._told_ms.get(name, 0) >= TELL_SECONDS * 1000:
                await self._store.write_note(_key(name), str(now + int(GRACE_SECONDS * 1000)))
                self._told_ms[name] = now

    async def hold(self, platforms: Iterable[str]) -> bool:
        """Whether time may not run out at a table that is shown on these platforms.

        Raises:
            StoreError: the store cannot tell what other processes have noted.
        """
        self.look()
        for name in sorted(platforms):
            until_ms = self._until_ms.get(name, 0)
            if self._store.leases.is_shared:
                noted = await self._store.note(_key(name))
                until_ms = max(until_ms, int(noted) if noted is not None and noted.isdecimal() else 0)
            if name in self._away or self._clock.now_ms() < until_ms:
                return True
        return False


def _key(platform: str) -> str:
    return f"away:{platform}"
