"""Robots against each other: a deal played to its end, for self-play, records and tests."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.robots.robot import Robot
from engine.actions import Action, StartDeal
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.state import Match
from engine.views import seat_view


class Played(NamedTuple):
    """A deal that was played: the match after it and every action in order, with its seat."""

    match: Match
    log: tuple[tuple[int, Action], ...]


def play_deal(match: Match, chance: StartDeal, robots: Sequence[Robot]) -> Played:
    """Play the next deal of a match to its end, ``robots[seat]`` in each seat.

    Raises:
        IllegalAction: a robot chose what the rules refuse.
        IllegalDeal: the pack cannot be dealt.
    """
    match = evolve_all(match, start_deal(match, chance))
    log: list[tuple[int, Action]] = []
    while match.deal is not None and match.deal.ended is None:
        seat = match.deal.turn.seat
        action = robots[seat].choose(seat_view(match, seat))
        log.append((seat, action))
        match = evolve_all(match, decide(match, seat, action))
    return Played(match, tuple(log))
