"""Faults that were found once and must not come back, each in the smallest position that shows it."""

import msgspec
import pytest

from engine.judge import Case, judge_case
from engine.position import PositionError
from tests.strategies import ruleset


def refusal(action: str, *, melds: tuple[str, ...] = (), phase: str = "play") -> object:
    """Why an action of seat 0 is refused, with one natural card in the hand; None where it is not."""
    position = {
        "mover": 0,
        "phase": phase,
        "hands": [["9c", "Td"], ["4s"]],
        "melds": [melds, []],
        "pile": ["Qs"],
        "muertos": [["..."], ["..."]],
    }
    case = {"id": "x", "ruleset": "clasico", "seating": "1v1", "position": position, "do": [action]}
    got = judge_case(msgspec.convert(case, type=Case), ruleset("clasico")).got["refused"]
    return got and got[1]


@pytest.mark.parametrize("action", ["1: muerto 0", "pile meld 9c Td Qs", "1: pile meld 9c Td Qs"])
def test_what_says_nothing_is_bad_notation_before_turn_and_phase(action: str) -> None:
    """A muerto with nothing to pick and a meld named with a free pile were judged after turn and phase."""
    assert refusal(action) == "bad_notation"


@pytest.mark.parametrize("meld", ["2h 3h 4h 2h=5h", "2h=Ah 2h 3h 4h"])
def test_a_two_does_not_move_home_where_its_twin_is(meld: str) -> None:
    """The wild was accepted in the twin's place and landed at an end instead."""
    assert refusal("move 0 2h=2h", melds=(meld,)) == "wild_cannot_move"


@pytest.mark.parametrize("meld", ["4h 5h", "As", "2s JK"])
def test_a_position_holds_no_meld_of_two_cards(meld: str) -> None:
    """Short rows were read as runs and wild melds."""
    with pytest.raises(PositionError) as caught:
        refusal("discard 9c", melds=(meld,))
    assert caught.value.key == "melds"
