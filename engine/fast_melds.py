"""Melds as small numbers: each kind of meld is judged once by :mod:`engine.arrange` and then remembered.

A meld's number stands for all that its further life hangs on: shape, place, length, its wild. Equal cards are equal in
play, so the suits of a set's cards and the backs of all cards are left out. No rule is written here: what a meld
becomes with a card more is asked of the engine the first time, and looked up from then on.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import product
from typing import Final

from engine import arrange
from engine.cards import (
    ACE,
    CARDS_A_PACK,
    FACE,
    HIGH_ACE,
    IS_TWO,
    JOKER,
    PACKS,
    RANK_OF_FACE,
    TWO,
    Card,
    make_face,
)
from engine.melds import Meld, Shape, bonus_of, kind_of, make_set, make_wild_meld
from engine.reasons import IllegalAction
from engine.rows import run_problem
from engine.ruleset import Ruleset

Key = tuple[int, int, int, int, int, int]
NONE: Final = -1
_MOST_KNOWN: Final = 60_000
"""So many answers are remembered of each kind; then they are asked for anew."""
TWO_FACES: Final = tuple(int(make_face(TWO, suit)) for suit in range(4))
WILD_FACES: Final = (*TWO_FACES, int(JOKER))
RUN, SET, WILDS = range(3)
_SHAPES: Final = {Shape.RUN: RUN, Shape.SET: SET, Shape.WILDS: WILDS}


class MeldBook:
    """The melds of one rule set that have been met so far, by number; parallel lists for what is asked most."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.size: list[int] = []
        self.points: list[int] = []
        self.bonus: list[int] = []
        self.clean: list[bool] = []
        """Whether no card stands for another."""
        self.shape: list[int] = []
        self.rank: list[int] = []
        """Of a set; 0 for others."""
        self.melds: list[Meld] = []
        """One meld of each number."""
        self._accepts: list[int] = []
        self._numbers: dict[Key, int] = {}
        self._grown: dict[tuple[int, tuple[int, ...]], tuple[int, int] | None] = {}
        self._new: dict[tuple[int, ...], int] = {}

    def number(self, meld: Meld) -> int:
        """The number of a meld."""
        key = _key(meld)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self.size)
            meld = _model(key)
            self.melds.append(meld)
            self.size.append(len(meld.cards))
            self.points.append(self.rules.points(meld.cards))
            self.bonus.append(bonus_of(self.rules, kind_of(self.rules, meld)))
            self.clean.append(meld.wild < 0)
            self.shape.append(key[0])
            self.rank.append(meld.low if meld.shape is Shape.SET else 0)
            self._accepts.append(NONE)
        return known

    def accepts(self, number: int) -> int:
        """A bit for each face that the meld takes alone."""
        known = self._accepts[number]
        if known == NONE:
            meld = self.melds[number]
            if meld.shape is Shape.RUN:
                suit = meld.suit
                tried = [*range(13 * suit, 13 * suit + 13), *WILD_FACES]
            else:
                ranks = (meld.low,) if meld.shape is Shape.SET else ()
                tried = [*(int(make_face(rank, suit)) for rank in ranks for suit in range(4)), *WILD_FACES]
            known = sum(1 << face for face in dict.fromkeys(tried) if self.grown(number, (face,)) is not None)
            self._accepts[number] = known
        return known

    def grown(self, number: int, faces: tuple[int, ...]) -> tuple[int, int] | None:
        """The meld with cards more, and the face of the wild that goes back to the hand (−1: none); None: refused."""
        key = (number, faces)
        try:
            return self._grown[key]
        except KeyError:
            pass
        meld = self.melds[number]
        cards = _apart(meld.cards, faces)
        found = None
        if cards is not None:
            try:
                added = arrange.judge_add(self.rules, meld, cards, {})
                back = int(FACE[added.returned[0]]) if added.returned else NONE
                found = self.number(added.meld), back
            except IllegalAction:
                pass
        if len(self._grown) >= _MOST_KNOWN:
            self._grown.clear()
        self._grown[key] = found
        return found

    def laid(self, faces: tuple[int, ...]) -> int:
        """The number of the meld that the faces (sorted) make; −1 where they make none."""
        known = self._new.get(faces)
        if known is None:
            cards = _apart((), faces)
            known = NONE
            if cards is not None:
                with suppress(IllegalAction):
                    known = self.number(arrange.judge_new(self.rules, cards, {}))
            if len(self._new) >= _MOST_KNOWN:
                self._new.clear()
            self._new[faces] = known
        return known

    def runs(self) -> Iterator[int]:
        """The numbers of all runs of the first suit that may lie on the table: people place wilds where they like."""
        for low in range(ACE, HIGH_ACE + 1):
            for size in range(self.rules.run_minimum, HIGH_ACE - low + 2):
                for wild_at, wild in ((NONE, NONE), *product(range(size), (TWO_FACES[0], TWO_FACES[1], int(JOKER)))):
                    with suppress(ValueError):
                        run = _model((RUN, 0, low, size, wild_at, wild))
                        if run_problem(self.rules, run) is None:
                            yield self.number(run)


@lru_cache(maxsize=64)
def book_of(rules: Ruleset) -> MeldBook:
    """The one book of a rule set in this process."""
    return MeldBook(rules)


def _key(meld: Meld) -> Key:
    size = len(meld.cards)
    shape = _SHAPES[meld.shape]
    wild = NONE if meld.wild_card is None else int(FACE[meld.wild_card])
    if shape == RUN:
        return shape, meld.suit, meld.low, size, meld.wild, wild
    if shape == SET:
        # Which of the 2s it is makes no difference in a set.
        return shape, NONE, meld.low, size, NONE, wild if wild in (NONE, JOKER) else TWO_FACES[0]
    return shape, NONE, 0, size, sum(IS_TWO[card] for card in meld.cards), NONE


def _model(key: Key) -> Meld:
    """A meld with this key, made of any cards."""
    shape, suit, low, size, wild_at, wild = key
    if shape == RUN:
        faces = [wild if i == wild_at else int(make_face(low + i, suit)) for i in range(size)]
        return Meld(Shape.RUN, _cards(faces), low, wild_at)
    if shape == SET:
        naturals = size - (wild != NONE)
        cards = _cards([int(make_face(low, i % 4)) for i in range(naturals)] + ([wild] if wild != NONE else []))
        return make_set(cards, low, None if wild == NONE else cards[-1])
    return make_wild_meld(_cards([TWO_FACES[i % 4] for i in range(wild_at)] + [int(JOKER)] * (size - wild_at)))


def _cards(faces: list[int]) -> tuple[Card, ...]:
    cards = _apart((), tuple(faces))
    if cards is None:
        raise ValueError("more copies of a face than the packs have")
    return cards


def _apart(used: tuple[Card, ...], faces: tuple[int, ...]) -> tuple[Card, ...] | None:
    """Physical cards of these faces that are not among ``used``; in a set another suit may stand in."""
    taken = set(used)
    found: list[Card] = []
    for face in faces:
        card = next((card for card in _copies(face) if card not in taken), None)
        if card is None:
            return None
        taken.add(card)
        found.append(card)
    return tuple(found)


@lru_cache(maxsize=64)
def _copies(face: int) -> tuple[Card, ...]:
    """The copies of a face, then those of its rank, which are as good in a set; a run never needs them."""
    if face == JOKER:
        return tuple(Card(back * CARDS_A_PACK + n) for back in range(PACKS) for n in (52, 53))
    own = [Card(back * CARDS_A_PACK + face) for back in range(PACKS)]
    rank = RANK_OF_FACE[face]
    others = [make_face(rank, suit) for suit in range(4)]
    mates = [Card(back * CARDS_A_PACK + other) for back in range(PACKS) for other in others if other != face]
    return (*own, *mates)
