"""From an intent to an engine action, through the view of the seat that presses.

Masks select among the cards of that seat's own hand, so that a token can never name a card of anybody else's.
"""

from bot.tokens import Intent, TokenError, Verb, cards_of
from engine.actions import (
    Action,
    AddToMeld,
    Discard,
    DrawStock,
    EndTurn,
    LayMeld,
    MoveWild,
    NamedCard,
    TakeMuerto,
    TakePile,
    Undo,
)
from engine.cards import BACK, FACE, Card, Face, parse_face
from engine.melds import Meld
from engine.reasons import IllegalAction, NotationError, Reason
from engine.views import SeatView

TURN_VERBS = frozenset(
    {
        Verb.DRAW,
        Verb.TAKE_PILE,
        Verb.PILE_MELD,
        Verb.PILE_ADD,
        Verb.MELD,
        Verb.ADD,
        Verb.ADD_SOMEWHERE,
        Verb.MOVE_WILD,
        Verb.MUERTO,
        Verb.DISCARD,
        Verb.END,
        Verb.UNDO,
    }
)
"""What only the seat on turn may ask for, and what the engine judges."""


class Unfinished(Exception):
    """The intent leaves something open that the player must choose first."""


class WhichMeld(Unfinished):
    """Cards are to be added somewhere: ``cards`` of the hand, with the pile taken first where ``with_pile``."""

    def __init__(self, cards: tuple[Card, ...], *, with_pile: bool) -> None:
        super().__init__()
        self.cards = cards
        self.with_pile = with_pile


class WhichPlace(Unfinished):
    """A wild on the table is to move: where to?"""

    def __init__(self, meld: int) -> None:
        super().__init__()
        self.meld = meld


def to_action(view: SeatView, intent: Intent) -> Action:
    """The engine action that an intent of the view's seat asks for.

    Raises:
        TokenError: the arguments make no sense for this hand and table.
        IllegalAction: there is no pile to take.
        Unfinished: a choice is missing.
    """
    arguments = intent.arguments
    match intent.verb, len(arguments):
        case Verb.DRAW, 0:
            return DrawStock()
        case Verb.TAKE_PILE, 0:
            return TakePile()
        case Verb.PILE_MELD, 1 | 2:
            return TakePile(LayMeld(_named(view, arguments[0], arguments[1:], top=_top(view))))
        case Verb.PILE_ADD, 1:
            raise WhichMeld(cards_of(view.hand, arguments[0]), with_pile=True)
        case Verb.PILE_ADD, 2 | 3:
            meld = _meld(view, arguments[0])
            return TakePile(AddToMeld(meld, _named(view, arguments[1], arguments[2:], _own(view, meld), _top(view))))
        case Verb.MELD, 1 | 2:
            return LayMeld(_named(view, arguments[0], arguments[1:]))
        case Verb.ADD, 2 | 3:
            meld = _meld(view, arguments[0])
            return AddToMeld(meld, _named(view, arguments[1], arguments[2:], _own(view, meld)))
        case Verb.ADD_SOMEWHERE, 1:
            raise WhichMeld(_some(view, arguments[0]), with_pile=False)
        case Verb.MOVE_WILD, 1:
            raise WhichPlace(_meld(view, arguments[0]))
        case Verb.MOVE_WILD, 2:
            meld = _meld(view, arguments[0])
            return MoveWild(meld, _wild(_own(view, meld)), _face(arguments[1]))
        case Verb.MUERTO, 1:
            return TakeMuerto(_number(arguments[0]))
        case Verb.DISCARD, 1:
            card = _one_card(view, arguments[0])
            return Discard(FACE[card], BACK[card])
        case Verb.END, 0:
            return EndTurn()
        case Verb.UNDO, 0:
            return Undo()
        case _:
            raise TokenError(intent.verb)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 3:
        raise TokenError(text)
    return int(text)


def _meld(view: SeatView, text: str) -> int:
    index = _number(text)
    if index >= len(view.table.melds[view.side]):
        raise TokenError(text)
    return index


def _face(text: str) -> Face:
    try:
        return parse_face(text)
    except NotationError:
        raise TokenError(text) from None


def _one_card(view: SeatView, mask: str) -> Card:
    cards = cards_of(view.hand, mask)
    if len(cards) != 1:
        raise TokenError(mask)
    return cards[0]


def _wild(meld: Meld) -> Face:
    wild = meld.wild_card
    if wild is None:
        raise TokenError("wild")
    return FACE[wild]


def _own(view: SeatView, meld: int) -> Meld:
    return view.table.melds[view.side][meld]


def _top(view: SeatView) -> Card:
    top = view.table.pile_top
    if top is None:
        raise IllegalAction(Reason.PILE_EMPTY)
    return top


def _some(view: SeatView, mask: str) -> tuple[Card, ...]:
    cards = cards_of(view.hand, mask)
    if not cards:
        raise TokenError(mask)
    return cards


def _named(
    view: SeatView, mask: str, placed: tuple[str, ...], meld: Meld | None = None, top: Card | None = None
) -> tuple[NamedCard, ...]:
    """The selected cards and the top of the pile; a place belongs to one of them, or to the wild of ``meld``."""
    cards = cards_of(view.hand, mask) if top is not None else _some(view, mask)
    named = [NamedCard(FACE[card], None, BACK[card]) for card in (cards if top is None else (*cards, top))]
    if not placed:
        return tuple(named)
    wild, place = _face(placed[0][:2]), _face(placed[0][2:])
    at = next((i for i, card in enumerate(named) if card.face == wild), None)
    if at is not None:
        named[at] = NamedCard(wild, place, named[at].back)
    elif meld is not None and _wild(meld) == wild:
        named.append(NamedCard(wild, place))
    else:
        raise TokenError(placed[0])
    return tuple(named)
