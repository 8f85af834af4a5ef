"""What measures lookaheads finds what is there, and nothing where nothing is."""

from random import Random

import numpy as np

from bot.robots.game_kinds import GameKind
from tests.robots.tuning.sparring import PLACES
from tests.robots.tuning.weigh_lookaheads import CAUTIONS, TURNS, WORLDS, Decision, decisions, gain, slope


def made(better: float, noise: float) -> list[Decision]:
    """Decisions between three ways, the second of which leads to so much more, at whatever turn it is judged."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(60):
        ways = np.array([0.0, rng.normal(better, 20.0), -40.0])
        led = ways[None, :, None] + rng.normal(0.0, noise, (WORLDS, 3, 1)) + np.zeros((1, 1, len(TURNS)))
        found.append(Decision(False, led, ways + rng.normal(0.0, noise, 3)))
    return found


def test_a_better_way_is_found() -> None:
    """With time enough all of its lead is gained; with none, nothing."""
    found = made(60.0, 30.0)
    assert 50.0 < gain(found, 2, 1.0, 5000.0) < 70.0
    assert gain(found, 2, 1.0, 0.0) == 0.0
    steep, half = slope(found)
    assert abs(steep - 1.0) < 0.3
    assert 0.0 < half < 0.5


def test_nothing_is_gained_where_nothing_is() -> None:
    """Noise does not look like a gain, and caution keeps a search from losing by it."""
    found = [decision._replace(led=decision.led - decision.led.mean(axis=0)) for decision in made(0.0, 300.0)]
    bold, careful = (gain(found, 2, caution, 1000.0) for caution in (CAUTIONS[0], CAUTIONS[-1]))
    assert bold <= careful + 5.0
    assert careful < 5.0


def test_decisions_are_looked_at_whole() -> None:
    """Every way to go on has come to something in every world, and the first turns never see more than the last."""
    source = decisions(PLACES[GameKind.ANY_TOP_ALONE][0], Random(1))
    for decision in (next(source) for _ in range(2)):
        worlds, ways, turns = decision.led.shape
        assert (worlds, turns) == (WORLDS, len(TURNS))
        assert ways == len(decision.true) > 1
        assert np.isfinite(decision.led).all()
        assert decision.led[:, :, -1].std() > 0.0
