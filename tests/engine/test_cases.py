"""Positions with a known answer, played with the real engine: ``tests/cases/*.jsonl``, one case a line."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.judge import Case, judge_case
from engine.position import PositionError
from engine.reasons import Reason
from tests.strategies import ruleset

CASES = [
    msgspec.json.decode(line, type=Case)
    for path in sorted((Path(__file__).parent.parent / "cases").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    """The position, the actions, and every answer that the case expects."""
    assert case.expect is not None
    verdict = judge_case(case, ruleset(case.ruleset))
    assert {key: verdict.got[key] for key in case.expect} == case.expect
    assert verdict.ok is True


def test_names_are_unique() -> None:
    """A dispute can name its case."""
    assert len({case.id for case in CASES}) == len(CASES)


def test_cases_meet_every_reason() -> None:
    """Each reason that a rule set can give is somewhere expected."""
    met = {(case.expect or {}).get("refused", [0, None])[1] for case in CASES if (case.expect or {}).get("refused")}
    assert met == {str(reason) for reason in set(Reason) - {Reason.NOTHING_TO_UNDO}}  # no case takes anything back


def test_a_wrong_expectation_is_told() -> None:
    """A verdict is not always right."""
    case = CASES[0]
    for expect in ({"refused": [0, "meld_closed"]}, {"mover": 1}, {"nothing": None}):
        wrong = msgspec.structs.replace(case, expect=expect)
        assert judge_case(wrong, ruleset("clasico")).ok is False
    assert judge_case(msgspec.structs.replace(case, expect=None), ruleset("clasico")).ok is None


def test_got_has_every_key() -> None:
    """All that there is to say stands in every answer."""
    got = judge_case(CASES[0], ruleset("clasico")).got
    assert got.keys() == {"refused", "mover", "phase", "hands", "melds", "kinds", "taken", "score", "match"}


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "hands": {"hands": [["9c", "9c", "9c"], ["4s"]]},
    "melds": {"melds": [["9c 9h"], []]},
    "muertos": {"muertos": [["9c", "9c"], []]},
    "pile": {"pile": ["4s", "4s"]},
    "stock": {"stock": ["1s"]},
    "mover": {"mover": 2},
    "starter": {"starter": -1},
    "phase": {"phase": "over"},
    "taken": {"taken": [True]},
    "scores": {"scores": [1, 2, 3]},
    "decks": {"decks": 4},
    "from_pile": {"from_pile": ["Kd"]},
}


@pytest.mark.parametrize("key", IMPOSSIBLE)
def test_impossible_positions(key: str) -> None:
    """A position that cannot be is refused and the wrong key is named."""
    good = {"mover": 0, "phase": "play", "hands": [["9c"], ["4s"]], "pile": [], "muertos": [["..."], ["..."]]}
    case = {"id": "x", "ruleset": "clasico", "seating": "1v1", "position": {**good, **IMPOSSIBLE[key]}}
    read = msgspec.convert(case, type=Case)
    with pytest.raises(PositionError) as caught:
        judge_case(read, ruleset("clasico"))
    assert caught.value.key == key


@pytest.mark.parametrize("text", ["4h 5h", "4h 6h 7h", "4h 5d 6h", "JK 2s 9h", "9h 8d 9s", "5h 2s=9h 7h", "As"])
def test_melds_that_cannot_lie(text: str) -> None:
    """No position holds what is no meld."""
    position = {"mover": 0, "phase": "play", "hands": [["9c"], ["4s"]], "melds": [[text], []]}
    case = msgspec.convert({"id": "x", "ruleset": "clasico", "seating": "1v1", "position": position}, type=Case)
    with pytest.raises(PositionError) as caught:
        judge_case(case, ruleset("clasico"))
    assert caught.value.key == "melds"
