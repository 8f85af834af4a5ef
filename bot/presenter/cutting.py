"""The cut in words: what is sealed, who cuts, and the figures to pick."""

import msgspec

from bot.cutting import FIGURES, NO_CUT, cutter_of
from bot.fairness import seal_of
from bot.model import AwaitedCut, Table
from bot.presenter.asking import question_screen
from bot.presenter.buttons import choice
from bot.presenter.fairness import sealed_line
from bot.presenter.seated import Seated
from bot.presenter.votes import vote_lines, vote_rows
from bot.screens import Call, Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb, base36

_IN_A_ROW = 5


# for everybody


def cut_lines(t: Texts, table: Table) -> tuple[str, ...]:
    """The seal of the deal that waits for its cut, and who cuts; nothing where none does."""
    _ = t.gettext
    cut = table.awaited_cut
    seal = None if cut is None else seal_of(table.seals, cut.deal)
    if cut is None or seal is None:
        return ()
    return (cut_awaited_text(t, table), sealed_line(t, seal), *_deadline_line(t, table, cut))


def _deadline_line(t: Texts, table: Table, cut: AwaitedCut) -> tuple[str, ...]:
    if cutter_of(table, cut.starter) is None:
        return ()
    return (t.gettext("Si no corta a tiempo, se reparte con el corte {cut}.").format(cut=NO_CUT),)


def cut_screen(t: Texts, table: Table, version: int, cut: AwaitedCut, *, late: bool = False) -> Screen:
    """The public table before its first deal, whose cut is awaited."""
    _ = t.gettext
    names = [chair.name for chair in table.chairs]
    sides = [" + ".join(names[seat] for seat in table.seating.seats_of(side)) for side in range(table.seating.sides)]
    begins = _("Juegan {sides}. Empieza {name}.").format(sides=t.listed(sides), name=names[cut.starter])
    return Screen(
        role=Role.TABLE,
        table_id=table.id,
        version=version,
        title=table.name,
        lines=(*vote_lines(t, table), begins, *cut_lines(t, table)),
        rows=(
            *vote_rows(t, table, version),
            (cut_choice(t, table, version),),
            _foot(t, table, version),
        ),
        call=cut_call(t, table, version, cut, late=late),
    )


def _foot(t: Texts, table: Table, version: int) -> tuple[Choice, ...]:
    return (
        choice(t.gettext("Reglas"), table.id, version, Verb.RULES),
        choice("⋯", table.id, version, Verb.MENU),
    )


def cut_choice(t: Texts, table: Table, version: int) -> Choice:
    """What leads to the figures, which stand where the hand will be."""
    return choice(t.gettext("Cortar el mazo"), table.id, version, Verb.SHOW_HAND, style=Style.GOOD)


def cut_call(t: Texts, table: Table, version: int, cut: AwaitedCut, *, late: bool) -> Call | None:
    """Whoever cuts."""
    _ = t.gettext
    seat = cutter_of(table, cut.starter)
    person = None if seat is None else table.chairs[seat].person
    if person is None:
        return None
    key, button = f"cut:{cut.deal}:{seat}", cut_choice(t, table, version)
    if late:
        return Call(f"{key}:late", (person,), _("tu tiempo para cortar se acaba."), button, late=True)
    return Call(key, (person,), _("te toca cortar el mazo."), button)


# for one person


def cutting_hand_screen(
    t: Texts, table: Table, version: int, cut: AwaitedCut, seat: int, hand: Screen | None
) -> Screen:
    """What stands in a hand's place until somebody has cut; ``hand`` is that of the deal before, if there was one."""
    _ = t.gettext
    rows: tuple[tuple[Choice, ...], ...] = ()
    lines = cut_lines(t, table)
    if cutter_of(table, cut.starter) == seat:
        told = _("Te toca cortar: elige un número de {count} cifras, una por una.").format(count=FIGURES)
        lines = (told, _because(t), *lines[1:])
        figures = _figures(table, version, cut.deal, "")
        rows = tuple(tuple(figures[at : at + _IN_A_ROW]) for at in range(0, len(figures), _IN_A_ROW))
    if hand is not None:
        # What stays is that a robot stands in, the way back into the seat, and how the hand is sorted.
        away = hand.lines[-1:] if table.chairs[seat].absent else ()
        return msgspec.structs.replace(hand, lines=(*lines, *away), rows=(*hand.rows[:-1], *rows, *hand.rows[-1:]))
    return Screen(
        role=Role.HAND,
        table_id=table.id,
        version=version,
        title=_("{table} · {code} · {side}").format(
            table=table.name,
            code=table.code,
            side=" + ".join(table.chairs[other].name for other in table.seating.seats_of(table.seating.side_of(seat))),
        ),
        lines=lines,
        rows=(*rows, _foot(t, table, version)),
    )


def _because(t: Texts) -> str:
    return t.gettext("De tu número y del sello sale el orden de las cartas: nadie puede saberlo de antemano.")


def figures_screen(t: Texts, table: Table, version: int, deal: int, figures: str) -> Screen:
    """The next figure of a cut, ``figures`` being those picked already."""
    told = t.gettext("Tu corte: {figures}. Elige la cifra que sigue.").format(figures=f"{figures:–<{FIGURES}}")
    return question_screen(
        t, table, version, told, _figures(table, version, deal, figures), Verb.SHOW_HAND, in_a_row=_IN_A_ROW
    )


def _figures(table: Table, version: int, deal: int, before: str) -> list[Choice]:
    return [choice(figure, table.id, version, Verb.CUT, base36(deal), before + figure) for figure in "1234567890"]


# short answers


def cut_awaited_text(t: Texts, table: Table) -> str:
    """Whose cut a deal waits for."""
    _ = t.gettext
    cut = table.awaited_cut
    seat = None if cut is None else cutter_of(table, cut.starter)
    if seat is None:
        return _("Falta cortar el mazo: la mesa espera a que alguien vuelva.")
    return _("Corta {name}: después se reparte.").format(name=table.chairs[seat].name)


def already_cut_text(t: Texts) -> str:
    """Somebody cuts a pack that has been dealt."""
    return t.gettext("Ya se cortó y se repartió: aquí tienes la mesa al día.")


def done_cut_text(t: Texts, cut: str, place: Seated) -> str:
    """Somebody has cut."""
    return t.gettext("Cortaste en {cut}. Empieza {name}.").format(cut=cut, name=place.names[place.view.starter])
