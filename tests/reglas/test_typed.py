"""Cards as people type them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reglas.typed import UnreadCards, dealt, read_cards
from engine.cards import FACE, FACE_CODE


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("3♥ 4♥ 2♠", "3h 4h 2s"),
        ("3h, 4h; 5h", "3h 4h 5h"),
        ("10 de trébol J trebol Q de treboles", "Tc Jc Qc"),
        ("As 2s 3s", "As 2s 3s"),
        ("as de picas, joker, 3 de picas", "As JK 3s"),
        ("AS DE CORAZONES rey corazones dama de diamantes", "Ah Kh Qd"),
        ("10♣️ 10c Tc 10t", "Tc Tc Tc Tc"),
        ("2s=5h JK=Kd", "2s=5h JK=Kd"),
        ("fante di cuori 7 copas valete de ouros", "Jh 7h Jd"),
        ("queen of spades 9 hearts", "Qs 9h"),
        ("comodín", "JK"),
        ("3♥4♥10♣", "3h 4h Tc"),
        ("", ""),
        ("3 4 5", None),
        ("hola", None),
        ("11h", "Jh"),
        ("3x", None),
        ("10 ♥", "Th"),
    ],
)
def test_usual_ways_of_writing_cards(typed: str, read: str | None) -> None:
    if read is None:
        with pytest.raises(UnreadCards):
            read_cards(typed)
    else:
        assert read_cards(typed) == read.split()


@given(st.lists(st.sampled_from(FACE_CODE), max_size=30))
def test_the_notation_is_always_understood(codes: list[str]) -> None:
    assert read_cards(" ".join(codes)) == codes


@given(st.text(max_size=80))
def test_nothing_else_than_cards_or_a_refusal_comes_of_any_text(text: str) -> None:
    cards: list[str] = []
    with suppress(UnreadCards):
        cards = read_cards(text)
    assert all(card.partition("=")[0] in FACE_CODE for card in cards)


def test_each_card_is_dealt_once() -> None:
    cards = dealt(["7h", "7h", "7h", *["JK"] * 6])
    assert len(set(cards)) == 9
    assert [FACE_CODE[FACE[card]] for card in cards] == ["7h"] * 3 + ["JK"] * 6
    for codes in (["7h"] * 4, ["JK"] * 7):
        with pytest.raises(UnreadCards):
            dealt(codes)


def test_endless_rows_are_refused() -> None:
    with pytest.raises(UnreadCards):
        read_cards("7h " * 1000)
