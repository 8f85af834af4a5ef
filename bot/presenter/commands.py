"""Words around typed commands: what they are called, what could not be done, and lists to choose from."""

from collections.abc import Sequence

from bot.commands import CommandError, CommandProblem, default_rules, targets_of
from bot.cutting import cutter_of
from bot.model import Pace, Person, PlaceSettings, Status, Table
from bot.presenter.buttons import choice
from bot.presenter.rules import rules_digest
from bot.presenter.words import pace_name, seating_name
from bot.screens import Choice, Role, Screen, Style
from bot.store import Record
from bot.texts import Texts, own_name
from bot.tokens import Verb
from engine.ruleset import Ruleset
from engine.seating import Seating


def command_problem_text(t: Texts, error: CommandError) -> str:
    """Why a typed command cannot be done, and what would work."""
    _ = t.gettext
    name = "" if error.rules is None else error.rules.name
    match error.problem:
        case CommandProblem.UNKNOWN_WORD:
            if error.near:
                return _("No entiendo «{word}». ¿Quisiste decir «{near}»?").format(word=error.word, near=error.near)
            return _("No entiendo «{word}». Prueba, por ejemplo, «2v2 cerrado».").format(word=error.word)
        case CommandProblem.TWICE:
            return _("«{word}» dice otra vez lo mismo: deja solo una de las dos.").format(word=error.word)
        case CommandProblem.NOT_SEATED_SO:
            others = [] if error.rules is None else [seating.value for seating in error.rules.seatings]
            return _("{rules} no se juega {seating}, sino {others}.").format(
                rules=name, seating=error.seating, others=t.either(others)
            )
        case CommandProblem.NO_SUCH_TARGET:
            points = [] if error.rules is None else [target_name(t, target) for target in targets_of(error.rules)]
            return _("{rules} se juega así: {points}.").format(rules=name, points=t.either(points))
        case CommandProblem.BLOCKED:
            return _("No puedes abrir mesas en este lugar. Habla con quien modera aquí.")
        case CommandProblem.NO_NEW_TABLES:
            return _("Ahora no se abren mesas nuevas, porque el bot se va a reiniciar. Las partidas empezadas siguen.")
        case CommandProblem.TOO_MANY_TABLES:
            return _("Acabas de abrir varias mesas. Espera un momento antes de abrir otra.")
        case CommandProblem.AT_MANY_TABLES:
            return at_many_tables_text(t, error.most)
        case CommandProblem.PLACE_FULL:
            return many_tables_text(t, error.most)


def at_many_tables_text(t: Texts, most: int) -> str:
    """Somebody sits at as many open tables as they may."""
    told = t.ngettext(
        "Ya juegas en {count} mesa abierta: termina o deja esa antes de abrir otra.",
        "Ya juegas en {count} mesas abiertas: termina o deja una antes de abrir otra.",
        most,
    )
    return told.format(count=most)


def many_tables_text(t: Texts, most: int) -> str:
    """The place has as many open tables as it may."""
    told = t.ngettext(
        "Aquí ya hay {count} mesa abierta: terminen o dejen una antes de abrir otra.",
        "Aquí ya hay {count} mesas abiertas: terminen o dejen una antes de abrir otra.",
        most,
    )
    return told.format(count=most)


def target_name(t: Texts, target: int) -> str:
    """What a match is played to, as one item of a list: ``a 3.000 puntos``."""
    _ = t.gettext
    return _("a {target} puntos").format(target=t.number(target)) if target else _("a una ronda")


def seating_options(t: Texts) -> tuple[tuple[str, str], ...]:
    """Seatings to choose from: value and label."""
    return tuple((seating.value, f"{seating.value} · {seating_name(t, seating)}") for seating in Seating)


def pace_options(t: Texts) -> tuple[tuple[str, str], ...]:
    """Paces to choose from: value and label."""
    return tuple((pace.value, pace_name(t, pace)) for pace in Pace)


def ruleset_label(t: Texts, rules: Ruleset) -> str:
    """A rule set in a list: its name, how it is seated and what it is played to."""
    seatings = "/".join(seating.value for seating in rules.seatings)
    return f"{rules.name} · {seatings} · {target_name(t, rules.target)}"


def tables_screen(t: Texts, records: Sequence[Record], person: Person) -> Screen:
    """A person's tables: where it is their turn first, each group the longest waiting first."""
    _ = t.gettext
    waiting = sorted(records, key=lambda record: not _is_due(record, person))
    rows: list[tuple[Choice, ...]] = []
    lines: list[str] = []
    for number, record in enumerate(waiting, 1):
        table = record.table
        lines.append(f"{number}. {table.name} · {table.code} · {_standing(t, record, person)}")
        style = Style.PRIMARY if _is_due(record, person) else Style.PLAIN
        verb = Verb.SHOW_TABLE if table.status is Status.LOBBY else Verb.SHOW_HAND
        rows.append((choice(f"{number}. {table.name}", table.id, record.version, verb, style=style),))
    told = tuple(lines) or (_("No juegas en ninguna mesa ahora. Abre una con /buraco."),)
    return _note(_("Mis mesas"), told, tuple(rows))


def _is_due(record: Record, person: Person) -> bool:
    match, cut = record.match, record.table.awaited_cut
    if cut is not None:
        seat = cutter_of(record.table, cut.starter)
        return seat is not None and record.table.seat_of(person.id) == seat
    if record.table.status is not Status.PLAYING or match is None or match.deal is None:
        return False
    return match.in_play and record.table.seat_of(person.id) == match.deal.turn.seat


def _standing(t: Texts, record: Record, person: Person) -> str:
    _ = t.gettext
    if record.table.status is Status.LOBBY:
        return _("sin empezar")
    if _is_due(record, person):
        return _("te toca")
    match = record.match
    if match is None or match.deal is None or not match.in_play:
        return _("entre rondas")
    return _("juega {name}").format(name=record.table.chairs[match.deal.turn.seat].name)


def choose_table_screen(t: Texts, records: Sequence[Record], verb: Verb) -> Screen:
    """Ask which of several tables is meant."""
    _ = t.gettext
    rows = tuple(
        (choice(f"{record.table.name} · {record.table.code}", record.table.id, record.version, verb),)
        for record in records
    )
    return _note(_("¿Cuál de estas mesas?"), (), rows)


def ruleset_screen(t: Texts, rules: Ruleset) -> Screen:
    """A rule set in a few lines, away from any table."""
    return _note(rules.name, rules_digest(t, rules)[:1] + _seatings(t, rules) + rules_digest(t, rules)[1:])


def _seatings(t: Texts, rules: Ruleset) -> tuple[str, ...]:
    told = t.listed([seating_name(t, seating) for seating in rules.seatings])
    return (t.gettext("Se juega: {seatings}.").format(seatings=told),)


def settings_screen(
    t: Texts, person: Person, place: PlaceSettings | None, *, has_threads: bool, channel: str = ""
) -> Screen:
    """What a person, and the server or group they are in, have settled.

    ``channel`` is what the platform calls the one channel or topic for tables; empty where there is none.
    """
    _ = t.gettext
    order = {"suit": _("por palo"), "rank": _("por valor")}[person.hand_order]
    colours = {"two": _("en dos colores"), "four": _("en cuatro colores")}[person.suit_colours]
    lines = [_("Tu mano: {order}, palos {colours}.").format(order=order, colours=colours)]
    if place is not None:
        lines.append(
            _("Aquí se juega, si nadie pide otra cosa: {rules}, ritmo {pace}.").format(
                rules=default_rules(place).name, pace=pace_name(t, place.pace)
            )
        )
    if place is not None and has_threads:
        lines.append(_("Cada mesa abre su hilo.") if place.threads else _("Las mesas se quedan en el canal."))
    if place is not None:
        lines += _of_place(t, place, channel)
    return _note(_("Ajustes"), tuple(lines))


def _of_place(t: Texts, place: PlaceSettings, channel: str) -> tuple[str, ...]:
    _ = t.gettext
    return (
        _("Idioma de las mesas: {language}.").format(
            language=own_name(place.locale) if place.locale else _("el de quien la abre")
        ),
        *((_("Las mesas se abren solo en {channel}.").format(channel=channel),) if channel else ()),
        _("A quien le toca se le llama por su nombre.") if place.pings else _("A quien le toca no se le llama aquí."),
        _("Se puede jugar por monedas.") if place.coins else _("Aquí no se juega por monedas."),
        *((_("En las mesas nuevas alguien corta antes de cada ronda."),) if place.cutting else ()),
    )


def elsewhere_text(t: Texts, channel: str) -> str:
    """A table was asked for where the server does not want any."""
    return t.gettext("Aquí no se abren mesas: en este servidor se juega en {channel}.").format(channel=channel)


def _note(title: str, lines: Sequence[str], rows: tuple[tuple[Choice, ...], ...] = ()) -> Screen:
    return Screen(
        role=Role.NOTE,
        table_id="",
        version=0,
        title=title,
        lines=tuple(lines),
        alternative="\n".join(lines),
        rows=rows,
    )


def no_table_here_text(t: Texts) -> str:
    """A command about a table where none is shown."""
    return t.gettext("Aquí no hay ninguna mesa abierta. Abre una con /buraco, o di su código.")


def no_hand_text(t: Texts) -> str:
    """A hand is asked for by somebody who holds none."""
    return t.gettext("No tienes cartas en ninguna mesa ahora.")


def only_moderators_text(t: Texts) -> str:
    """A command that is for those who keep order in the place."""
    return t.gettext("Eso solo puede hacerlo quien modera aquí.")


def saved_text(t: Texts) -> str:
    """Settings have been kept."""
    return t.gettext("Guardado.")


def opened_text(t: Texts, table: Table) -> str:
    """A table was opened, and is shown in the place."""
    return t.gettext("Mesa abierta: {name}. Código: {code}.").format(name=table.name, code=table.code)


def shown_here_text(t: Texts) -> str:
    """The table is shown anew in the place."""
    return t.gettext("Aquí está la mesa.")


def solo_text(t: Texts) -> str:
    """A table in a private place, where nobody else can sit down."""
    return t.gettext("Aquí juegas contra robots. Para jugar con más gente, invita a Buraco a un servidor o grupo.")


def invite_label(t: Texts) -> str:
    """The button that brings the bot to a server."""
    return t.gettext("Invitar a Buraco")


def rows_of_help(t: Texts) -> tuple[str, ...]:
    """What can be done, in a few lines."""
    _ = t.gettext
    return (
        _("/buraco nueva 2v2: abre una mesa; los robots ocupan los lugares libres."),
        _("/buraco mano: tus cartas. /buraco mesa: la mesa, otra vez aquí abajo."),
        _("/buraco mistandas: tus mesas. /reglas: cómo se juega."),
        _("/perfil, /historial: lo que jugaste. /ranking: quiénes ganan más."),
        _("/monedas: las tuyas. Una mesa con apuesta: /buraco nueva 2v2 apuesta 6000."),
    )
