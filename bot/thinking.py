"""Where robots think: the quick ones in a thread, the searching ones in processes of their own, never in the loop.

A search is pure reckoning and would hold up whatever shares its interpreter. A process that dies or takes far too long
costs one decision of that level, which the sensible robot makes instead. So it does while the processes get ready: that
takes seconds, and a minute where the search has to be compiled first.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

import structlog

from bot import rulesets
from bot.robots.registry import NORMAL, SEARCHING, make_robot
from bot.robots.robot import Robot
from bot.shuffling import seeded_deal
from engine.actions import Action
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.state import new_match
from engine.views import SeatView, seat_view

log = structlog.get_logger()

LONGEST_SECONDS: Final = 5.0
"""A worker that needs longer, its start included, is not waited for."""


class Thinking:
    """Lets robots choose without holding up the event loop."""

    def __init__(self, robots: Mapping[str, Robot], workers: int = 0) -> None:
        """``workers`` is how many processes search; with none, searching robots think in threads too."""
        self._robots = robots
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._warming: Future[None] | None = None

    def knows(self, robot_id: str) -> bool:
        """Whether there is such a robot here."""
        return robot_id in self._robots

    async def choose(self, robot_id: str, view: SeatView) -> Action:
        """What a robot chooses.

        Raises:
            LookupError: there is no such robot.
            Exception: whatever the robot raises that thinks in a thread.
        """
        robot = self._robots[robot_id]
        if robot_id not in SEARCHING or not self._workers:
            return await asyncio.to_thread(robot.choose, view)
        try:
            pool = self._started()
            if self._warming is not None and not self._warming.done():
                return await asyncio.to_thread(self._robots.get(NORMAL, robot).choose, view)
            async with asyncio.timeout(LONGEST_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(pool, think, robot_id, view)
        except (TimeoutError, BrokenProcessPool, OSError) as error:
            log.warning("robot.worker_failed", robot=robot_id, error=type(error).__name__)
            if isinstance(error, BrokenProcessPool):
                self._pool = self._warming = None
            stand_in = self._robots.get(NORMAL, robot)
            return await asyncio.to_thread(stand_in.choose, view)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=warm)
            self._warming = pool.submit(_nothing)
            self._pool = pool
        return self._pool

    async def ready(self) -> None:
        """Start the processes, where robots search in any, and wait until the first one can think."""
        if self._workers:
            self._started()
            if self._warming is not None:
                await asyncio.wrap_future(self._warming)

    def stop(self) -> None:
        """Let the processes go; a thought that is under way is given up."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = self._warming = None


def think(robot_id: str, view: SeatView) -> Action:
    """In the worker: what a robot chooses."""
    return make_robot(robot_id).choose(view)


def warm() -> None:
    """In a worker, before its first thought: compile what a search needs, or load it where it was compiled before."""
    rules = rulesets.load(rulesets.ids()[0])
    match = new_match(rules, rules.seatings[0], 0)
    match = evolve_all(match, start_deal(match, seeded_deal(rules, rules.seatings[0], "warm")))
    for name in SEARCHING:
        for _ in range(2):
            # The draw and the rest of the turn are compiled at their first use.
            seat = match.deal.turn.seat if match.deal is not None else 0
            action = make_robot(name, in_time=False).choose(seat_view(match, seat))
            match = evolve_all(match, decide(match, seat, action))


def _nothing() -> None:
    """What a worker can do as soon as it is ready."""
