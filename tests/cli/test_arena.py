"""``buraco arena``: measured in processes or one, told in words or as JSON."""

import json

import pytest
from typer.testing import CliRunner

from bot.cli import app

FEW = ("arena", "--a", "normal", "--b", "random", "--deals", "2")


def run(*arguments: str) -> tuple[int, str]:
    """The exit status and all that was printed."""
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


def test_one_object() -> None:
    """What scripts read: the keys that are promised, consistent among themselves."""
    code, printed = run(*FEW, "--seating", "1v1", "--processes", "2", "--json")
    told = json.loads(printed)
    assert code == 0
    low, high = told["points_per_deal_ci95"]
    assert low <= told["points_per_deal"] <= high
    assert told["wins"] + told["wins_b"] <= told["hands"] == 4
    assert 0 < told["decision_ms"]["median"] <= told["decision_ms"]["p95"] <= told["decision_ms"]["p99"]
    assert sum(told["ends"].values()) == told["hands"]
    assert told["points_per_deal"] > 0


def test_the_same_seed_plays_the_same() -> None:
    """In one process or two."""
    points = {json.loads(run(*FEW, "--processes", count, "--json")[1])["points_per_deal"] for count in ("1", "2")}
    assert len(points) == 1


def test_in_words_and_with_a_gate() -> None:
    """A gate that is missed fails."""
    code, printed = run(*FEW, "--processes", "1")
    assert code == 0
    assert "points a deal: +" in printed
    code, printed = run(*FEW, "--processes", "1", "--least", "100000")
    assert code == 1
    assert "the lower end is below 100000" in printed


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("--a", "deep"), "no robot 'deep'"), (("--ruleset", "x"), "x"), (("--seating", "3v3"), "no seating '3v3'")],
)
def test_mistakes(arguments: tuple[str, ...], told: str) -> None:
    """Each is said in one line."""
    code, printed = run("arena", *arguments)
    assert code == 2
    assert told in printed
