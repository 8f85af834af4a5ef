"""Announcing where several processes share the store: what one has changed, another may have to show.

Each process looks every half second for homes that lag behind, among those that its platforms reach. A table is shown
on a platform by one process at a time, under a lease that is kept for as long as the platform wants to be left alone;
whoever does not get it has nothing to do, since the holder, or the next look, shows the newest version.
"""

import asyncio
from collections.abc import Collection
from functools import partial
from typing import Final, Protocol, runtime_checkable

import structlog

from bot.announcing import Announcer, Platform
from bot.leases import POLL_SECONDS, shown_key
from bot.model import Home
from bot.store import StoreError

log = structlog.get_logger()

RECENT_SECONDS: Final = 30.0
"""How far back each look goes."""
THOROUGH_SECONDS: Final = 60.0
"""How often every home is looked at."""

_Shown = tuple[str, str, str]
"""A table, a platform, and a place there."""


@runtime_checkable
class Spread(Protocol):
    """What a platform tells that several processes serve. One that does not is reached by all, and watches nothing."""

    @property
    def keeps_hands(self) -> bool:
        """Whether private hands stand in homes, where only one process at a time may bring them up to date.

        Otherwise they are open in one process alone.
        """

    def reaches(self, home: Home) -> bool:
        """Whether this process can show a table in a place, and it is this one's to do so."""

    def watched(self) -> Collection[str]:
        """The tables that somebody is looking at through this very process, beside all homes."""


class SpreadAnnouncer(Announcer):
    """Shows tables in those of their homes that this process reaches."""

    def _set_up(self) -> None:
        self._leases = self._store.leases
        self._closed: dict[_Shown, int] = {}
        """The version that a place did not take, or that is not worth drawing yet."""
        self._seen: dict[tuple[str, str], int] = {}
        """The version of watched tables that was told last, by table and platform."""
        self._held: set[tuple[str, str]] = set()
        """What this process is showing: tables, each with a platform."""
        self._watching: asyncio.Task[None] | None = None
        self._thorough_ms = 0

    async def resume(self) -> None:
        """Bring up to date what lags behind, and go on to look for it."""
        self._closed.clear()
        await self._look_at_homes(0)
        if self._watching is None and not self._stopped:
            self._watching = asyncio.get_running_loop().create_task(self._watch(), name="homes")

    async def stop(self) -> None:
        """Stop announcing; the others, or the next start, go on."""
        task, self._watching = self._watching, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await super().stop()

    def show_again(self, table_id: str, platform: str, place: str) -> None:
        """Show a table in one of its homes even if that has the newest version."""
        self._forced.add((table_id, platform, place))
        self._closed.pop((table_id, platform, place), None)
        if platform in self._platforms:
            self._set_out(table_id, platform)

    # looking

    async def _watch(self) -> None:
        while True:
            await self._clock.sleep(POLL_SECONDS)
            try:
                await self._look()
            except StoreError as error:
                log.warning("homes.store", error=str(error))
            except Exception:
                log.exception("homes.failed")

    async def _look(self) -> None:
        now = self._clock.now_ms()
        thorough = now - self._thorough_ms >= THOROUGH_SECONDS * 1000
        if thorough:
            self._thorough_ms = now
            self._closed.clear()
        await self._look_at_homes(0 if thorough else now - int(RECENT_SECONDS * 1000))
        for table_id, platform in {(key[0], key[1]) for key in self._forced}:
            if platform in self._platforms:
                self._set_out(table_id, platform)
        await self._look_at_watched()

    async def _look_at_homes(self, since_ms: int) -> None:
        homes = [home for home in await self._store.lagging_homes(since_ms) if self._reaches(home)]
        refused = {home.table_id for home in homes if _key(home) in self._closed}
        versions = await self._store.versions(refused) if refused else {}
        for home in homes:
            if versions.get(home.table_id, -1) <= self._closed.get(_key(home), -2):
                continue
            self._set_out(home.table_id, home.platform)

    async def _look_at_watched(self) -> None:
        """Tables that somebody looks at here and that another process has changed."""
        watched = {
            (table_id, name)
            for name, platform in self._platforms.items()
            if isinstance(platform, Spread)
            for table_id in platform.watched()
        }
        versions = await self._store.versions({table_id for table_id, _ in watched}) if watched else {}
        seen, self._seen = self._seen, {}
        for table_id, name in watched:
            version = self._seen[table_id, name] = versions.get(table_id, -1)
            if version != seen.get((table_id, name)):
                self._run((table_id, name, "", "hands"), partial(self._refresh_hands, table_id, name))

    # showing

    def _reaches(self, home: Home) -> bool:
        platform = self._platforms.get(home.platform)
        return platform is not None and (not isinstance(platform, Spread) or platform.reaches(home))

    def _passed_over(self, key: tuple[str, ...], version: int) -> None:
        table_id, platform, place = key
        self._closed[table_id, platform, place] = version

    def _once_more(self, key: tuple[str, ...]) -> None:
        table_id, name, *places = key
        for place in places:
            self._closed.pop((table_id, name, place), None)
        if places or _keeps_hands(self._platforms[name]):
            self._set_out(table_id, name)
        else:
            self._run((table_id, name, "", "hands"), partial(self._refresh_hands, table_id, name))

    async def _announce(self, table_id: str) -> None:
        for name, platform in self._platforms.items():
            if not _keeps_hands(platform):
                self._run((table_id, name, "", "hands"), partial(self._refresh_hands, table_id, name))
            self._set_out(table_id, name)

    def _set_out(self, table_id: str, name: str) -> None:
        """Show a table on a platform, at once if this process is doing so already."""
        if (table_id, name) in self._held:
            self._run((table_id, name, "", "more"), partial(self._begin_homes, table_id, name))
        else:
            self._run((table_id, name), partial(self._serve, table_id, name))

    async def _serve(self, table_id: str, name: str) -> None:
        """Show a table in its homes on a platform, unless another process is doing so."""
        homes = await self._patiently(table_id, lambda: self._store.homes(table_id)) or ()
        if not any(home.platform == name and self._reaches(home) for home in homes):
            return
        key = shown_key(table_id, name)
        if not await self._leases.take(key):
            return
        self._held.add((table_id, name))
        try:
            before = None
            while before != (version := (await self._store.versions((table_id,))).get(table_id)):
                before = version
                tasks = await self._begin_homes(table_id, name)
                if tasks:
                    await asyncio.wait(tasks)
        except StoreError as error:
            log.warning("homes.store", table=table_id, error=str(error))
        finally:
            self._held.discard((table_id, name))
            await self._leases.release(key)

    async def _begin_homes(self, table_id: str, name: str) -> list[asyncio.Task[None]]:
        """Begin to bring up to date what stands in homes; the tasks that do it, however long they leave them alone."""
        tasks = []
        if _keeps_hands(self._platforms[name]):
            tasks.append(self._run((table_id, name, "", "hands"), partial(self._refresh_hands, table_id, name)))
        homes = [home for home in await self._store.homes(table_id) if home.platform == name and self._reaches(home)]
        tasks += [self._run(_key(home), partial(self._bring_up, *_key(home))) for home in homes]
        return [task for task in tasks if task is not None]


def _keeps_hands(platform: Platform) -> bool:
    return isinstance(platform, Spread) and platform.keeps_hands


def _key(home: Home) -> _Shown:
    return (home.table_id, home.platform, home.place)
