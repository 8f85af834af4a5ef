"""Faults that were found once and must not come back, each in the smallest position that shows it."""

import pytest

from engine.judge import play
from engine.position import PositionError
from engine.reasons import IllegalAction, Reason
from tests.strategies import deal_of, position


def refusal(action: str, *, melds: tuple[str, ...] = ()) -> Reason | None:
    """Why an action of seat 0 is refused; None where it is not."""
    try:
        play(position(["9c Td", "4s"], phase="play", melds=melds), action)
    except IllegalAction as refused:
        return refused.reason
    return None


@pytest.mark.parametrize("action", ["1: muerto 0", "pile meld 9c Td Qs", "1: pile meld 9c Td Qs"])
def test_what_says_nothing_is_bad_notation_before_turn_and_phase(action: str) -> None:
    """A muerto with nothing to pick and a meld named with a free pile were judged after turn and phase."""
    assert refusal(action) is Reason.BAD_NOTATION


@pytest.mark.parametrize("meld", ["2h 3h 4h 2h=5h", "2h=Ah 2h 3h 4h"])
def test_a_two_does_not_move_home_where_its_twin_is(meld: str) -> None:
    """The wild was accepted in the twin's place and landed at an end instead."""
    assert refusal("move 0 2h=2h", melds=(meld,)) is Reason.WILD_CANNOT_MOVE


@pytest.mark.parametrize("meld", ["4h 5h", "As", "2s JK"])
def test_a_position_holds_no_meld_of_two_cards(meld: str) -> None:
    """Short rows were read as runs and wild melds."""
    with pytest.raises(PositionError) as caught:
        refusal("discard 9c", melds=(meld,))
    assert caught.value.key == "melds"


def test_a_twin_in_its_place_is_a_wild_that_stays() -> None:
    """Naming the wild home where its twin is made the two change places, and the wild went to the other end."""
    table = position(["4s 9c Td", "4d"], phase="play", melds=("2s=As 2s 3s",))
    after = play(table, "add 0 4s 2s=2s")
    assert [str(meld) for meld in deal_of(after).melds[0]] == ["2s=As 2s 3s 4s"]
