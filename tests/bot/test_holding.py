"""While the process works hard, the middle of a turn is shown with the turn's end; otherwise at once."""

import asyncio

import msgspec

from bot.announcing import HELD_SECONDS, SHOWN_AT_ONCE, Announcer
from bot.effort import LOOK_SECONDS, SLOW_SECONDS, Effort
from bot.model import Home
from bot.presenter.seated import seated
from bot.presenter.table import table_screen
from bot.screening import is_passing as known_as_passing
from bot.screens import Role, Screen
from bot.slots import Slots
from bot.store import Record
from bot.tokens import Verb
from tests.bot.fakes import FakeClock, FakePlatform, TroubledStore, settled
from tests.bot.rooms import House

TABLE = "abcdefghij"


class WaitingClock(FakeClock):
    """A clock whose sleepers are woken by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.woken = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Sleep until woken."""
        self.slept.append(seconds)
        await self.woken.wait()


class Board:
    """One home of one table, under an announcer that may be busy."""

    def __init__(self) -> None:
        self.clock = WaitingClock()
        self.store = TroubledStore(self.clock)
        self.now, self.used = 0.0, 0.0
        self.made = 0
        self.effort = Effort(0.5, lambda: self.now, lambda: self.used)
        self.work(hard=True)
        self.screen = Screen(Role.TABLE, TABLE, 0, "Table")
        self.home = Home(TABLE, "chat", "room")
        self.store.homes = self.homes  # type: ignore[method-assign]
        self.store.mark_shown = self.mark_shown  # type: ignore[method-assign]
        self.platform = FakePlatform()
        self.announcer = Announcer(self.store, self.shown, self.clock, effort=self.effort)
        self.announcer.add_platform(self.platform)

    def work(self, *, hard: bool) -> None:
        """Let the process have worked hard lately, or not."""
        self.now += LOOK_SECONDS
        self.used += LOOK_SECONDS if hard else 0.0

    async def homes(self, table_id: str) -> list[Home]:
        """The one home."""
        return [self.home]

    async def mark_shown(self, home: Home) -> None:
        """Keep what it shows."""
        self.home = home

    async def shown(self, table_id: str) -> Screen | None:
        """The newest screen."""
        self.made += 1
        return self.screen

    async def change(self, *, passing: bool) -> None:
        """The table has a new version."""
        self.screen = msgspec.structs.replace(self.screen, version=self.screen.version + 1, passing=passing)
        self.announcer.changed(TABLE)
        await settled()


async def test_the_middle_of_a_turn_waits_for_its_end() -> None:
    board = Board()
    await board.change(passing=False)
    await board.change(passing=True)
    await board.change(passing=True)
    assert board.platform.versions("room") == [1]
    assert board.clock.slept == [HELD_SECONDS], "however often, one waiting task"
    assert board.platform.hands[-1] == (TABLE, 3), "hands are brought up to date all the same"
    await board.change(passing=False)
    assert board.platform.versions("room") == [1, 4]
    await board.announcer.stop()


async def test_what_is_known_to_wait_is_not_even_made() -> None:
    board = Board()
    await board.change(passing=False)
    made = board.made
    board.screen = msgspec.structs.replace(board.screen, version=2, passing=True)
    board.announcer.changed(TABLE, passing=2)
    await settled()
    assert board.platform.versions("room") == [1]
    assert board.made == made + 1, "for the version of the hands alone"
    board.clock.woken.set()
    await settled()
    assert board.platform.versions("room") == [1, 2], "shown after a while"
    await board.announcer.stop()


async def test_what_waits_is_shown_after_a_while() -> None:
    board = Board()
    await board.change(passing=False)
    await board.change(passing=True)
    assert board.platform.versions("room") == [1]
    board.clock.woken.set()
    await settled()
    assert board.platform.versions("room") == [1, 2]
    await board.announcer.stop()


async def test_what_is_asked_for_does_not_wait() -> None:
    board = Board()
    await board.change(passing=True)
    assert board.platform.versions("room") == [1], "a home that shows nothing yet"
    await board.change(passing=True)
    assert board.platform.versions("room") == [1]
    board.announcer.show_again(TABLE, "chat", "room")
    await settled()
    assert board.platform.versions("room") == [1, 2]
    board.work(hard=False)
    await board.change(passing=True)
    assert board.platform.versions("room") == [1, 2, 3], "nothing waits where there is time"
    await board.announcer.stop()


async def test_only_the_middle_of_a_turn_is_passing() -> None:
    house = House()
    table_id, people = await house.started()

    def is_passing(record: Record) -> bool:
        assert record.match is not None
        passing = table_screen(seated(record.table, record.version, record.match)).passing
        assert known_as_passing(record) is passing, "told without making the screen"
        return passing

    assert not is_passing(await house.record(table_id))
    mover = await house.mover(table_id, people)
    await house.press(mover, table_id, Verb.DRAW)
    assert is_passing(await house.record(table_id))
    await house.press(mover, table_id, Verb.PROPOSE, "e")
    assert not is_passing(await house.record(table_id)), "a vote is shown at once"
    await house.app.stop()


async def test_so_many_places_at_a_time() -> None:
    """The others wait, and then show what is newest by then."""
    board = Board()
    board.work(hard=False)
    places = [Home(TABLE, "chat", f"p{number}") for number in range(SHOWN_AT_ONCE + 5)]
    shown: dict[str, Home] = {home.place: home for home in places}
    gate = asyncio.Event()

    async def homes(table_id: str) -> list[Home]:
        return list(shown.values())

    async def mark_shown(home: Home) -> None:
        shown[home.place] = home

    board.store.homes = homes  # type: ignore[method-assign]
    board.store.mark_shown = mark_shown  # type: ignore[method-assign]
    board.platform.gates = {home.place: gate for home in places}
    board.screen = msgspec.structs.replace(board.screen, version=1)
    board.announcer.changed(TABLE)
    await settled()
    board.screen = msgspec.structs.replace(board.screen, version=2)
    gate.set()
    board.announcer.changed(TABLE)
    await settled(600)
    first = [board.platform.versions(home.place)[0] for home in places]
    assert first == [1] * SHOWN_AT_ONCE + [2] * 5
    assert {home.shown_version for home in shown.values()} == {2}
    await board.announcer.stop()


async def test_one_that_hangs_counts_only_for_a_while() -> None:
    slots = Slots(1, 0.01)
    hangs, entered = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        async with slots.one():
            entered.set()
            await hangs.wait()

    task = asyncio.create_task(hang())
    await entered.wait()
    async with asyncio.timeout(60), slots.one():
        pass
    hangs.set()
    await task
    async with asyncio.timeout(60), slots.one():
        assert slots._free.locked(), "what was given up once is not given up again"


def test_effort_is_looked_at_now_and_then() -> None:
    now, used = [100.0], [5.0]
    effort = Effort(0.5, lambda: now[0], lambda: used[0])
    seen = [effort.is_hard]
    for later, worked in ((0.5, 1.0), (0.5, 0.2), (1.0, 0.0)):
        now[0] += later * LOOK_SECONDS
        used[0] += worked * LOOK_SECONDS
        seen.append(effort.is_hard)
    assert seen == [False, False, True, False], "too soon to tell, then hard, then not any more"


def test_what_is_shown_late_counts_as_well() -> None:
    effort = Effort(0.5, lambda: 0.0, lambda: 0.0)
    effort.took(2 * SLOW_SECONDS)
    seen = [effort.is_hard]
    for seconds, times in ((2 * SLOW_SECONDS, 20), (0.1, 20)):
        for _ in range(times):
            effort.took(seconds)
        seen.append(effort.is_hard)
    assert seen == [False, True, False], "one that is late is none, many are"


def test_processes_that_draw_count_as_well() -> None:
    """Each on average: what waits for them would only wait longer."""
    now = used = drawn = 0.0
    effort = Effort(0.5, lambda: now, lambda: used, lambda: drawn)
    for process, drawing, hard in ((0.4, 0.4, False), (0.4, 0.6, True), (0.6, 0.4, True), (0.1, 0.1, False)):
        now += LOOK_SECONDS
        used += process * LOOK_SECONDS
        drawn += drawing * LOOK_SECONDS
        assert effort.is_hard is hard
