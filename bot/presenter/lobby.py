"""The lobby: who sits, what is played, and what may be pressed."""

from bot.model import Status, Table
from bot.presenter.buttons import choice
from bot.presenter.rules import changes_digest, rules_digest
from bot.presenter.words import seating_name
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb


def lobby_screen(t: Texts, table: Table, version: int, viewer: str | None) -> Screen:
    """The lobby as ``viewer`` (a person, or None for somebody unknown) may use it."""
    _ = t.gettext
    seats = table.seating.seats
    lines = [seating_name(t, table.seating).capitalize() + ".", *rules_digest(t, table.rules)]
    lines += changes_digest(t, table)
    taken = [_("{number}. {name}").format(number=i, name=chair.name) for i, chair in enumerate(table.chairs, 1)]
    taken += [_("{number}. libre").format(number=i) for i in range(len(taken) + 1, seats + 1)]
    free = seats - len(table.chairs)
    if free:
        waiting = t.ngettext(
            "Falta {count} jugador; al empezar, un robot ocupa el lugar libre.",
            "Faltan {count} jugadores; al empezar, los robots ocupan los lugares libres.",
            free,
        )
        lines.append(waiting.format(count=free))
    lines.append(_("Los asientos se sortean al empezar."))
    lines.append(_("Código de la mesa: {code}.").format(code=table.code))
    return Screen(
        role=Role.LOBBY,
        table_id=table.id,
        version=version,
        title=table.name,
        lines=(*lines, *taken),
        alternative="\n".join((*lines, *taken)),
        rows=_rows(t, table, version, viewer),
    )


def _rows(t: Texts, table: Table, version: int, viewer: str | None) -> tuple[tuple[Choice, ...], ...]:
    _ = t.gettext
    here = viewer is not None and table.seat_of(viewer) is not None
    full = _("La mesa está completa.") if table.is_full else ""
    host = viewer is not None and viewer == table.host
    robots = any(chair.robot for chair in table.chairs)
    rows: list[tuple[Choice, ...]] = []
    if here:
        rows.append((choice(_("Salir"), table.id, version, Verb.LEAVE, style=Style.DANGER),))
    else:
        rows.append((choice(_("Sentarme"), table.id, version, Verb.JOIN, style=Style.PRIMARY, why=full),))
    if host:
        no_robot = "" if robots else _("No hay robots en la mesa.")
        rows.append(
            (
                choice(_("+ Robot"), table.id, version, Verb.ADD_ROBOT, why=full),
                choice(_("− Robot"), table.id, version, Verb.REMOVE_ROBOT, why=no_robot),
            )
        )
        rows.append(
            (
                choice(_("Empezar"), table.id, version, Verb.START, style=Style.GOOD),
                choice(_("Cancelar la mesa"), table.id, version, Verb.CANCEL, style=Style.DANGER),
            )
        )
    rows.append((choice(_("Reglas de la mesa"), table.id, version, Verb.RULES),))
    return tuple(rows)


def note_screen(t: Texts, table: Table, version: int) -> Screen:
    """A table at which nothing can be done any more, and why."""
    _ = t.gettext
    if table.status is Status.SUSPENDED:
        return suspended_screen(t, table.id, table.name)
    return Screen(
        role=Role.NOTE,
        table_id=table.id,
        version=version,
        title=table.name,
        lines=(_("Esta mesa se canceló. Puedes abrir otra cuando quieras."),),
    )


def suspended_screen(t: Texts, table_id: str, name: str = "") -> Screen:
    """A table whose save cannot be read."""
    _ = t.gettext
    return Screen(
        role=Role.NOTE,
        table_id=table_id,
        version=0,
        title=name or _("Mesa en pausa"),
        lines=(
            _("No se pudo leer la partida guardada de esta mesa, así que quedó en pausa."),
            _("No se ha perdido nada: quien administra el bot puede repararla. Las demás mesas siguen."),
        ),
    )
