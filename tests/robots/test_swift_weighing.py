"""The sensible robot and its compiled twin weigh alike, in every rule set and seating."""

import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from bot import rulesets
from bot.robots.evaluate import Evaluator
from bot.robots.habits import Habits
from bot.robots.inclining import inclination
from bot.robots.outlook import Outlook
from bot.robots.plan import Planner, apply
from bot.robots.swift import habits
from bot.robots.swift import layout as at
from bot.robots.swift.evaluate import plan_value
from bot.robots.swift.outlook import TINY, look
from bot.robots.swift.plan import start
from bot.robots.swift.uses import put
from bot.robots.swift.workshop import Workshop, habits_row
from bot.robots.translating import candidate_of
from bot.robots.tuned import numbers_for
from bot.robots.weights import Weights
from bot.robots.worlds import Worlds
from engine import legal
from engine.actions import LayMeld
from engine.legal import Option
from engine.melds import Meld
from engine.seating import Seating
from engine.state import Match, Phase
from engine.views import SeatView, seat_view
from tests.robots.rows import NAMED, PLACES, positions, shop_of
from tests.robots.tuning.sparring import PLACES as PLACES_OF_KINDS
from tests.strategies import deal_of

NEAR = 60.0
"""By so many points plans may differ on average: rows share out the cards of a set evenly among the suits, and late in
a deal with many sets one suit decides over a canasta of some hundred points."""
SAME = 3.0
"""Chances are rounded before they are looked up in one of the two, and a bonus is some hundred points."""
EVERY = 5
"""One of so many positions of a deal is looked at."""
USES = 4
EAGER = Habits(deny=3.0, hand=-1.5, race=7.0, untaken=5.0, threat=-11.0, plan=0.0, habit=1.0)
"""Habits in which everything counts."""


class AsOnRows(Outlook):
    """An outlook as rows have it: they know no suits of a set's cards, and of no chance below one in a hundred."""

    def __init__(self, view: SeatView, weights: Weights, counts: Sequence[float]) -> None:
        self._counts = counts
        super().__init__(view, weights)

    def _count_unseen(self) -> list[int]:
        return list(self._counts)  # type: ignore[arg-type]

    def _heap_growth(self, meld: Meld, most: int) -> list[float]:
        return [chance if chance >= TINY else 0.0 for chance in super()._heap_growth(meld, most)]


def compare(match: Match, shop: Workshop) -> list[float]:
    """What the seat on turn thinks of stopping here, of laying something first, and of the pile.

    Returns by how many points plans differ where each looks in its own way.
    """
    view = seat_view(match, deal_of(match).turn.seat)
    row = Worlds(view, shop).bare()
    look(row, shop.gear.r, shop.gear.m, shop.gear.w, shop.gear.o, shop.gear.k)
    numbers = numbers_for(view.table.rules, view.table.seating)
    outlook = Outlook(view, numbers.weights)
    if deal_of(match).turn.phase is Phase.DRAW:
        for each in (numbers.habits, EAGER):
            assert habits.inclination(row, shop.gear.r, shop.gear.m, habits_row(each)) == pytest.approx(
                inclination(outlook, each)
            )
    alike = AsOnRows(view, numbers.weights, shop.gear.o[at.O_UNSEEN : at.O_UNSEEN + at.FACES].tolist())
    on_rows = plans_on_rows(view, row, shop)
    assert on_rows == pytest.approx(plans(view, alike), abs=SAME)
    return [abs(a - b) for a, b in zip(on_rows, plans(view, outlook), strict=True)]


def plans(view: SeatView, outlook: Outlook) -> list[float]:
    """What it is worth to stop here, and after one use more."""
    planner = Planner(outlook, Evaluator(outlook))
    first = planner.start()
    return [planner.value(first), *(planner.value(apply(first, option)) for option in options_of(view))]


def options_of(view: SeatView) -> list[Option]:
    """Some of what may be laid: new melds, and single cards on others, as rows know them."""
    every = legal.options(view)
    return [option for option in every if isinstance(option.action, LayMeld) or len(option.cards) == 1][:USES]


def plans_on_rows(view: SeatView, row: Any, shop: Workshop) -> list[float]:
    """The same, compiled."""
    start(row, shop.gear.r, shop.gear.rows[0])
    values = [value_of(row, shop, shop.gear.rows[0])]
    for option in options_of(view):
        candidate = candidate_of(option.action, shop, row)
        assert candidate is not None
        shop.gear.rows[1] = shop.gear.rows[0]
        put(shop.gear.r, shop.gear.rows[1], candidate[at.C_USE :])
        values.append(value_of(row, shop, shop.gear.rows[1]))
    return values


def value_of(row: Any, shop: Workshop, plan: Any) -> float:
    """What the compiled twin thinks of a hand and its melds."""
    return float(plan_value(row, shop.gear.r, shop.gear.m, shop.gear.w, shop.gear.o, shop.gear.k, plan))


def differences(name: str, seating: Seating, seed: str, robot: str | None = None) -> list[float]:
    """By how many points plans differ in a deal."""
    found: list[float] = []
    for i, match in enumerate(positions(name, seating, seed, robot)):
        if i % EVERY == 0:
            found += compare(match, shop_of(name, seating))
    return found


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=NAMED)
def test_in_random_deals(name: str, seating: Seating, long_run: bool) -> None:
    """In positions that nobody would play to; without sets there is nothing to count otherwise."""
    for number in range(10 if long_run else 1):
        found = differences(name, seating, f"weighing:{number}")
        assert rulesets.load(name).sets or max(found) < SAME


@pytest.mark.parametrize(
    ("name", "seating"), [place for places in PLACES_OF_KINDS.values() for place in places], ids=str
)
def test_in_deals_of_robots(name: str, seating: Seating, long_run: bool) -> None:
    """In positions as they come, plans are worth nearly the same however suits are counted."""
    for number in range(10 if long_run else 1):
        assert statistics.mean(differences(name, seating, f"weighing:{number}", "facil")) < NEAR
