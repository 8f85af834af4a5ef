"""The robots by their ids."""

from collections.abc import Callable, Mapping
from time import monotonic
from types import MappingProxyType
from typing import Final

from bot.robots.facil import EasyRobot
from bot.robots.greedy import GreedyRobot
from bot.robots.late import LateRobot
from bot.robots.normal import NormalRobot
from bot.robots.random_robot import RandomRobot
from bot.robots.robot import Robot

EASY: Final = "facil"
NORMAL: Final = "normal"
HARD: Final = "dificil"
LEVELS: Final = (EASY, NORMAL, HARD)
"""The levels that tables offer, from the weakest to the strongest."""
SEARCHING: Final = frozenset({HARD})
"""Those that think long enough to be worth a process of their own."""
ROBOTS: Final[Mapping[str, Callable[[int, bool], Robot]]] = MappingProxyType(
    {
        EASY: lambda seed, _in_time: EasyRobot(seed),
        NORMAL: lambda _seed, _in_time: NormalRobot(),
        HARD: lambda seed, in_time: LateRobot(HARD, lambda: _hard(seed, in_time)),
        "greedy": lambda _seed, _in_time: GreedyRobot(),
        "random": lambda seed, _in_time: RandomRobot(seed),
    }
)
"""What makes each robot from a seed, which only those use that want chance, and whether time counts."""


def _hard(seed: int, in_time: bool) -> Robot:
    # Here, because it brings a compiler along, which only those processes need that search.
    from bot.robots.dificil import HardRobot  # noqa: PLC0415

    return HardRobot(seed, clock=monotonic if in_time else None)


class RobotNotFound(LookupError):
    """There is no robot of this id. ``known`` are the ids that there are."""

    def __init__(self, robot_id: str) -> None:
        self.known = tuple(ROBOTS)
        super().__init__(f"no robot {robot_id!r}; there are {', '.join(self.known)}")
        self.robot_id = robot_id


def make_robot(robot_id: str = NORMAL, *, seed: int = 0, in_time: bool = True) -> Robot:
    """The robot of an id; ``in_time`` ends a search at its deadline, without it the seed alone fixes every choice.

    Raises:
        RobotNotFound: there is none.
    """
    try:
        make = ROBOTS[robot_id]
    except KeyError:
        raise RobotNotFound(robot_id) from None
    return make(seed, in_time)
