"""Fit a kind's leaves: ``uv run python -m tests.robots.tuning.fit_leaves clean_free_pairs`` (a minute or two a kind).

The sensible robot's compiled twin plays deals against itself; by how much a side led in the end is told by least
squares from the features of one position on the way. Prints how much of it is told, in points of deals that were not
fitted, and puts the weights into ``bot/robots/tuned/leaves.json``.
"""

import argparse
import sys
from typing import Any, Final

import numpy as np

from bot.robots import tuned
from bot.robots.game_kinds import GameKind
from bot.robots.swift import layout as at
from bot.robots.swift.gear import Gear, Hidden
from bot.robots.swift.jit import compiled
from bot.robots.swift.leaves import FEATURES, features
from bot.robots.swift.moves import score
from bot.robots.swift.turn import play_turn
from tests.robots.tuning.sparring import (
    MOST_TURNS,
    PLACES,
    Floats,
    Row,
    Sparring,
    Table,
    deal_anew,
    row_of_numbers,
    sparring,
    store_leaves,
)

DEALS: Final = 12_000
"""Of a kind, in all its places."""
LATEST: Final = 12
"""The position is taken from one of so many first turns of each seat; a deal that ends before tells nothing."""
RIDGE: Final = 30.0
SEED: Final = 77_000_000


@compiled
def gather(base: Row, g: Gear, seed: int, count: int, hidden: Hidden, seen: Table, scores: Floats) -> int:
    """Fill rows with one position of each deal, side by side: features, time, danger. Tells how many rows."""
    s = base.copy()
    sides = g.r[at.SIDES]
    got = 0
    for deal in range(count):
        deal_anew(base, g, s, seed + deal, hidden)
        cut = np.random.randint(1, LATEST * g.r[at.SEATS])
        first = got
        for turn in range(MOST_TURNS):
            if s[at.OVER]:
                break
            if turn == cut:
                time, danger = features(s, g.r, g.m, g.features)
                for side in range(sides):
                    seen[got, :FEATURES] = g.features[side, :FEATURES]
                    seen[got, FEATURES], seen[got, FEATURES + 1] = time, danger
                    got += 1
            play_turn(s, g, 1)
        for i in range(first, got):
            scores[i] = score(s, g.r, g.m, i - first)
    return got


def positions(kind: GameKind, table: Sparring, deals: int) -> tuple[Floats, Floats]:
    """Features, the same by time and by danger, and final scores, each as a side leads the mean of the others."""
    sides = table.sides
    seen, scores = np.zeros((deals * sides, FEATURES + 2)), np.zeros(deals * sides)
    gear = table.gear(row_of_numbers(tuned.numbers()[kind]))
    got = gather(table.base, gear, SEED, deals, table.hidden, seen, scores)
    rows, time, danger = seen[:got, :FEATURES], seen[:got, FEATURES, None], seen[:got, FEATURES + 1, None]
    return _leads(np.hstack([rows, time * rows, danger * rows]), sides), _leads(scores[:got, None], sides)[:, 0]


def _leads(rows: Floats, sides: int) -> Floats:
    """What each side's row has more than the mean of the others of its deal."""
    deals = rows.reshape(-1, sides, rows.shape[1])
    rest = (deals.sum(1, keepdims=True) - deals) / (sides - 1)
    found: Any = (deals - rest).reshape(rows.shape)
    return found


def fitted(rows: Floats, leads: Floats) -> Floats:
    """Weights by ridge regression on features brought to one scale."""
    scale = rows.std(0) + 1e-9
    scaled = rows / scale
    found: Any = np.linalg.solve(scaled.T @ scaled + RIDGE * np.eye(len(scale)), scaled.T @ leads) / scale
    return found


def untold(rows: Floats, leads: Floats, weights: Floats) -> float:
    """The standard deviation of what weights leave untold, in points."""
    return float((leads - rows @ weights).std())


def main() -> None:
    """Fit on half of the deals to tell how well that does on the others, then on all of them."""
    parser = argparse.ArgumentParser(description="Fit a kind's leaves.")
    parser.add_argument("kind", type=GameKind)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--look", action="store_true", help="only tell, keep the leaves in use")
    asked = parser.parse_args()
    kind, places = asked.kind, PLACES[asked.kind]
    parts = [positions(kind, sparring(place), asked.deals // len(places)) for place in places]
    rows, leads = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    # Every other deal, whole: its sides tell of one another.
    sides = sparring(places[0]).sides
    others = np.arange(len(leads)) // sides % 2 == 1
    before = np.array(tuned.leaves()[kind]).T.ravel()
    new = fitted(rows[~others], leads[~others])
    told = [untold(rows[others], leads[others], weights) for weights in (np.zeros_like(new), before, new)]
    sys.stdout.write(
        f"{kind}: {len(leads)} leads of {told[0]:.0f} points, untold before {told[1]:.0f}, now {told[2]:.0f}\n"
    )
    if not asked.look:
        always, early, endangered = (map(float, part.round(1)) for part in fitted(rows, leads).reshape(3, FEATURES))
        store_leaves(kind, tuple(zip(always, early, endangered, strict=True)))


if __name__ == "__main__":
    main()
