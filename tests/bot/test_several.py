"""Several processes over one store, each with its own platform: work is taken up by whoever is there, and by one."""

import asyncio
import copy
from collections.abc import Callable, Collection, Sequence

import pytest

from bot import metrics
from bot.announcing import HELD_SECONDS
from bot.clocks import HOLD_SECONDS, SECONDS
from bot.cutting import NO_CUT
from bot.duties import LATER_SECONDS, QUIET_SECONDS
from bot.effort import Effort
from bot.leases import POLL_SECONDS, shown_key, table_key
from bot.model import Home, Pace, Person, Status
from bot.outages import GRACE_SECONDS
from bot.robot_turns import RETRY_SECONDS, robot_to_move
from bot.robots.registry import make_robot
from bot.screens import Screen
from bot.spreading import RECENT_SECONDS, THOROUGH_SECONDS
from bot.store import StoreBusy, Woken
from bot.tokens import Verb
from bot.votes import VOTE_SECONDS
from engine.seating import Seating
from tests.bot.fakes import FakePlatform, TroubledStore, settled
from tests.bot.rooms import House
from tests.bot.test_clocks import HandClock, chair, opened


class World:
    """What the processes share: the store, who holds what, and the time."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.store = TroubledStore(self.clock)
        self.held: dict[str, object] = {}


class WorldLeases:
    """The leases of one process."""

    is_shared = True

    def __init__(self, world: World) -> None:
        self._world = world
        self.asked: list[str] = []

    async def take(self, key: str, lost: Callable[[], None] = lambda: None) -> bool:
        """Take a lease."""
        self.asked.append(key)
        return self._world.held.setdefault(key, self) is self if key not in self._world.held else False

    async def take_due(self, most: int, lost: Callable[[str], None]) -> Sequence[str]:
        """Take the leases of tables at which something is due."""
        found = [
            table_id
            for table_id, kept in self._world.store.kept.items()
            if kept.due_ms is not None
            and kept.due_ms <= self._world.clock.ms
            and kept.saved.status == Status.PLAYING
            and table_key(table_id) not in self._world.held
        ]
        for table_id in found:
            self._world.held[table_key(table_id)] = self
        return found

    async def release(self, key: str, *, kept_seconds: float = 0.0) -> None:
        """Let a lease go."""
        if self._world.held.get(key) is self:
            del self._world.held[key]

    async def only(self, name: str) -> bool:
        """A duty."""
        return self._world.held.setdefault(f"duty:{name}", self) is self

    async def give_up(self, name: str) -> None:
        """Leave a duty."""
        await self.release(f"duty:{name}")

    async def close(self) -> None:
        """Let everything go, as the end of a process does."""
        for key in [key for key, owner in self._world.held.items() if owner is self]:
            del self._world.held[key]


class Chat(FakePlatform):
    """A platform that reaches some places, and is looked at by somebody."""

    keeps_hands = False

    def __init__(self, *places: str) -> None:
        super().__init__()
        self.places = places
        self.looked_at: set[str] = set()
        self.is_connected = True
        self.tried = 0

    def reaches(self, home: Home) -> bool:
        """Whether a place is ours."""
        return home.place in self.places

    def watched(self) -> Collection[str]:
        """What is looked at."""
        return self.looked_at

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Keep the screen; nobody else's places are ours to show."""
        self.tried += 1
        assert home.place in self.places
        return await super().show(home, screen)


class Process(House):
    """One process."""

    def __init__(self, world: World, *places: str, seed: int = 1, robots: str = "random") -> None:
        store = copy.copy(world.store)
        store.leases = self.leases = WorldLeases(world)
        wake = world.store.wake

        async def woken(now_ms: int, quiet_ms: int, grace_ms: int) -> Woken:
            return await wake(world.clock.ms, quiet_ms, grace_ms)

        store.wake = woken  # type: ignore[method-assign]
        super().__init__({"normal": make_robot(robots)}, seed, store)
        self.chat = Chat(*places)
        self.app.add_platform(self.chat)

    async def die(self) -> None:
        """End, leaving everything as it is; its leases fall free."""
        await self.app.stop()
        await self.leases.close()


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A world whose time a test moves by hand."""
    made = World()
    monkeypatch.setattr("tests.bot.rooms.FakeClock", lambda: made.clock)
    return made


async def pair(
    world: World, *, seating: Seating = Seating.ONE_ON_ONE, people: int = 2, pace: Pace = Pace.FREE
) -> tuple[Process, Process, str, list[Person]]:
    """Two processes, and a table of the first one that is shown in a place of the second one."""
    one, two = Process(world, "here"), Process(world, "room", "there", seed=2)
    await one.app.start()
    await two.app.start()
    table_id, crowd = await opened(one, pace, people, seating)
    return one, two, table_id, crowd


async def test_a_change_is_shown_by_the_process_that_reaches_the_place(world: World) -> None:
    one, two, table_id, crowd = await pair(world)
    await world.clock.move(2 * POLL_SECONDS)
    version = world.store.version(table_id)
    assert two.chat.versions("room")[-1] == version
    await one.press(await one.mover(table_id, crowd), table_id, Verb.DRAW)
    await world.clock.move(2 * POLL_SECONDS)
    assert two.chat.versions("room")[-1] == version + 1
    assert one.chat.tried == 0
    await one.app.stop()
    await two.app.stop()


async def test_hands_that_are_open_elsewhere_follow_within_a_moment(world: World) -> None:
    one, two, table_id, crowd = await pair(world)
    await world.clock.move(2 * POLL_SECONDS)
    two.chat.looked_at = {table_id}
    await world.clock.move(2 * POLL_SECONDS)
    two.chat.hands.clear()
    await world.clock.move(5)
    assert two.chat.hands == [], "nothing has changed"
    await one.press(await one.mover(table_id, crowd), table_id, Verb.DRAW)
    await world.clock.move(2 * POLL_SECONDS)
    assert two.chat.hands[-1] == (table_id, world.store.version(table_id))
    await one.app.stop()
    await two.app.stop()


async def test_a_place_that_takes_nothing_is_left_alone_until_the_next_change(world: World) -> None:
    one, two, table_id, crowd = await pair(world)
    await world.clock.move(2 * POLL_SECONDS)
    two.chat.closed.add("room")
    await one.press(await one.mover(table_id, crowd), table_id, Verb.DRAW)
    tried = two.chat.tried
    await world.clock.move(20 * POLL_SECONDS)
    assert two.chat.tried == tried + 1
    two.chat.closed.clear()
    await world.clock.move(THOROUGH_SECONDS + 1)
    assert two.chat.versions("room")[-1] == world.store.version(table_id), "now and then everything is looked at"
    assert RECENT_SECONDS < THOROUGH_SECONDS
    await one.app.stop()
    await two.app.stop()


async def test_what_another_process_is_showing_is_not_shown_twice(world: World) -> None:
    one, two, table_id, crowd = await pair(world)
    one.chat.places = two.chat.places
    await world.clock.move(2 * POLL_SECONDS)
    one.chat.screens.clear()
    two.chat.screens.clear()
    one.chat.gates["room"] = two.chat.gates["room"] = gate = asyncio.Event()
    await one.press(await one.mover(table_id, crowd), table_id, Verb.DRAW)
    await world.clock.move(4 * POLL_SECONDS)
    gate.set()
    await world.clock.move(2 * POLL_SECONDS)
    assert sorted([*one.chat.versions("room"), *two.chat.versions("room")]) == [world.store.version(table_id)]
    home = next(iter(await world.store.homes(table_id)))
    two.app.show_again(home)
    await world.clock.move(2 * POLL_SECONDS)
    assert two.chat.versions("room")[-1] == world.store.version(table_id), "asked for, it is shown once more"
    await one.app.stop()
    await two.app.stop()


async def test_robots_go_on_in_another_process(world: World) -> None:
    one, two, table_id, crowd = await pair(world, seating=Seating.TWO_PAIRS, people=1)
    for _ in range(40):
        await world.clock.move(1)
        if robot_to_move(await one.record(table_id)) is None:
            break
    await one.play_out_turn(table_id, crowd)
    waiting = await one.record(table_id)
    assert robot_to_move(waiting) is not None
    await one.die()
    for _ in range(40):
        await world.clock.move(1)
        if robot_to_move(await two.record(table_id)) is None:
            break
    after = await two.record(table_id)
    assert after.version > waiting.version
    assert robot_to_move(after) is None
    await two.app.stop()


async def test_a_turn_runs_out_once_with_a_warning_before(world: World) -> None:
    one, two, table_id, crowd = await pair(world, pace=Pace.QUICK)
    mover = await one.mover(table_id, crowd)
    before = world.store.version(table_id)
    await world.clock.move(SECONDS[Pace.QUICK] * 0.85)
    late = two.chat.screens["room"][-1].call
    assert late is not None
    assert late.people == (mover.id,), "the process that reaches the place calls once more"
    assert world.store.version(table_id) == before
    await world.clock.move(SECONDS[Pace.QUICK] * 0.2)
    assert world.store.version(table_id) == before + 1
    assert await chair(two, table_id, mover) == (1, False)
    await one.app.stop()
    await two.app.stop()


async def test_a_cut_that_nobody_makes_is_made_once_with_a_warning_before(world: World) -> None:
    one, two = Process(world), Process(world, "room", seed=2)
    await one.app.start()
    await two.app.start()
    table_id, crowd = await one.started(cutting=True, pace=Pace.QUICK)
    await two.app.add_home(Home(table_id, "chat", "room"))
    await settled()
    cutter = await two.cutter(table_id, crowd)
    before = world.store.version(table_id)
    await one.die()
    await world.clock.move(SECONDS[Pace.QUICK] * 0.85)
    late = two.chat.screens["room"][-1].call
    assert late is not None
    assert (late.late, late.people) == (True, (cutter.id,))
    assert world.store.version(table_id) == before
    await world.clock.move(SECONDS[Pace.QUICK] * 0.2)
    assert world.store.version(table_id) == before + 1
    (seal,) = (await two.record(table_id)).table.seals
    assert (seal.cut, seal.cutter) == (NO_CUT, None)
    assert (await two.match(table_id)).in_play
    await two.app.stop()


async def test_a_cut_in_one_process_is_known_to_the_other_which_makes_none(world: World) -> None:
    one, two = Process(world), Process(world, "room", seed=2)
    await one.app.start()
    await two.app.start()
    table_id, crowd = await one.started(cutting=True, pace=Pace.QUICK)
    await world.clock.move(30)
    assert (await two.cut(table_id, await two.cutter(table_id, crowd))).ok
    refused = await one.press(crowd[0], table_id, Verb.CUT, "0", "111")
    assert (refused.ok, refused.reason) == (False, "stale")
    await world.clock.move(40)
    assert [seal.cut for seal in (await one.record(table_id)).table.seals] == ["375"]
    await one.app.stop()
    await two.app.stop()


async def test_a_move_in_another_process_leaves_the_turn_its_time(world: World) -> None:
    one, two, table_id, crowd = await pair(world, pace=Pace.QUICK)
    deadline = list(await world.store.deadlines())
    await world.clock.move(30)
    assert (await two.press(await one.mover(table_id, crowd), table_id, Verb.DRAW)).ok
    assert list(await world.store.deadlines()) == deadline
    await one.app.stop()
    await two.app.stop()


async def test_no_time_runs_out_in_one_while_another_does_not_reach_the_platform(world: World) -> None:
    one, two, table_id, crowd = await pair(world, pace=Pace.QUICK)
    mover = await one.mover(table_id, crowd)
    two.chat.is_connected = False
    await world.clock.move(SECONDS[Pace.QUICK] * 5)
    assert await one.mover_is(table_id, mover), "the first process reaches it, and waits for the other one"
    await two.die()
    await world.clock.move(GRACE_SECONDS + HOLD_SECONDS + 2 * POLL_SECONDS)
    assert not await one.mover_is(table_id, mover), "what a dead process did not reach holds nobody up"
    await one.app.stop()


async def test_what_waits_while_a_process_works_hard_is_not_tried_with_every_look(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.Effort", lambda: Effort(-1.0))
    one, two, table_id, crowd = await pair(world)
    await world.clock.move(2 * POLL_SECONDS)
    held = metrics.SHOWN.labels("other", "held")
    before, tried = held._value.get(), two.chat.tried
    await one.press(await one.mover(table_id, crowd), table_id, Verb.DRAW)
    await world.clock.move(HELD_SECONDS / 2)
    asked = two.leases.asked.count(shown_key(table_id, "chat"))
    await world.clock.move(HELD_SECONDS / 4)
    assert (two.chat.tried, held._value.get() - before) == (tried, 1)
    assert two.leases.asked.count(shown_key(table_id, "chat")) == asked
    await world.clock.move(HELD_SECONDS / 2)
    assert two.chat.versions("room")[-1] == world.store.version(table_id), "it has waited long enough"
    await one.app.stop()
    await two.app.stop()


async def test_while_one_is_up_the_clocks_run_and_afterwards_they_are_moved_once(world: World) -> None:
    one, two, table_id, crowd = await pair(world, pace=Pace.NORMAL)
    mover = await one.mover(table_id, crowd)
    deadline = (await one.record(table_id)).deadline_ms
    await one.die()
    await world.clock.move(60)
    assert (await two.record(table_id)).deadline_ms == deadline, "somebody was there"
    await two.die()
    world.clock.ms += 7 * 3600 * 1000
    third, fourth = Process(world, "room", seed=3), Process(world, "room", seed=4)
    await asyncio.gather(third.app.start(), fourth.app.start())
    moved = ((await third.record(table_id)).deadline_ms or 0) - (deadline or 0)
    assert 7 * 3600 * 1000 <= moved - 60_000 <= 7 * 3600 * 1000 + QUIET_SECONDS * 1000
    await world.clock.move(110)
    assert await third.mover(table_id, crowd) == mover
    await world.clock.move(90)
    assert await third.mover(table_id, crowd) != mover
    await third.app.stop()
    await fourth.app.stop()


async def test_a_vote_lapses_though_its_process_is_gone(world: World) -> None:
    one, two, table_id, crowd = await pair(world)
    assert (await one.press(crowd[0], table_id, Verb.PROPOSE, "p", "quick")).ok
    assert (await one.record(table_id)).table.vote is not None
    await one.die()
    world.clock.ms += VOTE_SECONDS * 1000
    await world.clock.move(2)
    table = (await two.record(table_id)).table
    assert table.vote is None
    assert table.past_vote is not None
    await two.app.stop()


async def test_where_something_keeps_failing_it_is_left_for_later(world: World) -> None:
    one, two, table_id, crowd = await pair(world, seating=Seating.TWO_PAIRS, people=1)
    await one.die()
    two.store.faults = [StoreBusy("locked") for _ in range(1000)]
    for _ in range(40):
        if robot_to_move(await two.record(table_id)) is not None:
            break
        await world.clock.move(1)
        two.store.faults = []
        await two.play_out_turn(table_id, crowd)
        two.store.faults = [StoreBusy("locked") for _ in range(1000)]
    await world.clock.move(sum(RETRY_SECONDS) + 10)
    left = len(two.store.faults)
    world.clock.ms += int(LATER_SECONDS * 500)
    await world.clock.move(2)
    assert len(two.store.faults) == left
    two.store.faults = []
    version = world.store.version(table_id)
    world.clock.ms += int(LATER_SECONDS * 1000)
    await world.clock.move(2)
    await settled()
    assert world.store.version(table_id) > version
    await two.app.stop()
