"""Fit a kind's leaves: ``uv run python -m tests.robots.tuning.fit_leaves clean_free_pairs`` (a minute a kind).

Quick players with habits near the usual ones play deals; what a side scored in the end is told by least squares from
the features of positions on the way. Prints how much of it is told, and puts the weights into
``bot/robots/tuned/leaves.json``.
"""

import math
import sys
from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec
import numpy as np

from bot.robots.game_kinds import GameKind
from bot.robots.habits import DEFAULT_HABITS, Habits
from bot.robots.leaves import NAMES, features
from bot.robots.quick import play_turn
from tests.robots.tuning.sparring import MOST_TURNS, PLACES, Place, dealt, habits_of, store

VARIED: Final = (
    "pile_meld", "pile_fit", "pile_least", "wild_from", "wild_first", "wild_small", "close_lead", "pile_mate",
    "pile_card", "feed", "company", "mate",
)  # fmt: skip
DEALS: Final = 1500
EVERY: Final = 5
RIDGE: Final = 30 / 5000
Row = list[float]


def varied(kind: GameKind, chance: Random) -> Habits:
    """Habits near the usual ones, now and then near the plain ones, so that the positions are of many kinds."""
    base = habits_of(kind) if chance.random() < 0.75 else DEFAULT_HABITS
    changes = {name: getattr(base, name) * math.exp(chance.gauss(0, 0.3)) for name in VARIED}
    return msgspec.structs.replace(base, **changes)


def positions(kind: GameKind, place: Place, deals: int) -> Iterator[tuple[Row, float]]:
    """The features of sides on the way, each with what the side scored in the end."""
    chance = Random(f"{place}")
    for number in range(deals):
        deal = dealt(place, f"leaves:{number}", number)
        sides = deal.rules.sides
        players = [varied(kind, chance) for _ in range(sides)]
        seen: list[list[Row]] = []
        offset = chance.randrange(EVERY)
        for turn in range(MOST_TURNS):
            if deal.over:
                break
            if turn % EVERY == offset:
                rows, time, danger = features(deal)
                seen.append([[*row, *(time * x for x in row), *(danger * x for x in row)] for row in rows])
            play_turn(deal, players[deal.turn % sides])
        for rows in seen:
            yield from zip(rows, map(float, deal.scores()), strict=True)


def main(kind: GameKind) -> None:
    """Fit by ridge regression on features brought to one scale."""
    places = PLACES[kind]
    data = [row for place in places for row in positions(kind, place, DEALS // len(places))]
    rows, scores = np.array([row for row, _ in data]), np.array([score for _, score in data])
    scale = rows.std(0) + 1e-6
    scaled = rows / scale
    square = scaled.T @ scaled + np.eye(len(scale)) * RIDGE * len(rows)
    weights = np.linalg.solve(square, scaled.T @ scores)
    told = 1 - ((scores - scaled @ weights) ** 2).mean() / scores.var()
    sys.stdout.write(f"{kind}: {len(rows)} positions, {told:.3f} of the variance\n")
    size = len(NAMES)
    store("leaves.json", kind, [[round(float(w), 1) for w in (weights / scale)[i::size]] for i in range(size)])


if __name__ == "__main__":
    main(GameKind(sys.argv[1]))
