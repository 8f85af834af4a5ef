"""Undo: back inside the turn, up to the last hidden card seen."""

import random

import pytest

from engine.judge import play
from engine.reasons import IllegalAction, Reason
from engine.state import Match
from engine.views import seat_view
from tests.strategies import SEATINGS, Player, deal_of, dealt, position, ruleset


def refused(match: Match, text: str) -> Reason:
    """Why an action is refused."""
    with pytest.raises(IllegalAction) as caught:
        play(match, text)
    return caught.value.reason


def test_every_step_back_is_the_very_state_before() -> None:
    """Melds, adds and moves are taken back one by one, hands, melds, numbers and flags included."""
    start = position(["4c 5c 6c 7c 9h 9s 9d JK Kd", "4s"], phase="play", taken=(True, False), muertos=("...",))
    texts = ["meld 4c 5c JK", "move 0 JK=3c", "add 0 6c", "meld 9h 9s 9d", "add 0 7c"]
    states = [start]
    for text in texts:
        states.append(play(states[-1], text))
    match = states.pop()
    while states:
        match = play(match, "undo")
        assert match == states.pop()
    assert refused(match, "undo") is Reason.NOTHING_TO_UNDO


def test_a_pile_of_one_card_goes_back() -> None:
    """Nothing hidden was seen: the turn begins anew, and the stock may be drawn from instead."""
    start = position(["4c Kd", "4s"], pile="5c")
    taken = play(start, "pile")
    assert play(taken, "undo") == start
    assert play(play(taken, "undo"), "draw") == play(start, "draw")
    view = seat_view(taken, 0)
    assert view.undo is not None
    assert view.undo.kind == "took_pile"
    assert seat_view(taken, 1).undo is None


@pytest.mark.parametrize("pile", ["5c 6c", "2s 5c Kd"])
def test_a_covered_pile_does_not_go_back(pile: str) -> None:
    """Cards have been seen that were hidden."""
    taken = play(position(["4c Kd", "4s"], pile=pile), "pile")
    assert refused(taken, "undo") is Reason.NOTHING_TO_UNDO
    laid = play(play(position(["4c 4d 9h Kd", "4s"], pile="4h 6c"), "pile"), "meld 4c 4d 4h")
    assert refused(play(laid, "undo"), "undo") is Reason.NOTHING_TO_UNDO


def test_a_drawn_card_does_not_go_back() -> None:
    """Not even where a pile of one card was taken back before it."""
    start = position(["4c Kd", "4s"], pile="5c", stock="9d")
    drawn = play(play(play(start, "pile"), "undo"), "draw")
    assert refused(drawn, "undo") is Reason.NOTHING_TO_UNDO


def test_a_discard_does_not_go_back() -> None:
    """The turn has passed."""
    after = play(play(position(["4c 5c 6c Kd 9d", "4s"], phase="play"), "meld 4c 5c 6c"), "discard Kd")
    assert refused(after, "undo") is Reason.NOTHING_TO_UNDO
    assert refused(after, "0: undo") is Reason.NOT_YOUR_TURN


def test_a_muerto_does_not_go_back() -> None:
    """Its cards have been seen; while it is picked nothing else may be done."""
    start = position(["4c 5c 6c", "4s"], phase="play")
    choosing = play(start, "meld 4c 5c 6c")
    assert refused(choosing, "undo") is Reason.MUERTO_CHOICE_NEEDED
    assert seat_view(choosing, 0).undo is None
    assert refused(play(choosing, "muerto 0"), "undo") is Reason.NOTHING_TO_UNDO


def test_an_unused_muerto_is_unused_again() -> None:
    """Laying a card of the muerto uses it; taking that back does not."""
    start = position(
        ["4c 5c 6c 7d 8d 9d Td Jd Qd Kd Ad", "4s"], phase="play", taken=("unused", False), muertos=("...",)
    )
    laid = play(start, "meld 4c 5c 6c")
    assert (deal_of(start).muerto_used, deal_of(laid).muerto_used) == ((False, False), (True, False))
    assert deal_of(play(laid, "undo")).muerto_used == (False, False)


def test_another_way_after_an_undo() -> None:
    """The cards are free for something else, and it can be taken back as well."""
    start = position(["4c 5c 6c 4d 4h Kd", "4s"], phase="play")
    again = play(play(play(start, "meld 4c 5c 6c"), "undo"), "meld 4c 4d 4h")
    assert again == play(start, "meld 4c 4d 4h")
    assert play(again, "undo") == start


def test_undo_leaves_other_seats_alone() -> None:
    """A random stretch: hands of others, stock and muertos never change by an undo."""
    for n in range(12):
        rng = random.Random(n)
        match = dealt(ruleset("clasico"), rng.choice(SEATINGS), rng, "suits")
        player = Player(rng)
        for _ in range(80):
            if not match.in_play:
                break
            before, match = match, play(match, player.choose(match))
            if match.in_play and (turn := deal_of(match).turn).undo and turn.choosing is None:
                assert play(match, "undo") == before
