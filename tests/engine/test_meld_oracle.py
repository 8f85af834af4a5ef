"""What a meld is: the engine beside the obvious checker, exhaustively over small packs and at random over full ones."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement

import pytest

from engine import arrange
from engine.cards import CODE, Card, Face, pack, parse_face
from engine.legal_melds import candidate_melds
from engine.melds import Meld
from engine.notation import parse_named
from engine.reasons import IllegalAction
from tests.oracle import melds as oracle
from tests.oracle.melds import FACES, NoMeldError, in_order, is_wild
from tests.strategies import ruleset

RULES = ruleset("clasico")
COPIES = {face: 4 if face == "JK" else 2 for face in FACES}
ONE_SUIT = (*(f"{rank}h" for rank in oracle.RANKS), "2s", "JK", "As", "9s")
"""A suit with a foreign wild, a joker, and a card each that makes sets with it."""


def _cards_by_face() -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {}
    for card in pack(3, 2):
        found.setdefault(CODE[card], []).append(card)
    return found


COPY = {(face, back): cards[back] for face, cards in _cards_by_face().items() for back in range(len(cards))}


def physical(faces: Iterable[str], *, after: Iterable[str] = ()) -> tuple[Card, ...]:
    """A card of each face, from three packs; ``after`` are faces that are used up already."""
    used = Counter(after)
    cards = []
    for face in faces:
        cards.append(COPY[face, used[face]])
        used[face] += 1
    return tuple(cards)


def names(cards: Sequence[Card], words: Sequence[str]) -> dict[Card, Face]:
    """The places named by words for cards."""
    places = ((card, parse_named(word).place) for card, word in zip(cards, words, strict=True))
    return {card: place for card, place in places if place is not None}


def engine_says(cards: Sequence[Card]) -> str:
    """The meld that the engine makes of cards, or its reason."""
    try:
        return str(arrange.judge_new(RULES, cards, {}))
    except IllegalAction as refusal:
        return str(refusal.reason)


def oracle_says(faces: Sequence[str]) -> str:
    """What the rules say."""
    try:
        return oracle.new(faces).text
    except NoMeldError as error:
        return str(error)


def multisets(faces: Sequence[str], size: int, copies: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Every choice of cards, told apart by their faces."""
    for chosen in combinations_with_replacement(faces, size):
        if all(count <= copies[face] for face, count in Counter(chosen).items()):
            yield chosen


@pytest.mark.parametrize(("size", "choices"), [(2, 153), (3, 953), (4, 4573), (5, 17900)])
def test_every_choice_of_a_suit(size: int, choices: int) -> None:
    """All choices of cards of one suit with wilds and strangers: the same meld, or the same reason.

    The choices are the coefficients of (1 + x + x^2)^16 (1 + x + x^2 + x^3 + x^4): none is left out.
    """
    seen = 0
    for faces in multisets(ONE_SUIT, size, COPIES):
        cards = physical(faces)
        assert engine_says(cards) == oracle_says(faces), faces
        seen += 1
    assert seen == choices


def test_every_choice_of_three_cards_of_two_packs() -> None:
    """All 26,183 choices of three cards; 1,363 of them are melds, as counted by hand.

    Sets: 12 ranks x (16 of naturals + 10 pairs x 5 wilds) = 792. Wild melds: 35 choices of 5 faces less 4 with three
    equal 2s = 31. Runs, a suit: 12 of naturals + 25 pairs of near cards x 5 wilds - 2 counted twice (A-3 and 3-4 with
    the own 2) = 135, in four suits 540.
    """
    seen = 0
    found: Counter[str] = Counter()
    for faces in multisets(FACES, 3, COPIES):
        told = engine_says(physical(faces))
        assert told == oracle_says(faces), faces
        seen += 1
        if " " in told:
            found[oracle.read(told).shape] += 1
    assert seen == 26_183
    assert found == {"set": 792, "wilds": 31, "run": 540}


RUNS_OF_A_SUIT = {
    # size: (clean runs, with the own 2 natural or not there; runs with the own 2 as the wild)
    3: (12, 20),
    4: (11, 27),
    5: (10, 32),
    6: (9, 35),
    7: (8, 36),
}


@pytest.mark.parametrize("size", RUNS_OF_A_SUIT)
def test_count_of_runs_in_a_suit(size: int) -> None:
    """How many choices of the thirteen cards of a suit are runs, clean and with the 2 as a wild.

    Clean: one for each lowest place, 15 - size. With the 2 as a wild: it fills one of the size - 2 places inside a
    stretch that begins with the 3 or later (13 - size of these), or lengthens size - 1 cards in a row that begin with
    the 4 or later (13 - size again); elsewhere it would be at home. That makes (13 - size) x (size - 1).
    """
    clean = wild = 0
    for faces in combinations([f"{rank}c" for rank in oracle.RANKS], size):
        told = oracle_says(faces)
        assert engine_says(physical(faces)) == told
        if " " in told:
            clean += "=" not in told
            wild += "=" in told
    assert (clean, wild) == RUNS_OF_A_SUIT[size]


PACK_OF_SIX_AND_SEVEN = ("6s", "6h", "6d", "7s", "7h", "7d", "8s", "8h", "2h", "JK")


@pytest.mark.parametrize(("size", "melds"), [(3, 32), (4, 8), (5, 0)])
def test_count_of_melds_in_a_small_pack(size: int, melds: int) -> None:
    """Exact counts of melds in a pack of ten cards, counted by hand.

    Three cards: sets of 6 and 7 (1 + 3 x 2) each, of 8 (1 x 2); runs of spades and hearts (1 + 3 x 2) each, of diamonds
    (1 x 2). Four: sets of three with a wild (2 + 2), runs of three with one (2 + 2).
    """
    told = [engine_says(physical(faces)) for faces in combinations(PACK_OF_SIX_AND_SEVEN, size)]
    assert sum(" " in text for text in told) == melds
    assert told == [oracle_says(faces) for faces in combinations(PACK_OF_SIX_AND_SEVEN, size)]


def random_faces(rng: random.Random, size: int, packs: int = 2) -> list[str]:
    """Cards that have much to do with each other."""
    while True:
        suit, rank = rng.choice("shdc"), rng.choice(oracle.RANKS)
        near = [f"{other}{suit}" for other in oracle.RANKS] * packs
        same = [f"{rank}{other}" for other in "shdc"] * packs
        wilds = ["2s", "2h", "2d", "2c", f"2{suit}", "JK", "JK"]
        box = rng.choice((near, near, same)) + rng.choice(([], wilds, wilds)) + [rng.choice(FACES)]
        chosen = rng.sample(box, min(size, len(box)))
        if all(count <= COPIES[face] // 2 * packs for face, count in Counter(chosen).items()):
            return chosen


def near_run(rng: random.Random, size: int) -> list[str]:
    """A stretch of a suit with a card or two replaced by wilds."""
    suit = rng.choice("shdc")
    low = rng.randrange(min(rng.choice((5, 14)), 15 - min(size, 13)))
    row = [f"{rank}{suit}" for rank in "A23456789TJQKA"[low : low + size]]
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        row[rng.randrange(len(row))] = rng.choice(("JK", "2s", "2c", f"2{suit}", f"2{suit}"))
    return row


def with_places(rng: random.Random, faces: Sequence[str]) -> list[str]:
    """The cards as words; wilds may name a place."""
    naturals = [face for face in faces if not is_wild(face)] or ["3h"]
    suit = rng.choice(naturals)[1]
    words = []
    for face in faces:
        if is_wild(face) and rng.random() < 0.5:
            at = oracle.RANKS.index(rng.choice(naturals)[0]) + rng.randint(-3, 3)
            words.append(f"{face}={'A23456789TJQKA'[at % 14]}{suit}")
        else:
            words.append(face)
    return words


def named_faces(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Wilds and the places named for them."""
    split = [word.partition("=") for word in words]
    return tuple((card, place) for card, _, place in split if place)


@pytest.mark.parametrize("size", range(1, 10))
def test_random_new_melds_with_named_places(size: int) -> None:
    """New melds of every size, wilds with and without named places: the same meld or the same reason."""
    rng = random.Random(size)
    for _ in range(700):
        faces = near_run(rng, size) if rng.random() < 0.5 else random_faces(rng, size)
        if any(count > COPIES[face] for face, count in Counter(faces).items()):
            continue
        words = with_places(rng, faces)
        cards = physical(faces)
        try:
            told = oracle.new(faces, named_faces(words)).text
        except NoMeldError as error:
            told = str(error)
        try:
            got = str(arrange.judge_new(RULES, cards, names(cards, words)))
        except IllegalAction as refusal:
            got = str(refusal.reason)
        assert got == told, words


def some_meld(rng: random.Random) -> tuple[oracle.Reading, Meld]:
    """A legal meld on the table, in any of its readings, and the cards that are left."""
    while True:
        size = rng.choice((3, 3, 4, 4, 5, 6, 7))
        faces = near_run(rng, size) if rng.random() < 0.6 else random_faces(rng, size)
        if rng.random() < 0.1:
            faces = rng.sample([face for face in FACES if is_wild(face) for _ in range(COPIES[face])], size)
        if any(count > COPIES[face] for face, count in Counter(faces).items()):
            continue
        found = sorted(oracle.readings(faces))
        if not found:
            continue
        reading = rng.choice(found)
        cards = physical(reading.cards)
        words = reading.text.split()
        return reading, arrange.judge_new(RULES, cards, names(cards, words))


def test_random_adds() -> None:
    """Adds to melds of every shape, with named places for wilds of the hand and of the table."""
    rng = random.Random(1)
    results: Counter[str] = Counter()
    for _ in range(9000):
        before, meld = some_meld(rng)
        assert str(meld) == before.text
        near = [place for place in before.places if place != "*"]
        suit = next((place[1] for place in near if place != "JK"), "h")
        row = [f"{rank}{suit}" for rank in oracle.RANKS]
        at = row.index(near[-1]) if near[-1] in row else 0
        around = [row[(at + step) % 13] for step in (1, 2, 3, -len(near), -len(near) - 1)]
        faces = rng.sample([*around, *near[:1], *near[-1:], rng.choice(FACES)], rng.choice((1, 1, 2, 2, 3)))
        if rng.random() < 0.4:
            faces.append(rng.choice(("JK", "2s", f"2{suit}")))
        if any(count > 3 for count in Counter((*before.cards, *faces)).values()):
            continue
        cards = physical(faces, after=before.cards)
        words = with_places(rng, faces)
        named = list(named_faces(words))
        places = names(cards, words)
        if before.wild is not None and before.shape == "run" and rng.random() < 0.3:
            wild = meld.wild_card
            assert wild is not None
            place = rng.choice(around + near)
            named.append((before.wild, place))
            places[wild] = parse_face(place)
        try:
            told = oracle.add(before, faces, tuple(named)).text
        except NoMeldError as error:
            told = str(error)
        try:
            got = str(arrange.judge_add(RULES, meld, cards, places).meld)
        except IllegalAction as refusal:
            got = str(refusal.reason)
        assert got == told, (before.text, words, named)
        results[told if " " not in told else "meld"] += 1
    assert results.keys() == {
        "meld", "not_a_meld", "too_many_wilds", "wild_not_allowed_here", "meld_closed", "meld_too_long",
    }  # fmt: skip


def test_every_move_of_every_wild() -> None:
    """Wilds moved to every place of their suit and to strange ones."""
    rng = random.Random(2)
    moved = 0
    for _ in range(1500):
        before, meld = some_meld(rng)
        if meld.wild_card is None:
            continue
        suit = "shdc"[max(meld.suit, 0)]
        for place in [*(f"{rank}{suit}" for rank in oracle.RANKS), rng.choice(FACES[:-1])]:
            wild = before.wild
            assert wild is not None
            try:
                told = oracle.move(before, wild, place).text
            except NoMeldError as error:
                told = str(error)
            try:
                got = str(arrange.judge_move(RULES, meld, meld.wild_card, parse_face(place)))
                moved += 1
            except IllegalAction as refusal:
                got = str(refusal.reason)
            assert got == told, (before.text, place)
    assert moved > 300


def test_places_offered_for_a_wild() -> None:
    """An interface offers a wild exactly the places in which the meld would be legal, its home too."""
    rng = random.Random(3)
    for _ in range(1500):
        reading, meld = some_meld(rng)
        wild = reading.wild
        if meld.wild_card is None or wild is None or reading.shape != "run" or reading.cards.count(wild) > 1:
            continue
        places = {other.places[other.cards.index(wild)] for other in oracle.readings(reading.cards)}
        offered = arrange.wild_places(RULES, meld.cards, meld.wild_card)
        assert {parse_face(place) for place in places} == set(offered)
        assert len(offered) == len(set(offered))


def test_candidates_are_few_and_complete() -> None:
    """Of the melds in a hand, each choice of naturals that needs no wild in the place of a held card is suggested."""
    rng = random.Random(4)
    for _ in range(150):
        faces = random_faces(rng, rng.randint(4, 9))
        cards = physical(faces)
        suggested = {in_order(CODE[card] for card in option) for option in candidate_melds(RULES, cards)}
        by_naturals = {tuple(face for face in option if not is_wild(face)) for option in suggested}
        held = Counter(faces)
        for size in range(3, min(len(faces), 7) + 1):
            for chosen in set(combinations(in_order(faces), size)):
                told = oracle_says(chosen)
                if " " not in told:
                    continue
                reading = oracle.read(told)
                naturals = tuple(face for face in in_order(chosen) if not is_wild(face))
                count = len(naturals)
                if reading.shape == "set":
                    of_rank = sum(face[0] == naturals[0][0] for face in faces)
                    if count not in (of_rank, of_rank - 1, 3, 2):
                        continue
                elif reading.wild is not None and any(held[face] for face in _all_places(chosen, reading.wild)):
                    continue
                assert naturals in by_naturals, (faces, told)


def _all_places(chosen: Sequence[str], wild: str) -> set[str]:
    return {
        reading.places[reading.wild_at]
        for reading in oracle.readings(chosen)
        if reading.wild == wild and reading.shape == "run"
    }
