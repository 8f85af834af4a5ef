"""The numbers that were found by measuring: there for every kind of game, and better than the plain ones."""

import statistics

import pytest

from bot import rulesets
from bot.robots import tuned
from bot.robots.game_kinds import GameKind, kind_of_game
from bot.robots.habits import DEFAULT_HABITS
from bot.robots.leaves import NAMES
from engine.fast_rules import FastRules
from engine.seating import Seating
from tests.robots.tuning.sparring import PLACES, dealt, greedy, lead, player


def test_every_kind_has_its_numbers() -> None:
    """And the leaves a row of three for each feature."""
    assert set(tuned.habits()) == set(tuned.leaves()) == set(GameKind) == set(PLACES)
    for rows in tuned.leaves().values():
        assert len(rows) == len(NAMES)


@pytest.mark.parametrize("name", rulesets.ids())
def test_every_table_is_of_a_kind(name: str) -> None:
    """In every seating; whoever has a partner plays a kind for pairs."""
    rules = rulesets.load(name)
    for seating in rules.seatings:
        kind = kind_of_game(FastRules(rules, seating))
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
        assert kind_of_game(FastRules(rulesets.load(name), seating)) is kind


@pytest.mark.parametrize("kind", [GameKind.CLEAN_FREE_PAIRS, GameKind.CLEAN_TOP_PAIRS, GameKind.NEGATIVE_PAIRS])
def test_better_than_the_yardstick(kind: GameKind) -> None:
    """By far, on a few deals whose seeds fix everything."""
    habits = tuned.habits()[kind]
    place = PLACES[kind][0]
    assert statistics.mean(lead(place, f"told:{n}", n, player(habits), greedy) for n in range(12)) > 100


def test_better_than_plain_habits_where_the_pile_decides() -> None:
    """Where closing wants a clean canasta and the pile is free, whoever takes it wins."""
    place, habits = PLACES[GameKind.CLEAN_FREE_PAIRS][0], tuned.habits()[GameKind.CLEAN_FREE_PAIRS]
    leads = [lead(place, f"told:{n}", n, player(habits), player(DEFAULT_HABITS)) for n in range(10)]
    assert statistics.mean(leads) > 150


def test_a_deal_is_the_same_for_every_player() -> None:
    """The seed alone deals."""
    place = PLACES[GameKind.NEGATIVE_PAIRS][0]
    one, other = dealt(place, "same", 1), dealt(place, "same", 1)
    assert (one.hands, one.stock, one.turn) == (other.hands, other.stock, other.turn)
