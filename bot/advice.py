"""Advice from the robots' own evaluation: a hint for the seat on turn, and why robots played as they did in a deal."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.history import decisions
from bot.model import Table
from bot.robots.normal import NormalRobot
from bot.robots.reasoning import Because, Reasoning, reason_for
from engine.actions import Action, DrawStock, TakePile
from engine.events import Event
from engine.state import Match
from engine.views import SeatView, seat_view

MOST_TOLD: Final = 12
_BIG_PILE: Final = 3
_WORTH_TELLING: Final = frozenset({Because.CANASTA, Because.CLOSES, Because.TAKES_MUERTO, Because.LEAST_HARM})


class Advice(NamedTuple):
    """An action and why."""

    action: Action
    reasoning: Reasoning


class Told(NamedTuple):
    """A decision of a robot in the deal that is over: what it saw, did, and why."""

    seat: int
    view: SeatView
    action: Action
    reasoning: Reasoning


def hint(view: SeatView) -> Advice:
    """What the sensible robot would do in the seat's place.

    Raises:
        ValueError: it is not this seat's turn.
    """
    action = NormalRobot().choose(view)
    return Advice(action, reason_for(view, action))


def why(match: Match, table: Table, events: Sequence[Event]) -> tuple[Told, ...]:
    """The robots' decisions of the last deal that are worth telling, oldest first, the last ones where there are many.

    Raises:
        ValueError: the deal goes on: nobody's hand may be told of.
    """
    if match.in_play:
        raise ValueError("the deal goes on")
    robots = {seat for seat, chair in enumerate(table.chairs) if chair.robot is not None or chair.stood_in}
    found: list[Told] = []
    for before, seat, action in decisions(match, events):
        if seat not in robots:
            continue
        view = seat_view(before, seat)
        big = view.table.pile_count >= _BIG_PILE
        if isinstance(action, DrawStock | TakePile) and not big:
            continue
        reasoning = reason_for(view, action)
        pile = isinstance(action, DrawStock | TakePile) and reasoning.because is not Because.NOTHING_ELSE
        if pile or reasoning.because in _WORTH_TELLING:
            found.append(Told(seat, view, action, reasoning))
    return tuple(found[-MOST_TOLD:])
