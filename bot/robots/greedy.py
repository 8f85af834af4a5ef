"""The robot that lays whatever it can: a fixed yardstick. Its play must never change, or old measurements are void."""

from typing import Final

from engine import legal
from engine.actions import Action, Discard, DrawStock, EndTurn, TakeMuerto
from engine.cards import FACE, IS_WILD, RANK, SUIT, Card
from engine.state import Phase
from engine.views import SeatView

BIG_PILE: Final = 4
"""Piles of so many cards are taken."""


class GreedyRobot:
    """Takes big piles, lays the best meld or add as long as there is one, throws the card with the least company."""

    name = "greedy"

    def choose(self, view: SeatView) -> Action:
        """The greedy action.

        Raises:
            ValueError: it is not this seat's turn.
        """
        if not view.on_turn:
            raise ValueError(f"seat {view.seat} is not on turn")
        table = view.table
        if table.choosing is not None:
            return TakeMuerto(0)
        if table.phase is Phase.DRAW:
            may_draw = legal.draw_problem(view) is None
            uses = legal.pile_uses(view) if table.pile_count >= BIG_PILE or not may_draw else []
            return uses[0] if uses else DrawStock()
        laid = legal.options(view)
        if laid:
            return laid[0].action
        return EndTurn() if legal.can_end(view) else _discard(view)


def _discard(view: SeatView) -> Action:
    cards = [card for card, reason in legal.discards(view) if reason is None]
    if not cards:
        return legal.actions(view)[0]
    return Discard(FACE[min(cards, key=lambda card: (IS_WILD[card], _company(view.hand, card), RANK[card], card))])


def _company(hand: tuple[Card, ...], card: Card) -> int:
    """How many other cards of the hand are of its rank, or at most two places away in its suit."""
    return sum(
        1
        for other in hand
        if FACE[other] != FACE[card]
        and (RANK[other] == RANK[card] or (SUIT[other] == SUIT[card] and abs(RANK[other] - RANK[card]) <= 2))
    )
