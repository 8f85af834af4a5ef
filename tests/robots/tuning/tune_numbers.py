"""Find a kind's numbers: ``uv run python -m tests.robots.tuning.tune_numbers clean_free_pairs --minutes 30 --keep``.

Evolution (CMA-ES) over all weights and habits of the sensible robot, on the lead over the greedy yardstick and over the
numbers in use: play is not transitive, so beating one opponent is not enough. Other deals in each generation, and
others again for the figures that are printed at the end. ``--keep`` puts the winner into
``bot/robots/tuned/numbers.json``.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, Final

import cma
import numpy as np

from bot.robots import tuned
from bot.robots.game_kinds import GameKind
from bot.robots.habits import Habits
from bot.robots.swift import layout as at
from bot.robots.weights import Weights
from tests.robots.tuning.sparring import PLACES, numbers_of_row, row_of_numbers, sparring, store_numbers, told

GREEDY_SHARE: Final = 0.6
"""How much the lead over the yardstick counts; the rest is the lead over the numbers in use."""
BROOD: Final = 16
DEALS: Final = 48
SIGMA: Final = 0.18
STRAYING: Final = 3.0
"""What it costs, in points, to be one step away from the numbers in use everywhere: noise shall not wander."""
SPREAD: Final = 0.8
"""A step is this part of the number in use, and at least so much as the next two say."""
LEAST_STEP: Final = {"weights": 0.05, "habits": 8.0}
STEPS: Final = {"plan": 0.5, "habit": 0.5}
LEAST: Final = {"plan": 0.0, "habit": 0.0, "idle": 5.0}
"""Below this no habit goes; without ``idle`` nobody might ever draw."""
DIVISORS: Final = (
    "draw_share", "pace", "caught_rounds", "wild_rivals", "canasta_rounds", "wild_rounds", "muerto_cards",
    "close_cards",
)  # fmt: skip
"""Weights that something is divided by: they keep away from nothing."""
DIVISOR_LEAST: Final = 0.3
TOLD_EVERY: Final = 10
SEED: Final = 10_000_000
JUDGED: Final = 400
Row = Any


class Space:
    """What is searched: steps away from the numbers in use."""

    def __init__(self, base: Row) -> None:
        self._base = base
        habits = Habits.__struct_fields__
        least = [LEAST_STEP["weights"]] * at.WEIGHTS_SIZE + [STEPS.get(name, LEAST_STEP["habits"]) for name in habits]
        self._steps = np.maximum(np.abs(base) * SPREAD, least)
        self._least = np.concatenate([np.zeros(at.WEIGHTS_SIZE), [LEAST.get(name, -np.inf) for name in habits]])
        for place, name in enumerate(Weights.__struct_fields__):
            if name in DIVISORS:
                self._least[place] = DIVISOR_LEAST * base[place]

    def __len__(self) -> int:
        """How many numbers there are."""
        return len(self._base)

    def at(self, steps: Row) -> Row:
        """The numbers so many steps away."""
        return np.maximum(self._base + np.asarray(steps) * self._steps, self._least)


def fitness(task: tuple[GameKind, Row, Row, int, int]) -> float:
    """What numbers are worth on the deals of a seed, in points a deal; more is better."""
    kind, one, base, deals, seed = task

    def against(other: Row | None) -> float:
        found = [sparring(place).lead(one, other, deals, seed).mean for place in PLACES[kind]]
        return sum(found) / len(found)

    return GREEDY_SHARE * against(None) + (1 - GREEDY_SHARE) * against(base)


Reckon = Callable[[Sequence[tuple[GameKind, Row, Row, int, int]]], list[float]]


def tune(kind: GameKind, seconds: float, reckon: Reckon, deals: int = DEALS) -> Row:
    """The numbers that evolution ends with after so long."""
    base = row_of_numbers(tuned.numbers()[kind])
    space = Space(base)
    search = cma.CMAEvolutionStrategy([0.0] * len(space), SIGMA, {"popsize": BROOD, "seed": 1, "verbose": -9})
    began, generation = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        seed = SEED + generation * deals
        brood = search.ask()
        found = reckon([(kind, space.at(steps), base, deals, seed) for steps in brood])
        straying = [STRAYING * float(np.mean(np.square(steps))) for steps in brood]
        search.tell(brood, [cost - worth for cost, worth in zip(straying, found, strict=True)])
        generation += 1
        if generation % TOLD_EVERY == 0:
            taken = time.monotonic() - began
            sys.stdout.write(f"{kind}: {generation} generations, {taken:.0f} s, {max(found):+.0f} points\n")
            sys.stdout.flush()
    return space.at(search.mean)


def judge(kind: GameKind, one: Row, deals: int = JUDGED) -> str:
    """What numbers are worth on deals of their own, and what was in use before."""
    base = row_of_numbers(tuned.numbers()[kind])
    lines = []
    for place in PLACES[kind]:
        table = sparring(place)
        for name, mine, other in (
            ("over greedy", one, None),
            ("before, over greedy", base, None),
            ("over before", one, base),
        ):
            leads = table.lead(mine, other, deals, 1)
            lines.append(f"  {place[0]} {place[1]}, {name}: {told(leads.each)}, ends {leads.ends}\n")
    return "".join(lines)


def main() -> None:
    """Tune, tell what came of it, and keep it if asked."""
    parser = argparse.ArgumentParser(description="Find a kind's numbers.")
    parser.add_argument("kind", type=GameKind)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="put the winner into the package")
    asked = parser.parse_args()
    if asked.processes > 1:
        with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
            found = tune(asked.kind, 60 * asked.minutes, lambda tasks: list(pool.map(fitness, tasks)))
    else:
        found = tune(asked.kind, 60 * asked.minutes, lambda tasks: [fitness(task) for task in tasks])
    numbers = numbers_of_row(found)
    sys.stdout.write(f"{asked.kind}: {numbers}\n{judge(asked.kind, row_of_numbers(numbers))}")
    if asked.keep:
        store_numbers(asked.kind, numbers)


if __name__ == "__main__":
    main()
