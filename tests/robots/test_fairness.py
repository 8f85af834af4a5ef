"""Robots know what their seat sees and nothing else, and always answer the same view alike."""

import ast
import inspect
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

import bot.robots
from bot.robots.registry import NORMAL, ROBOTS, RobotNotFound, make_robot
from engine.state import Match
from engine.views import seat_view
from tests.bot.hiding import redealt
from tests.robots.making import made
from tests.strategies import deal_of, matches, seeds

FOLDER = Path(str(bot.robots.__file__)).parent
SOURCES = sorted([*FOLDER.glob("*.py"), *(FOLDER / "swift").glob("*.py")])


def named(source: Path) -> str:
    """What a test of a source is called: two folders hold files of one name."""
    return str(source.relative_to(FOLDER))


@given(matches(), seeds)
def test_hidden_cards_change_nothing(match: Match, seed: int) -> None:
    """With every hidden card dealt anew, each robot decides the same."""
    if match.in_play:
        seat = deal_of(match).turn.seat
        other = redealt(match, random.Random(seed), seat)
        for name in ROBOTS:
            robot = made(name, seed)
            chosen = robot.choose(seat_view(match, seat))
            assert robot.choose(seat_view(other, seat)) == chosen
            assert made(name, seed).choose(seat_view(match, seat)) == chosen


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_takes_a_view_alone(name: str) -> None:
    """There is nothing else through which it could be told more."""
    assert list(inspect.signature(make_robot(name).choose).parameters) == ["view"]
    assert make_robot(name).name == name


@pytest.mark.parametrize(
    "source", [path for path in SOURCES if named(path) not in ("arena.py", "registry.py")], ids=named
)
def test_robots_do_not_touch_the_state(source: Path) -> None:
    """No module of a robot imports what holds or changes the whole state, a clock, or chance without a seed.

    The registry alone hands the searching robot a clock, and the arena alone plays whole deals.
    """
    forbidden = {"engine.decide", "engine.evolve", "bot.bench.rows", "random", "secrets", "time", "os"}
    imported: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            if node.module != "random" or names != {"Random"}:
                imported.add(node.module or "")
            assert not (node.module == "engine.state" and {alias.name for alias in node.names} & {"Match", "Deal"})
    assert not imported & forbidden


@pytest.mark.parametrize("source", SOURCES, ids=named)
def test_no_rule_set_is_asked_for_its_name(source: Path) -> None:
    """Robots ask fields and policies of the rules, never which rule set it is."""
    text = source.read_text(encoding="utf-8")
    assert "rules.id" not in text
    assert "rules.name" not in text


def test_the_same_in_another_process() -> None:
    """No decision hangs on the hash seed of the process."""
    program = (
        "from bot import rulesets, shuffling\n"
        "from bot.robots.arena import play_deal\n"
        "from tests.robots.making import made\n"
        "from engine.notation import write_action\n"
        "from engine.seating import Seating\n"
        "from engine.state import new_match\n"
        "rules, seating = rulesets.load('clasico'), Seating.TWO_PAIRS\n"
        "robots = [made(name, 3) for name in ('dificil', 'random', 'facil', 'normal')]\n"
        "played = play_deal(new_match(rules, seating, 0), shuffling.seeded_deal(rules, seating, 8), robots)\n"
        "print(*(write_action(action) for _, action in played.log), sep='\\n')\n"
    )
    told = {
        subprocess.run(  # noqa: S603 - our own interpreter and text
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(bot.robots.__file__ or "").parents[2])},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(told) == 1
    assert len(told.pop().splitlines()) > 20


def test_the_registry() -> None:
    """Tables ask for the normal robot; an unknown id names those that there are."""
    assert make_robot().name == NORMAL
    with pytest.raises(RobotNotFound, match="no robot 'deep'; there are facil, normal, dificil, greedy, random"):
        make_robot("deep")
