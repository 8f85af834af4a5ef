"""What the quick player sees in its cards: faces that go together, runs, and new melds."""

from functools import lru_cache
from typing import Final

from engine.cards import ACE, HIGH_ACE, KING
from engine.fast import FastDeal
from engine.fast_melds import NONE, RANK_MASKS, SET, WILD_FACES, WILD_MASK
from engine.fast_rules import FastRules

_NATURAL: Final = ~WILD_MASK
SUIT: Final = 0x1FFF
JOKER_FACE: Final = WILD_FACES[-1]
Use = tuple[int, tuple[int, ...], int]
"""Index of the meld added to (−1: a new one), the faces, the number of the meld that comes of it."""


def face_at(place: int, suit: int) -> int:
    """The face of a place in a suit."""
    return suit * 13 + (place - 1) % 13


@lru_cache(maxsize=2)
def companies(sets: bool) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """For each face the faces beside it in its suit, those one place further, and those of its rank, as bits."""
    rows = []
    for steps in ((-1, 1), (-2, 2), ()):
        masks = []
        for face in range(52):
            suit, rank = divmod(face, 13)
            mask = RANK_MASKS[rank + 1] if sets and not steps else 0
            for place in {rank + 1, HIGH_ACE} if rank == 0 else {rank + 1}:
                for step in steps:
                    if ACE <= place + step <= HIGH_ACE:
                        mask |= 1 << face_at(place + step, suit)
            masks.append(mask & _NATURAL & ~(1 << face))
        rows.append((*masks, 0))
    return rows[0], rows[1], rows[2]


@lru_cache(maxsize=2)
def near(sets: bool) -> tuple[int, ...]:
    """For each face the faces that make company: up to two places away in the suit, and of the rank."""
    return tuple(beside | beyond | mates for beside, beyond, mates in zip(*companies(sets), strict=True))


@lru_cache(maxsize=2)
def threes(sets: bool) -> tuple[tuple[int, ...], ...]:
    """For each face the pairs of other faces, as bits, that make a meld of three with it."""
    found = []
    for face in range(52):
        suit, rank = divmod(face, 13)
        pairs = []
        for place in (1, HIGH_ACE) if rank == 0 else (rank + 1,):
            for low in (place - 2, place - 1, place):
                row = [other for other in range(low, low + 3) if other != place]
                if low >= ACE and low + 2 <= HIGH_ACE and 2 not in row:
                    pairs.append(sum(1 << face_at(other, suit) for other in row))
        if sets:
            others = [other for other in range(rank, 52, 13) if other != face]
            pairs += [1 << one | 1 << two for i, one in enumerate(others) for two in others[i + 1 :]]
        found.append(tuple(pairs))
    return (*found, ())


def company(rules: FastRules) -> tuple[int, ...]:
    """For each face the faces that make company to it under a rule set, as bits."""
    return near(rules.rules.sets)


@lru_cache(maxsize=8192)
def runs(mask: int, least: int, most: int) -> tuple[tuple[int, int], ...]:
    """The longest runs in a suit's 13-bit mask without its 2: (lowest place, length), at most ``most`` long."""
    row = mask << 1 & ~4
    if row & 2:
        row |= 1 << HIGH_ACE
    found = []
    place = ACE
    while place <= HIGH_ACE:
        length = 0
        while place + length <= HIGH_ACE and row >> place + length & 1:
            length += 1
        if length > KING:
            length = KING  # the one ace stands at one end
        if length >= least:
            found.append((place, min(length, most)))
        place += length + 1
    if len(found) > 1 and found[0][0] == ACE and found[-1][0] + found[-1][1] - 1 == HIGH_ACE:
        found.pop(0 if found[0][1] < found[-1][1] else -1)
    return tuple(found)


def laid(deal: FastDeal, faces: list[int]) -> Use | None:
    """The new meld that faces make; None where they make none that may be laid."""
    rules = deal.rules
    key = tuple(sorted(faces))
    number = rules.book.laid(key)
    if number == NONE:
        return None
    melds = deal.melds[deal.turn % rules.sides]
    if rules.first_minimum and not melds and rules.book.points[number] < rules.first_minimum:
        return None
    if not rules.second_set and rules.book.shape[number] == SET:
        rank = rules.book.rank[number]
        if any(rules.book.rank[other] == rank for other in melds):
            return None
    return NONE, key, number
