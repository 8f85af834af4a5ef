"""Numbers that were found by measuring, a set for each kind of game; ``docs/robots.md`` tells how to find them anew."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

from bot.robots.game_kinds import GameKind, kind_of_game
from bot.robots.habits import Habits
from engine.fast_rules import FastRules

Weights = tuple[tuple[float, float, float], ...]
"""One row a feature of :mod:`bot.robots.leaves`: always, more while there is time, more near a close."""


@lru_cache(maxsize=1)
def habits() -> Mapping[GameKind, Habits]:
    """The quick player's habits in each kind of game."""
    return msgspec.json.decode(_text("habits.json"), type=dict[GameKind, Habits])


def habits_for(rules: FastRules) -> Habits:
    """The quick player's habits under a rule set."""
    return habits()[kind_of_game(rules)]


@lru_cache(maxsize=1)
def leaves() -> Mapping[GameKind, Weights]:
    """The weights of the leaves in each kind of game."""
    return msgspec.json.decode(_text("leaves.json"), type=dict[GameKind, Weights])


def _text(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()
