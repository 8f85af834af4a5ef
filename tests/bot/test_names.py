"""Names: whatever somebody calls themselves, it is safe to draw, to print and to send."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.names import LONGEST, safe_name, unused_name

NASTY = {
    "Ana": "Ana",
    "  Ana   María  ": "Ana María",
    "Ñandú": "Ñandú",
    "N\u0303andu": "Ñandu",
    "Zoë Müller": "Zoë Müller",
    "Владимир": "Владимир",
    "小林": "小林",
    "O'Brien": "O'Brien",
    "Jean-Luc": "Jean-Luc",
    "@everyone": "everyone",
    "@here": "here",
    "<@1234>": "1234",
    "<@&role>": "&role",
    "<#123>": "123",
    "<t:0:R>": "t:0:R",
    "https://evil.example/x": "https: evil. example",
    ":<//evil.example": ": evil. example",
    "t.me/evil": "t. me evil",
    "evil.com": "evil. com",
    "J.R. Hartley": "J.R. Hartley",
    "[pulsa](http://x.yz)": "pulsa(http: x. yz)",
    "**fuerte**": "fuerte",
    "__bajo__": "bajo",
    "~~tachado~~": "tachado",
    "||oculto||": "oculto",
    "`código`": "código",
    "# Título": "Título",
    "/start": "start",
    "#4": "4",
    "\\n": "n",
    "<b>Ana</b>": "bAna b",
    "Ana\nLuis": "Ana Luis",
    "Ana\r\n\tLuis": "Ana Luis",
    "Ana\u2028Luis": "Ana Luis",
    "\u202eanA": "anA",
    "a\u200bn\u200da": "ana",
    "\u2067Ana\u2069": "Ana",
    "\ufeffAna": "Ana",
    "Z\u0300\u0301\u0302\u0303\u0304\u0305algo": "Z\u0300\u0301algo",
    "🂡🂡": "🂡🂡",
    "👩‍👩‍👧": "👩👩👧",
    "\x00Ana\x07\x1b[31m": "Ana31m",
    "{name}": "{name}",
    "%s %(x)s": "%s %(x)s",
    "'); DROP TABLE people": "'); DROP TABLE peopl",
    "": "",
    "   ": "",
    "\u3164": "",
    "\u2800\u115f": "",
    "@@@": "",
    "a" * 400: "a" * 20,
}


@pytest.mark.parametrize("text", NASTY)
def test_nasty_names_are_made_safe(text: str) -> None:
    assert safe_name(text) == NASTY[text]


def test_a_name_that_leaves_nothing_gets_another() -> None:
    assert safe_name("\u3164", "Jugador") == "Jugador"


@given(st.text(max_size=60))
def test_every_name_is_short_and_harmless_and_stays_as_it_is(text: str) -> None:
    name = safe_name(text)
    assert len(name) <= LONGEST
    assert name == name.strip()
    assert not set(name) & set("@<>`*#~\\[]_|/\n\r\t")
    assert not any(unicodedata.category(character).startswith("C") for character in name)
    assert "://" not in name
    assert safe_name(name) == name


@given(st.lists(st.text(min_size=1, max_size=30).map(lambda text: safe_name(text, "Jugador")), max_size=8))
def test_names_at_a_table_are_unique(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        taken.append(unused_name(name, taken))
    assert len({name.casefold() for name in taken}) == len(taken)
    assert all(len(name) <= LONGEST for name in taken)


def test_the_second_of_a_name_gets_a_number() -> None:
    assert unused_name("Ana", ["ANA", "Ana 2"]) == "Ana 3"
    assert unused_name("Ana", ["Luis"]) == "Ana"
    assert unused_name("a" * 20, ["a" * 20]) == "a" * 17 + " 2"
