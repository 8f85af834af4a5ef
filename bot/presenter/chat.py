"""Words of the chat platforms around the screens: pickers, places, rights, and whom a notice calls."""

from collections.abc import Sequence

import msgspec

from bot.presenter.words import face_sign
from bot.screens import CardOption, Screen
from bot.texts import Texts
from engine.cards import parse_face

RIGHTS = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "attach_files",
    "create_public_threads",
    "use_external_emojis",
    "read_message_history",
)
"""What a bot may need to be allowed in a place."""


def pick_placeholder(t: Texts, first: CardOption, last: CardOption) -> str:
    """What stands in an empty picker of some of the cards: ``Elige cartas: 3♠ … K♥``."""
    _ = t.gettext
    if first == last:
        return _("Elige cartas: {first}").format(first=card_sign(t, first))
    return _("Elige cartas: {first} … {last}").format(first=card_sign(t, first), last=card_sign(t, last))


def discard_placeholder(t: Texts) -> str:
    """What stands in the picker that discards at once."""
    return t.gettext("Descartar y terminar…")


def card_sign(t: Texts, option: CardOption) -> str:
    """A card of a picker in signs: ``7♥``."""
    return face_sign(t, parse_face(option.code))


def card_note(t: Texts, option: CardOption) -> str:
    """What tells a card of a picker from its twin: that it is new, and its back."""
    _ = t.gettext
    back = (_("dorso azul"), _("dorso rojo"), _("dorso verde"))[option.back]
    return _("nueva, {back}").format(back=back) if option.new else back


def picked_line(t: Texts, options: Sequence[CardOption]) -> str:
    """Which cards are picked; empty where none is."""
    if not options:
        return ""
    return t.gettext("Elegidas: {cards}").format(cards=" ".join(card_sign(t, option) for option in options))


def counted(label: str, count: int) -> str:
    """A button's label with the number of picked cards."""
    return f"{label} ({count})" if count else label


def right_name(t: Texts, right: str) -> str:
    """What the platform calls a right."""
    _ = t.gettext
    return {
        "view_channel": _("Ver canal"),
        "send_messages": _("Enviar mensajes"),
        "send_messages_in_threads": _("Enviar mensajes en hilos"),
        "attach_files": _("Adjuntar archivos"),
        "create_public_threads": _("Crear hilos públicos"),
        "use_external_emojis": _("Usar emojis externos"),
        "read_message_history": _("Leer el historial de mensajes"),
    }[right]


def rights_missing_text(t: Texts, rights: Sequence[str]) -> str:
    """Which rights the bot lacks in a place, so that somebody can give them."""
    _ = t.gettext
    names = t.listed([f"«{right_name(t, right)}»" for right in rights])
    return _("En este canal me falta permiso para jugar: {rights}. Pide a quien administra que me lo dé.").format(
        rights=names
    )


def no_board_text(t: Texts) -> str:
    """A table that cannot be shown in its place just now."""
    return t.gettext("No puedo mostrar la mesa en ese canal ahora, pero la partida sigue: juega desde aquí.")


def no_sheet_text(t: Texts) -> str:
    """The page to print could not be made."""
    return t.gettext("No pude preparar la hoja ahora. Prueba otra vez en un momento.")


def in_thread_text(t: Texts, name: str, where: str) -> str:
    """A table was opened in a thread of its own; ``where`` is the platform's link to it."""
    return t.gettext("{name} se juega en {where}.").format(name=name, where=where)


def only_here_text(t: Texts) -> str:
    """A table for many was asked for where only one person sees the bot."""
    _ = t.gettext
    return _("Para jugar en un servidor, alguien que lo administre tiene que invitar a Buraco.")


def called_text(t: Texts, mentions: Sequence[str], told: str) -> str:
    """A notice to some people: ``@Ana, te toca.``"""
    return t.gettext("{people}: {told}").format(people=t.listed(list(mentions)), told=told)


def closed_board_text(t: Texts) -> str:
    """What is left of a table's older message."""
    return t.gettext("La mesa sigue más abajo.")


def nameless(t: Texts, screen: Screen) -> Screen:
    """A table's public screen without a word that people made up, for places whose word filter takes offence at one.

    Its call stays: it pings people by their accounts.
    """
    told = t.gettext("El filtro de palabras de este servidor no deja mostrar los nombres. La partida sigue igual.")
    return msgspec.structs.replace(screen, title="Buraco", lines=(told,), alternative="")
