"""Melds on the table: the value, its kinds of canasta, its worth and its notation."""

from enum import StrEnum
from typing import Final

import msgspec

from engine.cards import (
    ACE,
    CODE,
    FACE_CODE,
    IS_TWO,
    IS_WILD,
    SUIT,
    Card,
    Face,
    make_face,
)
from engine.ruleset import Ruleset


class Shape(StrEnum):
    """What a meld is made of."""

    RUN = "run"
    SET = "set"
    WILDS = "wilds"
    """2s and jokers only."""


class Kind(StrEnum):
    """What a meld is worth beyond its cards (RULESETS.md, How the rules work, 1)."""

    MELD = "meld"
    DIRTY = "dirty"
    SEMI = "semi"
    CLEAN = "clean"
    REAL = "real"
    ACE_TO_ACE = "ace_to_ace"
    ACES_CLEAN = "aces_clean"
    ACES_DIRTY = "aces_dirty"
    WILDS = "wilds"


CANASTA: Final = 7
"""The cards of a canasta, at least."""
_REAL: Final = 13
_SEMI_SET: Final = 8
_SEMI_RUN: Final = 7


class Meld(msgspec.Struct, frozen=True, array_like=True):
    """A meld in its canonical order: runs low to high, sets by suit with the wild last, wild melds 2s before jokers.

    ``low`` is the place of a run's first card (1: the ace below the two, 14: the ace above the king), the rank of a
    set, 0 for a wild meld. ``wild`` is the index of the card that stands for another, −1 where none does; a natural 2
    and the cards of a wild meld stand for themselves.
    """

    shape: Shape
    cards: tuple[Card, ...]
    low: int
    wild: int = -1

    @property
    def suit(self) -> int:
        """The suit of a run; −1 for other melds."""
        if self.shape is not Shape.RUN:
            return -1
        return SUIT[self.cards[0 if self.wild else 1]]

    @property
    def wild_card(self) -> Card | None:
        """The card that stands for another."""
        return self.cards[self.wild] if self.wild >= 0 else None

    @property
    def naturals(self) -> tuple[Card, ...]:
        """The cards that stand for themselves."""
        if self.wild < 0:
            return self.cards
        return self.cards[: self.wild] + self.cards[self.wild + 1 :]

    @property
    def is_canasta(self) -> bool:
        """Seven cards or more."""
        return len(self.cards) >= CANASTA

    @property
    def is_clean_canasta(self) -> bool:
        """A canasta in which no card stands for another."""
        return len(self.cards) >= CANASTA and self.wild < 0

    def place_of(self, index: int) -> Face | None:
        """What the card at ``index`` stands for in a run; None in other melds."""
        return make_face(self.low + index, self.suit) if self.shape is Shape.RUN else None

    @property
    def wild_place(self) -> Face | None:
        """What the wild of a run stands for."""
        return self.place_of(self.wild) if self.wild >= 0 else None

    def __str__(self) -> str:
        """The notation: ``4h 2s=5h 6h``; in sets the wild is written without a place."""
        place = self.wild_place
        return " ".join(
            CODE[card] if i != self.wild or place is None else f"{CODE[card]}={FACE_CODE[place]}"
            for i, card in enumerate(self.cards)
        )


def kind_of(rules: Ruleset, meld: Meld) -> Kind:
    """The kind of a meld under a rule set, computed from its cards now (never remembered).

    Kinds for which the rule set has no bonus of its own fall back to clean or dirty.
    """
    size = len(meld.cards)
    if size < CANASTA:
        return Kind.MELD
    if meld.shape is Shape.WILDS:
        return Kind.WILDS if rules.wilds_bonus else Kind.MELD
    aces = meld.shape is Shape.SET and meld.low == ACE and size == CANASTA
    if meld.wild < 0:
        if meld.shape is Shape.RUN:
            if size > _REAL and rules.ace_to_ace_bonus:
                return Kind.ACE_TO_ACE
            if size == _REAL and rules.real_bonus:
                return Kind.REAL
        return Kind.ACES_CLEAN if aces and rules.clean_aces_bonus else Kind.CLEAN
    if rules.semi_clean_bonus and _is_semi_clean(meld):
        return Kind.SEMI
    return Kind.ACES_DIRTY if aces and rules.dirty_aces_bonus else Kind.DIRTY


def _is_semi_clean(meld: Meld) -> bool:
    if meld.shape is Shape.SET:
        return len(meld.cards) >= _SEMI_SET
    return max(meld.wild, len(meld.cards) - 1 - meld.wild) >= _SEMI_RUN


def bonus_of(rules: Ruleset, kind: Kind) -> int:
    """The bonus of a kind."""
    match kind:
        case Kind.MELD:
            return 0
        case Kind.DIRTY:
            return rules.dirty_bonus
        case Kind.SEMI:
            return rules.semi_clean_bonus
        case Kind.CLEAN:
            return rules.clean_bonus
        case Kind.REAL:
            return rules.real_bonus
        case Kind.ACE_TO_ACE:
            return rules.ace_to_ace_bonus
        case Kind.ACES_CLEAN:
            return rules.clean_aces_bonus
        case Kind.ACES_DIRTY:
            return rules.dirty_aces_bonus
        case Kind.WILDS:
            return rules.wilds_bonus


_PLACE_IN_SET: Final = tuple((suit % 5) * len(SUIT) + card for card, suit in enumerate(SUIT))
_SET_ORDER: Final = _PLACE_IN_SET.__getitem__
"""By suit, equal cards by their backs."""


def make_set(cards: tuple[Card, ...], rank: int, wild: Card | None) -> Meld:
    """A set in its canonical order: by suit, the wild last."""
    naturals = sorted([card for card in cards if card != wild], key=_SET_ORDER)
    if wild is None:
        return Meld(Shape.SET, tuple(naturals), rank)
    return Meld(Shape.SET, (*naturals, wild), rank, len(naturals))


def make_wild_meld(cards: tuple[Card, ...]) -> Meld:
    """A wild meld in its canonical order: 2s by suit, then jokers."""
    order = sorted(cards, key=lambda card: (not IS_TWO[card], SUIT[card], card))
    return Meld(Shape.WILDS, tuple(order), 0)


def only_wilds(cards: tuple[Card, ...]) -> bool:
    """Whether all the cards are 2s and jokers."""
    return all(IS_WILD[card] for card in cards)
