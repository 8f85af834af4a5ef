"""Robots' turns: whenever a robot is to move, its action goes the same way as a person's."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, NamedTuple, TypeVar, cast

import structlog

from bot.clock import Clock
from bot.keeper import Keeper, Unknown
from bot.model import Pace, Status
from bot.robots.registry import HARD, NORMAL
from bot.robots.robot import Robot
from bot.store import Record, StoreBusy, UnreadableSave
from bot.thinking import Thinking
from engine import legal
from engine.actions import Action, Discard
from engine.decide import Events, decide
from engine.reasons import IllegalAction
from engine.state import Match, Phase
from engine.views import SeatView, seat_view

log = structlog.get_logger()

_T = TypeVar("_T")

RETRY_SECONDS = (2.0, 10.0, 30.0, 60.0, 300.0)
"""Pauses before a robot tries again where an action could not be made or kept."""
_BRISK = 0.4
"""The part of the pause between two actions of one turn."""
_TEMPO = {Pace.FREE: 1.0, Pace.QUICK: 0.5, Pace.NORMAL: 1.0, Pace.MAIL: 1.0}
"""How many times the usual pause robots wait at a table of each pace."""
_STAND_INS = (HARD, NORMAL)
"""The robots that play for somebody who is away: the best there is, for the seat is a person's."""


class _Thought(NamedTuple):
    """What a robot does at a table of some version."""

    version: int
    events: Events


class RobotTurns:
    """Plays for the robots of every table, one task a table while robots are to move."""

    def __init__(
        self, keeper: Keeper, clock: Clock, robots: Mapping[str, Robot], pause: float, workers: int = 0
    ) -> None:
        """``pause`` is how long a robot waits before its turn, in seconds, so that people can follow."""
        self._keeper = keeper
        self._clock = clock
        self._thinking = Thinking(robots, workers)
        self._pause = pause
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stopped = False

    def look(self, record: Record) -> None:
        """Play on at a table if a robot is to move. Returns at once."""
        table_id = record.table.id
        if not self._stopped and table_id not in self._tasks and robot_to_move(record) is not None:
            pause = self.pause_of(record)
            task = asyncio.get_running_loop().create_task(self._play_on(table_id, pause), name=f"robots {table_id}")
            self._tasks[table_id] = task

    def pause_of(self, record: Record) -> float:
        """How long robots wait before a turn at a table, in seconds."""
        return self._pause * _TEMPO[record.table.pace]

    async def stop(self) -> None:
        """Stop playing; the matches stand at their last committed action."""
        self._stopped = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # A task that is stopped before its first step cannot take itself off.
        self._tasks.clear()
        self._thinking.stop()

    async def _play_on(self, table_id: str, pause: float) -> None:
        try:
            await self.play(table_id, pause, pause)
        finally:
            # Nothing is awaited since the last look: whoever commits from now on finds no task here and starts one.
            self._tasks.pop(table_id, None)

    async def play(self, table_id: str, first: float, pause: float) -> bool:
        """Play for the robots at a table until a person is to move; whether nothing stands in the way of that.

        Args:
            table_id: the table.
            first: seconds before the first action.
            pause: seconds before each further turn.
        """
        failures = 0
        wait = first
        while True:
            try:
                after = await self._one_action(table_id, wait)
            except (UnreadableSave, Unknown):
                return True
            except Exception as error:
                if isinstance(error, StoreBusy):
                    log.warning("robot.store_busy", table=table_id, error=str(error))
                else:
                    log.exception("robot.failed", table=table_id)
                if failures == len(RETRY_SECONDS):
                    # A lasting fault must not spin: the table is looked at again at the next commit or start.
                    return False
                await self._clock.sleep(RETRY_SECONDS[failures])
                failures += 1
                continue
            failures = 0
            if after is None or robot_to_move(after) is None:
                return True
            drawing = after.match is not None and _is_draw(after.match)
            wait = pause if drawing else pause * _BRISK

    async def _one_action(self, table_id: str, wait: float) -> Record | None:
        """The record after one action of the robot to move, ``wait`` seconds from now; None where none is."""
        while True:
            thought = await self._while_waiting(wait, self._thought(table_id))
            async with self._keeper.lock(table_id):
                now = await self._keeper.load(table_id)
                if robot_to_move(now) is None:
                    return None
                if thought is not None and now.version == thought.version:
                    result = await self._keeper.commit(now, events=thought.events)
                    return result if isinstance(result, Record) else now
            # The table has changed meanwhile: thought about as it is now, without waiting once more.
            wait = 0.0

    async def _while_waiting(self, seconds: float, work: Coroutine[Any, Any, _T]) -> _T:
        """What some work comes to, when the wait is over: how long a robot thinks would tell what it holds."""
        waited, done = await asyncio.gather(self._clock.sleep(seconds), work, return_exceptions=True)
        for outcome in (waited, done):
            if isinstance(outcome, BaseException):
                raise outcome
        return cast("_T", done)

    async def _thought(self, table_id: str) -> "_Thought | None":
        """What the robot to move does; None where none is."""
        record = await self._keeper.load(table_id)
        seat = robot_to_move(record)
        if seat is None or record.match is None:
            return None
        # A hand that took a big pile needs long thought: elsewhere, and with the table's lock left alone.
        robot = record.table.chairs[seat].robot or self._stand_in()
        return _Thought(record.version, await self._chosen(robot, record.match, seat))

    def _stand_in(self) -> str:
        return next((robot for robot in _STAND_INS if self._thinking.knows(robot)), NORMAL)

    async def _chosen(self, robot: str, match: Match, seat: int) -> Events:
        """The events of what the robot chooses; one that fails, errs or is gone makes the plainest move instead."""
        view = seat_view(match, seat)
        try:
            return decide(match, seat, await self._thinking.choose(robot, view))
        except LookupError:
            log.error("robot.unknown", robot=robot, seat=seat)
        except Exception:
            log.exception("robot.erred", robot=robot, seat=seat)
        return _plainest(match, seat, view)


def robot_to_move(record: Record) -> int | None:
    """The seat of the robot that is to move, or for which one stands in; None where a person is, or nobody.

    Robots never play among themselves: where everybody is away the table waits.
    """
    match, table = record.match, record.table
    if table.status is not Status.PLAYING or match is None or match.deal is None or not match.in_play:
        return None
    chair = table.chairs[match.deal.turn.seat]
    if not any(other.person is not None and not other.absent for other in table.chairs):
        return None
    return match.deal.turn.seat if chair.robot is not None or chair.absent else None


def _is_draw(match: Match) -> bool:
    return match.deal is not None and match.deal.turn.phase is Phase.DRAW


def _plainest(match: Match, seat: int, view: SeatView) -> Events:
    """The events of the plainest legal move, for a robot that fails, errs or is gone."""
    actions: list[Action] = legal.actions(view)
    # The discard comes last in the list and ends the turn: the safest way on for a robot that has lost its way.
    for action in sorted(actions, key=lambda action: not isinstance(action, Discard)):
        try:
            return decide(match, seat, action)
        except IllegalAction:
            continue
    raise RuntimeError(f"seat {seat} has no legal action")
