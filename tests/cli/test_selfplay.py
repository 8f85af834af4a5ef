"""``buraco selfplay``: repeatable, counted, recorded, and clear about mistakes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot import rulesets
from bot.cli import app
from bot.records import read_record, verify
from tests.strategies import RULESETS


def selfplay(*arguments: str) -> Result:
    """The command with its exit status and both streams."""
    return CliRunner().invoke(app, ["selfplay", *arguments])


def test_a_seed_says_it_all() -> None:
    """The same seed prints the same bytes, another seed other numbers."""
    arguments = ("--seating", "1v1", "--deals", "3", "--robots", "normal,greedy", "--json")
    first, again, other = (selfplay(*arguments, "--seed", seed) for seed in ("5", "5", "6"))
    assert first.exit_code == 0
    assert first.stdout == again.stdout != other.stdout
    told = json.loads(first.stdout)
    assert told["deals"] == sum(told["ends"].values()) == 3
    assert [side["robot"] for side in told["sides"]] == ["normal", "greedy"]
    assert told["lead"]["points"] == pytest.approx(told["sides"][0]["points"] - told["sides"][1]["points"], abs=0.02)


@pytest.mark.parametrize(("seating", "robots"), [("1v1v1", "greedy,greedy,greedy"), ("2v2", "greedy,greedy")])
def test_swapped_sides(seating: str, robots: str) -> None:
    """Every deal is played once in every turning of the sides: equal robots then come out equal."""
    told = json.loads(selfplay("--seating", seating, "--deals", "2", "--robots", robots, "--swap", "--json").stdout)
    assert told["deals"] == 2 * len(told["sides"])
    assert len({side["points"] for side in told["sides"]}) == 1
    assert told["lead"] == {"points": 0.0, "interval95": 0.0}


def test_told_to_people(tmp_path: Path) -> None:
    """Speed, points with their interval, the lead and the ends; a rule set may come from a file."""
    path = tmp_path / "mine.toml"
    path.write_text((RULESETS / "clasico.toml").read_text(encoding="utf-8"), encoding="utf-8")
    result = selfplay("--ruleset", str(path), "--deals", "2", "--robots", "greedy,random")
    assert result.exit_code == 0
    for word in ("deals/s", "side 0 greedy: ", " ± ", "side 0 leads by ", "ends: "):
        assert word in result.stdout


def test_records(tmp_path: Path) -> None:
    """A record of every deal, each true, named after the robots in their seats."""
    folder = tmp_path / "new" / "records"
    result = selfplay("--deals", "2", "--robots", "greedy,random", "--swap", "--record", str(folder))
    assert result.exit_code == 0
    found = [read_record(path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir())]
    assert [record.names[0] for record in found] == ["greedy", "random", "greedy", "random"]
    for record in found:
        verify(record)


MISTAKES = {
    "a robot": (("--robots", "normal,deep"), "no robot 'deep'; there are facil, normal, dificil, greedy, random"),
    "too few robots": (("--robots", "normal"), "2v2 wants 2 robots, one a side; 1 are named"),
    "a rule set": (("--ruleset", "nada"), f"no rule set 'nada'; there are {', '.join(rulesets.ids())}"),
    "a file": (("--ruleset", "missing.toml"), "missing.toml: No such file"),
    "a seating": (("--seating", "3v3"), "no seating '3v3'; clasico has 1v1, 1v1v1, 2v2, 2v2v2"),
    "no deals": (("--deals", "0"), "equal to 1"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes(what: str) -> None:
    """Status 2 and what is wrong, without a traceback."""
    arguments, told = MISTAKES[what]
    result = selfplay(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_a_seating_that_is_not_played(tmp_path: Path) -> None:
    """The seatings that the rule set has are named."""
    path = tmp_path / "mine.toml"
    text = (RULESETS / "clasico.toml").read_text(encoding="utf-8")
    path.write_text(text.replace('["1v1", "1v1v1", "2v2", "2v2v2"]', '["2v2"]'), encoding="utf-8")
    result = selfplay("--ruleset", str(path), "--seating", "1v1")
    assert result.exit_code == 2
    assert "clasico is not played 1v1; it has 2v2" in result.stderr


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Told as such."""
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    result = selfplay("--deals", "1", "--robots", "greedy,greedy", "--record", str(blocked / "in"))
    assert result.exit_code == 2
    assert str(blocked) in result.stderr
