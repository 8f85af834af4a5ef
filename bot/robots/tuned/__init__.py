"""Numbers that were found by measuring, a set for each kind of game; ``docs/robots.md`` tells how to find them anew."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

from bot.robots.beliefs import Beliefs
from bot.robots.game_kinds import GameKind, kind_of_game
from bot.robots.habits import Habits
from bot.robots.weights import Weights
from engine.ruleset import Ruleset
from engine.seating import Seating

Leaves = tuple[tuple[float, float, float], ...]
"""One row a feature of :mod:`bot.robots.swift.leaves`: always, more while there is time, more near a close."""


class Numbers(msgspec.Struct, frozen=True):
    """How the sensible robot weighs and inclines; what is not named is as everywhere."""

    weights: Weights = Weights()
    habits: Habits = Habits()


class Ahead(msgspec.Struct, frozen=True):
    """How the search looks ahead at a kind of decision."""

    turns: int
    """Turns of a world that are played before it is judged."""
    caution: float
    """The first candidate is departed from only for one that is better by so many standard errors."""


class Lookahead(msgspec.Struct, frozen=True):
    """How the search looks ahead."""

    drawing: Ahead
    """Where the pile is weighed against the stock."""
    playing: Ahead
    """Where melds and discards are weighed."""


@lru_cache(maxsize=1)
def numbers() -> Mapping[GameKind, Numbers]:
    """The sensible robot's numbers in each kind of game."""
    return msgspec.json.decode(_text("numbers.json"), type=dict[GameKind, Numbers])


@lru_cache(maxsize=64)
def numbers_for(rules: Ruleset, seating: Seating) -> Numbers:
    """The sensible robot's numbers under a rule set at a table."""
    return numbers()[kind_of_game(rules, seating)]


@lru_cache(maxsize=1)
def leaves() -> Mapping[GameKind, Leaves]:
    """The weights of the leaves in each kind of game."""
    return msgspec.json.decode(_text("leaves.json"), type=dict[GameKind, Leaves])


def leaves_for(rules: Ruleset, seating: Seating) -> Leaves:
    """The weights of the leaves under a rule set at a table."""
    return leaves()[kind_of_game(rules, seating)]


@lru_cache(maxsize=1)
def beliefs() -> Mapping[GameKind, Beliefs]:
    """How readily hidden hands hold cards in each kind of game."""
    return msgspec.json.decode(_text("beliefs.json"), type=dict[GameKind, Beliefs])


def beliefs_for(rules: Ruleset, seating: Seating) -> Beliefs:
    """How readily hidden hands hold cards under a rule set at a table."""
    return beliefs()[kind_of_game(rules, seating)]


@lru_cache(maxsize=1)
def lookaheads() -> Mapping[GameKind, Lookahead]:
    """How the search looks ahead in each kind of game."""
    return msgspec.json.decode(_text("lookaheads.json"), type=dict[GameKind, Lookahead])


def lookahead_for(rules: Ruleset, seating: Seating) -> Lookahead:
    """How the search looks ahead under a rule set at a table."""
    return lookaheads()[kind_of_game(rules, seating)]


def _text(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()
