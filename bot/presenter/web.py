"""The browser room's own words: what its pages say beside the screens."""

from collections.abc import Mapping

import msgspec

from bot import rulesets
from bot.model import Pace
from bot.presenter.buttons import choice
from bot.presenter.rules import rules_digest
from bot.presenter.settings import settings_button
from bot.presenter.words import pace_name, seating_name
from bot.screens import Choice
from bot.stakes.rules import LEAST_STAKE
from bot.texts import Texts
from bot.tokens import NO_TABLE, Verb
from engine.ruleset import Ruleset
from engine.seating import Seating

_FIRST_RULES = "clasico"
_FIRST_SEATING = Seating.TWO_PAIRS


class Option(msgspec.Struct, frozen=True):
    """Something to choose on the start page."""

    value: str
    label: str
    chosen: bool = False


class RuleChoice(msgspec.Struct, frozen=True):
    """A rule set with what can be chosen for it."""

    value: str
    label: str
    chosen: bool
    seatings: tuple[Option, ...]
    lines: tuple[str, ...]
    """What to know before one chooses it."""
    targets: tuple[Option, ...]
    """Empty where there is nothing to choose."""


def rule_choices(t: Texts) -> tuple[RuleChoice, ...]:
    """The rule sets, seatings and targets among which a table is opened."""
    ids = sorted(rulesets.ids(), key=lambda name: name != _FIRST_RULES)
    return tuple(_rule_choice(t, rulesets.load(name), chosen=name == ids[0]) for name in ids)


def _rule_choice(t: Texts, rules: Ruleset, *, chosen: bool) -> RuleChoice:
    first = _FIRST_SEATING if _FIRST_SEATING in rules.seatings else rules.seatings[0]
    seatings = tuple(
        Option(seating.value, seating_name(t, seating).capitalize(), seating is first) for seating in rules.seatings
    )
    targets = sorted({*rules.target_options, rules.target}, reverse=True)
    options = tuple(Option(str(target), target_text(t, target), target == rules.target) for target in targets)
    return RuleChoice(
        rules.id, rules.name, chosen, seatings, rules_digest(t, rules)[1:], options if len(options) > 1 else ()
    )


def pace_choices(t: Texts) -> tuple[Option, ...]:
    """How long a turn may take."""
    return tuple(Option(pace.value, pace_name(t, pace).capitalize(), pace is Pace.FREE) for pace in Pace)


def target_text(t: Texts, target: int) -> str:
    """What a match is played to."""
    _ = t.gettext
    return _("A {target} puntos").format(target=t.number(target)) if target else _("A una ronda")


def ranking_choice(t: Texts, mark: str) -> Choice:
    """The way to the ranking of the room, which has this mark."""
    return choice(t.gettext("Ranking"), NO_TABLE, 0, Verb.RANKING, mark, "s")


def own_choices(t: Texts, mark: str) -> tuple[Choice, ...]:
    """What a visitor may read of themselves and of the room, whose ranking has this mark."""
    _ = t.gettext
    return (
        choice(_("Mi perfil"), NO_TABLE, 0, Verb.PROFILE),
        choice(_("Mis partidas"), NO_TABLE, 0, Verb.HISTORY, "0"),
        ranking_choice(t, mark),
        choice(_("Mis monedas"), NO_TABLE, 0, Verb.COINS, mark),
        settings_button(t),
    )


def page_words(t: Texts) -> Mapping[str, str]:
    """Labels and notes of the pages by their names."""
    _ = t.gettext
    return {
        "lang": t.locale,
        "brand": _("Buraco"),
        "tagline": _("El buraco de siempre, en tu navegador."),
        "how": _("Abre una mesa, comparte el enlace y juega: los robots ocupan los lugares libres."),
        "open_title": _("Nueva mesa"),
        "name": _("Tu nombre"),
        "rules": _("Reglas"),
        "players": _("Jugadores"),
        "target": _("Partida"),
        "pace": _("Ritmo"),
        "more": _("Nombre, mesa privada, apuesta"),
        "title": _("Nombre de la mesa (si quieres)"),
        "private": _("Mesa privada: no sale en la lista y se entra con su enlace"),
        "stake": _("Apuesta en monedas de juego (desde {least}; vacío, sin apuesta)").format(
            least=t.number(LEAST_STAKE)
        ),
        "waiting": _("Mesas que esperan gente"),
        "house": _("Reglas de la casa (si quieres cambiar algo)"),
        "open": _("Abrir mesa"),
        "enter_title": _("Entrar con código"),
        "code": _("Código de la mesa"),
        "enter": _("Entrar"),
        "your_tables": _("Tus mesas"),
        "me_title": _("Tú en esta sala"),
        "data_title": _("Tus datos"),
        "data_download": _("Descargar"),
        "data_erase": _("Borrar"),
        "home": _("Inicio"),
        "invite": _("Invita con este enlace"),
        "copy": _("Copiar enlace"),
        "copied": _("Enlace copiado."),
        "copy_by_hand": _("Copia este enlace: {link}"),
        "table": _("La mesa"),
        "picture_failed": _("No se pudo dibujar la mesa. Aquí está en palabras:"),
        "retry": _("Reintentar"),
        "in_words": _("La mesa en palabras"),
        "plays": _("Últimas jugadas"),
        "left": _("Al turno le quedan {time}"),
        "hand": _("Tu mano"),
        "your_turn": _("Tu turno"),
        "drop": _("Soltar ({count})"),
        "new": _("nueva"),
        "back0": _("dorso azul"),
        "back1": _("dorso rojo"),
        "back2": _("dorso verde"),
        "least_one": _("Elige al menos una carta."),
        "least_many": _("Elige al menos {count} cartas."),
        "most_one": _("Elige una sola carta."),
        "most_many": _("Elige {count} cartas como mucho."),
        "close": _("Volver"),
        "book": _("Reglas del Buraco"),
        "book_how": _("Busca una regla, pregunta si un juego vale o cuenta los puntos de tus juegos."),
        "book_search": _("Buscar"),
        "book_hint": _("muerto · vale 3♥ 4♥ 2♠ · puntos 3h 4h 5h"),
        "book_rules": _("Según las reglas"),
        "book_print": _("Imprimir"),
        "book_print_pdf": _("Abrir en PDF"),
        "book_print_png": _("Abrir como imagen"),
        "book_good": _("vale"),
        "book_bad": _("no vale"),
        "book_loading": _("Buscando…"),
        "book_topics": _("Todos los temas"),
        "book_elsewhere": _("Buscar una regla"),
        # What a visitor would type for these; both words are understood in every language of the book.
        "book_ask_quiz": _("prueba"),
        "book_ask_sheet": _("hoja"),
        "lesson": _("Primera partida guiada"),
        "why": _("Ver la regla"),
        "watching": _("Estás mirando esta mesa."),
        "join_title": _("Siéntate a jugar"),
        "another": _("Abrir otra mesa"),
        "loading": _("Cargando la mesa…"),
        "offline": _("Sin conexión. Reintentando…"),
        "not_sent": _("No se pudo enviar. Prueba otra vez."),
        "need_script": _("Esta sala necesita JavaScript. Actívalo y vuelve a cargar la página."),
        "not_found_title": _("Aquí no hay ninguna mesa"),
        "not_found": _("Revisa el código o el enlace: puede faltar una letra. También puedes abrir una mesa nueva."),
    }


def refused_text(t: Texts) -> str:
    """A request that did not come from a page of the room."""
    return t.gettext("Abre la sala en su propia dirección y prueba desde ahí.")


def unclear_text(t: Texts) -> str:
    """A request that cannot be read."""
    return t.gettext("No se entendió lo que envió la página. Vuelve a cargarla.")


def cookies_text(t: Texts) -> str:
    """A browser that keeps nothing, so that nobody could come back to a hand."""
    return t.gettext("Tu navegador no guarda cookies y sin ellas perderías tu mano. Actívalas para jugar.")


def no_such_rules_text(t: Texts) -> str:
    """A rule set, seating or target that is not offered."""
    return t.gettext("Esa combinación de reglas y jugadores no existe. Elige otra.")


def too_slow_text(t: Texts) -> str:
    """A page to print that is not ready in time."""
    return t.gettext("La hoja tarda demasiado. Prueba otra vez en un momento.")


def clashing_rules_text(t: Texts) -> str:
    """House rules that contradict each other or the rule set."""
    return t.gettext("Esas reglas de la casa no van juntas. Cambia alguna y prueba otra vez.")


def fault_text(t: Texts, error_id: str) -> str:
    """Something unforeseen; the number finds it in the log."""
    return t.gettext("Algo falló y no se hizo nada. Si se repite, da este número: {id}.").format(id=error_id)
