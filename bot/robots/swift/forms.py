"""The forms of melds of a rule set as a table: what each counts, and what it becomes with a card more.

No rule is written here: every entry is what :mod:`engine.fast_melds` says, for melds of the first suit; the other
suits are alike.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from bot.robots.swift import layout as at
from engine.cards import ACE, FACE, HIGH_ACE, JOKER
from engine.fast_melds import RUN, SET, MeldBook, book_of
from engine.melds import Meld, Shape
from engine.ruleset import Ruleset

OWN_TWO: Final = 1
"""The 2 of its suit, for a run of the first suit."""
OTHER_TWO: Final = 14
"""Whichever 2 of another suit, for a run of the first suit."""
_WILD_OF_KIND: Final = {at.WILD_JOKER: at.JOKER, at.WILD_OWN_TWO: OWN_TWO, at.WILD_OTHER_TWO: OTHER_TWO}
_SHAPES: Final = {Shape.RUN: at.RUN, Shape.SET: at.SET, Shape.WILDS: at.WILDS}
Key = tuple[int, int, int, int, int]


class Forms(NamedTuple):
    """The tables, and the form of each key that is known."""

    melds: Any
    """A row of int64 for each form."""
    new: Any
    """Where new melds begin."""
    keys: dict[Key, int]
    numbers: tuple[int, ...]
    """By form: its number in the rules' book, as a meld of the first suit."""


@lru_cache(maxsize=32)
def forms_of(rules: Ruleset) -> Forms:
    """The forms of all melds that may lie on the table under a rule set."""
    return _Finder(book_of(rules)).found()


def number_of(forms: Forms, meld: Meld) -> tuple[int, int]:
    """The number of a meld on the table, and the face of its wild (−1: none).

    Raises:
        KeyError: no such meld may lie on the table.
    """
    return forms.keys[_key(meld)] * 4 + max(0, meld.suit), _wild_face(meld)


def _wild_face(meld: Meld) -> int:
    wild = meld.wild_card
    return at.NONE if wild is None else int(FACE[wild])


def _key(meld: Meld) -> Key:
    shape, size, face = _SHAPES[meld.shape], len(meld.cards), _wild_face(meld)
    kind = 0
    if face == JOKER:
        kind = at.WILD_JOKER
    elif face != at.NONE:
        kind = at.WILD_OWN_TWO if shape == at.SET or face // 13 == meld.suit else at.WILD_OTHER_TWO
    if shape == at.RUN:
        return shape, meld.low, size, meld.wild, kind
    if shape == at.SET:
        return shape, meld.low, size, 0 if kind else at.NONE, kind
    return shape, 0, size, sum(FACE[card] != JOKER for card in meld.cards), 0


def _bridges(meld: Meld) -> Iterator[tuple[int, tuple[int, int]]]:
    """Columns, and a natural two places away from a run with a wild for the place between."""
    if meld.shape is not Shape.RUN:
        return
    for end, place in enumerate((meld.low - 2, meld.low + len(meld.cards) + 1)):
        for kind, wild in _WILD_OF_KIND.items() if ACE <= place <= HIGH_ACE else ():
            yield 4 * end + kind, ((place - 1) % 13, wild)


class _Finder:
    def __init__(self, book: MeldBook) -> None:
        self._book = book
        self._keys: dict[Key, int] = {}
        self._numbers: list[int] = []

    def _form(self, number: int) -> int:
        if number == at.NONE:
            return at.NONE
        meld = self._book.melds[number]
        key = _key(meld)
        form = self._keys.get(key)
        if form is None:
            form = self._keys[key] = len(self._numbers)
            self._numbers.append(number)
        return form

    def found(self) -> Forms:
        new = self._new()
        for number in self._book.runs():
            self._form(number)
        rows: list[Any] = []
        while len(rows) < len(self._numbers):
            rows.append(self._row(self._numbers[len(rows)]))
        return Forms(np.array(rows, dtype=np.int64), new, self._keys, tuple(self._numbers))

    def _new(self) -> Any:
        book, rules = self._book, self._book.rules
        new = np.full(at.NEW_SIZE, at.NONE, dtype=np.int64)
        size = rules.run_minimum
        for low in range(ACE, HIGH_ACE - size + 2):
            row = [(place - 1) % 13 for place in range(low, low + size)]
            for missing in range(size + 1):
                naturals = [face for i, face in enumerate(row) if i != missing - 1]
                for kind in range(4) if missing else (0,):
                    if missing and not kind:
                        continue
                    faces = sorted([*naturals, _WILD_OF_KIND[kind]] if missing else naturals)
                    number = book.laid(tuple(faces))
                    if number != at.NONE and book.shape[number] == RUN:
                        new[at.NEW_RUN + (low * 8 + missing) * 4 + kind] = self._form(number)
        for rank in range(1, 14):
            for naturals_held in (2, 3):
                for kind in (0, 1, 2):
                    if naturals_held + bool(kind) != 3:
                        continue
                    faces = sorted(
                        [rank - 1 + 13 * i for i in range(naturals_held)] + ([_WILD_OF_KIND[kind]] if kind else [])
                    )
                    number = book.laid(tuple(faces))
                    if number != at.NONE and book.shape[number] == SET and book.rank[number] == rank:
                        new[at.NEW_SET + (rank * 4 + naturals_held) * 4 + kind] = self._form(number)
        if rules.wild_melds:
            for twos in range(4):
                faces = sorted([1 + 13 * i for i in range(twos)] + [at.JOKER] * (3 - twos))
                new[at.NEW_WILDS + twos * 4 + 3 - twos] = self._form(book.laid(tuple(faces)))
        return new

    def _row(self, number: int) -> list[int]:
        book = self._book
        meld = book.melds[number]
        shape, _, size, wild_at, kind = _key(meld)
        row = [0] * at.MELD_SIZE
        row[at.SHAPE], row[at.LOW], row[at.LENGTH] = shape, meld.low, size
        row[at.WILD_AT], row[at.WILD_KIND] = wild_at, kind
        row[at.MELD_POINTS], row[at.BONUS], row[at.IS_CLEAN] = (
            book.points[number],
            book.bonus[number],
            book.clean[number],
        )
        for name in range(16):
            row[at.GROWN + name] = at.NONE
        for column in range(8):
            row[at.BRIDGED + column] = at.NONE
        for name, face in self._classes(shape, meld.low):
            grown = book.grown(number, (face,))
            if grown is None:
                continue
            after, back = grown
            row[at.GROWN + name] = self._form(after)
            row[at.BACK + name] = back != at.NONE
            row[at.NEWCOMER + name] = _wild_face(book.melds[after]) == face != _wild_face(meld)
        for column, faces in _bridges(meld):
            grown = book.grown(number, faces) if wild_at == at.NONE else None
            row[at.BRIDGED + column] = at.NONE if grown is None else self._form(grown[0])
        return row

    @staticmethod
    def _classes(shape: int, rank: int) -> list[tuple[int, int]]:
        if shape == RUN:
            naturals = [(face + 1, face) for face in range(13)]
            return [*naturals, (at.CLASS_TWO, OTHER_TWO), (at.CLASS_JOKER, at.JOKER)]
        wilds = [(at.CLASS_TWO, OWN_TWO), (at.CLASS_JOKER, at.JOKER)]
        return [(1, rank - 1), *wilds] if shape == SET else wilds
