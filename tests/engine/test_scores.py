"""Scores, kinds and winners against sums from the tables of the rules."""

import random
from itertools import combinations

import pytest

from engine.cards import CODE, pack
from engine.judge import play
from engine.melds import Kind, bonus_of, kind_of
from engine.scoring import table_points, table_worth, winner_of
from engine.seating import Seating
from tests.engine.test_meld_oracle import some_meld
from tests.oracle import scores as oracle
from tests.strategies import deal_of, position, ruleset

RULES = ruleset("clasico")


def test_points_of_every_card() -> None:
    """Each physical card of three packs."""
    for card in pack(3, 2):
        assert RULES.points((card,)) == oracle.card_points([CODE[card]])
    assert RULES.points(pack(1, 2)) == 2 * 50 + 4 * (20 + 20 + 6 * 10 + 5 * 5) == 600


def test_kinds_and_worth_of_random_tables() -> None:
    """Kinds, bonuses and the worth of a table with and without a canasta."""
    rng = random.Random(5)
    kinds = set()
    for _ in range(1500):
        drawn = [some_meld(rng) for _ in range(rng.choice((1, 2, 3)))]
        melds = [meld for _, meld in drawn]
        told = oracle.side_score([reading for reading, _ in drawn], [], took=True, closed=False)
        assert table_points(RULES, melds) == told["cards"]
        assert table_worth(RULES, melds) == told["total"]
        for reading, meld in drawn:
            kind = kind_of(RULES, meld)
            assert str(kind) == oracle.kind(reading)
            assert bonus_of(RULES, kind) == oracle.BONUS[str(kind)]
            assert meld.is_canasta == (len(reading.cards) == 7)
            assert meld.is_clean_canasta == (len(reading.cards) == 7 and reading.wild is None)
            kinds.add(kind)
    assert kinds >= {Kind.MELD, Kind.CLEAN, Kind.DIRTY, Kind.WILDS}


@pytest.mark.parametrize(
    ("meld", "kind", "worth"),
    [
        ("As As Ah Ah Ad Ad Ac", "aces_clean", 640),
        ("As As Ah Ah Ad Ad JK", "aces_dirty", 370),
        ("2s 2h 2d JK JK JK JK", "wilds", 1760),
        ("Ah 2h 3h 4h 5h 6h 7h", "clean", 265),
        ("2h 3h 4h 5h 6h 7h JK=8h", "dirty", 195),
        ("3h 4h 5h 6h 7h 8h 2h=9h", "dirty", 155),
        ("9s 9s 9h 9h 9d 9d 9c", "clean", 270),
        ("8h 9h Th Jh Qh Kh Ah", "clean", 280),
    ],
)
def test_worked_examples(meld: str, kind: str, worth: int) -> None:
    """Canastas worth knowing by heart, each in a deal that ends at once."""
    over = play(position(["Tc", "Tc"], phase="play", melds=(meld,), taken=(True, True), muertos=()), "discard Tc")
    scores = deal_of(over).scores
    assert scores is not None
    assert str(kind_of(RULES, deal_of(over).melds[0][0])) == kind
    assert scores[0].cards + scores[0].bonuses == worth
    assert (scores[0].closing, scores[1].total) == (100, -10)


def test_winner_of_every_table_of_totals() -> None:
    """Two and three sides with totals around the target, ties included."""
    amounts = (-200, 0, 2995, 3000, 3005, 4000)
    for totals in {(a, b) for a in amounts for b in amounts}:
        assert winner_of(RULES, Seating.ONE_ON_ONE, totals, 0) == oracle.winner(totals, 3000)
    for triple in {(a, b, c) for a in amounts for b in amounts for c in amounts}:
        assert winner_of(RULES, Seating.THREE_PAIRS, triple, 1) == oracle.winner(triple, 3000)
    assert sum(oracle.winner(pair, 3000) is None for pair in combinations(amounts, 2)) == 3
