"""Robots against each other: a deal played to its end, for self-play, records, measurements and tests."""

import math
import time
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from bot.robots.robot import Robot
from bot.shuffling import seeded_deal
from engine.actions import Action, StartDeal
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import SeatView, seat_view

MOST_ACTIONS: Final = 20_000
"""No deal is so long by far; robots that get there go round in circles, which is an error."""
_Z95: Final = 1.96


class Played(NamedTuple):
    """A deal that was played: the match after it and every action in order, with its seat."""

    match: Match
    log: tuple[tuple[int, Action], ...]


def play_deal(match: Match, chance: StartDeal, robots: Sequence[Robot]) -> Played:
    """Play the next deal of a match to its end, ``robots[seat]`` in each seat.

    Raises:
        IllegalAction: a robot chose what the rules refuse.
        IllegalDeal: the pack cannot be dealt.
        RuntimeError: the robots do not come to an end.
    """
    match = evolve_all(match, start_deal(match, chance))
    log: list[tuple[int, Action]] = []
    while match.deal is not None and match.deal.ended is None:
        if len(log) >= MOST_ACTIONS:
            raise RuntimeError(f"no end after {MOST_ACTIONS} actions")
        seat = match.deal.turn.seat
        action = robots[seat].choose(seat_view(match, seat))
        log.append((seat, action))
        match = evolve_all(match, decide(match, seat, action))
    return Played(match, tuple(log))


class Timed:
    """A robot whose decisions are timed, in milliseconds."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self.name = robot.name
        self.taken: list[float] = []

    def choose(self, view: SeatView) -> Action:
        """What the robot chooses."""
        began = time.perf_counter()
        action = self._robot.choose(view)
        self.taken.append((time.perf_counter() - began) * 1000)
        return action


class Duel(msgspec.Struct, frozen=True):
    """What came of one shuffle that was played from every side: ``a`` once in each, ``b`` in all the others."""

    lead: float
    """Points of a's side less the mean of the other sides, on average."""
    wins_a: int
    """Hands in which a's side alone had the most."""
    wins_b: int
    hands: int
    actions: int
    longest: int
    ends: dict[str, int]
    ms_a: list[float]
    ms_b: list[float]


def play_duel(rules: Ruleset, seating: Seating, seed: str, number: int, a: Robot, b: Robot) -> Duel:
    """Play one shuffle once from every side.

    Raises:
        IllegalAction: a robot chose what the rules refuse.
    """
    first, second = Timed(a), Timed(b)
    chance = seeded_deal(rules, seating, seed)
    lead = 0.0
    wins = [0, 0]
    actions = longest = 0
    ends: Counter[str] = Counter()
    for side in range(seating.sides):
        robots = [first if seating.side_of(seat) == side else second for seat in range(seating.seats)]
        played = play_deal(new_match(rules, seating, number % seating.seats), chance, robots)
        deal = played.match.deal
        if deal is None or deal.scores is None or deal.ended is None:
            raise AssertionError("a deal is played to its end")
        points = [score.total for score in deal.scores]
        rest = [point for other, point in enumerate(points) if other != side]
        lead += points[side] - sum(rest) / len(rest)
        best = max(points)
        if points.count(best) == 1:
            wins[points.index(best) != side] += 1
        actions += len(played.log)
        longest = max(longest, len(played.log))
        ends[str(deal.ended)] += 1
    return Duel(
        lead=lead / seating.sides,
        wins_a=wins[0],
        wins_b=wins[1],
        hands=seating.sides,
        actions=actions,
        longest=longest,
        ends=dict(ends),
        ms_a=first.taken,
        ms_b=second.taken,
    )


def interval(row: Sequence[float]) -> tuple[float, float]:
    """The mean and half the width of its 95 % interval."""
    mean = sum(row) / len(row)
    if len(row) < 2:
        return mean, 0.0
    variance = sum((value - mean) ** 2 for value in row) / (len(row) - 1)
    return mean, _Z95 * math.sqrt(variance / len(row))
