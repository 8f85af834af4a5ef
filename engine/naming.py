"""From the faces that an action names to the physical cards that it means."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.actions import NamedCard
from engine.cards import FACE, Card, Face
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
    left = _in_order(hand, prefer)
    cards: list[Card] = []
    places: dict[Card, Face] = {}
    for wanted in named:
        card = _take(left, wanted.face)
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
    left = _in_order(hand, prefer)
    cards: list[Card] = []
    places: dict[Card, Face] = {}
    for wanted in named:
        card = _take(left, wanted.face)
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


def pick_discard(hand: Sequence[Card], face: Face, barred: Card | None) -> Card:
    """The card of the hand to discard: an identical one before the one that is barred.

    Raises:
        IllegalAction: the card is not held.
    """
    equal = [card for card in hand if FACE[card] == face]
    if not equal:
        raise IllegalAction(Reason.CARD_NOT_HELD, card=int(face))
    return next((card for card in equal if card != barred), equal[0])


def _in_order(hand: Sequence[Card], prefer: Iterable[Card | None]) -> list[Card]:
    first = [card for card in dict.fromkeys(prefer) if card is not None and card in hand]
    return [*first, *(card for card in hand if card not in first)]


def _take(left: list[Card], face: Face) -> Card | None:
    for i, card in enumerate(left):
        if FACE[card] == face:
            return left.pop(i)
    return None
