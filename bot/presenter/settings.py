"""The screen of a person's own settings: what is chosen stands out, everything else is a tap away."""

from collections.abc import Mapping
from typing import Final

from bot.model import Person
from bot.presenter.buttons import choice
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts, languages, own_name
from bot.tokens import NO_TABLE, Verb

AS_APP: Final = "app"
"""Instead of a language: the one that the person's app is in."""
_LANGUAGES_A_ROW: Final = 3


def own_settings_screen(t: Texts, person: Person) -> Screen:
    """What a person has settled for themselves, on all platforms where they are the same person."""
    _ = t.gettext
    order = {"suit": _("por palo"), "rank": _("por valor")}
    colours = {"four": _("en cuatro colores"), "two": _("en dos colores")}
    notices = {
        "all": _("en cada turno tuyo"),
        "late": _("solo si se te acaba el tiempo"),
        "none": _("nunca"),
    }
    cautions = {
        "always": _("siempre"),
        "grave": _("solo si no se puede deshacer"),
        "never": _("nunca"),
    }
    lines = (
        _("Idioma: {language}.").format(language=own_name(person.language or t.locale)),
        _("Tu mano se ordena {order}, con los palos {colours}.").format(
            order=order[person.hand_order], colours=colours[person.suit_colours]
        ),
        _("Te aviso con un mensaje: {when}.").format(when=notices[person.notices]),
        _("Te pregunto antes de una jugada dudosa, como ensuciar una canasta: {when}.").format(
            when=cautions[person.cautions]
        ),
    )
    rows = (
        _row("o", person.hand_order, {"suit": _("Por palo"), "rank": _("Por valor")}),
        _row("c", person.suit_colours, {"four": _("Cuatro colores"), "two": _("Dos colores")}),
        _row(
            "n",
            person.notices,
            {"all": _("Avisar siempre"), "late": _("Solo sin tiempo"), "none": _("No avisar")},
        ),
        _row(
            "w",
            person.cautions,
            {"always": _("Preguntar siempre"), "grave": _("Solo lo grave"), "never": _("No preguntar")},
        ),
        *_language_rows(t, person),
    )
    return Screen(
        role=Role.READING,
        table_id="",
        version=0,
        title=_("Tus ajustes"),
        lines=lines,
        alternative="\n".join(lines),
        rows=rows,
    )


def language_mark(locale: str) -> str:
    """A language as a token can carry it, in letters alone: ``ptbr``."""
    return locale.replace("_", "").lower()


def _language_rows(t: Texts, person: Person) -> tuple[tuple[Choice, ...], ...]:
    names = {AS_APP: t.gettext("El de mi app"), **{language_mark(locale): own_name(locale) for locale in languages()}}
    buttons = _row("l", language_mark(person.language) or AS_APP, names)
    return tuple(buttons[at : at + _LANGUAGES_A_ROW] for at in range(0, len(buttons), _LANGUAGES_A_ROW))


def _row(which: str, chosen: str, labels: Mapping[str, str]) -> tuple[Choice, ...]:
    return tuple(
        choice(
            f"✓ {label}" if value == chosen else label,
            NO_TABLE,
            0,
            Verb.SETTINGS,
            which,
            value,
            style=Style.PRIMARY if value == chosen else Style.PLAIN,
        )
        for value, label in labels.items()
    )


def settings_button(t: Texts) -> Choice:
    """The way to one's own settings."""
    return choice(t.gettext("Mis ajustes"), NO_TABLE, 0, Verb.SETTINGS)
