"""Why an action is a good one, in a few facts that a seat's view proves: what hints and explanations tell."""

from enum import StrEnum

import msgspec

from bot.robots.discards import feeds
from bot.robots.outlook import Outlook
from bot.robots.tuned import numbers_for
from engine import legal
from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, TakeMuerto, TakePile
from engine.cards import FACE, IS_WILD, Card, Face
from engine.legal import Option
from engine.legal_melds import candidate_melds
from engine.melds import Kind
from engine.standing import standing_in
from engine.views import SeatView


class Because(StrEnum):
    """The one fact that counts most."""

    NOTHING_ELSE = "nothing_else"
    """There is no other way."""
    PILE_POOR = "pile_poor"
    """The pile holds ``useful`` cards of use among ``count``: too few for what the others then know and one holds."""
    PILE_RICH = "pile_rich"
    CANASTA = "canasta"
    """It makes a canasta of ``kind``."""
    CLOSES = "closes"
    TAKES_MUERTO = "takes_muerto"
    LAYS = "lays"
    """It brings ``count`` points to the table, and ``useful`` cards stay in the hand."""
    WILD_WORKS = "wild_works"
    """A wild is laid where a canasta is near."""
    NO_USE_TO_THEM = "no_use_to_them"
    """The card is missed least, and goes on none of the next opponent's melds."""
    LEAST_HARM = "least_harm"
    """It goes on a meld of the next opponent's, but every other card would cost more."""
    LAST_CARD = "last_card"
    DONE = "done"


class Reasoning(msgspec.Struct, frozen=True):
    """A fact with its numbers."""

    because: Because
    count: int = 0
    useful: int = 0
    kind: Kind = Kind.MELD


def reason_for(view: SeatView, action: Action) -> Reasoning:
    """Why the seat on turn would do this, as far as its own view tells."""
    match action:
        case DrawStock():
            if not legal.pile_uses(view):
                return Reasoning(Because.NOTHING_ELSE)
            return Reasoning(Because.PILE_POOR, view.table.pile_count, len(_of_use(view)))
        case TakePile():
            if legal.draw_problem(view) is not None:
                return Reasoning(Because.NOTHING_ELSE)
            return Reasoning(Because.PILE_RICH, view.table.pile_count, len(_of_use(view)))
        case LayMeld() | AddToMeld():
            return _of_laying(view, action)
        case Discard(card=face):
            return _of_discarding(view, face)
        case TakeMuerto():
            return Reasoning(Because.TAKES_MUERTO)
        case EndTurn():
            return Reasoning(Because.DONE)
        case _:
            return Reasoning(Because.NOTHING_ELSE)


def _outlook(view: SeatView) -> Outlook:
    return Outlook(view, numbers_for(view.table.rules, view.table.seating).weights)


def _of_use(view: SeatView) -> list[Card]:
    """The cards of the pile in view that are wild, go on an own meld or make a meld with the hand."""
    table, rules = view.table, view.table.rules
    outlook = _outlook(view)
    own = table.melds[view.side]
    found = []
    both = (*view.hand, *table.pile)
    melds = candidate_melds(rules, both)
    for card in table.pile:
        fits = any(feeds(outlook, meld, card) for meld in own)
        if IS_WILD[card] or fits or any(card in cards for cards in melds):
            found.append(card)
    return found


def _of_laying(view: SeatView, action: LayMeld | AddToMeld) -> Reasoning:
    option = _option(view, action)
    if option is None:
        return Reasoning(Because.LAYS)
    if option.empties:
        takes = standing_in(view).can_take_muerto
        return Reasoning(Because.TAKES_MUERTO if takes else Because.CLOSES)
    before = Kind.MELD
    if isinstance(action, AddToMeld):
        before = view.table.kinds[view.side][action.meld]
    if option.kind not in (Kind.MELD, before):
        return Reasoning(Because.CANASTA, kind=option.kind)
    if any(IS_WILD[card] for card in option.cards) and len(option.meld.cards) > 4:
        return Reasoning(Because.WILD_WORKS, count=7 - len(option.meld.cards))
    return Reasoning(Because.LAYS, option.gain, len(view.hand) - len(option.cards))


def _option(view: SeatView, action: LayMeld | AddToMeld) -> Option | None:
    return next((option for option in legal.options(view) if option.action == action), None)


def _of_discarding(view: SeatView, face: Face) -> Reasoning:
    standing = standing_in(view)
    if len(view.hand) == 1:
        return Reasoning(Because.TAKES_MUERTO if standing.can_take_muerto else Because.CLOSES)
    if len({FACE[card] for card, reason in legal.discards(view) if reason is None}) == 1:
        return Reasoning(Because.LAST_CARD)
    table = view.table
    following = table.seating.side_of((view.seat + 1) % table.seating.seats)
    card = next((card for card in view.hand if FACE[card] == face), None)
    outlook = _outlook(view)
    fed = card is not None and any(feeds(outlook, meld, card) for meld in table.melds[following])
    return Reasoning(Because.LEAST_HARM if fed else Because.NO_USE_TO_THEM)
