"""The list of tables that wait for players."""

from collections.abc import Sequence

from bot.model import Pace, Person, Table
from bot.presenter.buttons import choice
from bot.presenter.coins import coins
from bot.presenter.words import pace_name
from bot.screens import Choice, Role, Screen, Style
from bot.store import Record
from bot.texts import Texts
from bot.tokens import NO_TABLE, Verb


def waiting_screen(t: Texts, records: Sequence[Record], mark: str, person: Person) -> Screen:
    """The tables with a seat free; a button each leads to its lobby."""
    _ = t.gettext
    lines = [f"{number}. {waiting_line(t, record.table)}" for number, record in enumerate(records, 1)]
    rows: list[tuple[Choice, ...]] = []
    for number, record in enumerate(records, 1):
        table = record.table
        sits = table.seat_of(person.id) is not None
        style = Style.PLAIN if sits else Style.PRIMARY
        rows.append((choice(f"{number}. {table.name}", table.id, record.version, Verb.SHOW_TABLE, style=style),))
    if mark:
        rows.append((choice(_("Actualizar"), NO_TABLE, 0, Verb.OPEN_TABLES, mark),))
    told = tuple(lines) or (_("No hay mesas esperando gente. Abre una con /buraco."),)
    return Screen(Role.READING, "", 0, _("Mesas abiertas"), told, alternative="\n".join(told), rows=tuple(rows))


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
