"""Robots only ever choose what the engine accepts, in every rule set and seating, from anywhere in a deal."""

import random

import pytest
from hypothesis import assume, given, settings

from bot import rulesets, shuffling
from bot.robots.arena import play_deal
from bot.robots.registry import ROBOTS
from engine import legal
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view
from tests.robots.making import made
from tests.strategies import SEATINGS, deal_of, endgame, matches, ruleset, seeds

PLACES = [(name, seating) for name in rulesets.ids() for seating in rulesets.load(name).seatings]


def play_out(match: Match, names: tuple[str, ...]) -> Match:
    """The deal played to its end by robots, a name a side."""
    robots = [made(name, side) for side, name in enumerate(names)]
    for _ in range(5000):
        if not match.in_play:
            return match
        seat = deal_of(match).turn.seat
        action = robots[match.seating.side_of(seat)].choose(seat_view(match, seat))
        match = evolve_all(match, decide(match, seat, action))
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=[f"{name}-{seating}" for name, seating in PLACES])
def test_whole_deals(name: str, seating: Seating, long_run: bool) -> None:
    """Whole deals of each robot against each: the engine accepts every action, and every deal ends."""
    rules = rulesets.load(name)
    for number in range(20 if long_run else 2):
        for turn in range(len(ROBOTS)):
            order = [list(ROBOTS)[(side + turn) % len(ROBOTS)] for side in range(seating.sides)]
            robots = [made(order[seating.side_of(seat)], number) for seat in range(seating.seats)]
            played = play_deal(
                new_match(rules, seating, number % seating.seats),
                shuffling.seeded_deal(rules, seating, f"legality:{number}"),
                robots,
            )
            assert deal_of(played.match).ended is not None
            assert len(played.log) < 5000


@given(matches(), seeds)
def test_anywhere_in_a_deal(match: Match, seed: int) -> None:
    """From any position that random play reaches, stacked packs included."""
    if match.in_play:
        deal = deal_of(match)
        for name in ROBOTS:
            action = made(name, seed).choose(seat_view(match, deal.turn.seat))
            assert decide(match, deal.turn.seat, action)


@given(seeds)
@settings(max_examples=25)
def test_near_the_end(seed: int) -> None:
    """From positions with few cards, many of them wild, robots play the deal out."""
    rng = random.Random(seed)
    match = endgame(ruleset("clasico"), rng.choice(SEATINGS), rng)
    # A position that is made up may leave its mover without a way on, which no play leads to.
    assume(legal.actions(seat_view(match, deal_of(match).turn.seat)))
    names = tuple(rng.choice(list(ROBOTS)) for _ in range(match.seating.sides))
    assert not play_out(match, names).in_play


def test_not_on_turn() -> None:
    """A seat that is not on turn has nothing to choose."""
    match = play_out(_dealt(), ("greedy", "greedy"))
    for name in ROBOTS:
        for seat, where in ((1, _dealt()), (0, match)):
            with pytest.raises(ValueError, match="not on turn"):
                made(name).choose(seat_view(where, seat))


def _dealt() -> Match:
    rules = ruleset("clasico")
    match = new_match(rules, Seating.ONE_ON_ONE, 0)
    return evolve_all(match, start_deal(match, shuffling.seeded_deal(rules, Seating.ONE_ON_ONE, 1)))
