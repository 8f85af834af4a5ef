"""The gear of a rule set at a table, made once in a process."""

from functools import lru_cache
from threading import RLock
from typing import Any, Final

import numpy as np

from bot.robots import tuned
from bot.robots.habits import Habits
from bot.robots.swift import layout as at
from bot.robots.swift.forms import Forms, forms_of
from bot.robots.swift.gear import Gear
from bot.robots.swift.leaves import FEATURES
from bot.robots.swift.reading import rules_row
from bot.robots.weights import Weights
from engine.fast_rules import FastRules
from engine.ruleset import Ruleset
from engine.seating import Seating

LOCK: Final = RLock()
"""Whoever works in a workshop holds it: there is one of each in a process."""


class Workshop:
    """Rules, forms of melds, what was measured for such games, and the gear; whoever holds the lock may use it."""

    def __init__(self, switches: Ruleset, seating: Seating) -> None:
        self.rules = FastRules(switches, seating)
        self.forms: Forms = forms_of(switches)
        self.beliefs = tuned.beliefs_for(switches, seating)
        self.lookahead = tuned.lookahead_for(switches, seating)
        numbers = tuned.numbers_for(switches, seating)
        self.gear = Gear(
            r=rules_row(self.rules, self.forms),
            m=self.forms.melds,
            n=self.forms.new,
            w=weights_row(numbers.weights),
            h=habits_row(numbers.habits),
            leaves=np.array(list(zip(*tuned.leaves_for(switches, seating), strict=True)), dtype=np.float64),
            o=np.zeros(at.OUTLOOK_SIZE),
            k=np.zeros((4 * len(self.forms.melds) + at.RUN_ROWS + 2, at.KNOWN_SIZE)),
            rows=np.zeros((6, at.PLAN_SIZE), dtype=np.int64),
            uses=np.zeros((4, at.MOST_USES, at.USE_SIZE), dtype=np.int64),
            paths=np.zeros((2, at.MOST_STEPS + 2, at.USE_SIZE), dtype=np.int64),
            features=np.zeros((at.MOST_SEATS, FEATURES + 2)),
        )


@lru_cache(maxsize=16)
def workshop_for(rules: Ruleset, seating: Seating) -> Workshop:
    """The workshop of a rule set at a table, in this process."""
    return Workshop(rules, seating)


def weights_row(weights: Weights) -> Any:
    """The weights in the order of their fields."""
    return np.array([getattr(weights, name) for name in Weights.__struct_fields__], dtype=np.float64)


def habits_row(habits: Habits) -> Any:
    """The habits in the order of their fields."""
    return np.array([getattr(habits, name) for name in habits.__struct_fields__], dtype=np.float64)
