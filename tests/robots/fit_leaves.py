"""Fit the leaves' weights again: ``uv run python -m tests.robots.fit_leaves > fitted.py`` (minutes; docs/robots.md).

Quick players with habits of their own each play deals; what a side scored at the end is told by least squares from the
features of positions on the way. Prints the module ``bot/robots/fitted.py``.
"""

import math
import sys
from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from bot import rulesets
from bot.robots.habits import DEFAULT_HABITS, Habits
from bot.robots.leaves import NAMES, features
from bot.robots.quick import play_turn
from bot.shuffling import seeded_deal
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.fast_views import fast_of
from engine.seating import Seating
from engine.state import new_match

KINDS = {
    "NEGATIVE_ALONE": (("clasico", "1v1"),),
    "NEGATIVE_PAIRS": (("clasico", "2v2"),),
    "NEGATIVE_THREE": (("clasico", "1v1v1"),),
    "NEGATIVE_THREE_PAIRS": (("clasico", "2v2v2"),),
    "CLEAN_ALONE": (("cerrado", "1v1"), ("abierto", "1v1")),
    "CLEAN_PAIRS": (("cerrado", "2v2"), ("abierto", "2v2")),
    "ANY_ALONE": (("burraco", "1v1"), ("burraco-13", "1v1"), ("parejas", "1v1"), ("rioplatense", "1v1")),
    "ANY_PAIRS": (("burraco", "2v2"), ("parejas", "2v2"), ("fibur", "2v2"), ("rioplatense", "2v2")),
}
VARIED = ("pile_meld", "pile_fit", "pile_least", "wild_from", "wild_first", "wild_small", "close_lead", "pile_mate")
RIDGE = 30.0 / 5000
Row = list[float]


def habits(chance: Random) -> Habits:
    """Habits near the usual ones, so that the positions are of many kinds."""
    known = msgspec.structs.asdict(DEFAULT_HABITS)
    return Habits(**{**known, **{name: known[name] * math.exp(chance.gauss(0, 0.35)) for name in VARIED}})


def positions(name: str, seating: Seating, deals: int) -> Iterator[tuple[Row, float]]:
    """The features of sides on the way, each with what the side scored in the end."""
    rules, chance = rulesets.load(name), Random(f"{name}:{seating}")
    for number in range(deals):
        match = new_match(rules, seating, number % seating.seats)
        match = evolve_all(match, start_deal(match, seeded_deal(rules, seating, f"leaves:{number}")))
        deal = fast_of(match)
        players = [habits(chance) for _ in range(seating.sides)]
        seen: list[list[Row]] = []
        turns, offset = 0, chance.randrange(6)
        while not deal.over and turns < 1500:
            if turns % 6 == offset:
                rows, time, danger = features(deal)
                seen.append([[*row, *(time * x for x in row), *(danger * x for x in row)] for row in rows])
            play_turn(deal, players[deal.turn % seating.sides])
            turns += 1
        for rows in seen:
            yield from zip(rows, map(float, deal.scores()), strict=True)


def fitted(data: Sequence[tuple[Row, float]]) -> Row:
    """Weights by ridge regression on features brought to one scale."""
    width = 3 * len(NAMES)
    means = [sum(row[i] for row, _ in data) / len(data) for i in range(width)]
    scale = [math.sqrt(sum((row[i] - means[i]) ** 2 for row, _ in data) / len(data)) + 1e-6 for i in range(width)]
    square = [[0.0] * width for _ in range(width)]
    right = [0.0] * width
    for row, score in data:
        scaled = [x / s for x, s in zip(row, scale, strict=True)]
        held = [i for i, x in enumerate(scaled) if x]
        for i in held:
            line, x = square[i], scaled[i]
            right[i] += x * score
            for j in held:
                line[j] += x * scaled[j]
    for i in range(width):
        square[i][i] += RIDGE * len(data)
    return [w / s for w, s in zip(solved(square, right), scale, strict=True)]


def solved(square: list[Row], right: Row) -> Row:
    """The solution of a positive definite system, by elimination."""
    width = len(right)
    for i in range(width):
        pivot = square[i][i]
        for j in range(i + 1, width):
            share = square[j][i] / pivot
            if share:
                square[j] = [a - share * b for a, b in zip(square[j], square[i], strict=True)]
                right[j] -= share * right[i]
    found = [0.0] * width
    for i in reversed(range(width)):
        found[i] = (right[i] - sum(square[i][j] * found[j] for j in range(i + 1, width))) / square[i][i]
    return found


def main(deals: int) -> None:
    """Print the module."""
    lines = [
        '"""Weights of :mod:`bot.robots.leaves`, fitted by least squares; docs/robots.md tells how to fit them again.',
        "",
        "One row a feature, in the order of ``leaves.NAMES``: always, more while there is time, more near a close.",
        '"""',
        "",
        "from typing import Final",
        "",
        "Row = tuple[float, float, float]",
        "",
    ]
    for kind, places in KINDS.items():
        data = [row for name, seating in places for row in positions(name, Seating(seating), deals)]
        weights, size = fitted(data), len(NAMES)
        lines.append(f"{kind}: Final[tuple[Row, ...]] = (")
        lines += [f"    ({weights[i]:.1f}, {weights[i + size]:.1f}, {weights[i + 2 * size]:.1f})," for i in range(size)]
        lines.append(")")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
