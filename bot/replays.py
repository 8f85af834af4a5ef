"""Deals that are over, turn by turn: folded from the stored events, which are the whole truth of a match."""

from collections.abc import Sequence

import msgspec

from engine.cards import Card
from engine.events import DealEnded, DealStarted, Event, TurnEnded
from engine.evolve import evolve
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, Play, SideScore, new_match


class NoReplay(Exception):
    """There is nothing to replay: no such deal, or its events are not kept any more."""


class StillPlayed(Exception):
    """The deal goes on: what is hidden in it stays hidden."""


class EndedDeal(msgspec.Struct, frozen=True):
    """A deal that is over."""

    number: int
    """0 for the first."""
    scores: tuple[SideScore, ...]
    totals: tuple[int, ...]
    """Of the match, after the deal."""


class Moment(msgspec.Struct, frozen=True):
    """The match after a turn, and what was done in it; nothing was done where the deal has just been dealt."""

    match: Match
    plays: tuple[Play, ...] = ()

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Everybody's cards; no secret, because the deal is over."""
        return () if self.match.deal is None else self.match.deal.hands


def ended_deals(rules: Ruleset, seating: Seating, events: Sequence[Event]) -> tuple[EndedDeal, ...]:
    """The deals of a match that are over, in order.

    Raises:
        NoReplay: the events are not those of a match, or are not kept any more.
    """
    match, found = _before(rules, seating, events), []
    for event in events:
        match = evolve(match, event)
        if isinstance(event, DealEnded) and match.deal is not None:
            found.append(EndedDeal(match.deal.number, event.scores, match.totals))
    return tuple(found)


def moments_of(rules: Ruleset, seating: Seating, events: Sequence[Event], number: int) -> tuple[Moment, ...]:
    """A deal that is over: first as it was dealt, then after each turn, at last as it ended.

    Raises:
        NoReplay: there is no such deal, or its events are not kept any more.
        StillPlayed: the deal goes on.
    """
    match, found = _before(rules, seating, events), list[Moment]()
    for event in events:
        before, match = match, evolve(match, event)
        if match.deal is None or match.deal.number != number:
            continue
        if isinstance(event, DealStarted):
            found = [Moment(match)]
        elif isinstance(event, TurnEnded):
            found.append(Moment(match, match.deal.last_plays))
        elif isinstance(event, DealEnded):
            # Where it ended between two turns, the last turn's plays are told with the end.
            nothing = before.deal is not None and not before.deal.turn.plays and len(found) > 1
            plays = found.pop().plays if nothing else match.deal.turn.plays
            return (*found, Moment(match, plays))
    if not found:
        raise NoReplay(number)
    raise StillPlayed(number)


def _before(rules: Ruleset, seating: Seating, events: Sequence[Event]) -> Match:
    first = events[0] if events else None
    if not isinstance(first, DealStarted):
        raise NoReplay
    return new_match(rules, seating, first.starter)
