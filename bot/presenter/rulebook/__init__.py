"""The rules of a table in plain words, line by line, each line with the fields that it tells about.

From these lines come the rules that are shown before a match, what differs between two rule sets, what a table has
changed, and which of it the source leaves open.
"""

from collections.abc import Iterable

from bot.presenter.rulebook.ending import EndingChapter
from bot.presenter.rulebook.line import RuleLine
from bot.presenter.rulebook.melds import MeldChapter
from bot.presenter.rulebook.table import TableChapter
from bot.texts import Texts
from engine.ruleset import Ruleset

__all__ = ["RuleLine", "changed_lines", "differing_lines", "is_house_default", "rule_lines"]


def rule_lines(t: Texts, rules: Ruleset) -> tuple[RuleLine, ...]:
    """All rules of a rule set in words, in the order of play."""
    table, melds, ending = TableChapter(t, rules), MeldChapter(t, rules), EndingChapter(t, rules)
    return (
        *table.table(),
        *table.pile_rules(),
        *melds.melds(),
        *melds.wilds(),
        *ending.closing(),
        *ending.score(),
    )


def differing_lines(t: Texts, rules: Ruleset, other: Ruleset) -> tuple[tuple[RuleLine, RuleLine], ...]:
    """The lines in which two rule sets differ: of the first and of the second."""
    return tuple(
        (mine, theirs)
        for mine, theirs in zip(rule_lines(t, rules), rule_lines(t, other), strict=True)
        if mine.text != theirs.text
    )


def is_house_default(rules: Ruleset, line: RuleLine) -> bool:
    """Whether a line tells something that the source leaves open."""
    return any(field in rules.house_defaults for field in line.fields)


def changed_lines(t: Texts, rules: Ruleset, options: Iterable[str]) -> tuple[RuleLine, ...]:
    """The lines that a table's own options have changed."""
    changed = frozenset(options)
    return tuple(line for line in rule_lines(t, rules) if changed & set(line.fields))
