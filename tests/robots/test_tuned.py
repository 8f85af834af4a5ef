"""The numbers that were found by measuring: there for every kind of game, and better than the plain ones."""

import numpy as np
import pytest

from bot import rulesets
from bot.robots import tuned
from bot.robots.game_kinds import GameKind, kind_of_game
from bot.robots.swift import layout as at
from bot.robots.swift.leaves import FEATURES
from bot.robots.tuned import Numbers
from engine.seating import Seating
from tests.robots.tuning.sparring import PLACES, numbers_of_row, row_of_numbers, sparring


def test_every_kind_has_its_numbers() -> None:
    """And the leaves a row of three for each feature."""
    assert set(tuned.numbers()) == set(tuned.leaves()) == set(GameKind) == set(PLACES)
    for rows in tuned.leaves().values():
        assert len(rows) == FEATURES


@pytest.mark.parametrize("name", rulesets.ids())
def test_every_table_is_of_a_kind(name: str) -> None:
    """In every seating; whoever has a partner plays a kind for pairs."""
    rules = rulesets.load(name)
    for seating in rules.seatings:
        kind = kind_of_game(rules, seating)
        assert kind.endswith("pairs") is (seating.seats > seating.sides)


def test_kinds_are_told_by_fields() -> None:
    """A rule set that somebody writes gets the numbers of its like."""
    told = {
        ("clasico", Seating.ONE_ON_ONE): GameKind.NEGATIVE_ALONE,
        ("abierto", Seating.TWO_PAIRS): GameKind.CLEAN_FREE_PAIRS,
        ("cerrado", Seating.TWO_PAIRS): GameKind.CLEAN_TOP_PAIRS,
        ("burraco", Seating.ONE_ON_ONE): GameKind.ANY_FREE_ALONE,
        ("parejas", Seating.TWO_PAIRS): GameKind.ANY_TOP_PAIRS,
    }
    for (name, seating), kind in told.items():
        assert kind_of_game(rulesets.load(name), seating) is kind


def in_use(kind: GameKind) -> np.ndarray:
    """The numbers of a kind as a row."""
    found: np.ndarray = row_of_numbers(tuned.numbers()[kind])
    return found


@pytest.mark.parametrize("kind", [GameKind.CLEAN_FREE_PAIRS, GameKind.CLEAN_TOP_PAIRS, GameKind.NEGATIVE_PAIRS])
def test_better_than_the_yardstick(kind: GameKind) -> None:
    """By far, on a few deals whose seeds fix everything."""
    found = sparring(PLACES[kind][0]).lead(in_use(kind), None, 12, 1)
    assert found.mean > 100
    assert not found.ends[0]


@pytest.mark.parametrize("kind", [GameKind.CLEAN_FREE_ALONE, GameKind.CLEAN_FREE_PAIRS])
def test_somebody_draws(kind: GameKind) -> None:
    """Where the pile is free, robots among themselves do not hand it round until the deal is broken off."""
    for place in PLACES[kind]:
        found = sparring(place).lead(in_use(kind), in_use(kind), 30, 1)
        assert not found.ends[0]
        assert not found.ends[at.OVER_IDLE]
        assert not found.ends[at.OVER_STUCK]


def test_a_deal_is_the_same_for_every_player() -> None:
    """The seed alone deals; equal players lead each other by nothing."""
    table, numbers = sparring(PLACES[GameKind.NEGATIVE_PAIRS][0]), in_use(GameKind.NEGATIVE_PAIRS)
    one, other = table.lead(numbers, None, 3, 7), table.lead(numbers, None, 3, 7)
    assert (one.each == other.each).all()
    assert (table.lead(numbers, numbers, 3, 7).each == 0).all()
    assert len(set(one.each)) == 3


def test_numbers_are_kept_as_they_were_found() -> None:
    """To three digits, in the order of the fields."""
    row = row_of_numbers(Numbers())
    assert numbers_of_row(row) == Numbers()
    row[0], row[-1] = 1.23456, -98765.4
    found = numbers_of_row(row)
    assert (found.weights.draw_share, found.habits.idle) == (1.23, -98800.0)
