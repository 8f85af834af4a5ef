"""Which match comes next: the buttons under a match that is over, and the questions of other rules."""

from bot import rulesets
from bot.model import Table
from bot.presenter.book import rules_mark
from bot.presenter.buttons import choice
from bot.presenter.words import seating_name
from bot.screens import Choice, Role, Screen, Style
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
    return _asking(t, table, version, t.gettext("¿Con qué reglas juegan la próxima?"), found)


def other_seating_screen(t: Texts, table: Table, version: int, rules: Ruleset) -> Screen:
    """Ask in which seating the same people play next."""
    mark = rules_mark(rules)
    found = [
        choice(seating_name(t, seating).capitalize(), table.id, version, Verb.REMATCH, "o", mark, seating)
        for seating in rules.seatings
    ]
    return _asking(t, table, version, t.gettext("{rules}: ¿cuántos juegan?").format(rules=rules.name), found)


def _asking(t: Texts, table: Table, version: int, told: str, found: list[Choice]) -> Screen:
    rows = [tuple(found[at : at + _IN_A_ROW]) for at in range(0, len(found), _IN_A_ROW)]
    back = choice(t.gettext("Volver"), table.id, version, Verb.SHOW_TABLE)
    return Screen(
        role=Role.QUESTION,
        table_id=table.id,
        version=version,
        title=told,
        alternative=told,
        rows=(*rows, (back,)),
    )
