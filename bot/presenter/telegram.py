"""Words that only a chat with deep links, inline buttons and a private side needs."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from bot.commands import default_rules, fold, matching_rulesets
from bot.model import Pace, Person, PlaceSettings
from bot.presenter.commands import pace_options, rows_of_help, seating_options, settings_screen
from bot.presenter.words import face_sign
from bot.screens import CardOption
from bot.texts import Texts, languages, own_name, texts
from engine.cards import JOKER, parse_face

OFF = "🔒"
"""Before the label of a button that does nothing now: it answers why."""
PICKED = "✓"
"""Before a card that is picked."""

COMMANDS = (
    "buraco",
    "unirse",
    "mano",
    "mesa",
    "mistandas",
    "abiertas",
    "salir",
    "reglas",
    "perfil",
    "historial",
    "ranking",
    "monedas",
    "ajustes",
    "terminar",
    "mis_datos",
    "borrar_mis_datos",
)
"""What can be typed, in the order of the list that the chat shows."""
COMMAND_WORDS = {
    **{name: name for name in COMMANDS},
    "start": "start",
    **dict.fromkeys(("help", "ayuda", "ajuda", "aiuto"), "ayuda"),
    **dict.fromkeys(("rules", "regras", "regole"), "reglas"),
    **dict.fromkeys(("join", "entrar", "entra", "unisciti"), "unirse"),
    **dict.fromkeys(("hand", "mao"), "mano"),
    **dict.fromkeys(("table", "tavolo"), "mesa"),
    **dict.fromkeys(("mytables", "minhasmesas", "mieitavoli"), "mistandas"),
    **dict.fromkeys(("open", "abertas", "aperti"), "abiertas"),
    **dict.fromkeys(("leave", "sair", "esci"), "salir"),
    **dict.fromkeys(("end", "encerrar", "termina"), "terminar"),
    **dict.fromkeys(("settings", "configuracoes", "config", "impostazioni"), "ajustes"),
    **dict.fromkeys(("profile", "profilo"), "perfil"),
    **dict.fromkeys(("history", "historico", "storico"), "historial"),
    **dict.fromkeys(("classifica", "classificacao"), "ranking"),
    **dict.fromkeys(("coins", "moedas", "monete"), "monedas"),
    **dict.fromkeys(("mydata", "meus_dados", "my_data", "miei_dati"), "mis_datos"),
    **dict.fromkeys(("apagar_meus_dados", "erase_my_data", "cancella_miei_dati"), "borrar_mis_datos"),
    # for administrators, behind /buraco
    "bloquear": "bloquear",
    "block": "bloquear",
    "desbloquear": "desbloquear",
    "unblock": "desbloquear",
    "bloqueados": "bloqueados",
    "blocked": "bloqueados",
}
"""What a typed command means beside the names that the catalogues give it."""
_COMMON: Final = frozenset({"en"})
"""Languages whose words are commands of other bots too."""


@lru_cache(maxsize=1)
def command_words() -> Mapping[str, str]:
    """What a typed command means, whatever language its name is taken from."""
    said = {command_name(texts(locale), name): name for locale in languages() for name in COMMANDS}
    return {**said, **COMMAND_WORDS}


@lru_cache(maxsize=1)
def own_commands() -> frozenset[str]:
    """The names that are this bot's alone, so that they count in a group although the bot is not named."""
    spoken = [locale for locale in languages() if locale not in _COMMON]
    return frozenset(command_name(texts(locale), name) for locale in spoken for name in COMMANDS)


def command_name(t: Texts, command: str) -> str:
    """A command in a language as Telegram takes it: small letters without accents, and no hyphens."""
    return fold(t.pgettext("command", command)).replace("-", "_")


NEW_WORDS = frozenset({"new", "nueva", "nuevo", "nova", "nuova"})
"""Words that only say that a table is wanted."""


def command_list(t: Texts, *, group: bool, admin: bool) -> tuple[tuple[str, str], ...]:
    """The commands of a chat with what they do; administrators of a group have more."""
    _ = t.gettext
    told = {
        "buraco": _("Abrir una mesa"),
        "unirse": _("Sentarte en una mesa por su código"),
        "mano": _("Tus cartas, en tu chat privado"),
        "mesa": _("La mesa, otra vez aquí abajo"),
        "mistandas": _("Tus mesas, y dónde te toca"),
        "abiertas": _("Mesas que esperan gente"),
        "salir": _("Dejar la mesa"),
        "reglas": _("Cómo se juega"),
        "perfil": _("Tu perfil; en respuesta a alguien, el suyo"),
        "historial": _("Tus partidas terminadas"),
        "ranking": _("Quiénes ganan más en este grupo"),
        "monedas": _("Tus monedas en este grupo, y las de hoy"),
        "ajustes": _("Tus preferencias y las del grupo"),
        "terminar": _("Terminar la mesa de este grupo"),
        "mis_datos": _("Todo lo que Buraco guarda de ti"),
        "borrar_mis_datos": _("Borrar todo lo que Buraco guarda de ti"),
    }
    hidden = {"terminar"} if group and not admin else set()
    return tuple((command_name(t, name), told[name]) for name in COMMANDS if name not in hidden)


def about_texts(t: Texts) -> tuple[str, str]:
    """What the bot is, at length for the empty chat and in one line for its profile."""
    _ = t.gettext
    return (
        _("Juega al Buraco en tus grupos: la mesa en el grupo, tus cartas aquí, en privado. También contra robots."),
        _("Buraco en grupos y en privado, con gente o con robots."),
    )


def card_label(t: Texts, card: CardOption, *, picked: bool) -> str:
    """A card on a button."""
    face = parse_face(card.code)
    sign = t.gettext("JKR") if face == JOKER else face_sign(t, face)
    if picked:
        return f"{PICKED}{sign}"
    return f"{sign}•" if card.new else sign


def page_label(number: int, pages: int) -> str:
    """Which page of the cards is shown."""
    return f"{number + 1}/{pages}"


def pick_more_text(t: Texts, label: str, least: int) -> str:
    """A verb was pressed with too few cards picked."""
    told = t.ngettext(
        "«{verb}»: primero toca la carta.", "«{verb}»: primero toca al menos {count} cartas.", max(least, 1)
    )
    return told.format(verb=label, count=least)


def pick_fewer_text(t: Texts, label: str, most: int) -> str:
    """A verb was pressed with too many cards picked."""
    told = t.ngettext("«{verb}»: elige solo una carta.", "«{verb}»: elige como mucho {count} cartas.", most)
    return told.format(verb=label, count=most)


def out_of_reach_line(t: Texts, names: Sequence[str]) -> str:
    """Who cannot be sent their cards, and what to do."""
    told = t.ngettext(
        "⚠ {names} no puede recibir sus cartas: que abra el chat privado con el botón y toque «Iniciar».",
        "⚠ {names} no pueden recibir sus cartas: que abran el chat privado con el botón y toquen «Iniciar».",
        len(names),
    )
    return told.format(names=t.listed(names))


def open_chat_label(t: Texts) -> str:
    """The button that opens the private chat."""
    return t.gettext("Abrir chat privado")


def seat_link_label(t: Texts, side: int | None) -> str:
    """The button that sits down and opens the private chat in one."""
    _ = t.gettext
    if side is None:
        return _("Sentarme y abrir el chat privado")
    return _("Pareja {number}, con chat privado").format(number=side + 1)


def in_private_text(t: Texts) -> str:
    """What was asked for is in the private chat."""
    return t.gettext("Lo tienes en tu chat privado.")


def hand_in_private_text(t: Texts) -> str:
    """The hand is in the private chat."""
    return t.gettext("Tu mano está en tu chat privado.")


def start_me_text(t: Texts) -> str:
    """Somebody to whom nothing can be sent asks for something private."""
    return t.gettext("Todavía no puedo escribirte: abre el chat privado con el botón y toca «Iniciar».")


def who_text(t: Texts) -> str:
    """Somebody writes in the name of a group or channel."""
    return t.gettext("Escribes como grupo, y así no sé quién eres. Escribe con tu cuenta para jugar.")


def welcome_lines(t: Texts) -> tuple[str, ...]:
    """What somebody reads who comes to the private chat for the first time."""
    _ = t.gettext
    return (
        _("¡Hola! Aquí recibes tus cartas cuando juegas en un grupo, y aquí puedes jugar contra robots."),
        *rows_of_help(t),
    )


def welcome_title(t: Texts) -> str:
    """The heading of the welcome."""
    return t.gettext("Buraco")


def close_label(t: Texts) -> str:
    """The button that takes a message away."""
    return t.gettext("Cerrar")


def modes_title(t: Texts) -> str:
    """Asked where a table is wanted without saying which."""
    return t.gettext("¿Qué mesa abrimos?")


def modes_line(t: Texts, settings: PlaceSettings) -> str:
    """What is played if one of the modes is pressed, and how to ask for something else."""
    _ = t.gettext
    told = _("Se juega {rules}. Para otra cosa, escribe por ejemplo «/buraco nueva 2v2 cerrado 2000 rápido».")
    return told.format(rules=default_rules(settings).name)


def mode_options(t: Texts, settings: PlaceSettings) -> tuple[tuple[str, str], ...]:
    """The seatings that the place's rule set can be played in: value and label."""
    allowed = {seating.value for seating in default_rules(settings).seatings}
    return tuple(option for option in seating_options(t) if option[0] in allowed)


def invite_text(t: Texts, link: str) -> str:
    """Whom a private table is for, the link leads to a seat."""
    return t.gettext("Quien abra este enlace se sienta: {link}").format(link=link)


def other_topic_text(t: Texts) -> str:
    """A table was asked for outside the topic that the group has for tables."""
    return t.gettext("En este grupo las mesas se abren en otro tema.")


def group_settings(t: Texts, place: PlaceSettings, topic: str) -> tuple[tuple[str, str], ...]:
    """What a group can switch, each with what it says if pressed: ``p:0`` for no pings, ``t:<topic>`` and so on.

    ``topic`` is where the settings are shown.
    """
    _ = t.gettext
    pings = ("p:0", _("No llamar por su nombre")) if place.pings else ("p:1", _("Llamar a quien le toca"))
    coins = ("c:0", _("Sin mesas por monedas")) if place.coins else ("c:1", _("Permitir mesas por monedas"))
    cutting = ("k:0", _("Mesas sin corte")) if place.cutting else ("k:1", _("Mesas con corte"))
    here = ("t:", _("Mesas en cualquier tema")) if place.channel else (f"t:{topic}", _("Mesas solo en este tema"))
    return pings, coins, cutting, here


def group_languages(t: Texts, place: PlaceSettings) -> tuple[tuple[str, str, bool], ...]:
    """Languages that a group can choose for its tables: value, label, and whether it is the present one."""
    names = {"": t.gettext("Idioma de quien abre"), **{locale: own_name(locale) for locale in languages()}}
    return tuple((locale, name, locale == place.locale) for locale, name in names.items())


def topic_name(t: Texts, place: PlaceSettings, topic: str) -> str:
    """What the one topic for tables is called; empty where there is none."""
    _ = t.gettext
    if not place.channel:
        return ""
    return _("este tema") if place.channel == topic else _("otro tema")


def code_needed_text(t: Texts) -> str:
    """A seat was asked for without saying at which table."""
    return t.gettext("¿En qué mesa? Escribe su código, por ejemplo «/unirse ABC234».")


def no_such_rules_text(t: Texts, text: str) -> str:
    """A rule set was asked for that there is not."""
    known = ", ".join(rules.name for rules in matching_rulesets(""))
    return t.gettext("No conozco «{text}». Hay: {names}.").format(text=text[:40], names=known)


def settings_lines(t: Texts, person: Person, place: PlaceSettings | None, topic: str = "") -> tuple[str, ...]:
    """What the person and the group have settled, as it is shown in a topic."""
    channel = "" if place is None else topic_name(t, place, topic)
    return settings_screen(t, person, place, has_threads=False, channel=channel).lines


def settings_title(t: Texts) -> str:
    """The heading of the settings."""
    return t.gettext("Ajustes")


def pace_settings(t: Texts, place: PlaceSettings) -> tuple[tuple[str, str, bool], ...]:
    """Paces that a group can choose: value, label, and whether it is the present one."""
    return tuple((value, label, Pace(value) is place.pace) for value, label in pace_options(t))


def nothing_to_leave_text(t: Texts) -> str:
    """Somebody wants to leave who sits nowhere."""
    return t.gettext("No estás en ninguna mesa.")


def no_sheet_text(t: Texts) -> str:
    """The page to print could not be made."""
    return t.gettext("No pude preparar la hoja ahora. Prueba otra vez en un momento.")
