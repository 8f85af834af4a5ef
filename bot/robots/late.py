"""A robot that is made at its first decision."""

from collections.abc import Callable
from functools import cached_property

from bot.robots.robot import Robot
from engine.actions import Action
from engine.views import SeatView


class LateRobot:
    """Stands for a robot whose making takes seconds and memory, until somebody asks it for a decision."""

    def __init__(self, name: str, make: Callable[[], Robot]) -> None:
        self.name = name
        self._make = make

    @cached_property
    def _robot(self) -> Robot:
        return self._make()

    def choose(self, view: SeatView) -> Action:
        """What the robot chooses.

        Raises:
            ValueError: it is not this seat's turn.
        """
        return self._robot.choose(view)
