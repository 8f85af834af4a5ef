"""Compiled deals in tests: the engine's actions done on a row, and what a row says may be done."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from bot import rulesets, shuffling
from bot.robots.robot import Robot
from bot.robots.swift import layout as at
from bot.robots.swift import moves
from bot.robots.swift.plan import start
from bot.robots.swift.turn import do, finish, pile_use_exists
from bot.robots.swift.uses import list_uses
from bot.robots.swift.workshop import Workshop, workshop_for
from bot.robots.translating import action_of, candidate_of
from engine import legal
from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, MoveWild, TakePile
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import SeatView, seat_view
from tests.robots.making import made
from tests.strategies import deal_of

PLACES = [(name, seating) for name in rulesets.ids() for seating in rulesets.load(name).seatings]
NAMED = [f"{name}-{seating}" for name, seating in PLACES]
"""Every rule set in every seating, and what the tests call them."""


def shop_of(name: str, seating: Seating) -> Workshop:
    """The workshop of a rule set that ships."""
    return workshop_for(rulesets.load(name), seating)


def dealt(name: str, seating: Seating, seed: str, dealer: int = 0) -> Match:
    """A fresh deal."""
    rules = rulesets.load(name)
    match = new_match(rules, seating, dealer % seating.seats)
    return evolve_all(match, start_deal(match, shuffling.seeded_deal(rules, seating, seed)))


class ByChance:
    """Does anything that may be done; melds sooner than discards, so that deals come to something."""

    name = "chance"

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, view: SeatView) -> Action:
        """One of the legal actions."""
        actions = legal.actions(view)
        weights = [1 if isinstance(action, Discard | DrawStock) else 3 for action in actions]
        return self._rng.choices(actions, weights)[0]


def watched(match: Match, players: Sequence[Robot]) -> Iterator[tuple[Match, SeatView]]:
    """Every position of a deal in which nobody has to choose a muerto, with the view of the seat on turn."""
    while match.in_play:
        turn = deal_of(match).turn
        view = seat_view(match, turn.seat)
        if turn.choosing is None:
            yield match, view
        match = evolve_all(match, decide(match, turn.seat, players[turn.seat].choose(view)))


def positions(name: str, seating: Seating, seed: str, robot: str | None = None) -> Iterator[Match]:
    """Every position of a deal in which nobody has to choose a muerto, played by chance or by a robot in every seat."""
    player = made(robot) if robot else ByChance(random.Random(seed))
    for match, _ in watched(dealt(name, seating, seed), [player] * seating.seats):
        yield match


def play(row: Any, action: Action, shop: Workshop) -> bool:
    """The engine's action, done on the row; an emptied hand takes the first muerto.

    False: no robot does the like, and rows need not know how. They move no wilds.
    """
    match action:
        case DrawStock():
            moves.draw(row, shop.gear.r)
        case TakePile() | LayMeld() | AddToMeld():
            if isinstance(action, TakePile):
                moves.take_pile(row, shop.gear.r)
                if action.use is None:
                    return True
            candidate = candidate_of(action, shop, row)
            assert candidate is not None, action
            do(row, shop.gear.r, candidate[at.C_USE :])
        case Discard(card=face):
            moves.discard(row, shop.gear.r, int(face))
            if row[at.DISCARDED] == 2 and not row[at.OVER]:
                finish(row, shop.gear.r, shop.gear.m, shop.gear.n, shop.gear.rows[0], shop.gear.uses[0])
        case EndTurn():
            finish(row, shop.gear.r, shop.gear.m, shop.gear.n, shop.gear.rows[0], shop.gear.uses[0])
        case MoveWild():
            return False
        case _:
            raise AssertionError(action)
    return True


def could_take_pile(row: Any, shop: Workshop) -> bool:
    """Whether the row says that the seat on turn could take the pile."""
    return bool(pile_use_exists(row, shop.gear.r, shop.gear.m, shop.gear.n, shop.gear.rows[0], shop.gear.uses[0]))


def uses_of(row: Any, shop: Workshop) -> list[LayMeld | AddToMeld]:
    """Whatever the compiled player may lay, as the engine's actions; each leads it to the meld that the engine says."""
    start(row, shop.gear.r, shop.gear.rows[0])
    count = list_uses(row, shop.gear.r, shop.gear.m, shop.gear.n, shop.gear.rows[0], shop.gear.uses[0])
    actions = []
    for use in shop.gear.uses[0, :count].copy():
        action = action_of(use)
        known = candidate_of(action, shop, row)
        assert known is not None
        assert list(known[at.C_USE : at.C_USE + at.U_COUNT]) == list(use[: at.U_COUNT]), action
        actions.append(action)
    return actions


def hand_of(row: Any, seat: int) -> list[int]:
    """How many of each face a seat holds."""
    return list(map(int, row[at.HANDS + seat * at.FACES : at.HANDS + (seat + 1) * at.FACES]))


def listed(row: Any, place: int, count: int) -> list[int]:
    """The faces of cards that lie one on another."""
    return list(map(int, row[place : place + row[count]]))


def melds_of(row: Any, side: int) -> list[int]:
    """Number and wild of each meld of a side, one after the other."""
    place = at.MELDS + side * at.MOST_MELDS * 2
    return list(map(int, row[place : place + 2 * row[at.MELD_COUNT + side]]))


def muertos_of(row: Any) -> list[list[int]]:
    """The muertos that are left."""
    return [listed(row, at.MUERTOS + i * at.MUERTO_ROOM, at.MUERTO_SIZES + i) for i in range(int(row[at.MUERTO_COUNT]))]
