"""How a hand is laid out for its player: by suit or by rank, in heaps with gaps between."""

from enum import StrEnum

from engine.cards import ACE, HIGH_ACE, IS_JOKER, IS_WILD, RANK, SUIT, Card

Groups = tuple[tuple[Card, ...], ...]


class HandOrder(StrEnum):
    """How a hand is sorted."""

    SUIT = "suit"
    RANK = "rank"


_SUITS_SHOWN = (0, 1, 3, 2)
"""Where each suit stands: spades, hearts, clubs, diamonds, dark and light suits in turn."""


def _height(card: Card) -> int:
    return HIGH_ACE if RANK[card] == ACE else RANK[card]


def _by_suit(card: Card) -> tuple[int, int, int]:
    return _SUITS_SHOWN[SUIT[card]], _height(card), card


def _by_rank(card: Card) -> tuple[int, int, int]:
    return -_height(card), _SUITS_SHOWN[SUIT[card]], card


def in_groups(hand: tuple[Card, ...], order: HandOrder) -> Groups:
    """The hand in heaps, in reading order; the wilds make the last heap, jokers first.

    By suit each suit is a heap, ace high; by rank each rank is one, highest first.
    """
    naturals = [card for card in hand if not IS_WILD[card]]
    wilds = sorted((card for card in hand if IS_WILD[card]), key=lambda card: (not IS_JOKER[card], SUIT[card], card))
    heaps: dict[int, list[Card]] = {}
    if order is HandOrder.SUIT:
        for card in sorted(naturals, key=_by_suit):
            heaps.setdefault(SUIT[card], []).append(card)
    else:
        for card in sorted(naturals, key=_by_rank):
            heaps.setdefault(RANK[card], []).append(card)
    return (*(tuple(heap) for heap in heaps.values()), *((tuple(wilds),) if wilds else ()))
