"""From the faces that an action names to the physical cards that it means."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.actions import NamedCard
from engine.cards import BACK, FACE, Card, Face
from engine.melds import Meld
from engine.reasons import IllegalAction, Reason


class NamedCards(NamedTuple):
    """The cards that leave the hand, and the places named for wilds (of the hand or of the meld)."""

    cards: tuple[Card, ...]
    places: Mapping[Card, Face]


def named_for_meld(hand: Sequence[Card], named: Sequence[NamedCard], prefer: Iterable[Card | None]) -> NamedCards:
    """The cards of the hand for a new meld. Of two equal cards the one in ``prefer`` goes first.

    Raises:
        IllegalAction: a card is not held.
    """
    left, first = list(hand), frozenset(prefer)
    cards: list[Card] = []
    places: dict[Card, Face] = {}
    for wanted in named:
        card = _take(left, wanted, first)
        if card is None:
            raise IllegalAction(Reason.CARD_NOT_HELD, card=int(wanted.face))
        cards.append(card)
        if wanted.place is not None:
            places[card] = wanted.place
    return NamedCards(tuple(cards), places)


def named_for_add(
    hand: Sequence[Card], meld: Meld, named: Sequence[NamedCard], prefer: Iterable[Card | None]
) -> NamedCards:
    """The cards of the hand for an add; a wild named with a place that the hand lacks is the one of the meld.

    Raises:
        IllegalAction: a card is neither held nor the meld's wild, or nothing is added at all.
    """
    left, first = list(hand), frozenset(prefer)
    cards: list[Card] = []
    places: dict[Card, Face] = {}
    for wanted in named:
        card = _take(left, wanted, first)
        if card is not None:
            cards.append(card)
            if wanted.place is not None:
                places[card] = wanted.place
            continue
        wild = meld.wild_card
        if wanted.place is None or wild is None or FACE[wild] != wanted.face or wild in places:
            raise IllegalAction(Reason.CARD_NOT_HELD, card=int(wanted.face))
        places[wild] = wanted.place
    if not cards:
        raise IllegalAction(Reason.BAD_NOTATION)
    return NamedCards(tuple(cards), places)


def pick_discard(hand: Sequence[Card], face: Face, back: int | None, barred: Card | None) -> Card:
    """The card of the hand to discard: an identical one before the one that is barred, the wished back before another.

    Raises:
        IllegalAction: the card is not held.
    """
    equal = [card for card in hand if FACE[card] == face]
    if not equal:
        raise IllegalAction(Reason.CARD_NOT_HELD, card=int(face))
    if len(equal) == 1:
        return equal[0]
    return min(equal, key=lambda card: (card == barred, back is not None and BACK[card] != back))


def _take(left: list[Card], wanted: NamedCard, first: Container[Card | None]) -> Card | None:
    """Take a card of the wanted face out of ``left``: one of ``first``, else the wished back, else any."""
    equal = [card for card in left if FACE[card] == wanted.face]
    if not equal:
        return None
    card = equal[0]
    if len(equal) > 1:
        back = wanted.back
        card = min(equal, key=lambda card: (card not in first, back is not None and BACK[card] != back))
    left.remove(card)
    return card
