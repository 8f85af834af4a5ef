"""``docs/notation.md`` is true: its examples run, and its tables name every key, reason and kind that there is."""

import re
from pathlib import Path

import msgspec
import pytest

from bot import rulesets
from bot.records import DealRecord, Result
from engine.judge import Case, judge_case
from engine.melds import Kind
from engine.notation import parse_action, write_action
from engine.position import Position, Situation
from engine.reasons import Reason

TEXT = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)}


def block(kind: str) -> list[str]:
    """The lines of the blocks of a kind."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
    return [line for part in found for line in part.splitlines()]


def keys(section: str) -> set[str]:
    """What stands in backquotes in the first column of a section's tables."""
    rows = re.findall(r"^\| (.*?) \|", SECTIONS[section], flags=re.MULTILINE)
    return {key for row in rows for key in re.findall(r"`\[?\[?(\w+)", row)}


@pytest.mark.parametrize("line", block("action"))
def test_actions(line: str) -> None:
    """Every action reads, and is written again as it stands."""
    seat, action = parse_action(line)
    assert (f"{seat}: " if seat is not None else "") + write_action(action) == line


@pytest.mark.parametrize("line", block("case"))
def test_cases(line: str) -> None:
    """Every case holds."""
    case = msgspec.json.decode(line, type=Case)
    assert judge_case(case, rulesets.load(case.ruleset)).ok is True


def test_the_tables_are_complete() -> None:
    """No key of a position, a case, an answer or a record is left out or invented, and no reason."""
    assert keys("Positions") == set(Position.__struct_fields__)
    assert keys("Cases") == set(Case.__struct_fields__)
    assert keys("The answer") == {"refused", *Situation.__struct_fields__}
    assert keys("Reasons") == {str(reason) for reason in Reason}
    assert keys("Deal records") == {"format", "version", *DealRecord.__struct_fields__}
    verbs = {key.split()[0] for key in keys("Actions")}
    assert verbs == {parse_action(line)[1].__struct_config__.tag for line in block("action")}


def test_every_word_is_explained() -> None:
    """The kinds of melds and the fields of a result."""
    for word in (*Kind, *Result.__struct_fields__):
        assert f"`{word}`" in TEXT or f"result.{word}" in TEXT
