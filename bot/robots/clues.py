"""What a seat sees that speaks for and against each card in each hidden hand."""

from math import exp, log
from typing import Any, Final

import numpy as np

from bot.robots.beliefs import CLUES, Beliefs
from bot.robots.swift import layout as at
from bot.robots.swift.moves import takes
from bot.robots.swift.reading import faces
from bot.robots.swift.workshop import Workshop
from engine.cards import ACE, HIGH_ACE, IS_WILD, JOKER, KING, make_face
from engine.views import SeatView

_THROWN: Final = 3
"""So many of the last cards that a player threw are thought of."""
_ROUNDS: Final = 6.0
"""Rounds in which the time of a deal falls to a third."""
_HIGH: Final = 8


def clues(view: SeatView, base: Any, shop: Workshop, needs: Any) -> Any:
    """What speaks for and against each card in each hidden hand: by seat, face and clue, in float64.

    ``base`` is the deal as the view shows it, ``needs`` says how many cards of each seat are hidden.
    """
    rules = shop.rules
    found = np.zeros((rules.seats, at.FACES, len(CLUES)))
    fits = [[takes(base, shop.gear.m, side, face) for face in range(at.FACES)] for side in range(rules.sides)]
    early = 1.0 - exp(-view.table.stock_count / rules.seats / _ROUNDS)
    for seat in range(rules.seats):
        if needs[seat]:
            side = seat % rules.sides
            theirs = [any(fit[face] for other, fit in enumerate(fits) if other != side) for face in range(at.FACES)]
            thrown = _company_of(_thrown(view, seat), rules.rules.sets)
            known = _company_of(_known(view, seat), rules.rules.sets)
            many = log(max(1, needs[seat]) / 5.0)
            for face in range(at.FACES):
                joker, two = float(face == JOKER), float(IS_WILD[face] and face != JOKER)
                row = [joker, two, joker * early, two * early, (joker + two) * many]
                if not IS_WILD[face]:
                    rank = face % KING + 1
                    row += [fits[side][face], theirs[face], face in thrown, face in known, rank == ACE, rank >= _HIGH]
                found[seat, face, : len(row)] = row
    return found


def doubts(found: Any, beliefs: Beliefs) -> Any:
    """How readily each seat holds each face, at most 1: by seat and face, in float64."""
    told = np.ones((at.MOST_SEATS, at.FACES))
    weights = np.array([getattr(beliefs, name) for name in CLUES])
    odds = np.exp(found @ weights)
    told[: len(odds)] = odds / odds.max(axis=1, keepdims=True)
    return told


def had_a_turn(view: SeatView, seat: int) -> bool:
    """Whether a seat has had the choice to lay what it holds."""
    return seat in view.memory.throwers or any(view.table.melds)


def _thrown(view: SeatView, seat: int) -> list[int]:
    memory = view.memory
    return faces([card for card, by in zip(memory.pile, memory.throwers, strict=True) if by == seat][-_THROWN:])


def _known(view: SeatView, seat: int) -> list[int]:
    return faces(view.memory.hands[seat]) if view.memory.hands else []


def _company_of(cards: list[int], sets: bool) -> set[int]:
    return {near for face in cards for near in _company(face, sets)}


def _company(face: int, sets: bool) -> set[int]:
    """A face and the natural faces that go with it: up to two places away in its suit, and of its rank."""
    if face == JOKER:
        return {face}
    suit, rank = divmod(face, KING)
    near = {rank + KING * other for other in range(4)} if sets else {face}
    for place in (ACE, HIGH_ACE) if rank == 0 else (rank + 1,):
        for step in (-2, -1, 1, 2):
            if ACE <= place + step <= HIGH_ACE:
                near.add(int(make_face(place + step, suit)))
    return {other for other in near if other == face or other % KING != 1}
