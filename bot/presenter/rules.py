"""The rules of a table in a few lines, shown before it starts."""

from bot.presenter.words import canasta_noun, muerto_noun, pile_noun
from bot.texts import Texts
from engine.ruleset import Closing, ClosingBy, PileTaking, Ruleset


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
        PileTaking.FREE: _("Tomar {pile}: siempre, sin condiciones."),
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
