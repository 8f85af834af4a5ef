"""No screen tells what its reader must not see: not in words, pictures, buttons, their number or their tokens."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.screens import Screen
from engine.cards import sorted_cards
from engine.seating import Seating
from engine.state import Match
from tests.bot.hiding import redealt
from tests.bot.tables import VARIANTS, after, deal_of, dealt, hand_of, mover_of, public_of, rules
from tests.bot.test_moves import moves_of, next_move, offered


def everything(screen: Screen) -> bytes:
    """All of a screen: words, buttons with their tokens, the picker, and all that its picture is drawn from."""
    return msgspec.json.encode(screen)


@st.composite
def matches(draw: st.DrawFn) -> Match:
    variant = draw(st.sampled_from(["", "", *VARIANTS]))
    seating = draw(st.sampled_from([each for each in Seating if each in rules(variant).seatings]))
    match = dealt(seating, draw(st.integers(0, 5000)), variant)
    rng = random.Random(draw(st.integers(0, 5000)))
    for _ in range(draw(st.integers(0, 80))):
        if match.in_play:
            match = after(match, rng.choice(moves_of(match, next_move(rng, offered(match)))))
    return match


@given(matches(), st.integers(0, 10**6))
def test_public_screens_are_the_same_whatever_is_hidden(match: Match, seed: int) -> None:
    other = redealt(match, random.Random(seed), None)
    assert everything(public_of(match)) == everything(public_of(other))


@given(matches(), st.integers(0, 10**6))
def test_a_hand_s_screen_is_the_same_whatever_others_hold(match: Match, seed: int) -> None:
    for seat in range(match.seating.seats):
        other = redealt(match, random.Random(seed), seat)
        assert everything(hand_of(match, seat)) == everything(hand_of(other, seat))


def test_what_is_hidden_is_indeed_dealt_anew() -> None:
    match = dealt(Seating.TWO_PAIRS, 3)
    other = redealt(match, random.Random(1), 0)
    before, now = deal_of(match), deal_of(other)
    assert before.hands[0] == now.hands[0]
    assert all(before.hands[seat] != now.hands[seat] for seat in (1, 2, 3))
    assert before.stock != now.stock
    assert before.muertos != now.muertos
    assert before.reserve != now.reserve
    zones = [*now.hands, now.stock, now.pile, now.reserve, *now.muertos]
    assert len({card for zone in zones for card in zone}) == sum(map(len, zones)) == 162
    assert everything(hand_of(match, 1)) != everything(hand_of(other, 1)), "the comparison sees a change"


@pytest.mark.parametrize("seating", Seating)
def test_out_of_turn_nothing_tells_what_the_mover_may_do(seating: Seating) -> None:
    match = dealt(seating, 5)
    rng = random.Random(5)
    for _ in range(60):
        if not match.in_play:
            break
        waiting = (mover_of(match) + 1) % seating.seats
        other = redealt(match, rng, waiting)
        assert everything(hand_of(match, waiting)) == everything(hand_of(other, waiting))
        match = after(match, rng.choice(moves_of(match, next_move(rng, offered(match)))))


def test_no_token_of_a_public_screen_names_a_card() -> None:
    match = dealt(Seating.TWO_PAIRS, 3)
    for row in public_of(match).rows:
        for choice in row:
            assert len(choice.token.split(":")) == 4, "a verb and no arguments"
    assert sorted_cards(deal_of(match).hands[0]) == deal_of(match).hands[0]
