"""The list of tables that wait for players."""

from collections.abc import Sequence

from bot.model import Pace, Person, Table
from bot.presenter.buttons import choice
from bot.presenter.coins import coins
from bot.presenter.words import pace_name
from bot.screens import Choice, Role, Screen, Style
from bot.store import Record
from bot.texts import Texts
from bot.tokens import Verb


def waiting_screen(t: Texts, records: Sequence[Record], person: Person) -> Screen:
    """The tables with a seat free; a button each sits down, or shows the table to whoever sits there."""
    _ = t.gettext
    lines = [f"{number}. {waiting_line(t, record.table)}" for number, record in enumerate(records, 1)]
    rows: list[tuple[Choice, ...]] = []
    for number, record in enumerate(records, 1):
        table = record.table
        verb, label = Verb.JOIN, _("{number}. Sentarme en {table}")
        if table.seat_of(person.id) is not None:
            verb, label = Verb.SHOW_TABLE, _("{number}. Ver {table}")
        told = label.format(number=number, table=table.name)
        rows.append((choice(told, table.id, record.version, verb, style=Style.PRIMARY),))
    shown = tuple(lines) or (_("No hay mesas esperando gente. Abre una con /buraco."),)
    return Screen(Role.NOTE, "", 0, _("Mesas abiertas"), shown, alternative="\n".join(shown), rows=tuple(rows))


def waiting_line(t: Texts, table: Table) -> str:
    """A table in a list: its name, what it plays, and how many are missing."""
    _ = t.gettext
    free = table.seating.seats - len(table.chairs)
    parts = [
        table.name,
        table.seating.value,
        table.rules.name,
        "" if table.pace is Pace.FREE else pace_name(t, table.pace),
        _("apuesta {stake}").format(stake=coins(t, table.stake)) if table.stake else "",
        t.ngettext("falta {count}", "faltan {count}", free).format(count=free),
    ]
    return " · ".join(part for part in parts if part)
