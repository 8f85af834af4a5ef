"""Robots for tests: the searching one with little effort and no clock, so that it is quick and always the same."""

from bot.robots.dificil import HardRobot
from bot.robots.registry import HARD, make_robot
from bot.robots.robot import Robot
from bot.robots.search import Effort
from bot.robots.tuned import Ahead, Lookahead

LITTLE = Effort(heat=2, heats=2, kept=(2,), ahead=Lookahead(Ahead(3, 1.0), Ahead(3, 1.0)))


def made(name: str, seed: int = 0) -> Robot:
    """The robot of an id."""
    return HardRobot(seed, LITTLE) if name == HARD else make_robot(name, seed=seed)
