"""What can be printed of a text."""

import msgspec
import pytest

from engine.cards import Card
from render import fonts
from render.fonts import FontsMissingError, Weight, covers, font
from render.wording import printable, printable_name, printable_texts, seat_label
from tests.render import scenes


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ana", "Ana"),
        ("Joaquín Ñandú ¿sí? ¡no!", "Joaquín Ñandú ¿sí? ¡no!"),
        ("🎉 Ana 🎉", "Ana"),
        ("𝓐𝓷𝓪", "Ana"),
        ("a\n\tb", "a b"),
        ("\u202eabc\u0000", "abc"),
        ("Jose\u0301", "José"),
        ("Иван", ""),
        ("李雷", ""),
        ("R3 · a 3.000 — −115", "R3 · a 3.000 — −115"),
    ],
)
def test_printable(text: str, plain: str) -> None:
    assert printable(text) == plain


@pytest.mark.parametrize(
    ("name", "plain"), [("李雷", "J3"), ("Иван 7", "J3"), ("Ana 李", "Ana 李"[:3]), ("!", "!"), ("", "J3")]
)
def test_a_name_that_cannot_be_drawn_becomes_the_seats_label(name: str, plain: str) -> None:
    assert printable_name(name, 2) == plain


def test_the_label_stands_wherever_the_name_did() -> None:
    names = ("李雷", "李", "Ana", "Bea")
    texts = scenes.texts_of(
        names, scenes.late().view.seating, ("李雷 robó ", Card(3), " y pasó"), banner="Turno de 李雷: roba"
    )
    plain = printable_texts(texts, 4)
    assert plain.names == ("J1", "J2", "Ana", "Bea")
    assert plain.banner == "Turno de J1: roba"
    assert plain.last == ("J1 robó ", Card(3), " y pasó")
    assert plain.sides[0].title == "J1 + Ana"
    assert plain.sides[1].title == "J2 + Bea"


def test_every_seat_gets_a_name() -> None:
    texts = msgspec.structs.replace(scenes.late().texts, names=("Ana",))
    assert printable_texts(texts, 4).names == ("Ana", seat_label(1), seat_label(2), seat_label(3))


def test_coverage_of_the_font() -> None:
    assert all(covers(c) for c in "aZñÑáéíóúüÜçãõ0123456789¿¡·…—−+#€")
    assert not any(covers(c) for c in "♠♥李Жא")


def test_a_missing_font_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_PACKAGE", "no_such_font_package")
    fonts._file.cache_clear()
    try:
        with pytest.raises(FontsMissingError, match="fontpkg-barlow-semi-condensed"):
            font.__wrapped__(Weight.BOLD, 20)
    finally:
        fonts._file.cache_clear()
