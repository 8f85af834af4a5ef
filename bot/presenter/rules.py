"""The rules of a table: in a few lines before it starts, and all of them for whoever wants to read."""

from itertools import groupby

from bot.model import Table
from bot.presenter.buttons import choice
from bot.presenter.house_rules import house_lines
from bot.presenter.rulebook import RuleLine, is_house_default, rule_lines
from bot.presenter.words import canasta_noun, muerto_noun, pile_noun
from bot.screens import Role, Screen
from bot.texts import Texts
from bot.tokens import Verb
from engine.policies import Closing, ClosingBy, PileTaking
from engine.ruleset import Ruleset


def rules_digest(t: Texts, rules: Ruleset) -> tuple[str, ...]:
    """What a player must know before sitting down: target, pile, first meld, closing."""
    _ = t.gettext
    muerto, canasta, pile = muerto_noun(t, rules), canasta_noun(t, rules), pile_noun(t, rules)
    goal = (
        _("{name}, a {target} puntos.").format(name=rules.name, target=t.number(rules.target))
        if rules.target
        else _("{name}, a una ronda.").format(name=rules.name)
    )
    taking = {
        PileTaking.FREE: _("Tomar {pile}: cuando quieras, en tu turno."),
        PileTaking.TOP_THIS_TURN: _("Tomar {pile}: si usas su carta de arriba en el mismo turno."),
        PileTaking.TOP_AT_ONCE: _("Tomar {pile}: si usas al momento su carta de arriba."),
    }[rules.pile_taking].format(pile=pile.the)
    needs = {
        Closing.NONE: _("con {muerto} ya tomado").format(muerto=muerto.the),
        Closing.ANY: _("con {muerto} ya tomado y {canasta}").format(muerto=muerto.the, canasta=canasta.a),
        Closing.CLEAN: _("con {muerto} ya tomado y {canasta} sin comodín").format(muerto=muerto.the, canasta=canasta.a),
    }[rules.closing]
    way = (
        _("siempre descartando")
        if rules.closing_by is ClosingBy.DISCARD
        else _("bajando o descartando la última carta")
    )
    lines = [goal, taking, _("Cerrar: {needs}, {way}.").format(needs=needs, way=way)]
    if rules.first_meld_minimum:
        lines.append(_("Primer juego: al menos {points} puntos.").format(points=rules.first_meld_minimum))
    if rules.meld_closes_at:
        lines.append(_("Cada juego lleva hasta {count} cartas y un solo comodín.").format(count=rules.meld_closes_at))
    return tuple(lines)


def changes_digest(t: Texts, table: Table) -> tuple[str, ...]:
    """What this table has changed of its rule set, for all to read before the start."""
    lines = house_lines(t, table.rules, table.options)
    return (t.gettext("Reglas de la casa en esta mesa:"), *(f"• {line}" for line in lines)) if lines else ()


def rules_screen(t: Texts, table: Table, version: int) -> Screen:
    """All rules of a table: what it changed and what the source leaves open is marked."""
    _ = t.gettext
    lines: list[str] = []
    for section, chapter in groupby(rule_lines(t, table.rules), key=lambda line: line.section):
        lines.append(section.upper())
        lines += [f"• {line.text}{_mark(t, table, line)}" for line in chapter]
    return Screen(
        role=Role.RULES,
        table_id=table.id,
        version=version,
        title=_("Reglas de la mesa: {name}").format(name=table.rules.name),
        lines=tuple(lines),
        alternative="\n".join(lines),
        rows=((choice(_("Volver"), table.id, version, Verb.SHOW_TABLE),),),
    )


def _mark(t: Texts, table: Table, line: RuleLine) -> str:
    _ = t.gettext
    if set(table.options) & set(line.fields):
        return " " + _("(cambio de esta mesa)")
    return " " + _("(costumbre de la casa)") if is_house_default(table.rules, line) else ""
