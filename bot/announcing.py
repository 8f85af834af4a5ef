"""Commit, then announce: every place that shows a table is brought to its newest version.

Each home remembers the version that it shows. Whatever lags is shown again, newest state only, so that lost, doubled
or reordered notices heal by themselves, also after a crash between the commit and the notice.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec
import structlog

from bot.model import Home
from bot.screens import Capabilities, Screen
from bot.store import Store, StoreError

log = structlog.get_logger()

RETRY_SECONDS = (0.5, 2.0, 10.0, 30.0)
"""Pauses before a home that could not be shown is tried again."""


class Platform(Protocol):
    """What the application needs of a platform."""

    @property
    def capabilities(self) -> Capabilities:
        """What the platform can do."""

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Show a table's public screen in a home, in the message that is there or in a new one.

        Returns the platform's reference of the message, if it has one.
        """

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Bring the private hands that are open up to date, as far as the platform can."""


ScreenOf = Callable[[str], Awaitable[Screen | None]]


class Announcer:
    """Shows tables in their homes, each home in its own task, newest version first."""

    def __init__(self, store: Store, screen_of: ScreenOf) -> None:
        self._store = store
        self._screen_of = screen_of
        self._platforms: dict[str, Platform] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def add_platform(self, platform: Platform) -> None:
        """Make a platform known; homes of platforms that are not there wait."""
        self._platforms[platform.capabilities.name] = platform

    async def resume(self) -> None:
        """Bring up to date what lagged behind when the process ended."""
        for table_id in {home.table_id for home in await self._store.lagging_homes()}:
            self.changed(table_id)

    def changed(self, table_id: str) -> None:
        """A table has a new version. Returns at once; changes while one is being shown are taken together."""
        if table_id in self._tasks:
            self._again.add(table_id)
            return
        task = asyncio.get_running_loop().create_task(self._announce(table_id), name=f"announce {table_id}")
        self._tasks[table_id] = task
        task.add_done_callback(lambda _: self._done(table_id))

    def _done(self, table_id: str) -> None:
        del self._tasks[table_id]
        if table_id in self._again:
            self._again.discard(table_id)
            self.changed(table_id)

    async def stop(self) -> None:
        """Stop announcing; what is not shown yet is shown after the next start."""
        self._again.clear()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _announce(self, table_id: str) -> None:
        for pause in (*RETRY_SECONDS, None):
            if await self._show_everywhere(table_id) or pause is None:
                return
            await asyncio.sleep(pause)

    async def _show_everywhere(self, table_id: str) -> bool:
        """Whether every home that can be reached shows the newest version now."""
        try:
            screen = await self._screen_of(table_id)
            if screen is None:
                return True
            shown = True
            for home in await self._store.homes(table_id):
                platform = self._platforms.get(home.platform)
                if platform is not None and home.shown_version < screen.version:
                    shown = await self._show(platform, home, screen) and shown
            for platform in self._platforms.values():
                await platform.refresh_hands(table_id, screen.version)
        except StoreError as error:
            log.warning("announce.store", table=table_id, error=str(error))
            return False
        return shown

    async def _show(self, platform: Platform, home: Home, screen: Screen) -> bool:
        try:
            posted = await platform.show(home, screen)
        except Exception as error:  # noqa: BLE001 - a platform's failure is its own; the home is tried again
            log.warning("announce.failed", table=home.table_id, platform=home.platform, error=repr(error))
            return False
        await self._store.mark_shown(
            msgspec.structs.replace(home, posted=posted or home.posted, shown_version=screen.version)
        )
        return True
