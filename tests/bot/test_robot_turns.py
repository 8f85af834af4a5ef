"""Robots' turns: they play on by themselves, whatever goes wrong, and leave nothing behind."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest
import structlog

from bot.model import Chair, Status
from bot.robot_turns import RETRY_SECONDS, robot_to_move
from bot.store import Record, StoreBusy
from bot.tokens import Verb
from engine.actions import Action, Discard, EndTurn
from engine.cards import JOKER
from engine.seating import Seating
from engine.views import SeatView
from tests.bot.fakes import FakeRobot, settled
from tests.bot.rooms import House, discard_token, plain
from tests.bot.tables import deal_of


def tasks_of(kind: str) -> list[str]:
    """The names of running tasks of a kind."""
    return [task.get_name() for task in asyncio.all_tasks() if task.get_name().startswith(kind)]


async def to_a_person(house: House, table_id: str) -> None:
    """Let robots play until it is a person's turn, or the deal is over."""
    for _ in range(100):
        await settled()
        if not tasks_of("robots"):
            return
    raise AssertionError("robots never come to an end")


async def person_discards(house: House, table_id: str) -> None:
    """The person on turn draws and discards."""
    record = await house.record(table_id)
    assert record.match is not None
    chair = record.table.chairs[deal_of(record.match).turn.seat]
    assert chair.person is not None
    person = await house.store.person(chair.person)
    assert person is not None
    drawn = await house.press(person, table_id, Verb.DRAW)
    assert drawn.ok, drawn.text
    assert drawn.screen is not None
    assert (await house.app.press(person, discard_token(drawn.screen), house.press_id())).ok


async def test_robots_play_until_it_is_a_person_s_turn() -> None:
    house = House()
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    record = await house.record(table_id)
    assert robot_to_move(record) is None
    version = record.version
    await person_discards(house, table_id)
    await to_a_person(house, table_id)
    assert house.store.version(table_id) >= version + 2 + 3 * 2
    assert house.clock.slept
    await house.app.stop()


async def test_robots_go_on_after_a_restart() -> None:
    house = House()
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    await person_discards(house, table_id)
    await house.app.stop()
    waiting = await house.record(table_id)
    assert robot_to_move(waiting) is not None
    await settled()
    assert house.store.version(table_id) == waiting.version, "stopped is stopped"
    second = house.again()
    await second.app.start()
    await to_a_person(second, table_id)
    assert robot_to_move(await second.record(table_id)) is None
    await second.app.stop()


async def test_a_restart_passes_over_tables_that_cannot_be_read() -> None:
    house = House()
    broken, _ = await house.started(1)
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    await person_discards(house, table_id)
    await house.app.stop()
    house.store.unreadable.add(broken)
    second = house.again()
    await second.app.start()
    await to_a_person(second, table_id)
    assert robot_to_move(await second.record(table_id)) is None
    await second.app.stop()


def _raises(view: SeatView) -> Action:
    raise ZeroDivisionError("a robot that has lost its way")


def _errs(view: SeatView) -> Action:
    return Discard(JOKER)


def _ends(view: SeatView) -> Action:
    return EndTurn()


@pytest.mark.parametrize("fault", [_raises, _errs, _ends])
async def test_a_robot_that_fails_is_replaced_by_a_legal_move(fault: object) -> None:
    house = House({"normal": FakeRobot(fault)})  # type: ignore[arg-type]
    with structlog.testing.capture_logs() as logs:
        table_id, _ = await house.started(1, Seating.TWO_PAIRS)
        await to_a_person(house, table_id)
        await person_discards(house, table_id)
        await to_a_person(house, table_id)
    assert robot_to_move(await house.record(table_id)) is None
    assert {entry["event"] for entry in logs} - {"press"} == {"table.opened", "robot.erred"}
    await house.app.stop()


async def test_a_robot_that_is_known_no_more_is_replaced_too() -> None:
    house = House({"another": FakeRobot(plain)})
    with structlog.testing.capture_logs() as logs:
        table_id, _ = await house.started(1, Seating.TWO_PAIRS)
        await to_a_person(house, table_id)
    assert robot_to_move(await house.record(table_id)) is None
    assert {entry["event"] for entry in logs} <= {"table.opened", "robot.unknown", "press"}
    await house.app.stop()


async def test_a_store_in_trouble_is_asked_again_later() -> None:
    house = House()
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    await person_discards(house, table_id)
    house.store.faults = [StoreBusy("locked"), RuntimeError("a bad moment"), StoreBusy("locked")]
    await to_a_person(house, table_id)
    assert robot_to_move(await house.record(table_id)) is None
    assert set(RETRY_SECONDS[:3]) <= set(house.clock.slept)
    await house.app.stop()


async def test_a_lasting_fault_does_not_spin() -> None:
    house = House()
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    await person_discards(house, table_id)
    house.store.faults = [RuntimeError("for ever") for _ in range(1000)]
    await to_a_person(house, table_id)
    assert len(house.store.faults) >= 1000 - len(RETRY_SECONDS) - 1
    house.store.faults = []
    await house.app.stop()
    second = house.again()
    await second.app.start()
    await to_a_person(second, table_id)
    assert robot_to_move(await second.record(table_id)) is None
    await second.app.stop()


async def test_stopping_leaves_no_tasks() -> None:
    house = House()
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    await person_discards(house, table_id)
    assert tasks_of("robots")
    await house.app.stop()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
    await house.app.stop()
    house.app._robots.look(await house.record(table_id))
    house.app._announcer.changed(table_id)
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_robots_alone_do_not_deal_themselves_the_next_deal() -> None:
    house = House()
    table_id, people = await house.started(1)
    for _ in range(2000):
        await to_a_person(house, table_id)
        if not (await house.match(table_id)).in_play:
            break
        await house.play_out_turn(table_id, people)
    match = await house.match(table_id)
    assert not match.in_play
    version = house.store.version(table_id)
    await settled()
    assert house.store.version(table_id) == version
    await house.app.stop()


async def test_robots_are_quicker_within_a_turn() -> None:
    house = House()
    table_id, _ = await house.started(1, Seating.TWO_PAIRS)
    await to_a_person(house, table_id)
    house.clock.slept.clear()
    await person_discards(house, table_id)
    await to_a_person(house, table_id)
    waits = [seconds for seconds in house.clock.slept if seconds]
    assert set(waits) == {0.9, 0.9 * 0.4}
    await house.app.stop()


class Held:
    """Pauses that are over when a test says so."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pauses: list[float] = []
        self._over = asyncio.Event()
        monkeypatch.setattr(house.clock, "sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        """Wait for the test."""
        self.pauses.append(seconds)
        if seconds:
            await self._over.wait()

    def end(self) -> None:
        """End the pauses there are; later ones wait again."""
        self._over.set()
        self._over = asyncio.Event()


async def until(condition: Callable[[], bool]) -> None:
    """Let robots think, in their threads, until something is so."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - it comes about in a thread
            await asyncio.sleep(0.001)


async def robot_on_turn(robot: FakeRobot, monkeypatch: pytest.MonkeyPatch) -> tuple[House, str, Held]:
    """A table at which a robot is about to pause before its turn, having thought of nothing yet."""
    house = House({"normal": robot})
    table_id, _ = await house.started(1)
    await to_a_person(house, table_id)
    held, robot.asked = Held(house, monkeypatch), 0
    await person_discards(house, table_id)
    assert robot_to_move(await house.record(table_id)) is not None
    return house, table_id, held


async def test_a_robot_thinks_while_it_pauses_so_that_no_time_tells_what_it_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    robot = FakeRobot(plain)
    house, table_id, held = await robot_on_turn(robot, monkeypatch)
    version = house.store.version(table_id)
    await until(lambda: robot.asked == 1)
    await settled()
    assert house.store.version(table_id) == version, "it knows what it does, and waits"
    held.end()
    await until(lambda: house.store.version(table_id) == version + 1)
    await until(lambda: robot.asked == 2)
    assert held.pauses == [0.9, 0.9 * 0.4], "each action is thought about once, in its own pause"
    await house.app.stop()


async def test_what_changes_in_a_pause_is_thought_about_anew_without_another_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    robot = FakeRobot(plain)
    house, table_id, held = await robot_on_turn(robot, monkeypatch)
    await until(lambda: robot.asked == 1)
    record = await house.record(table_id)
    table = msgspec.structs.replace(record.table, name="Otra")
    assert isinstance(await house.app._keeper.commit(record, table=table), Record)
    held.end()
    await until(lambda: house.store.version(table_id) == record.version + 2)
    await until(lambda: robot.asked == 3)
    assert held.pauses == [0.9, 0.0, 0.9 * 0.4]
    await house.app.stop()


async def test_a_match_that_ends_in_a_pause_leaves_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = FakeRobot(plain)
    house, table_id, held = await robot_on_turn(robot, monkeypatch)
    await until(lambda: robot.asked == 1)
    record = await house.record(table_id)
    table = msgspec.structs.replace(record.table, status=Status.CANCELLED)
    assert isinstance(await house.app._keeper.commit(record, table=table), Record)
    held.end()
    await to_a_person(house, table_id)
    assert house.store.version(table_id) == record.version + 1
    assert held.pauses == [0.9]
    await house.app.stop()


async def test_chairs_tell_robots_from_people() -> None:
    house = House()
    table_id, people = await house.started(1, Seating.TWO_PAIRS)
    chairs = (await house.record(table_id)).table.chairs
    assert sum(chair.person == people[0].id for chair in chairs) == 1
    assert sum(chair.robot == "normal" for chair in chairs) == 3
    assert all((chair.person is None) != (chair.robot is None) for chair in chairs)
    assert isinstance(chairs[0], Chair)
    await house.app.stop()
