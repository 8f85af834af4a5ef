"""What a meld is under every rule set: the engine beside the obvious checker of the matrix."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from engine import arrange
from engine.cards import CODE, parse_face
from engine.legal_melds import candidate_melds
from engine.melds import Meld
from engine.reasons import IllegalAction
from engine.ruleset import Ruleset
from tests.engine.test_matrix import NAMES
from tests.engine.test_meld_oracle import (
    COPIES,
    ONE_SUIT,
    multisets,
    named_faces,
    names,
    near_run,
    physical,
    random_faces,
    with_places,
)
from tests.oracle import rulings
from tests.oracle.melds import FACES, RANKS, Named, NoMeldError, Reading, in_order
from tests.strategies import ruleset

ABOUT_MELDS = (
    "sets", "sets_of_twos", "wild_melds", "run_minimum", "run_maximum", "meld_closes_at", "ace_to_ace", "wilds_a_meld",
    "run_takes_wild_from", "wild_lowest", "wild_order", "displaced_wild", "wild_displaces_wild", "wild_move",
)  # fmt: skip
DIFFERENT = {tuple(getattr(ruleset(name), field) for field in ABOUT_MELDS): name for name in reversed(NAMES)}
"""One rule set of each combination of what the matrix says of melds."""
EACH = pytest.mark.parametrize("rules", [ruleset(name) for name in DIFFERENT.values()], ids=list(DIFFERENT.values()))


def engine_new(rules: Ruleset, faces: Sequence[str], words: Sequence[str] = ()) -> str:
    """The meld that the engine makes of cards, or its reason."""
    cards = physical(faces)
    try:
        return str(arrange.judge_new(rules, cards, names(cards, words) if words else {}))
    except IllegalAction as refusal:
        return str(refusal.reason)


def oracle_new(rules: Ruleset, faces: Sequence[str], named: Named = ()) -> str:
    """What the matrix says."""
    try:
        return rulings.new(rules, faces, named).text
    except NoMeldError as error:
        return str(error)


def test_combinations() -> None:
    """The seventeen rule sets know eight kinds of meld rules between them."""
    assert len(DIFFERENT) == 8


@EACH
@pytest.mark.parametrize("size", [3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_every_choice_of_a_suit(rules: Ruleset, size: int) -> None:
    """All choices of cards of one suit with wilds and strangers."""
    for faces in multisets(ONE_SUIT, size, COPIES):
        assert engine_new(rules, faces) == oracle_new(rules, faces), faces


@EACH
def test_random_new_melds(rules: Ruleset, *, long_run: bool) -> None:
    """New melds of every size, wilds with and without named places."""
    rng = random.Random(rules.id)
    met: Counter[str] = Counter()
    for _ in range(20_000 if long_run else 1500):
        size = rng.choice((*range(3, 16), 3, 4, 5, 7, 7, 8, 13, 14))
        faces = near_run(rng, min(size, 14)) if rng.random() < 0.6 else random_faces(rng, size)
        if any(count > COPIES[face] for face, count in Counter(faces).items()):
            continue
        words = with_places(rng, faces) if rng.random() < 0.5 else list(faces)
        told = oracle_new(rules, faces, named_faces(words))
        assert engine_new(rules, faces, words) == told, words
        met[told if " " not in told else "meld"] += 1
    assert met["meld"] > 100


def some_meld(rng: random.Random, rules: Ruleset) -> tuple[Reading, Meld]:
    """A legal meld on the table, in any of its readings."""
    while True:
        size = rng.choice((3, 3, 4, 4, 5, 6, 7, 7, 8, 9, 11, 12, 13, 14))
        faces = near_run(rng, size) if rng.random() < 0.7 else random_faces(rng, size)
        if rng.random() < 0.05:
            faces = rng.sample(["2s", "2h", "2d", "2c", "2s", "2h", "JK"], min(size, 6))
        if any(count > COPIES[face] for face, count in Counter(faces).items()):
            continue
        found = sorted(rulings.readings(rules, faces))
        if found:
            reading = rng.choice(found)
            cards = physical(reading.cards)
            try:
                meld = arrange.judge_new(rules, cards, names(cards, reading.text.split()))
            except IllegalAction as refusal:
                raise AssertionError(reading.text) from refusal
            if str(meld) == reading.text:
                return reading, meld


@EACH
def test_random_adds(rules: Ruleset, *, long_run: bool) -> None:
    """Adds to melds of every shape, with named places for wilds of the hand and of the table."""
    rng = random.Random(f"{rules.id} adds")
    met: Counter[str] = Counter()
    for _ in range(20_000 if long_run else 1500):
        before, meld = some_meld(rng, rules)
        near = [place for place in before.places if place != "*"]
        suit = next((place[1] for place in near if place != "JK"), "h")
        row = [f"{rank}{suit}" for rank in RANKS]
        at = row.index(near[-1]) if near[-1] in row else 0
        around = [row[(at + step) % 13] for step in (1, 2, 3, -len(near), -len(near) - 1)]
        instead = [] if before.wild is None or before.shape != "run" else [before.places[before.wild_at]] * 4
        pool = [*around, *near[:1], *near[-1:], rng.choice(FACES), *instead]
        faces = list(dict.fromkeys(rng.sample(pool, rng.choice((1, 1, 2, 2, 3)))))
        if rng.random() < 0.4:
            faces.append(rng.choice(("JK", "2s", f"2{suit}")))
        if any(count > 3 for count in Counter((*before.cards, *faces)).values()):
            continue
        cards = physical(faces, after=before.cards)
        words = with_places(rng, faces) if rng.random() < 0.5 else faces
        named = list(named_faces(words))
        places = names(cards, words)
        wild = meld.wild_card
        held = Counter(faces)
        if wild is not None and before.shape == "run" and not held[CODE[wild]] and rng.random() < 0.3:
            place = rng.choice(around + near)
            named.append((CODE[wild], place))
            places[wild] = parse_face(place)
        try:
            outcome = rulings.add(rules, before, faces, tuple(named))
            told = f"{outcome.meld.text} back {outcome.returned}"
        except NoMeldError as error:
            told = str(error)
        try:
            added = arrange.judge_add(rules, meld, cards, places)
            got = f"{added.meld} back {tuple(CODE[card] for card in added.returned)}"
        except IllegalAction as refusal:
            got = str(refusal.reason)
        assert got == told, (before.text, words, named)
        met[told if " " not in told else "returned" if "('" in told else "meld"] += 1
    assert met["meld"] > 100
    assert (met["returned"] > 20) == (rules.displaced_wild == "hand")


@EACH
def test_every_move_of_every_wild(rules: Ruleset) -> None:
    """Wilds moved to every place of their suit and to strange ones."""
    rng = random.Random(f"{rules.id} moves")
    moved = 0
    for _ in range(300):
        before, meld = some_meld(rng, rules)
        if meld.wild_card is None or before.shape != "run":
            continue
        suit = "shdc"[meld.suit]
        for place in [*(f"{rank}{suit}" for rank in RANKS), rng.choice(FACES[:-1])]:
            try:
                told = rulings.move(rules, before, CODE[meld.wild_card], place).text
            except NoMeldError as error:
                told = str(error)
            try:
                got = str(arrange.judge_move(rules, meld, meld.wild_card, parse_face(place)))
                moved += 1
            except IllegalAction as refusal:
                got = str(refusal.reason)
            assert got == told, (before.text, place)
    assert (moved > 0) == (rules.wild_move != "no")


@EACH
def test_what_is_suggested_is_a_meld(rules: Ruleset) -> None:
    """Every candidate is a legal meld, and where any meld lies in a hand something is suggested."""
    rng = random.Random(f"{rules.id} hands")
    for _ in range(60):
        faces = random_faces(rng, rng.randint(4, 9))
        cards = physical(faces)
        suggested = [in_order(CODE[card] for card in option) for option in candidate_melds(rules, cards)]
        legal = [chosen for size in range(3, len(faces) + 1) for chosen in set(combinations(in_order(faces), size))
                 if rulings.readings(rules, chosen)]  # fmt: skip
        assert bool(legal) == any(rulings.readings(rules, chosen) for chosen in suggested), faces


PACK = ("As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "4h", "4d", "2h", "2d", "JK", "JK")
COUNTS = {
    "clasico": (100, 88, 81, 54),
    "parejas": (29, 85, 80, 54),
    "abierto": (74, 78, 80, 54),
    "abierto-sucio": (90, 83, 80, 54),
    "cerrado": (97, 85, 80, 54),
    "cerrado-stcl": (74, 78, 80, 54),
    "cerrado-sucio": (97, 85, 80, 54),
    "burraco": (90, 83, 80, 54),
    "rioplatense": (16, 5, 0, 54),
    "burraco-13": (90, 83, 80, 54),
    "fibur": (90, 83, 80, 54),
    "parejas-italiano": (29, 85, 80, 54),
    "parejas-brasileno": (97, 85, 80, 54),
    "parejas-fechado": (29, 85, 80, 54),
    "parejas-tres-mortos": (29, 85, 80, 54),
    "parejas-a-dos": (29, 85, 80, 54),
    "burraco-13-rapido": (90, 83, 80, 54),
}


@pytest.mark.parametrize("name", NAMES)
def test_count_of_melds_in_a_small_pack(name: str, *, long_run: bool) -> None:
    """How many choices of three, four, five and seven cards of fourteen are melds."""
    rules = ruleset(name)
    told = []
    for size in (3, 4, 5, 7):
        count = 0
        for faces in combinations(PACK, size):
            text = engine_new(rules, faces)
            if (size < 5 or long_run) and name in DIFFERENT.values():
                assert text == oracle_new(rules, faces), faces
            count += " " in text
        told.append(count)
    assert tuple(told) == COUNTS[name]
