"""Deals to measure with: random but legal play, fixed by a seed."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from bot.shuffling import seeded_deal
from engine import legal
from engine.actions import Action, AddToMeld, LayMeld
from engine.decide import decide, start_deal
from engine.events import Event
from engine.evolve import evolve_all
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view

_LAYING = 0.7
"""How often what can be laid is laid, so that the tables look like those of people."""


class Step(NamedTuple):
    """An action, what came of it, and the match after it."""

    seat: int
    action: Action
    events: tuple[Event, ...]
    after: Match


class Dealt(NamedTuple):
    """A whole deal: the match before it, just dealt, and every step."""

    before: Match
    opening: tuple[Event, ...]
    dealt: Match
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The whole log."""
        return (*self.opening, *(event for step in self.steps for event in step.events))


def random_deal(rules: Ruleset, seating: Seating, seed: int) -> Dealt:
    """The deal of a seed, played at random to its end."""
    before = new_match(rules, seating, seed % seating.seats)
    opening = start_deal(before, seeded_deal(rules, seating, seed))
    dealt = evolve_all(before, opening)
    return Dealt(before, opening, dealt, tuple(_steps(dealt, random.Random(seed))))  # noqa: S311 - play, not secrets


def _steps(match: Match, chance: random.Random) -> Iterator[Step]:
    while match.deal is not None and match.in_play:
        seat = match.deal.turn.seat
        actions = legal.actions(seat_view(match, seat))
        laying = [action for action in actions if isinstance(action, LayMeld | AddToMeld)]
        action = chance.choice(laying if laying and chance.random() < _LAYING else actions)
        events = decide(match, seat, action)
        match = evolve_all(match, events)
        yield Step(seat, action, events, match)
