"""The compiler comes along only where somebody searches, and keeps its code where it can."""

import subprocess
import sys
from pathlib import Path

from bot.robots.late import LateRobot
from bot.robots.registry import HARD, NORMAL, make_robot
from bot.robots.robot import Robot
from bot.robots.swift.jit import can_keep, kept_in
from engine.seating import Seating
from engine.views import seat_view
from tests.bot.tables import deal_of, dealt


def test_the_bot_does_without_the_compiler() -> None:
    """Neither its start nor a table's robots bring it along before one of them searches."""
    program = (
        "import sys\n"
        "import bot.__main__, bot.running, bot.thinking\n"
        "from bot.robots.registry import LEVELS, make_robot\n"
        "print([make_robot(level).name for level in LEVELS], 'numba' in sys.modules)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout  # noqa: S603
    assert told == "['facil', 'normal', 'dificil'] False\n"


def test_made_at_the_first_decision() -> None:
    """And once."""
    made: list[str] = []

    def make() -> Robot:
        made.append(HARD)
        return make_robot(NORMAL)

    match = dealt(Seating.ONE_ON_ONE, 3)
    view = seat_view(match, deal_of(match).turn.seat)
    robot = LateRobot(HARD, make)
    assert (robot.name, made) == (HARD, [])
    assert robot.choose(view) == robot.choose(view) == make_robot(NORMAL).choose(view)
    assert made == [HARD]


def test_machine_code_is_kept_where_it_can_be(tmp_path: Path) -> None:
    """A folder that cannot be made is no reason to fail."""
    assert can_keep(tmp_path / "new" / "folder")
    (tmp_path / "file").write_text("")
    assert not can_keep(tmp_path / "file" / "folder")
    assert kept_in() == kept_in()
