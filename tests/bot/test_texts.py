"""Texts: the source language's numbers and plurals, unknown locales, and the catalogue for translators."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.catalogues import TEMPLATE, template
from bot.texts import texts


def test_the_catalogue_template_is_current() -> None:
    assert TEMPLATE.read_bytes() == template(), "run python -m bot.catalogues"


def test_numbers_are_written_as_in_spanish() -> None:
    t = texts()
    assert [t.number(n) for n in (0, 7, 999, 1245, 3000, 1234567)] == ["0", "7", "999", "1.245", "3.000", "1.234.567"]
    assert [t.number(-60), t.number(-1245)] == ["−60", "−1.245"]
    assert [t.signed(n) for n in (200, -60, 0, 1245)] == ["+200", "−60", "0", "+1.245"]


def test_plurals_and_lists_are_spanish() -> None:
    t = texts("es")
    told = [t.ngettext("{count} carta", "{count} cartas", n).format(count=n) for n in (0, 1, 2, 11)]
    assert told == ["0 cartas", "1 carta", "2 cartas", "11 cartas"]
    assert t.listed(["a", "b", "c"]) == "a, b y c"
    assert t.listed(["a"]) == "a"
    assert t.listed([]) == ""


@pytest.mark.parametrize("locale", ["", "xx", "es--x", "../../etc", "🙂", "x" * 300, "no such thing", "123", "_", "-"])
def test_an_unknown_locale_is_read_as_spanish(locale: str) -> None:
    assert texts(locale).gettext("Robar") == "Robar"
    assert texts(locale).locale == "es"


@given(st.text(max_size=12))
def test_no_locale_breaks_anything(locale: str) -> None:
    assert texts(locale).number(1245)


def test_regions_are_read_as_their_language() -> None:
    assert texts("es-419").gettext("Robar") == "Robar"
    assert texts("es-MX").number(1245) == "1.245"
