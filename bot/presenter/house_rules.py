"""House rules: what a table may change of its rule set, each choice told as the rule that it makes.

Nothing here knows single fields: a field's values come from its type (or from a short list of figures that tables
use), and the words are the rule book's own line for the changed rule set. Values that the rule set contradicts are not
offered.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

import msgspec

from bot import rulesets
from bot.presenter.rulebook import RuleLine, changed_lines, rule_lines
from bot.presenter.rulebook.labels import field_label
from bot.texts import Texts, texts
from engine.ruleset import Ruleset, RulesetError, with_options

_FIXED: Final = frozenset({"id", "name", "source", "house_defaults", "words", "seatings", "target_options", "jokers"})
"""What makes a rule set what it is. (Jokers decide the pack, and with it the meaning of half the other rules.)"""
_FIGURES: Final[Mapping[str, tuple[int, ...]]] = {
    "target": (0, 505, 1005, 1500, 2000, 2005, 3000, 5000),
    "first_meld_minimum": (0, 30, 50, 75),
    "run_minimum": (3, 4, 7),
    "run_takes_wild_from": (3, 4, 7),
    "joker_points": (20, 25, 30, 50),
    "two_points": (10, 20),
    "ace_points": (15, 20),
    "closing_bonus": (0, 100, 200),
    "muerto_penalty": (0, 100, 200),
    "dirty_bonus": (100, 150),
    "semi_clean_bonus": (0, 150),
    "clean_bonus": (200, 300),
    "real_bonus": (0, 500),
    "rounds_without_draw": (5, 10, 20),
    "wilds_a_meld": (0, 1),
    "muertos_a_side": (1, 2),
}
"""Figures that are offered for a choice; a table may ask for any other by name."""


class HouseValue(msgspec.Struct, frozen=True):
    """A value that a field can have, and the rule that it makes."""

    value: str
    """As JSON."""
    text: str


class HouseRule(msgspec.Struct, frozen=True):
    """A field that can be changed, with its values; the first is the rule set's own."""

    field: str
    section: str
    label: str
    """Two or three words."""
    values: tuple[HouseValue, ...]


@lru_cache(maxsize=64)
def house_rules_of(locale: str, ruleset_id: str) -> tuple[HouseRule, ...]:
    """What tables of a shipped rule set can choose. Cached: finding it out tries every value.

    Raises:
        RulesetNotFound: there is no such rule set.
    """
    return house_rules(texts(locale), rulesets.load(ruleset_id))


def house_rules(t: Texts, rules: Ruleset) -> tuple[HouseRule, ...]:
    """Everything that a table of this rule set can choose, in the order of the rule book."""
    found: list[HouseRule] = []
    types = {field.name: field.type for field in msgspec.structs.fields(rules)}
    for index, line in enumerate(rule_lines(t, rules)):
        for name in line.fields:
            if name in _FIXED:
                continue
            rule = _rule(t, rules, line, index, name, types[name])
            if len(rule.values) > 1:
                found.append(rule)
    return tuple(found)


def _rule(t: Texts, rules: Ruleset, line: RuleLine, index: int, name: str, kind: object) -> HouseRule:
    own = getattr(rules, name)
    values = [HouseValue(_json(own), line.text)]
    for value in _candidates(name, kind):
        if value == own:
            continue
        try:
            changed = with_options(rules, {name: value})
        except RulesetError:
            continue
        text = rule_lines(t, changed)[index].text
        if all(text != known.text for known in values):
            values.append(HouseValue(_json(value), text))
    return HouseRule(name, line.section, field_label(t, rules, name), tuple(values))


def _candidates(name: str, kind: object) -> tuple[Any, ...]:
    if name in _FIGURES:
        return _FIGURES[name]
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(member.value for member in kind)
    return ()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def house_lines(t: Texts, rules: Ruleset, options: Mapping[str, Any]) -> tuple[str, ...]:
    """What a table has changed, in words; ``rules`` are the table's own, with the changes in them."""
    return tuple(line.text for line in changed_lines(t, rules, options))
