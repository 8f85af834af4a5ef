"""What each field of a rule set is called in two or three words."""

from bot.presenter.words import begun, canasta_name, canasta_noun, muerto_noun, pile_noun
from bot.texts import Texts
from engine.melds import Kind
from engine.ruleset import Ruleset

_KINDS = {
    "dirty_bonus": Kind.DIRTY,
    "semi_clean_bonus": Kind.SEMI,
    "clean_bonus": Kind.CLEAN,
    "real_bonus": Kind.REAL,
    "ace_to_ace_bonus": Kind.ACE_TO_ACE,
    "clean_aces_bonus": Kind.ACES_CLEAN,
    "dirty_aces_bonus": Kind.ACES_DIRTY,
    "wilds_bonus": Kind.WILDS,
}


def field_label(t: Texts, rules: Ruleset, field: str) -> str:
    """The short name of a field, with the tradition's words.

    Raises:
        KeyError: there is no such field to speak of.
    """
    if field in _KINDS:
        return begun(canasta_name(t, rules, _KINDS[field]))
    return {**_table_labels(t, rules), **_play_labels(t, rules)}[field]


def _table_labels(t: Texts, rules: Ruleset) -> dict[str, str]:
    _ = t.gettext
    muerto, pile = muerto_noun(t, rules), pile_noun(t, rules)
    return {
        "seatings": _("Jugadores"),
        "jokers": _("Jokers"),
        "hand_size": _("Cartas al repartir"),
        "muertos": _("Cuántos {muertos}").format(muertos=muerto.many),
        "muerto_size": _("Cartas de {muerto}").format(muerto=muerto.a),
        "muertos_a_side": _("{muertos} por bando").format(muertos=muerto.many.capitalize()),
        "up_card": _("Al empezar {pile}").format(pile=pile.the),
        "target": _("Meta"),
        "target_options": _("Metas posibles"),
        "tie": _("Empate"),
        "pile_shown": _("Qué se ve: {pile}").format(pile=pile.one),
        "pile_taking": _("Tomar {pile}").format(pile=pile.the),
        "all_wild_hand_must_take_pile": _("Mano de comodines"),
        "lone_pile_card": _("Devolver la única carta"),
        "stock_end": _("Si se acaba el mazo"),
        "stock_left_at_end": _("Cartas que quedan en el mazo"),
        "rounds_without_draw": _("Vueltas sin robar"),
        "rounds_without_draw_warning": _("Aviso de vueltas sin robar"),
    }


def _play_labels(t: Texts, rules: Ruleset) -> dict[str, str]:
    _ = t.gettext
    muerto = muerto_noun(t, rules)
    return {
        "sets": _("Grupos"),
        "sets_of_twos": _("Grupos de 2"),
        "wild_melds": _("Juegos de comodines"),
        "second_set_of_rank": _("Grupos repetidos"),
        "run_minimum": _("Escalera más corta"),
        "run_maximum": _("Escalera más larga"),
        "meld_closes_at": _("Juego completo"),
        "ace_to_ace": _("De as a as"),
        "first_meld_minimum": _("Primer juego"),
        "wilds_a_meld": _("Comodines por juego"),
        "run_takes_wild_from": _("Comodín en escaleras"),
        "wild_lowest": _("Comodín abajo"),
        "wild_order": _("Lugar del comodín"),
        "displaced_wild": _("Comodín desplazado"),
        "wild_displaces_wild": _("Comodín por comodín"),
        "wild_move": _("Mover el comodín"),
        "wild_discard": _("Descartar comodines"),
        "muerto_after_discard": _("{muerto} al descartar").format(muerto=muerto.one.capitalize()),
        "closing": _("Para cerrar"),
        "closing_by": _("Cómo se cierra"),
        "joker_points": _("Puntos del joker"),
        "two_points": _("Puntos del 2"),
        "ace_points": _("Puntos del as"),
        "high_points": _("Puntos de 8 a K"),
        "low_points": _("Puntos de 3 a 7"),
        "closing_bonus": _("Premio por cerrar"),
        "closing_bonus_needs_canasta": _("Cuándo se premia el cierre"),
        "melds_without_canasta": _("Mesa sin {canasta}").format(canasta=canasta_noun(t, rules).one),
        "muerto_penalty": _("Castigo sin {muerto}").format(muerto=muerto.one),
        "muerto_penalty_when": _("Cuándo se castiga"),
        "unused_muerto": _("{muerto} sin usar").format(muerto=muerto.one.capitalize()),
    }
