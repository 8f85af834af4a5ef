"""Questions before somebody leaves, is sent away, or a table is ended."""

from collections.abc import Sequence

from bot.model import Person, Status, Table
from bot.presenter.asking import question_screen
from bot.presenter.buttons import choice
from bot.presenter.coins import forfeit_text
from bot.screens import Choice, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb


def leaving_screen(t: Texts, left: Table, version: int) -> Screen:
    """Ask whether to leave a match; ``left`` is the table as it would be."""
    _ = t.gettext
    if left.status is Status.CANCELLED:
        told = _("Eres la última persona de la mesa: si te vas, la partida se acaba. ¿Te vas?")
    else:
        told = _("Si te vas, un robot sigue con tus cartas y tu lugar queda para él. ¿Te vas?")
        if left.stake:
            told = f"{forfeit_text(t, left)} {told}"
    yes = choice(_("Sí, irme"), left.id, version, Verb.LEAVE, style=Style.DANGER, confirmed=True)
    return _question(t, left, version, told, (yes,))


def ending_screen(t: Texts, table: Table, version: int) -> Screen:
    """Ask whether to end a table for everybody."""
    _ = t.gettext
    told = _("¿Terminar la mesa «{name}»? La partida se acaba para todos y no se puede recuperar.")
    yes = choice(_("Sí, terminarla"), table.id, version, Verb.END_TABLE, style=Style.DANGER, confirmed=True)
    return _question(t, table, version, told.format(name=table.name), (yes,))


def expelling_screen(t: Texts, table: Table, version: int, host: Person) -> Screen:
    """Ask who is sent away."""
    _ = t.gettext
    others = [(i, chair) for i, chair in enumerate(table.chairs) if chair.person not in (None, host.id)]
    told = _("¿A quién sacas de la mesa?") if others else _("No hay nadie más en la mesa.")
    choices = [choice(chair.name, table.id, version, Verb.EXPEL, str(i), style=Style.DANGER) for i, chair in others]
    return _question(t, table, version, told, choices)


def _question(t: Texts, table: Table, version: int, told: str, choices: Sequence[Choice]) -> Screen:
    back = Verb.SHOW_TABLE if table.status is Status.LOBBY else Verb.SHOW_HAND
    return question_screen(t, table, version, told, choices, back)
