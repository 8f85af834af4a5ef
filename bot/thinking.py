"""Where robots think: the quick ones in a thread, the searching ones in processes of their own, never in the loop.

A search is pure reckoning and would hold up whatever shares its interpreter. A process that dies or takes far too long
costs one decision of that level, which the sensible robot makes instead.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

import structlog

from bot.robots.registry import NORMAL, SEARCHING, make_robot
from bot.robots.robot import Robot
from engine.actions import Action
from engine.views import SeatView

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
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
            async with asyncio.timeout(LONGEST_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(self._pool, think, robot_id, view)
        except (TimeoutError, BrokenProcessPool, OSError) as error:
            log.warning("robot.worker_failed", robot=robot_id, error=type(error).__name__)
            if isinstance(error, BrokenProcessPool):
                self._pool = None
            stand_in = self._robots.get(NORMAL, robot)
            return await asyncio.to_thread(stand_in.choose, view)

    def stop(self) -> None:
        """Let the processes go; a thought that is under way is given up."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def think(robot_id: str, view: SeatView) -> Action:
    """In the worker: what a robot chooses."""
    return make_robot(robot_id).choose(view)
