"""Which match comes next: the buttons under a match that is over, and the questions of other rules."""

from bot import rulesets
from bot.model import Table
from bot.presenter.asking import question_screen
from bot.presenter.book import rules_mark
from bot.presenter.buttons import choice
from bot.presenter.words import seating_name
from bot.screens import Choice, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb
from engine.ruleset import Ruleset

_IN_A_ROW = 2


def rematch_choices(t: Texts, table: Table, version: int) -> tuple[Choice, ...]:
    """The same again, with other partners where there are any, or by other rules."""
    _ = t.gettext
    same = choice(_("Revancha"), table.id, version, Verb.REMATCH, style=Style.GOOD)
    turned = choice(_("Rotar parejas"), table.id, version, Verb.REMATCH, "r")
    other = choice(_("Otras reglas"), table.id, version, Verb.REMATCH, "o")
    return (same, turned, other) if table.seating.in_pairs else (same, other)


def other_rules_screen(t: Texts, table: Table, version: int) -> Screen:
    """Ask by which rules the same people play next."""
    every = [rulesets.load(name) for name in rulesets.ids()]
    found = [choice(rules.name, table.id, version, Verb.REMATCH, "o", rules_mark(rules)) for rules in every]
    told = t.gettext("¿Con qué reglas juegan la próxima?")
    return question_screen(t, table, version, told, found, Verb.SHOW_TABLE, in_a_row=_IN_A_ROW)


def other_seating_screen(t: Texts, table: Table, version: int, rules: Ruleset) -> Screen:
    """Ask in which seating the same people play next."""
    mark = rules_mark(rules)
    found = [
        choice(seating_name(t, seating).capitalize(), table.id, version, Verb.REMATCH, "o", mark, seating)
        for seating in rules.seatings
    ]
    told = t.gettext("{rules}: ¿cuántos juegan?").format(rules=rules.name)
    return question_screen(t, table, version, told, found, Verb.SHOW_TABLE, in_a_row=_IN_A_ROW)
