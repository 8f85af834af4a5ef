"""``buraco bench`` measures what it promises, in words or as one object; how fast anything is, is not asked here."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

import bot.__main__  # noqa: F401 - it adds the command
from bot.bench.selfplay import measured
from bot.bench.timing import Spread, cost_of, memory_mb, spread
from bot.cli import app
from bot.cli.bench import Part, asked, in_words

SPREADS = ("press_to_commit_ms", "press_to_answer_ms", "board_ms", "turn_board_ms", "loop_lag_ms")
SHORT = ("--quick", "--rounds", "1", "--seconds", "0.01")


def run(*arguments: str) -> tuple[int, str]:
    """The exit status and what was printed on standard output."""
    result = CliRunner().invoke(app, ["bench", *arguments])
    return result.exit_code, result.stdout


def told(*arguments: str) -> dict[str, Any]:
    """The one object that is printed."""
    code, printed = run(*arguments, "--json")
    assert code == 0
    assert len(printed.splitlines()) == 1
    found: dict[str, Any] = json.loads(printed)
    assert {"python", "cores", "load_average"} <= found["machine"].keys()
    assert found["took_seconds"] > 0
    return found


def test_parts_of_the_program() -> None:
    """Engine, melds and pictures: a row for each thing, every figure there."""
    found = told("--part", "engine", "--part", "melds", "--part", "pictures", *SHORT)
    assert {row["ruleset"] for row in found["engine"]} == {"clasico", "abierto", "parejas"}
    for row in found["engine"]:
        assert row["actions_a_second"] > 0
        assert row["deals_a_second"] > 0
        assert row["rebuild_ms"] > 0
    assert [row["cards"] for row in found["melds"]] == [11, 22, 40]
    assert all(row["warm_us"] > 0 and row["new_hand_us"] > 0 and row["cold_us"] > 0 for row in found["melds"])
    assert [row["kind"] for row in found["pictures"]][:2] == ["table", "hand"]
    assert all(0 < row["bytes"] <= row["most_bytes"] < 100_000 for row in found["pictures"][:2])


def test_stores() -> None:
    """Memory and SQLite, one client and many; a database that nobody named is said to be missing."""
    found = told("--part", "store", *SHORT)
    assert [(row["store"], row["clients"]) for row in found["store"]] == [
        ("memory", 1),
        ("memory", 32),
        ("sqlite", 1),
        ("sqlite", 32),
    ]
    for row in found["store"]:
        assert row["changes"] == 160
        assert row["p50_ms"] <= row["p99_ms"]
    assert "--database-url" in found["store_missing"][0]


def test_a_named_database_is_measured_too(postgres: str) -> None:
    """PostgreSQL beside the others."""
    found = told("--part", "store", *SHORT, "--database-url", postgres)
    assert [row["changes"] for row in found["store"] if row["store"] == "postgresql"] == [160, 160]
    assert found["store_missing"] == []


def test_self_play() -> None:
    """Every row has a speed; a peer that is not installed is named."""
    found = told("--part", "selfplay", "--rounds", "1", "--seconds", "0.01", "--seating", "1v1", "--peers")
    assert len(found["rows"]) + len(found["missing"]) == 5
    assert all(row["us_an_action"] > 0 for row in found["rows"])
    (row,) = measured({"nothing": lambda _number: 3}, 2, 0.01)
    assert row.actions_a_second == pytest.approx(3 * row.games_a_second, rel=0.01)


def test_the_whole_program_under_load() -> None:
    """People press, what they press is committed and answered, and the tables are shown."""
    (row,) = told("--part", "load", "--load", "4", "--load-seconds", "8")["load"]
    assert row["matches"] == 4
    assert row["actions"] > 0
    assert row["cpu_share"] > 0
    assert row["memory_mb"] > row["memory_of_workers_mb"] > 0
    assert row["cpu_share"] > row["cpu_of_workers"] > 0
    for name in SPREADS:
        assert row[name]["p50"] <= row[name]["p99"] <= row[name]["most"]
    assert row["press_to_answer_ms"]["p50"] >= 50, "every answer is a call that takes as long as one to a server"
    assert row["hands_drawn"] > 0
    assert row["start_seconds"] >= 0


def test_a_quick_run_has_bounded_work() -> None:
    """Whatever the machine: few rule sets, few changes, short runs with few matches."""
    options: dict[str, Any] = {"ruleset": "clasico", "seating": "2v2", "rounds": None, "seconds": None}
    options |= {"loads": (), "load_seconds": None, "peers": False, "database_url": None, "parts": ()} | {
        "picture_workers": 1
    }
    quick, whole = asked(quick=True, **options), asked(quick=False, **options)
    assert quick.parts == whole.parts == tuple(Part)
    timed = len(quick.rulesets) * 3 + 3 * 3 + 5 + 3
    assert timed * quick.rounds * quick.seconds + len(quick.loads) * quick.load_seconds <= 15
    assert quick.commits <= 200
    assert max(quick.loads) <= 100
    assert whole.loads == (10, 100, 1000)
    assert len(whole.rulesets) > len(quick.rulesets)


def test_in_words() -> None:
    """Tables, and what is missing."""
    lines = list(
        in_words(
            {
                "machine": {"python": "3", "cores": 2, "load_average": (0.5,)},
                "load_average_after": (0.6,),
                "took_seconds": 1.0,
                "melds": [{"cards": 11, "warm_us": 1.5}],
                "load": [{"matches": 10, "board_ms": {"p50": 1.0, "p99": 2.5, "most": 3.0}}],
                "missing": ["rlcard is not installed"],
            }
        )
    )
    assert "load 0.5 before and 0.6 after" in lines[0]
    assert ["cards", "warm_us"] in [line.split() for line in lines]
    assert ["10", "1/2.5"] in [line.split() for line in lines]
    assert lines[-1] == "not measured: rlcard is not installed"


def test_no_such_rule_set() -> None:
    """It is said, and nothing is measured."""
    code, printed = run("--part", "selfplay", "--ruleset", "x", "--json")
    assert code == 2
    assert printed == ""


def test_costs_and_spreads() -> None:
    """Counted as they are called."""
    calls: list[int] = []
    cost = cost_of(lambda: calls.append(1), 2, 0.001)
    assert len(calls) >= 3
    assert cost.wall > 0
    assert spread([]) == Spread(0.0, 0.0, 0.0, 0)
    assert spread([number / 1000 for number in range(1, 101)]) == Spread(51.0, 100.0, 100.0, 100)
    assert memory_mb() > 1
