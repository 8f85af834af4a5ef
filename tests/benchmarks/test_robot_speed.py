"""How long a robot thinks: ``uv run pytest tests/benchmarks -o addopts= --benchmark-only``."""

from collections.abc import Callable

import pytest

from bot import rulesets, shuffling
from bot.robots.registry import make_robot
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import new_match
from engine.views import SeatView, seat_view

Bench = Callable[..., object]


def views(name: str, seating: Seating, seed: int) -> list[SeatView]:
    """What the seats on turn see at every decision of a deal."""
    rules = rulesets.load(name)
    robot = make_robot("normal")
    match = new_match(rules, seating, 0)
    match = evolve_all(match, start_deal(match, shuffling.seeded_deal(rules, seating, seed)))
    seen: list[SeatView] = []
    while match.deal is not None and match.in_play:
        seat = match.deal.turn.seat
        seen.append(seat_view(match, seat))
        match = evolve_all(match, decide(match, seat, robot.choose(seen[-1])))
    return seen


@pytest.mark.parametrize("name", ["clasico", "parejas", "cerrado", "burraco-13"])
def test_decisions_of_a_deal(benchmark: Bench, name: str) -> None:
    """All decisions of one deal, one on one."""
    positions = views(name, Seating.ONE_ON_ONE, 4)
    robot = make_robot("normal")
    benchmark(lambda: [robot.choose(view) for view in positions])
