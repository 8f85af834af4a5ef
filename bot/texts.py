"""Texts in the reader's language: gettext catalogues, numbers and lists.

Spanish is the source language and needs no catalogue; the others lie in ``data/locales`` and are read as they are
written (``.po``), so that there is nothing to build. A text is written as ``_("Turno de {name}").format(name=…)`` with
``_ = texts.gettext``, so that Babel finds it.
"""

import gettext
import io
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from importlib import resources
from typing import Final

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

SOURCE_LOCALE = "es"
DOMAIN = "buraco"

_REGIONS: Final = {"es_UY": "es_AR", "es_PY": "es_AR", "pt_PT": "pt_BR"}
"""Regions that read another region's catalogue."""


class Texts:
    """Everything that turns a message of the source into what a reader of one language reads."""

    def __init__(self, locale: str, catalogue: gettext.NullTranslations) -> None:
        self.locale = locale
        self._catalogue = catalogue

    def gettext(self, message: str) -> str:
        """The message in the reader's language."""
        return self._catalogue.gettext(message)

    def pgettext(self, context: str, message: str) -> str:
        """The message in the reader's language, for a word that means something else in another context."""
        return self._catalogue.pgettext(context, message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The message in the form that ``count`` asks for."""
        return self._catalogue.ngettext(one, many, count)

    def number(self, value: int) -> str:
        """An integer with the language's signs: ``1.245``, ``−60``."""
        text = _grouped(abs(value), self.locale)
        return f"−{text}" if value < 0 else text

    def signed(self, value: int) -> str:
        """An integer with its sign: ``+200``, ``−60``."""
        return f"+{self.number(value)}" if value > 0 else self.number(value)

    def listed(self, items: Sequence[str]) -> str:
        """``a, b y c``."""
        return format_list(list(items), locale=self.locale)

    def either(self, items: Sequence[str]) -> str:
        """``a, b o c``."""
        return format_list(list(items), style="or", locale=self.locale)

    def day(self, at_ms: int) -> str:
        """The day of a moment in milliseconds since the epoch, in UTC: ``3 mar 2026``."""
        return format_date(datetime.fromtimestamp(at_ms / 1000, UTC), format="medium", locale=self.locale)


@lru_cache(maxsize=4096)
def _grouped(value: int, locale: str) -> str:
    # Spanish leaves four digits ungrouped in running text; on a scoreboard the dot makes them quicker to read.
    return format_decimal(value, locale=locale, format="#,##0")


def texts(locale: str = SOURCE_LOCALE) -> Texts:
    """The texts in the language of a locale; where there is none, in the source language."""
    return _texts(language(locale))


def own_texts() -> Texts:
    """The texts in the language of whoever runs the program, as the shell's environment says."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    said = next((value for name in names if (value := os.environ.get(name, ""))), "")
    return texts(said.partition(":")[0].partition(".")[0])


@lru_cache(maxsize=32)
def _texts(known: str) -> Texts:
    return Texts(known, _catalogue(known))


def _catalogue(known: str) -> gettext.NullTranslations:
    """The catalogue of a language. What it does not say its parent says, and in the end the source."""
    if known == SOURCE_LOCALE:
        return gettext.NullTranslations()
    file = resources.files("data") / "locales" / known / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = io.BytesIO()
    with file.open("rb") as stream:
        write_mo(compiled, read_po(stream, locale=known))
    compiled.seek(0)
    found = gettext.GNUTranslations(compiled)
    found.add_fallback(_catalogue(parent(known)))
    return found


def parent(locale: str) -> str:
    """The language in which something is said that this one does not say itself: of ``es_AR`` Spanish."""
    wide = locale.partition("_")[0]
    return wide if wide != locale and wide in languages() else SOURCE_LOCALE


@lru_cache(maxsize=256)
def language(locale: str) -> str:
    """The language among those that there are in which somebody with this locale (``pt-BR``) is answered.

    A region without a catalogue reads its language's, and where that has none, another region's.
    """
    name, *rest = locale.replace("-", "_").split("_")
    region = next((part.upper() for part in rest if len(part) == 2), "")
    name, exact = name.lower(), f"{name.lower()}_{region}"
    there = languages()
    likely = (exact, _REGIONS.get(exact, ""), name)
    regional = (known for known in there if known.startswith(f"{name}_"))
    return next((known for known in (*likely, *regional) if known in there), SOURCE_LOCALE)


def is_spoken(locale: str) -> bool:
    """Whether there is the language of a locale, be it the source's."""
    name = locale.replace("-", "_").partition("_")[0].lower()
    return any(known.partition("_")[0] == name for known in languages())


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The source language and those that have a catalogue, the source first."""
    folder = resources.files("data") / "locales"
    found = (entry.name for entry in folder.iterdir() if (entry / "LC_MESSAGES" / f"{DOMAIN}.po").is_file())
    return (SOURCE_LOCALE, *sorted(found))


def own_name(locale: str) -> str:
    """What a language calls itself: ``Português (Brasil)``."""
    name = Locale.parse(locale).get_display_name() or locale
    return name[:1].upper() + name[1:]
