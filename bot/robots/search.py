"""Searching: each way to go on is played out in the same believable deals, and judged by what comes of it."""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from bot.robots.habits import Habits
from bot.robots.leaves import leaves_for, values
from bot.robots.quick import play_turn
from bot.robots.worlds import Worlds
from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, TakePile
from engine.fast import OVER_STUCK, FastDeal


class Effort(msgspec.Struct, frozen=True):
    """How hard to search. With the same numbers and no deadline the same view always leads to the same choice."""

    worlds: tuple[int, ...] = (12, 24, 60)
    """Worlds played in each heat; after each the worse candidates fall out."""
    kept: tuple[int, ...] = (4, 2)
    """How many candidates stay after the first heats."""
    turns: int = 6
    """Turns that are played before a world is judged."""
    caution: float = 1.5
    """A candidate replaces the first one only if it is better by so many standard errors."""
    seconds: float = 0.085
    """When to stop at the latest, where somebody holds a clock: what is left of 100 ms for whatever surrounds it."""


DEFAULT_EFFORT: Final = Effort()


class Weighed(NamedTuple):
    """A candidate and what it came to: the mean over its worlds, in points ahead of the others."""

    action: Action
    value: float
    worlds: int


def apply(deal: FastDeal, action: Action) -> None:
    """An action of the engine's on a deal of faces; it must be legal.

    Raises:
        ValueError: it is none that a robot plays by search.
    """
    match action:
        case DrawStock():
            deal.draw()
        case TakePile(use=use):
            deal.take_pile()
            if use is not None:
                apply(deal, use)
        case LayMeld(cards=named):
            faces = tuple(sorted(int(card.face) for card in named))
            deal.lay(faces, deal.rules.book.laid(faces))
        case AddToMeld(meld=index, cards=named):
            faces = tuple(int(card.face) for card in named)
            grown = deal.rules.book.grown(deal.melds[deal.turn % deal.rules.sides][index], faces)
            if grown is None:
                raise ValueError(action)
            deal.add(index, faces, grown)
        case Discard(card=face):
            deal.discard(int(face))
        case EndTurn():
            deal.end_turn()
        case _:
            raise ValueError(action)


class Search:
    """A search at one decision."""

    def __init__(
        self,
        worlds: Worlds,
        seat: int,
        chance: Random,
        habits: Habits,
        effort: Effort = DEFAULT_EFFORT,
        out_of_time: Callable[[], bool] = lambda: False,
    ) -> None:
        self._worlds = worlds
        self._side = seat % worlds.rules.sides
        self._chance = chance
        self._effort = effort
        self._habits = habits
        self._leaves = leaves_for(worlds.rules)
        self._out_of_time = out_of_time

    def weigh(self, candidates: Sequence[Action]) -> list[Weighed]:
        """The candidates, the one to play first; the first one given is the one to depart from with caution only."""
        running = list(range(len(candidates)))
        found: list[list[float]] = [[] for _ in candidates]
        heats = self._effort.worlds
        for heat, count in enumerate(heats):
            for _ in range(count):
                if self._out_of_time():
                    break
                world = self._worlds.deal(self._chance)
                for i in running:
                    found[i].append(self._outcome(world.copy(), candidates[i]))
            if self._out_of_time():
                break
            if heat < len(self._effort.kept) and len(running) > self._effort.kept[heat]:
                running.sort(key=lambda i: -sum(found[i]) / len(found[i]))
                kept = running[: self._effort.kept[heat]]
                running = kept if 0 in kept else [*kept[:-1], 0] if len(kept) > 1 else [*kept, 0]
        return self._ranked(candidates, found, running)

    def _outcome(self, deal: FastDeal, action: Action) -> float:
        apply(deal, action)
        habits = self._habits
        for _ in range(self._effort.turns):
            if deal.over:
                break
            play_turn(deal, habits)
        if deal.over == OVER_STUCK:
            deal.over = 0
        told = values(deal, self._leaves)
        own = told[self._side]
        return own - (sum(told) - own) / (len(told) - 1)

    def _ranked(
        self, candidates: Sequence[Action], found: Sequence[Sequence[float]], running: Sequence[int]
    ) -> list[Weighed]:
        means = [sum(row) / len(row) if row else -math.inf for row in found]
        order = sorted(range(len(candidates)), key=lambda i: (i in running, means[i]), reverse=True)
        best = order[0]
        if best != 0 and found[0] and not self._surely(found[best], found[0]):
            order.remove(0)
            order.insert(0, 0)
        return [Weighed(candidates[i], means[i], len(found[i])) for i in order]

    def _surely(self, row: Sequence[float], other: Sequence[float]) -> bool:
        """Whether one row is better than the other by the caution asked for, world by world."""
        pairs = [a - b for a, b in zip(row, other, strict=False)]
        count = len(pairs)
        if count < 4:
            return False
        mean = sum(pairs) / count
        spread = math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / (count - 1) / count)
        return mean > self._effort.caution * spread
