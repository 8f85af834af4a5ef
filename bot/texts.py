"""Texts in the reader's language: gettext catalogues, numbers and lists.

Spanish is the source language and needs no catalogue; the others lie in ``data/locales``. A text is written as
``_("Turno de {name}").format(name=…)`` with ``_ = texts.gettext``, so that Babel finds it.
"""

import gettext
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from importlib import resources
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

SOURCE_LOCALE = "es"
DOMAIN = "buraco"


class Texts:
    """Everything that turns a message of the source into what a reader of one language reads."""

    def __init__(self, locale: str, catalogue: gettext.NullTranslations) -> None:
        self.locale = locale
        self._catalogue = catalogue

    def gettext(self, message: str) -> str:
        """The message in the reader's language."""
        return self._catalogue.gettext(message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The message in the form that ``count`` asks for."""
        return self._catalogue.ngettext(one, many, count)

    def number(self, value: int) -> str:
        """An integer with the language's signs: ``1.245``, ``−60``."""
        # Spanish leaves four digits ungrouped in running text; on a scoreboard the dot makes them quicker to read.
        text = format_decimal(abs(value), locale=self.locale, format="#,##0")
        return f"−{text}" if value < 0 else text

    def signed(self, value: int) -> str:
        """An integer with its sign: ``+200``, ``−60``."""
        return f"+{self.number(value)}" if value > 0 else self.number(value)

    def listed(self, items: Sequence[str]) -> str:
        """``a, b y c``."""
        return format_list(list(items), locale=self.locale)

    def day(self, at_ms: int) -> str:
        """The day of a moment in milliseconds since the epoch, in UTC: ``3 mar 2026``."""
        return format_date(datetime.fromtimestamp(at_ms / 1000, UTC), format="medium", locale=self.locale)


@lru_cache(maxsize=32)
def texts(locale: str = SOURCE_LOCALE) -> Texts:
    """The texts of a locale; an unknown one falls back to the source language."""
    try:
        known = str(Locale.parse(locale, sep="-" if "-" in locale else "_"))
    except (ValueError, UnknownLocaleError):
        known = SOURCE_LOCALE
    with resources.as_file(resources.files("data") / "locales") as folder:
        found = gettext.translation(DOMAIN, localedir=Path(folder), languages=[known], fallback=True)
    return Texts(known, found)


def language(locale: str) -> str:
    """The language among those that there are in which somebody with this locale (``pt-BR``) is answered."""
    wanted = locale.replace("-", "_")
    there = _languages()
    return next((name for name in (wanted, wanted.partition("_")[0]) if name in there), SOURCE_LOCALE)


@lru_cache(maxsize=1)
def _languages() -> frozenset[str]:
    """The source language and those that have a catalogue."""
    with resources.as_file(resources.files("data") / "locales") as folder:
        found = {path.parts[-3] for path in Path(folder).glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return frozenset({SOURCE_LOCALE, *found})
