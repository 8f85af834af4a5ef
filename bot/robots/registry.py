"""The robots by their ids."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.robots.greedy import GreedyRobot
from bot.robots.normal import NormalRobot
from bot.robots.random_robot import RandomRobot
from bot.robots.robot import Robot

NORMAL: Final = "normal"
"""The level that tables offer."""
ROBOTS: Final[Mapping[str, Callable[[int], Robot]]] = MappingProxyType(
    {
        NORMAL: lambda _seed: NormalRobot(),
        "greedy": lambda _seed: GreedyRobot(),
        "random": RandomRobot,
    }
)
"""What makes each robot from a seed, which only those use that want chance."""


class RobotNotFound(LookupError):
    """There is no robot of this id. ``known`` are the ids that there are."""

    def __init__(self, robot_id: str) -> None:
        self.known = tuple(ROBOTS)
        super().__init__(f"no robot {robot_id!r}; there are {', '.join(self.known)}")
        self.robot_id = robot_id


def make_robot(robot_id: str = NORMAL, *, seed: int = 0) -> Robot:
    """The robot of an id.

    Raises:
        RobotNotFound: there is none.
    """
    try:
        make = ROBOTS[robot_id]
    except KeyError:
        raise RobotNotFound(robot_id) from None
    return make(seed)
