"""Screens as keyboards and texts: whatever the hand and the names, nothing gets longer than Telegram takes."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import InlineKeyboardMarkup

from adapters.telegram import data
from adapters.telegram.data import DataError, Kind
from adapters.telegram.keyboard import bits_of, choice_rows, hand_rows, keyboard
from adapters.telegram.limits import BUTTONS, BUTTONS_A_ROW, CAPTION, DATA_BYTES, TEXT
from adapters.telegram.markup import cut, escaped, mention, pages, titled, units
from adapters.telegram.typed import command_of
from bot.screens import CardOption, CardPicker, Choice, PickVerb, Role, Screen
from bot.texts import texts
from bot.tokens import Intent, Verb, cards_of, read_token, write_token
from engine.cards import BACK, CODE, Card
from tests.telegram.fake.markup import parse_html

T = texts()
TABLE = "zzzzzzzzzz"
VERSION = 36**4 - 1


def picker(cards: list[int], *, enabled: bool = True) -> CardPicker:
    """A hand's picker with the three verbs of a turn."""
    held = [Card(card) for card in sorted(cards)]
    options = tuple(CardOption(bit, CODE[card], "", 0, BACK[card], new=bit == 3) for bit, card in enumerate(held))
    why = "" if enabled else "Es el turno de Ana."
    verbs = tuple(
        PickVerb(label, write_token(Intent(TABLE, VERSION, verb)), least, most, enabled=enabled, why=why)
        for label, verb, least, most in (
            ("Bajar", Verb.MELD, 3, 60),
            ("Agregar", Verb.ADD_SOMEWHERE, 1, 60),
            ("Tomar el pozo y agregar", Verb.PILE_ADD, 0, 60),
            ("Descartar", Verb.DISCARD, 1, 1),
        )
    )
    return CardPicker(options, verbs)


def hand_screen(cards: list[int], ideas: int = 0, *, enabled: bool = True) -> Screen:
    """A hand."""
    rows = tuple(
        (Choice(f"Bajar {number} Q♠Q♦Q♣", write_token(Intent(TABLE, VERSION, Verb.MELD, ("zzzzzzzzzzzz", "JK5h")))),)
        for number in range(ideas)
    )
    foot = (
        Choice("Deshacer: bajar Q♠Q♦Q♣", write_token(Intent(TABLE, VERSION, Verb.UNDO))),
        Choice("Terminar el turno", write_token(Intent(TABLE, VERSION, Verb.END))),
        Choice("Ordenar por valor", write_token(Intent(TABLE, VERSION, Verb.SORT, ("rank",)))),
    )
    return Screen(Role.HAND, TABLE, VERSION, "Mesa", rows=(*rows, foot), picker=picker(cards, enabled=enabled))


def check(markup: InlineKeyboardMarkup | None) -> list[str]:
    """A keyboard within the limits; its data."""
    assert markup is not None
    found = []
    assert sum(len(row) for row in markup.inline_keyboard) <= BUTTONS
    for row in markup.inline_keyboard:
        assert 1 <= len(row) <= BUTTONS_A_ROW
        for item in row:
            assert item.text.strip()
            assert isinstance(item.callback_data, str)
            assert 1 <= len(item.callback_data.encode()) <= DATA_BYTES
            found.append(item.callback_data)
    return found


hands = st.lists(st.integers(0, 107), max_size=60, unique=True)


@given(cards=hands, mask=st.integers(0, 2**64), page=st.integers(0, 5), ideas=st.integers(0, 12), enabled=st.booleans())
def test_hands_of_any_size_fit(cards: list[int], mask: int, page: int, ideas: int, enabled: bool) -> None:
    screen = hand_screen(cards, ideas, enabled=enabled)
    assert screen.picker is not None
    mask &= bits_of(screen.picker)
    found = check(keyboard(hand_rows(T, screen, mask, page)))
    assert len(set(found)) == len(found) - max(0, ideas - 1)
    for told in found:
        if not data.is_token(told):
            assert data.read(told).kind in Kind
            assert data.table_of(told) == TABLE
            continue
        intent = read_token(told)
        if intent.verb in (Verb.ADD_SOMEWHERE, Verb.DISCARD, Verb.PILE_ADD) and intent.arguments:
            picked = cards_of(tuple(Card(card) for card in sorted(cards)), intent.arguments[0])
            assert len(picked) == mask.bit_count()


@given(cards=st.lists(st.integers(0, 107), min_size=1, max_size=60, unique=True))
def test_every_card_is_on_exactly_one_page(cards: list[int]) -> None:
    screen = hand_screen(cards)
    bits: list[int] = []
    for page in range(-(-len(cards) // 24)):
        found = check(keyboard(hand_rows(T, screen, 0, page)))
        bits += [data.read(told).number(4) for told in found if told.startswith("s:")]
    assert sorted(bits) == list(range(len(cards)))


def test_rows_of_long_labels_are_broken() -> None:
    screen = hand_screen([1, 2, 3])
    rows = choice_rows(screen.rows)
    assert [len(row) for row in rows] == [1, 2]
    assert [
        len(row) for row in choice_rows([[Choice(label, "1:a:0:dr") for label in ("Últimas jugadas", "Reglas", "⋯")]])
    ] == [1, 2]
    short = choice_rows([[Choice(label, "1:a:0:dr") for label in ("Robar", "Pozo", "Mi mano")]])
    assert [len(row) for row in short] == [3]


@given(title=st.text(max_size=300), lines=st.lists(st.text(max_size=400), max_size=12))
def test_captions_and_texts_fit_whatever_is_in_them(title: str, lines: list[str]) -> None:
    title = title.strip() or "x"
    for most in (CAPTION, TEXT):
        body = parse_html(titled(title, lines, most))
        assert units(body.text) <= most
    for page in pages(title, lines):
        assert units(parse_html(page).text) <= TEXT


@given(name=st.text(min_size=1, max_size=40))
def test_names_are_text(name: str) -> None:
    assert parse_html(escaped(name)).text.strip() == name.strip()
    assert not parse_html(escaped(name)).entities
    body = parse_html(mention(name, 42))
    assert len(body.entities) <= 1
    assert units(cut(name, 10)) <= 10


@given(text=st.text(string.ascii_lowercase + string.digits + ":", max_size=70))
def test_any_data_is_read_or_refused(text: str) -> None:
    try:
        read = data.read(text)
    except DataError:
        return
    for index in range(6):
        try:
            read.number(index)
        except DataError:
            continue


def test_data_that_does_not_fit_is_not_written() -> None:
    with pytest.raises(DataError):
        data.write(Kind.PICK, "x" * 70)


@pytest.mark.parametrize(
    ("text", "group", "found"),
    [
        ("/buraco new 2v2", True, ("buraco", ("2v2",))),
        ("/buraco nueva 2v2 cerrado", True, ("buraco", ("2v2", "cerrado"))),
        ("/buraco nueva", True, ("buraco", ("",))),
        ("/buraco", True, ("buraco", ())),
        ("/buraco@Buraco_Bot mano", True, ("mano", ())),
        ("/buraco@otro_bot", True, None),
        ("/Reglas clasico", True, ("reglas", ("clasico",))),
        ("/help", True, None),
        ("/help@buraco_bot", True, ("ayuda", ())),
        ("/help", False, ("ayuda", ())),
        ("/start j_abc_x", False, ("start", ("j_abc_x",))),
        ("hola", True, None),
        ("/", True, None),
        ("/otra", False, None),
    ],
)
def test_commands_are_read(text: str, group: bool, found: tuple[str, tuple[str, ...]] | None) -> None:
    assert command_of(text, "buraco_bot", in_group=group) == found
