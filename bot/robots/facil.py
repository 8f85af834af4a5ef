"""The short-sighted robot: it plays what it sees, and does not see everything, as people do who are new to the game.

Its slips are those of people: a pile let go, a card that would have fitted kept, the second-best card thrown. It never
does what looks silly: it closes with no canasta only where it must, and throws neither wilds nor what its own table
takes while it holds something else.
"""

from random import Random
from typing import Final

from bot.robots.seeds import seed_of
from engine import legal
from engine.actions import Action, Discard, DrawStock, EndTurn, TakeMuerto
from engine.cards import FACE, IS_WILD, RANK, SUIT, Card
from engine.legal import Option
from engine.policies import Closing, MeldsWithoutCanasta
from engine.state import Phase
from engine.views import SeatView

BIG_PILE: Final = 4
OVERLOOKS_PILE: Final = 0.25
OVERLOOKS_MELD: Final = 0.12
SECOND_BEST: Final = (0.62, 0.26, 0.12)
"""How often the best, the second and the third card is thrown."""


class EasyRobot:
    """Plays what it sees first."""

    name = "facil"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: SeatView) -> Action:
        """What it sees first, now and then the next best.

        Raises:
            ValueError: it is not this seat's turn.
        """
        if not view.on_turn:
            raise ValueError(f"seat {view.seat} is not on turn")
        table = view.table
        if table.choosing is not None:
            return TakeMuerto(0)
        chance = Random(seed_of(self._seed, view))  # noqa: S311 - play, not secrets
        if table.phase is Phase.DRAW:
            return _draw(view, chance)
        laid = [option for option in legal.options(view) if _sensible(view, option)]
        if laid and (view.owed is not None or chance.random() >= OVERLOOKS_MELD):
            return laid[0].action
        if legal.can_end(view):
            return EndTurn()
        return _discard(view, chance)


def _draw(view: SeatView, chance: Random) -> Action:
    may_draw = legal.draw_problem(view) is None
    sees = view.table.pile_count >= BIG_PILE and chance.random() >= OVERLOOKS_PILE
    uses = legal.pile_uses(view) if sees or not may_draw else []
    return uses[0] if uses else DrawStock()


def _sensible(view: SeatView, option: Option) -> bool:
    """Whether an option is not one that closes, or is about to, with no canasta where that costs."""
    rules, table = view.table.rules, view.table
    left = len(view.hand) - len(option.cards)
    if left > 1 or view.owed is not None:
        return True
    if table.muertos and table.taken[view.side] < rules.muertos_a_side:
        return True
    costs = rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE or rules.closing is not Closing.NONE
    melds = (*table.melds[view.side], option.meld)
    return not costs or any(meld.is_canasta for meld in melds)


def _discard(view: SeatView, chance: Random) -> Action:
    cards = [card for card, reason in legal.discards(view) if reason is None]
    if not cards:
        return legal.actions(view)[0]
    fitting = {card for option in legal.adds(view) for card in option.cards}
    ranked: dict[int, Card] = {}
    for card in sorted(cards, key=lambda card: (IS_WILD[card], card in fitting, _company(view.hand, card), RANK[card])):
        ranked.setdefault(int(FACE[card]), card)
    plain = [card for card in ranked.values() if not IS_WILD[card] and card not in fitting] or list(ranked.values())
    first = plain[: len(SECOND_BEST)]
    return Discard(FACE[chance.choices(first, SECOND_BEST[: len(first)])[0]])


def _company(hand: tuple[Card, ...], card: Card) -> int:
    """How many other cards of the hand are of its rank, or beside it in its suit."""
    return sum(
        1
        for other in hand
        if other != card
        and (RANK[other] == RANK[card] or (SUIT[other] == SUIT[card] and abs(RANK[other] - RANK[card]) <= 2))
    )
