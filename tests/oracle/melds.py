"""What a meld is, worked out slowly from the rules as they are told: every card tried in every place.

Cards are texts (``7h``, ``2s``, ``JK``) and places are texts too, so that nothing here can share a fault with the
engine's tables. The rules are those of ``clasico``: three to seven cards, one wild at most, and wild melds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

SUITS = "shdc"
RANKS = "A23456789TJQK"
ROW = (*RANKS, "A")
"""The ranks as they stand in a run: the ace below the two or above the king."""
FACES = (*(rank + suit for suit in SUITS for rank in RANKS), "JK")
SHORTEST = 3
LONGEST = 7
Named = tuple[tuple[str, str], ...]
"""Wilds with the places that a player names for them."""


class Reading(NamedTuple):
    """One way in which cards are a meld."""

    shape: str
    cards: tuple[str, ...]
    places: tuple[str, ...]
    """What each card stands for: itself, or another where it is wild; in a set the wild has no place: ``*``."""

    @property
    def text(self) -> str:
        """As it is written down."""
        return " ".join(
            card if place in (card, "*") else f"{card}={place}"
            for card, place in zip(self.cards, self.places, strict=True)
        )

    @property
    def wild(self) -> str | None:
        """The card that stands for another."""
        return next((c for c, p in zip(self.cards, self.places, strict=True) if c != p), None)

    @property
    def wild_at(self) -> int:
        """Where it lies; −1 where there is none."""
        return next((i for i, (c, p) in enumerate(zip(self.cards, self.places, strict=True)) if c != p), -1)


class NoMeldError(Exception):
    """The cards make no meld; the text is the reason."""


def is_wild(card: str) -> bool:
    """All 2s and jokers are wild."""
    return card == "JK" or card[0] == "2"


def order(card: str) -> tuple[int, int]:
    """Suits s h d c, in them A 2 … K, jokers last."""
    return (9, 0) if card == "JK" else (SUITS.index(card[1]), RANKS.index(card[0]))


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as a hand is written."""
    return tuple(sorted(cards, key=order))


def runs(cards: Sequence[str], wilds: int = 1) -> set[Reading]:
    """Every row of one suit without a gap that the cards fill, with at most so many wilds and one natural at least."""
    found: set[Reading] = set()
    for suit in {card[1] for card in cards if card != "JK"}:
        for low in range(len(ROW) - len(cards) + 1):
            row = [rank + suit for rank in ROW[low : low + len(cards)]]
            for filled in set(_fill(row, tuple(cards), wilds)):
                if any(card == place for card, place in zip(filled, row, strict=True)):
                    found.add(Reading("run", filled, tuple(row)))
    return found


def _fill(row: Sequence[str], cards: tuple[str, ...], wilds: int) -> Iterator[tuple[str, ...]]:
    if not row:
        yield ()
        return
    for card in dict.fromkeys(cards):
        rest = list(cards)
        rest.remove(card)
        if card == row[0]:
            left = wilds
        elif is_wild(card) and wilds:
            left = wilds - 1
        else:
            continue
        for others in _fill(row[1:], tuple(rest), left):
            yield (card, *others)


def sets(cards: Sequence[str], wilds: int = 1) -> set[Reading]:
    """The cards as a set: naturals of one rank, suits as they like, with at most so many wilds."""
    naturals = in_order(card for card in cards if not is_wild(card))
    others = in_order(card for card in cards if is_wild(card))
    if not naturals or len({card[0] for card in naturals}) != 1 or len(others) > wilds:
        return set()
    return {Reading("set", (*naturals, *others), (*naturals, *("*" for _ in others)))}


def wild_melds(cards: Sequence[str]) -> set[Reading]:
    """The cards as a meld of 2s and jokers only."""
    if not all(is_wild(card) for card in cards):
        return set()
    row = in_order(cards)
    return {Reading("wilds", row, row)}


@lru_cache(maxsize=200_000)
def _readings(cards: tuple[str, ...]) -> frozenset[Reading]:
    if not SHORTEST <= len(cards) <= LONGEST:
        return frozenset()
    return frozenset(runs(cards) | sets(cards) | wild_melds(cards))


def readings(cards: Iterable[str]) -> frozenset[Reading]:
    """Every way in which the cards are a legal meld."""
    return _readings(in_order(cards))


def is_legal(text: str) -> bool:
    """Whether a meld lies legally, exactly as it is written."""
    return any(reading.text == text for reading in readings(word.partition("=")[0] for word in text.split()))


def read(text: str) -> Reading:
    """A legal meld from its text."""
    cards = tuple(word.partition("=")[0] for word in text.split())
    return next(reading for reading in readings(cards) if reading.text == text)


def _stands(reading: Reading, named: Named) -> bool:
    """Whether every wild stands where the player wants it."""
    wanted = Counter(named)
    if reading.shape == "set":
        return all(place[0] == reading.cards[0][0] for _, place in wanted)
    if reading.shape == "wilds":
        return not wanted
    return not wanted - Counter(zip(reading.cards, reading.places, strict=True))


def _by_default(reading: Reading, before: Reading | None = None) -> tuple[bool, bool, bool]:
    """The most naturals; then the wild stays where it lay; then the high end before the low one."""
    stays = before is not None and (reading.wild, _place(reading)) == (before.wild, _place(before))
    return reading.wild is not None, not stays, reading.wild_at != len(reading.cards) - 1


def _place(reading: Reading) -> str | None:
    return None if reading.wild is None else reading.places[reading.wild_at]


def _choose(found: Iterable[Reading], named: Named, before: Reading | None = None) -> Reading:
    fitting = [reading for reading in found if _stands(reading, named)]
    if not fitting:
        raise NoMeldError("wild_not_allowed_here")
    fitting.sort(key=lambda reading: _by_default(reading, before))
    if len(fitting) > 1 and _by_default(fitting[0], before) == _by_default(fitting[1], before):
        raise AssertionError(f"nothing decides between {fitting[0].text} and {fitting[1].text}")
    return fitting[0]


def new(cards: Sequence[str], named: Named = ()) -> Reading:
    """The meld that cards of the hand make.

    Raises:
        NoMeldError: they make none.
    """
    if len(cards) < SHORTEST:
        raise NoMeldError("meld_too_short")
    if len(cards) > LONGEST:
        raise NoMeldError("meld_too_long")
    found = readings(cards)
    if found:
        return _choose(found, named)
    free = runs(in_order(cards), len(cards)) | sets(cards, len(cards))
    raise NoMeldError("too_many_wilds" if free else "not_a_meld")


def add(before: Reading, cards: Sequence[str], named: Named = ()) -> Reading:
    """The meld that cards of the hand make of one that lies on the table.

    Raises:
        NoMeldError: they make none of its kind.
    """
    final = in_order((*before.cards, *cards))
    if len(before.cards) == LONGEST:
        raise NoMeldError("meld_closed")
    if len(final) > LONGEST:
        raise NoMeldError("meld_too_long")
    found = [reading for reading in readings(final) if reading.shape == before.shape]
    if found:
        return _choose(found, named, before)
    kinds = {"run": runs, "set": sets}
    free = kinds[before.shape](final, len(final)) if before.shape in kinds else set()
    several = sum(is_wild(card) for card in final) > 1
    raise NoMeldError("too_many_wilds" if free and several else "not_a_meld")


def move(before: Reading, card: str, place: str) -> Reading:
    """The meld with its wild in another place.

    Raises:
        NoMeldError: it may not go there.
    """
    if before.shape != "run":
        raise NoMeldError("wild_cannot_move" if card in before.cards and is_wild(card) else "card_not_held")
    if before.wild != card:
        natural_two = card in before.cards and is_wild(card)
        raise NoMeldError("wild_cannot_move" if natural_two else "card_not_held")
    if _place(before) == place or (place == card and before.cards.count(card) == 2):  # its twin is at home already
        raise NoMeldError("wild_cannot_move")
    if place[1] != before.places[0][1]:
        raise NoMeldError("wild_not_allowed_here")
    found = [reading for reading in readings(before.cards) if _stands(reading, ((card, place),))]
    if not found:
        raise NoMeldError("not_a_meld")
    return _choose(found, ((card, place),))
