"""Searching: each way to go on is played out in the same believable deals, and judged by what comes of it."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.believing import begin
from bot.robots.swift.search import play_world
from bot.robots.swift.workshop import Workshop
from bot.robots.translating import candidate_of
from bot.robots.tuned import Lookahead
from bot.robots.worlds import Worlds
from engine.actions import Action


class Effort(msgspec.Struct, frozen=True):
    """How hard to search. With the same numbers and no deadline the same view always leads to the same choice."""

    heat: int = 8
    """Worlds in a heat, after which candidates fall out that are behind."""
    heats: int = 12
    kept: tuple[int, ...] = (5, 4, 3, 3, 2)
    """How many candidates stay at most after the first heats."""
    behind: float = 2.0
    """So many standard errors behind the best a candidate falls out."""
    ahead: Lookahead | None = None
    """How to look ahead; None: as the kind of game wants it."""
    seconds: float = 0.085
    """When to stop at the latest, where somebody holds a clock: what is left of 100 ms for whatever surrounds it."""


DEFAULT_EFFORT: Final = Effort()
_FEWEST: Final = 4
"""Fewer worlds tell nothing."""


class Weighed(NamedTuple):
    """A candidate and what it came to: the mean over its worlds, in points ahead of the others."""

    action: Action
    value: float
    worlds: int


class Search:
    """A search at one decision. Whoever starts one holds the workshop's lock."""

    def __init__(
        self,
        worlds: Worlds,
        shop: Workshop,
        seed: int,
        effort: Effort = DEFAULT_EFFORT,
        out_of_time: Callable[[], bool] = lambda: False,
    ) -> None:
        self._worlds = worlds
        self._shop = shop
        self._seed = seed
        self._effort = effort
        ahead = effort.ahead or shop.lookahead
        self._ahead = ahead.playing if worlds.base[at.DRAWN] else ahead.drawing
        self._out_of_time = out_of_time

    def weigh(self, candidates: Sequence[Action]) -> list[Weighed]:
        """The candidates, the one to play first; the first one given is the one to depart from with caution only."""
        rows = [candidate_of(action, self._shop, self._worlds.base) for action in candidates]
        if rows[0] is None:
            return [Weighed(candidates[0], 0.0, 0)]
        known = [(action, row) for action, row in zip(candidates, rows, strict=True) if row is not None]
        found = self._played([row for _, row in known])
        weighed = [
            Weighed(action, math.fsum(row) / len(row) if row else -math.inf, len(row))
            for (action, _), row in zip(known, found, strict=True)
        ]
        return [weighed[i] for i in ranked(found, self._ahead.caution)]

    def _played(self, rows: Sequence[Any]) -> list[list[float]]:
        """What each candidate led to, world by world; whatever fell out early has fewer."""
        worlds, gear, effort, turns = self._worlds, self._shop.gear, self._effort, self._ahead.turns
        candidates = np.array(rows)
        running = np.ones(len(rows), dtype=np.int64)
        led = np.zeros(len(rows))
        found: list[list[float]] = [[] for _ in rows]
        spare, world = np.zeros_like(worlds.base), np.zeros_like(worlds.base)
        begin(self._seed)
        for heat in range(effort.heats):
            for _ in range(effort.heat):
                if self._out_of_time():
                    return found
                play_world(worlds.base, spare, world, gear, worlds.hidden, candidates, running, turns, led)
                for i in np.flatnonzero(running):
                    found[i].append(float(led[i]))
            most = effort.kept[min(heat, len(effort.kept) - 1)]
            stay = still_in(found, [int(i) for i in np.flatnonzero(running)], most, effort.behind)
            if len(stay) == 1:
                break
            running[:] = 0
            running[stay] = 1
        return found


def still_in(found: Sequence[Sequence[float]], running: Sequence[int], most: int, behind: float) -> list[int]:
    """The best of those that ran: at most so many, none surely behind the best of all, none that leads to just what
    a better one leads to."""
    order = sorted(running, key=lambda i: -math.fsum(found[i]))
    best = found[order[0]]
    stay: list[int] = []
    for i in order:
        if not any(found[i] == found[other] for other in stay) and not _surely(best, found[i], behind):
            stay.append(i)
    return stay[:most]


def ranked(found: Sequence[Sequence[float]], caution: float) -> list[int]:
    """Candidates by what they led to, the one to play first: those that ran to the end, then the others."""
    most = max(map(len, found))
    means = [math.fsum(row) / len(row) if row else -math.inf for row in found]
    order = sorted(range(len(found)), key=lambda i: (len(found[i]) == most, means[i]), reverse=True)
    if order[0] and not _surely(found[order[0]], found[0], caution):
        order.remove(0)
        order.insert(0, 0)
    return order


def _surely(row: Sequence[float], other: Sequence[float], caution: float) -> bool:
    """Whether one row is better than the other by the caution asked for, world by world."""
    pairs = [a - b for a, b in zip(row, other, strict=False)]
    count = len(pairs)
    if count < _FEWEST:
        return False
    mean = math.fsum(pairs) / count
    spread = math.sqrt(math.fsum((pair - mean) ** 2 for pair in pairs) / (count - 1) / count)
    return mean > caution * spread
