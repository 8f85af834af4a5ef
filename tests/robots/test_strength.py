"""How strong the normal robot is: duplicate deals with the sides turned (docs/adr/0003-robots.md)."""

import statistics

import pytest

from bot import rulesets, shuffling
from bot.robots.arena import play_deal
from engine.seating import Seating
from engine.state import new_match
from tests.robots.making import made
from tests.strategies import deal_of


def lead(name: str, seating: Seating, other: str, deals: int, robot: str = "normal") -> float:
    """By how many points a deal a robot leads another, each deal played from every side."""
    rules = rulesets.load(name)
    first, second = made(robot), made(other)

    leads: list[float] = []
    for number in range(deals):
        chance = shuffling.seeded_deal(rules, seating, f"strength:{number}")
        for side in range(seating.sides):
            robots = [first if seating.side_of(seat) == side else second for seat in range(seating.seats)]
            played = play_deal(new_match(rules, seating, number % seating.seats), chance, robots)
            scores = deal_of(played.match).scores
            assert scores is not None
            others = [score.total for n, score in enumerate(scores) if n != side]
            leads.append(scores[side].total - statistics.mean(others))
    return statistics.mean(leads)


@pytest.mark.parametrize("seating", [Seating.ONE_ON_ONE, Seating.TWO_PAIRS])
def test_far_better_than_chance(seating: Seating) -> None:
    """A few deals are enough to see it."""
    assert lead("clasico", seating, "random", 3) > 400


@pytest.mark.parametrize(("robot", "other", "least"), [("facil", "random", 300), ("normal", "facil", 0)])
def test_the_order_of_the_levels(robot: str, other: str, least: int) -> None:
    """The short gate: seeds fix every choice, so that it never wavers; ``buraco arena`` is the long one."""
    assert lead("clasico", Seating.TWO_PAIRS, other, 6, robot) > least


def test_the_searching_robot_is_far_better_than_chance() -> None:
    """With next to no effort."""
    assert lead("burraco", Seating.ONE_ON_ONE, "random", 1, "dificil") > 400


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seating", "other", "deals", "least"),
    [
        ("clasico", Seating.ONE_ON_ONE, "random", 30, 600),
        ("clasico", Seating.TWO_PAIRS, "random", 30, 600),
        ("clasico", Seating.ONE_ON_ONE, "greedy", 150, 150),
        ("clasico", Seating.TWO_PAIRS, "greedy", 150, 280),
    ],
)
def test_strength(name: str, seating: Seating, other: str, deals: int, least: int) -> None:
    """The measured lead, less what chance may do."""
    assert lead(name, seating, other, deals) > least


@pytest.mark.long
@pytest.mark.parametrize("name", rulesets.ids())
def test_better_than_greedy_everywhere(name: str) -> None:
    """In every rule set and seating."""
    for seating in rulesets.load(name).seatings:
        assert lead(name, seating, "greedy", 30) > 0
