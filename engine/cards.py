"""Cards: faces, physical cards and their notation.

A *face* is what a card is worth in play (the seven of hearts); a *card* is one physical piece of cardboard, which has
a face and a back (the pack it comes from). Two sevens of hearts are equal in play and may differ in their backs. Both
are small integers, so that hands are cheap to copy, to compare and to store; the tables turn them into all the rest.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NewType

from engine.reasons import NotationError

Face = NewType("Face", int)
"""0..51: suit × 13 + rank − 1, suits in the order s h d c; 52: a joker."""

Card = NewType("Card", int)
"""0..161: back × 54 + n, where n is the face, or 52 and 53 for the two jokers of a pack."""

SUITS: Final = "shdc"
RANKS: Final = "A23456789TJQK"
JOKER: Final = Face(52)
FACES: Final = tuple(Face(n) for n in range(53))
CARDS_A_PACK: Final = 54
PACKS: Final = 3

ACE: Final = 1
TWO: Final = 2
KING: Final = 13
HIGH_ACE: Final = 14
"""The place above the king in a run; :data:`ACE` is the place below the two."""


def _face_of(card: int) -> Face:
    return Face(min(card % CARDS_A_PACK, int(JOKER)))


FACE: Final[tuple[Face, ...]] = tuple(_face_of(card) for card in range(CARDS_A_PACK * PACKS))
"""The face of each card."""
BACK: Final[tuple[int, ...]] = tuple(card // CARDS_A_PACK for card in range(CARDS_A_PACK * PACKS))
"""The back of each card: 0, 1 or 2, the pack that it came with."""
RANK_OF_FACE: Final[tuple[int, ...]] = (*(int(face) % 13 + 1 for face in range(52)), 0)
SUIT_OF_FACE: Final[tuple[int, ...]] = (*(int(face) // 13 for face in range(52)), -1)
RANK: Final[tuple[int, ...]] = tuple(RANK_OF_FACE[face] for face in FACE)
"""The rank of each card: 1 for an ace up to 13 for a king; 0 for a joker."""
SUIT: Final[tuple[int, ...]] = tuple(SUIT_OF_FACE[face] for face in FACE)
"""The suit of each card as an index into :data:`SUITS`; −1 for a joker."""
IS_TWO: Final[tuple[bool, ...]] = tuple(rank == TWO for rank in RANK)
IS_JOKER: Final[tuple[bool, ...]] = tuple(face == JOKER for face in FACE)
IS_WILD: Final[tuple[bool, ...]] = tuple(two or joker for two, joker in zip(IS_TWO, IS_JOKER, strict=True))
"""True for the 2s and the jokers (RULESETS.md: all wilds are the 2s and the jokers)."""
FACE_CODE: Final[tuple[str, ...]] = (*(RANKS[face % 13] + SUITS[face // 13] for face in range(52)), "JK")
CODE: Final[tuple[str, ...]] = tuple(FACE_CODE[face] for face in FACE)
"""The notation of each card: ``As``, ``Td``, ``JK``."""
_FACE_BY_CODE: Final = {code: Face(face) for face, code in enumerate(FACE_CODE)}


def make_face(rank: int, suit: int) -> Face:
    """The face of a rank (1..13, or 14 for an ace above the king) and a suit (0..3)."""
    return Face(suit * 13 + (rank - 1) % 13)


def parse_face(text: str) -> Face:
    """Read one card's notation, such as ``As``, ``Td`` or ``JK``.

    Raises:
        NotationError: the text is no card.
    """
    try:
        return _FACE_BY_CODE[text]
    except KeyError:
        raise NotationError(text) from None


def sort_key(card: Card) -> tuple[int, int]:
    """The order of a hand: suits s h d c, in them A 2 … K, jokers last; equal faces by back."""
    return FACE[card], card


_PLACE_IN_ORDER: Final = tuple(int(face) * CARDS_A_PACK * PACKS + card for card, face in enumerate(FACE))
_IN_ORDER: Final = _PLACE_IN_ORDER.__getitem__
"""The same order as a number for each card, found without a call of Python's."""


def sorted_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in the order of a hand, see :func:`sort_key`."""
    return tuple(sorted(cards, key=_IN_ORDER))


def codes(cards: Iterable[Card]) -> str:
    """The notation of several cards, separated by blanks."""
    return " ".join(CODE[card] for card in cards)


def pack(packs: int, jokers_a_pack: int, *, first: int = 0) -> tuple[Card, ...]:
    """The cards of ``packs`` French packs in factory order, beginning with the back ``first``.

    ``jokers_a_pack`` is 0, 1 or 2.
    """
    size = 52 + jokers_a_pack
    return tuple(
        Card(back * CARDS_A_PACK + n) for back in range(first, first + packs) for n in range(CARDS_A_PACK) if n < size
    )


def without(cards: Sequence[Card], taken: Iterable[Card]) -> tuple[Card, ...]:
    """``cards`` without the physical cards ``taken``, order kept. Cards are unique, so a set is enough."""
    gone = frozenset(taken)
    return tuple([card for card in cards if card not in gone])
