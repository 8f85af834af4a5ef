"""The lobby: who sits, what is played, and what may be pressed."""

from bot.lobby import side_is_full
from bot.model import Pace, Status, Table
from bot.presenter.buttons import choice
from bot.presenter.coins import stake_lines
from bot.presenter.levels import level_choice, level_line
from bot.presenter.rules import changes_digest, rules_digest
from bot.presenter.words import pace_line, seating_name
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb


def lobby_screen(
    t: Texts, table: Table, version: int, viewer: str | None, *, shared: bool = False, left: bool = False
) -> Screen:
    """The lobby as ``viewer`` (a person, or None for somebody unknown) may use it.

    ``shared`` makes the one that everybody has before them at once: the buttons of all, judged when pressed.
    ``left`` says that nothing has happened in it for so long that anybody may close it.
    """
    _ = t.gettext
    free = table.seating.seats - len(table.chairs)
    lines = [seating_name(t, table.seating).capitalize() + "."]
    lines += _numbered(t, table) if _all_by_lot(table) else _by_sides(t, table)
    if free:
        lines.append(_waiting(t, table, free))
    lines.append(
        _("Los asientos se sortean al empezar.") if _all_by_lot(table) else _("Los demás asientos, por sorteo.")
    )
    if not table.stake:
        lines.append(level_line(t, table.robot_level))
    lines += [*stake_lines(t, table), *rules_digest(t, table.rules), *changes_digest(t, table), *_pace(t, table)]
    lines += [_("Antes de cada ronda alguien corta el mazo, ya sellado.")] if table.cutting else []
    lines.append(_door(t, table, viewer))
    return Screen(
        role=Role.LOBBY,
        table_id=table.id,
        version=version,
        title=table.name,
        lines=tuple(lines),
        alternative="\n".join(lines),
        rows=_rows(t, table, version, viewer, shared=shared, left=left),
    )


def _waiting(t: Texts, table: Table, free: int) -> str:
    if table.stake:
        return t.ngettext("Falta {count} jugador.", "Faltan {count} jugadores.", free).format(count=free)
    told = t.ngettext(
        "Falta {count} jugador; al empezar, un robot ocupa el lugar libre.",
        "Faltan {count} jugadores; al empezar, los robots ocupan los lugares libres.",
        free,
    )
    return told.format(count=free)


def _door(t: Texts, table: Table, viewer: str | None) -> str:
    """How one gets in: everybody reads the code of a public table, only those who sit there that of a private one."""
    _ = t.gettext
    if table.private and (viewer is None or table.seat_of(viewer) is None):
        return _("Mesa privada: se entra con su código.")
    return _("Código de la mesa: {code}.").format(code=table.code)


def _pace(t: Texts, table: Table) -> tuple[str, ...]:
    return () if table.pace is Pace.FREE else (pace_line(t, table.pace),)


def _all_by_lot(table: Table) -> bool:
    return all(chair.side is None for chair in table.chairs)


def _numbered(t: Texts, table: Table) -> list[str]:
    _ = t.gettext
    names = [chair.name for chair in table.chairs] + [_("libre")] * (table.seating.seats - len(table.chairs))
    return [_("{number}. {name}").format(number=i, name=name) for i, name in enumerate(names, 1)]


def _by_sides(t: Texts, table: Table) -> list[str]:
    _ = t.gettext
    lines = []
    places = table.seating.seats // table.seating.sides
    for side in range(table.seating.sides):
        names = [chair.name for chair in table.chairs if chair.side == side]
        names += [_("libre")] * (places - len(names))
        lines.append(_("Pareja {number}: {names}.").format(number=side + 1, names=t.listed(names)))
    others = [chair.name for chair in table.chairs if chair.side is None]
    if others:
        lines.append(_("Por sorteo: {names}.").format(names=t.listed(others)))
    return lines


def _rows(
    t: Texts, table: Table, version: int, viewer: str | None, *, shared: bool, left: bool
) -> tuple[tuple[Choice, ...], ...]:
    _ = t.gettext
    seat = None if viewer is None else table.seat_of(viewer)
    here = seat is not None
    full = _("La mesa está completa.") if table.is_full else ""
    host = shared or (viewer is not None and viewer == table.host)
    seats: list[Choice] = []
    if shared or not here:
        seats.append(choice(_("Sentarme"), table.id, version, Verb.JOIN, style=Style.PRIMARY, why=full))
    if table.seating.in_pairs:
        mine = table.chairs[seat].side if seat is not None else None
        taken = full if not shared and not here else ""
        seats += [
            choice(
                _("Pareja {number}").format(number=side + 1),
                table.id,
                version,
                Verb.JOIN,
                str(side),
                why=taken or (_("Esa pareja ya está completa.") if side_is_full(table, side) else ""),
            )
            for side in range(table.seating.sides)
            if shared or side != mine
        ]
    if shared or here:
        seats.append(choice(_("Salir"), table.id, version, Verb.LEAVE, style=Style.DANGER))
    rows = [tuple(seats)]
    if host:
        only_people = _("Con apuesta juegan solo personas.") if table.stake else ""
        no_robot = "" if any(chair.robot for chair in table.chairs) else _("No hay robots en la mesa.")
        missing = _("Con apuesta no entran robots: falta gente.") if table.stake and not table.is_full else ""
        others = "" if len(table.people) > 1 else _("No hay nadie más en la mesa.")
        rows += [
            (
                choice(_("+ Robot"), table.id, version, Verb.ADD_ROBOT, why=only_people or full),
                choice(_("− Robot"), table.id, version, Verb.REMOVE_ROBOT, why=no_robot),
                choice(_("Expulsar"), table.id, version, Verb.EXPEL, why=others),
            ),
            (
                choice(_("Ceder la mesa"), table.id, version, Verb.HAND_OVER, why=others),
                *((level_choice(t, table, version),) if not table.stake else ()),
                choice(_("Sin corte"), table.id, version, Verb.CUTTING, "0")
                if table.cutting
                else choice(_("Con corte"), table.id, version, Verb.CUTTING, "1"),
            ),
            (
                choice(_("Empezar"), table.id, version, Verb.START, style=Style.GOOD, why=missing),
                choice(_("Abrir a todos"), table.id, version, Verb.PRIVATE, "0")
                if table.private
                else choice(_("Hacer privada"), table.id, version, Verb.PRIVATE, "1"),
                choice(_("Cancelar la mesa"), table.id, version, Verb.CANCEL, style=Style.DANGER),
            ),
        ]
    else:
        # Judged when pressed: anybody in a full lobby may start once the host lets them wait for a while.
        if here and table.is_full:
            rows.append((choice(_("Empezar"), table.id, version, Verb.START, style=Style.GOOD),))
        if left:
            rows.append((choice(_("Cancelar la mesa"), table.id, version, Verb.CANCEL, style=Style.DANGER),))
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
