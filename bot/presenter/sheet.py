"""The page to print: a rule set in short, for the table in the club."""

from itertools import groupby

from bot.pictures import SheetPart, SheetPicture, SheetTable
from bot.presenter.card_rows import card_row
from bot.presenter.rulebook import RuleLine, is_house_default, rule_lines
from bot.presenter.words import canasta_noun, kind_name, seating_name
from bot.reglas.judging import judge_cards
from bot.texts import Texts
from engine.melds import Kind
from engine.ruleset import Ruleset

_EXAMPLES = ("4h 5h 6h", "9s 9h JK", "7c 8c 2d Tc", "3d 4d 5d 6d 7d 8d 9d")
"""Shown where the rule set allows them."""


def sheet_of(t: Texts, rules: Ruleset) -> SheetPicture:
    """A rule set on one page: the turn, the melds, the wilds, what cards and canastas count."""
    _ = t.gettext
    parts = [
        SheetPart(section, tuple(_told(rules, line) for line in lines))
        for section, lines in groupby(rule_lines(t, rules), key=lambda line: line.section)
    ]
    parts.insert(1, SheetPart(_("Tu turno"), _turn(t)))
    parts.append(SheetPart(_("Cada carta"), table=_cards(t, rules)))
    parts.append(SheetPart(_("Premios"), table=_bonuses(t, rules)))
    rows = [
        card_row(t, verdict, "")
        for example in _EXAMPLES
        if (verdict := judge_cards(rules, example.split())).meld is not None
    ]
    if rows:
        parts.append(SheetPart(_("Por ejemplo"), rows=tuple(rows)))
    marked = any(is_house_default(rules, line) for line in rule_lines(t, rules))
    return SheetPicture(
        title=_("Buraco · {rules}").format(rules=rules.name),
        subtitle=t.listed([seating_name(t, seating) for seating in rules.seatings]).capitalize(),
        parts=tuple(parts),
        foot=_("* Costumbre de la casa: la fuente no lo dice.") if marked else "",
        joker=_("JKR"),
    )


def _told(rules: Ruleset, line: RuleLine) -> str:
    return line.text + (" *" if is_house_default(rules, line) else "")


def _turn(t: Texts) -> tuple[str, ...]:
    _ = t.gettext
    return (
        _("Roba del mazo o toma las cartas descartadas."),
        _("Si quieres, baja juegos y agrega cartas a los de tu bando."),
        _("Descarta una carta y el turno pasa a la derecha."),
    )


def _cards(t: Texts, rules: Ruleset) -> SheetTable:
    _ = t.gettext
    rows = [(_("Carta"), _("Puntos"))]
    if rules.jokers:
        rows.append((_("Joker"), t.number(rules.joker_points)))
    rows += [
        ("2", t.number(rules.two_points)),
        (_("As"), t.number(rules.ace_points)),
        (_("K a 8"), t.number(rules.high_points)),
        (_("7 a 3"), t.number(rules.low_points)),
    ]
    return SheetTable(tuple(rows))


def _bonuses(t: Texts, rules: Ruleset) -> SheetTable:
    _ = t.gettext
    canasta = canasta_noun(t, rules).one.capitalize()
    bonuses = {
        Kind.DIRTY: rules.dirty_bonus,
        Kind.SEMI: rules.semi_clean_bonus,
        Kind.CLEAN: rules.clean_bonus,
        Kind.REAL: rules.real_bonus,
        Kind.ACE_TO_ACE: rules.ace_to_ace_bonus,
        Kind.ACES_CLEAN: rules.clean_aces_bonus,
        Kind.ACES_DIRTY: rules.dirty_aces_bonus,
        Kind.WILDS: rules.wilds_bonus,
    }
    rows: list[tuple[str, str]] = [(canasta, _("Premio"))]
    rows += [(kind_name(t, rules, kind), t.number(bonus)) for kind, bonus in bonuses.items() if bonus]
    rows.append((_("cerrar"), t.number(rules.closing_bonus)))
    return SheetTable(tuple(rows))
