"""Commit, then announce: every place that shows a table is brought to its newest version.

Each home remembers the version that it shows. Whatever lags is shown again, newest state only, so that lost, doubled
or reordered notices heal by themselves, also after a crash between the commit and the notice.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final, Protocol

import msgspec
import structlog

from bot import metrics
from bot.calling import called
from bot.clock import Clock
from bot.effort import Effort
from bot.model import Home
from bot.screens import Capabilities, Screen
from bot.slots import Slots
from bot.store import Store, StoreError

log = structlog.get_logger()

RETRY_SECONDS = (0.5, 2.0, 10.0, 30.0)
"""Pauses before a home that could not be shown is tried again."""
LATER_SECONDS = (60.0, 120.0, 300.0)
"""Pauses before a home that still could not be shown is tried once more, the last one again and again."""
MOST_LATER = 12
"""After so many of these, about an hour, it waits for the table's next change or the platform's return."""
SECONDS_A_MINUTE = 60.0
SHOWN_AT_ONCE = 24
"""Places of a platform that are shown at a time: more would only wait for their pictures, and be old when they come."""
SLOT_SECONDS = 3.0
"""A place that takes longer does not keep others waiting any more."""
HELD_SECONDS = 30.0
"""How long a table in the middle of a turn waits at most to be shown, while the process works hard."""


class PlaceClosed(Exception):
    """A platform cannot show anything in a place now, and trying again soon would not help."""


class PlatformUnusable(Exception):
    """A platform never takes this bot as it is set up; ``advice`` says what to do. Neither ever holds a token."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


class Platform(Protocol):
    """What the application needs of a platform."""

    @property
    def capabilities(self) -> Capabilities:
        """What the platform can do."""

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Show a table's public screen in a home, in the message that is there or in a new one.

        Returns the platform's reference of the message, if it has one.

        Raises:
            PlaceClosed: the place is gone or closed to the bot; it is left alone until the table's next change.
        """

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Bring the private hands that are open up to date, as far as the platform can."""


ScreenOf = Callable[[str], Awaitable[Screen | None]]
VersionOf = Callable[[str], Awaitable[int | None]]
_Key = tuple[str, ...]
"""A table and what of it has a task of its own: its homes, one home, or the hands on one platform."""
_OF_A_HOME: Final = 3
"""Parts of a home's key."""


class Announcer:
    """Shows tables in their homes, each home in a task of its own, so that none waits for another."""

    def __init__(
        self,
        store: Store,
        screen_of: ScreenOf,
        clock: Clock,
        *,
        version_of: VersionOf | None = None,
        effort: Effort | None = None,
    ) -> None:
        """Make everything ready.

        Args:
            store: knows where tables are shown.
            screen_of: what is to be shown of a table.
            clock: the time.
            version_of: the version of a table, where that is found out with less work than its screen.
            effort: tells whether what may wait should: then the middle of a turn is shown with its end.
        """
        self._store = store
        self._screen_of = screen_of
        self._version_of = version_of or self._version_shown
        self._effort = effort
        self._clock = clock
        self._platforms: dict[str, Platform] = {}
        self._slots: dict[str, Slots] = {}
        self._tasks: dict[_Key, asyncio.Task[None]] = {}
        self._again: set[_Key] = set()
        self._forced: set[_Key] = set()
        self._later: dict[_Key, int] = {}
        """What could not be done for long, with how often it was put off."""
        self._due: set[_Key] = set()
        """What has been held back for long enough."""
        self._passing: dict[str, int] = {}
        """Tables whose newest change leaves them in the middle of a turn, with its version."""
        self._stopped = False
        self._set_up()

    def _set_up(self) -> None:
        """Make ready what a kind of announcer keeps besides; nothing runs yet."""

    @property
    def platforms(self) -> Mapping[str, Platform]:
        """The platforms that are there, by their names."""
        return self._platforms

    def add_platform(self, platform: Platform) -> None:
        """Make a platform known; homes of platforms that are not there wait."""
        self._platforms[platform.capabilities.name] = platform
        self._slots[platform.capabilities.name] = Slots(SHOWN_AT_ONCE, SLOT_SECONDS)

    async def resume(self) -> None:
        """Bring up to date what lagged behind when the process ended."""
        for table_id in dict.fromkeys(home.table_id for home in await self._store.lagging_homes()):
            self.changed(table_id)

    def reconnected(self, platform: str) -> None:
        """A platform can show things again. Returns at once; its homes that lag are brought up to date."""
        self._run(("", platform), self.resume)

    def changed(self, table_id: str, passing: int | None = None) -> None:
        """A table has a new version. Returns at once; changes while one is being shown are taken together.

        ``passing`` is the version where it is known to be the middle of a turn, which the turn's end will soon replace.
        """
        if passing is None:
            self._passing.pop(table_id, None)
        else:
            self._passing[table_id] = passing
        self._run((table_id,), lambda: self._announce(table_id))

    def running_out(self, table_id: str) -> None:
        """The turn at a table has little time left: every home is shown that, though nothing has changed."""
        self._run((table_id, "", "late"), lambda: self._show_everywhere(table_id))

    async def _show_everywhere(self, table_id: str) -> None:
        for home in await self._patiently(table_id, lambda: self._store.homes(table_id)) or ():
            self.show_again(home.table_id, home.platform, home.place)

    def show_again(self, table_id: str, platform: str, place: str) -> None:
        """Show a table in one of its homes even if that has the newest version: its message may be gone."""
        key = (table_id, platform, place)
        self._forced.add(key)
        if platform in self._platforms:
            self._run(key, lambda: self._bring_up(*key))

    async def stop(self) -> None:
        """Stop announcing; what is not shown yet is shown after the next start."""
        self._stopped = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # A task that is stopped before its first step cannot take itself off.
        self._tasks.clear()

    def _run(self, key: _Key, work: Callable[[], Coroutine[Any, Any, Any]]) -> asyncio.Task[None] | None:
        """Do a piece of work; asked for while it is being done, it is done once more afterwards.

        Returns the task that does it; None where nothing is done any more.
        """
        if self._stopped:
            return None
        if key in self._tasks:
            self._again.add(key)
        else:
            self._tasks[key] = asyncio.get_running_loop().create_task(self._until_done(key, work), name=" ".join(key))
        return self._tasks[key]

    async def _until_done(self, key: _Key, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        try:
            while True:
                self._again.discard(key)
                await work()
                if key not in self._again:
                    return
        except Exception:
            log.exception("announce.failed", table=key[0])
        finally:
            self._again.discard(key)
            self._tasks.pop(key, None)

    async def _announce(self, table_id: str) -> None:
        """Set every home and every platform's hands in motion."""
        homes = await self._patiently(table_id, lambda: self._store.homes(table_id))
        passing = self._passing.pop(table_id, None)
        for home in homes or ():
            if home.platform in self._platforms:
                key = (table_id, home.platform, home.place)
                if passing is not None and self._may_wait(key, home):
                    # What is not shown now need not be made either.
                    self._hold(key, passing)
                    continue
                self._run(key, lambda key=key: self._bring_up(*key))  # type: ignore[misc]
        for name in self._platforms:
            self._run((table_id, name), lambda name=name: self._refresh_hands(table_id, name))  # type: ignore[misc]

    async def _bring_up(self, table_id: str, platform_name: str, place: str) -> None:
        """Show a home the newest version, if it lags behind, and then leave it alone as long as the platform asks."""
        platform, slots = self._platforms[platform_name], self._slots[platform_name]

        async def show() -> bool:
            asked = time.perf_counter()
            async with slots.one():
                done = await show_newest()
            if done and self._effort is not None:
                self._effort.took(time.perf_counter() - asked)
            return done

        async def show_newest() -> bool:
            screen = await self._screen_of(table_id)
            homes = await self._store.homes(table_id)
            home = next((home for home in homes if (home.platform, home.place) == (platform_name, place)), None)
            key = (table_id, platform_name, place)
            if screen is None or home is None or (home.shown_version >= screen.version and key not in self._forced):
                self._forced.discard(key)
                self._due.discard(key)
                return False
            if screen.passing and self._may_wait(key, home):
                self._hold(key, screen.version)
                return False
            self._due.discard(key)
            # What is asked for while this is being shown is asked for anew; what fails is still asked for.
            forced = key in self._forced
            self._forced.discard(key)
            try:
                posted = await platform.show(home, await called(self._store, screen))
            except BaseException as error:
                if forced:
                    self._forced.add(key)
                if isinstance(error, PlaceClosed):
                    self._passed_over(key, screen.version)
                raise
            shown = msgspec.structs.replace(home, posted=posted or None, shown_version=screen.version)
            # A place that was given up meanwhile, or is called otherwise, does not come back by being shown.
            if any((there.platform, there.place) == key[1:] for there in await self._store.homes(table_id)):
                await self._store.mark_shown(shown)
            return True

        began, name = time.perf_counter(), metrics.platform_label(platform_name)
        key = (table_id, platform_name, place)
        shown = await self._patiently(table_id, show, name, lambda: self._put_off(key))
        self._forget_put_off(key)
        if shown:
            metrics.SHOWN.labels(name, "shown").inc()
            metrics.SHOW_SECONDS.labels(name).observe(time.perf_counter() - began)
        edits = platform.capabilities.edits_a_minute
        if shown and edits:
            await self._clock.sleep(SECONDS_A_MINUTE / edits)

    def _may_wait(self, key: _Key, home: Home) -> bool:
        """Whether the middle of a turn is not worth drawing now, for a home that shows the table."""
        urgent = key in self._forced or key in self._due or home.shown_version < 0
        return not urgent and self._effort is not None and self._effort.is_hard

    def _hold(self, key: _Key, version: int) -> None:
        """Show a home later, unless the turn passes first."""
        self._passed_over(key, version)
        later = (*key, "later")
        if later not in self._tasks:
            metrics.SHOWN.labels(metrics.platform_label(key[1]), "held").inc()
            self._run(later, lambda: self._after_a_while(key))

    async def _after_a_while(self, key: _Key) -> None:
        await self._clock.sleep(HELD_SECONDS)
        self._due.add(key)
        self._once_more(key)

    def _passed_over(self, key: _Key, version: int) -> None:
        """A home does not show a version: it is left alone until the table's next change, or :meth:`_once_more`."""

    async def _refresh_hands(self, table_id: str, platform_name: str) -> None:
        platform = self._platforms[platform_name]

        async def refresh() -> None:
            version = await self._version_of(table_id)
            if version is not None:
                await platform.refresh_hands(table_id, version)

        key = (table_id, platform_name)
        await self._patiently(table_id, refresh, give_up=lambda: self._put_off(key))
        self._forget_put_off(key)

    async def _version_shown(self, table_id: str) -> int | None:
        screen = await self._screen_of(table_id)
        return None if screen is None else screen.version

    def _once_more(self, key: _Key) -> None:
        """Take up again what was left: a home, or the hands on a platform."""
        work = partial(self._bring_up, *key) if len(key) == _OF_A_HOME else partial(self._refresh_hands, *key)
        self._run(key, work)

    def _put_off(self, key: _Key) -> None:
        """Do what keeps failing much later; a change of the table does not wait for that."""
        times = self._later[key] = self._later.get(key, -1) + 1
        if times >= MOST_LATER:
            log.error("announce.given_up", table=key[0])
            return
        self._run((*key, "put off"), lambda: self._after(LATER_SECONDS[min(times, len(LATER_SECONDS) - 1)], key))

    def _forget_put_off(self, key: _Key) -> None:
        if (*key, "put off") not in self._tasks:
            self._later.pop(key, None)

    async def _after(self, seconds: float, key: _Key) -> None:
        await self._clock.sleep(seconds)
        self._once_more(key)

    async def _patiently(
        self,
        table_id: str,
        work: Callable[[], Awaitable[Any]],
        platform: str = "",
        give_up: Callable[[], None] = lambda: None,
    ) -> Any:
        """What a piece of work comes to, tried again where store or platform fail; None where they keep failing."""
        for pause in (*RETRY_SECONDS, None):
            try:
                return await work()
            except PlaceClosed as error:
                log.info("announce.closed", table=table_id, error=str(error))
                if platform:
                    metrics.SHOWN.labels(platform, "closed").inc()
                return None
            except StoreError as error:
                log.warning("announce.store", table=table_id, error=str(error))
            except Exception as error:  # noqa: BLE001 - a platform's failure is its own; the home is tried again
                log.warning("announce.failed", table=table_id, error=repr(error))
                if platform:
                    metrics.SHOWN.labels(platform, "failed").inc()
            if pause is not None:
                await self._clock.sleep(pause)
        give_up()
        return None
