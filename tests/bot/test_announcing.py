"""Notices: every home comes to show the newest version, whatever fails on the way, and none waits for another."""

import asyncio

import pytest
import structlog

from bot.announcing import LATER_SECONDS, MOST_LATER, RETRY_SECONDS, Announcer
from bot.app import App
from bot.model import Home
from bot.screens import Role, Screen
from bot.store import StoreBusy
from bot.tokens import Verb
from tests.bot.fakes import FakeClock, FakePlatform, TroubledStore, settled
from tests.bot.rooms import House

TABLE = "abcdefghij"


def screen_of(version: int) -> Screen:
    """A screen of a version."""
    return Screen(Role.NOTE, TABLE, version, "Mesa")


class Board:
    """An announcer over tables that are made up."""

    def __init__(self, *places: str, edits_a_minute: int = 0) -> None:
        self.clock = FakeClock()
        self.version = 0
        self.shown: dict[str, Home] = {place: Home(TABLE, "chat", place) for place in places}
        self.platform = FakePlatform(edits_a_minute=edits_a_minute)
        self.store = TroubledStore(self.clock)
        self.store.homes = self.homes  # type: ignore[method-assign]
        self.store.mark_shown = self.mark_shown  # type: ignore[method-assign]
        self.store.lagging_homes = self.lagging_homes  # type: ignore[method-assign]
        self.marked: list[tuple[str, int]] = []
        self.announcer = Announcer(self.store, self.screen, self.clock)
        self.announcer.add_platform(self.platform)

    async def screen(self, table_id: str) -> Screen | None:
        """The newest screen."""
        await asyncio.sleep(0)
        return screen_of(self.version)

    async def homes(self, table_id: str) -> list[Home]:
        """The homes."""
        await asyncio.sleep(0)
        return list(self.shown.values())

    async def mark_shown(self, home: Home) -> None:
        """Keep what is shown."""
        self.marked.append((home.place, home.shown_version))
        self.shown[home.place] = home

    async def lagging_homes(self, since_ms: int = 0) -> list[Home]:
        """Those that lag behind."""
        return [home for home in self.shown.values() if home.shown_version < self.version]

    def change(self, times: int = 1) -> None:
        """The table has new versions."""
        for _ in range(times):
            self.version += 1
            self.announcer.changed(TABLE)


async def test_a_change_is_shown_and_its_message_kept() -> None:
    board = Board("room")
    board.change()
    await settled()
    assert board.platform.versions("room") == [1]
    assert board.shown["room"] == Home(TABLE, "chat", "room", "message-room", 1)
    assert board.platform.hands == [(TABLE, 1)]
    board.announcer.changed(TABLE)
    await settled()
    assert board.platform.versions("room") == [1], "what is shown is not shown again"
    await board.announcer.stop()


async def test_many_changes_are_taken_together_and_the_newest_wins() -> None:
    board = Board("room")
    board.platform.gates["room"] = asyncio.Event()
    board.change()
    await settled()
    board.change(50)
    await settled()
    board.platform.gates["room"].set()
    await settled()
    assert board.platform.versions("room") == [1, 51]
    assert board.marked == [("room", 1), ("room", 51)]
    await board.announcer.stop()


async def test_a_platform_that_fails_is_tried_again_until_it_shows_the_newest() -> None:
    board = Board("room")
    board.platform.failures["room"] = 3
    with structlog.testing.capture_logs() as logs:
        board.change()
        await asyncio.sleep(0)
        board.version = 9
        await settled()
    assert board.platform.versions("room") == [9]
    assert board.clock.slept == list(RETRY_SECONDS[:3])
    assert {entry["event"] for entry in logs} == {"announce.failed"}
    await board.announcer.stop()


async def test_a_platform_that_keeps_failing_is_tried_again_much_later_without_any_change() -> None:
    board = Board("room")
    board.platform.failures["room"] = 2 * (len(RETRY_SECONDS) + 1)
    board.change()
    await settled()
    assert board.platform.versions("room") == [1]
    assert board.clock.slept == [*RETRY_SECONDS, LATER_SECONDS[0], *RETRY_SECONDS, LATER_SECONDS[1]]
    assert board.announcer._later == {}
    await board.announcer.stop()


async def test_a_change_does_not_wait_for_what_was_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board("room")
    board.platform.failures["room"] = len(RETRY_SECONDS) + 1
    go_on, sleep = asyncio.Event(), board.clock.sleep

    async def slow(seconds: float) -> None:
        await (go_on.wait() if seconds in LATER_SECONDS else sleep(seconds))

    monkeypatch.setattr(board.clock, "sleep", slow)
    board.change()
    await settled()
    assert board.platform.versions("room") == []
    board.change()
    await settled()
    assert board.platform.versions("room") == [2]
    go_on.set()
    await settled()
    assert board.platform.versions("room") == [2], "it stands there already"
    await board.announcer.stop()


async def test_what_never_comes_about_is_left_after_an_hour_until_the_next_change() -> None:
    board = Board("room")
    board.platform.failures["room"] = 10**6
    board.change()
    await settled(2000)
    assert board.announcer._tasks == {}
    assert sum(pause in LATER_SECONDS for pause in board.clock.slept) == MOST_LATER
    board.platform.failures["room"] = 0
    board.change()
    await settled()
    assert board.platform.versions("room") == [2]
    await board.announcer.stop()


async def test_one_home_s_trouble_does_not_hold_up_another() -> None:
    board = Board("dead", "stuck", "room")
    board.platform.failures["dead"] = 10**6
    board.platform.gates["stuck"] = asyncio.Event()
    for version in (1, 2, 3):
        board.change()
        await settled()
        assert board.platform.versions("room")[-1] == version
    assert board.platform.versions("dead") == board.platform.versions("stuck") == []
    assert board.platform.hands[-1] == (TABLE, 3)
    board.platform.gates["stuck"].set()
    await settled()
    assert board.platform.versions("stuck")[-1] == 3
    await board.announcer.stop()


async def test_hands_that_cannot_be_refreshed_do_not_hold_up_the_table() -> None:
    board = Board("room")
    board.platform.hands_fail = True
    board.change()
    await settled()
    board.change()
    await settled()
    assert board.platform.versions("room") == [1, 2]
    await board.announcer.stop()


async def test_a_busy_store_is_asked_again() -> None:
    board = Board("room")
    homes, tries = board.homes, []

    async def busy(table_id: str) -> list[Home]:
        tries.append(table_id)
        if len(tries) < 3:
            raise StoreBusy("locked")
        return await homes(table_id)

    board.store.homes = busy  # type: ignore[method-assign]
    board.change()
    await settled()
    assert board.platform.versions("room") == [1]
    await board.announcer.stop()


async def test_shown_versions_only_rise() -> None:
    board = Board("room", "other")
    for turn in range(30):
        board.platform.failures = {"room": turn % 3, "other": turn % 2}
        board.change()
        await settled(turn % 7)
    await settled()
    for place in ("room", "other"):
        versions = board.platform.versions(place)
        assert versions == sorted(set(versions))
        assert versions[-1] == 30
        assert [version for where, version in board.marked if where == place] == versions
    await board.announcer.stop()


async def test_what_lags_after_a_crash_is_shown_at_the_next_start() -> None:
    board = Board("room", "other")
    board.version = 7
    board.shown["other"] = Home(TABLE, "chat", "other", "message", 7)
    await board.announcer.resume()
    await settled()
    assert board.platform.versions("room") == [7]
    assert board.platform.versions("other") == []
    await board.announcer.stop()


async def test_homes_of_platforms_that_are_away_wait() -> None:
    board = Board("room")
    board.shown["far"] = Home(TABLE, "elsewhere", "far")
    board.change()
    await settled()
    assert board.platform.versions("room") == [1]
    assert board.shown["far"].shown_version == -1
    await board.announcer.stop()


async def test_a_platform_is_not_edited_more_often_than_it_takes() -> None:
    board = Board("room", edits_a_minute=20)
    pauses: list[asyncio.Future[None]] = []

    async def sleep(seconds: float) -> None:
        board.clock.slept.append(seconds)
        pause: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        pauses.append(pause)
        await pause

    board.clock.sleep = sleep  # type: ignore[method-assign]
    board.change()
    await settled()
    assert board.platform.versions("room") == [1], "the first is shown at once"
    board.change(9)
    await settled()
    assert board.platform.versions("room") == [1], "the next ones wait"
    pauses[0].set_result(None)
    await settled()
    assert board.platform.versions("room") == [1, 10]
    assert board.clock.slept == [3.0, 3.0]
    await board.announcer.stop()


async def test_stopping_cancels_what_hangs_and_leaves_no_tasks() -> None:
    board = Board("room")
    board.platform.gates["room"] = asyncio.Event()
    board.change()
    await settled()
    await board.announcer.stop()
    board.change()
    await settled()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
    assert board.platform.versions("room") == []


async def test_a_table_is_shown_in_its_homes_from_the_lobby_on() -> None:
    platform = FakePlatform()
    house = House(prepare=lambda app: app.add_platform(platform))
    ana, luis = await house.people(2)
    table_id = await house.open(ana, home=Home("", "chat", "room"))
    await settled()
    assert [screen.role for screen in platform.screens["room"]] == [Role.LOBBY]
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.START)
    await house.app.add_home(Home(table_id, "chat", "second"))
    await settled()
    newest = house.store.version(table_id)
    assert platform.versions("room")[-1] == platform.versions("second")[-1] == newest
    assert platform.screens["room"][-1] == await house.app.public_screen(table_id)
    assert platform.hands[-1] == (table_id, newest)
    await house.app.stop()


async def test_after_a_restart_the_homes_catch_up() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana, home=Home("", "chat", "room"))
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.START)
    await house.app.stop()
    platform = FakePlatform()

    def prepare(app: App) -> None:
        app.add_platform(platform)

    second = house.again(prepare)
    await second.app.start()
    await settled()
    assert platform.versions("room") == [house.store.version(table_id)]
    await second.app.stop()


async def test_a_closed_place_is_left_alone_until_the_next_change() -> None:
    board = Board("room")
    board.platform.closed.add("room")
    board.change()
    await settled()
    assert board.clock.slept == [], "trying again soon would not help"
    assert board.shown["room"].shown_version == -1
    board.platform.closed.clear()
    board.change()
    await settled()
    assert board.platform.versions("room") == [2]
    await board.announcer.stop()


async def test_a_home_is_shown_again_on_demand_also_where_nothing_has_changed() -> None:
    board = Board("room")
    board.change()
    await settled()
    board.announcer.show_again(TABLE, "chat", "room")
    await settled()
    assert board.platform.versions("room") == [1, 1]
    board.announcer.changed(TABLE)
    await settled()
    assert board.platform.versions("room") == [1, 1], "once"
    board.announcer.show_again(TABLE, "nowhere", "room")
    board.announcer.show_again(TABLE, "chat", "elsewhere")
    await settled()
    assert board.platform.versions("room") == [1, 1]
    await board.announcer.stop()
