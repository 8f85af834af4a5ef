"""Screens as rows of buttons. Pure: nothing here sends anything."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from adapters.telegram import data
from adapters.telegram.data import Kind
from adapters.telegram.limits import BUTTONS, BUTTONS_A_ROW, CARDS_A_PAGE, CARDS_A_ROW, LABEL_CHARACTERS
from bot.presenter.chat import counted
from bot.presenter.telegram import OFF, card_label, page_label
from bot.screens import CardPicker, Choice, PickVerb, Screen, Style
from bot.texts import Texts
from bot.tokens import TokenError, base36, read_token

Rows = list[list[InlineKeyboardButton]]

_STYLES: Final[Mapping[Style, str | None]] = {
    Style.PLAIN: None,
    Style.PRIMARY: "primary",
    Style.GOOD: "success",
    Style.DANGER: "danger",
}


def button(label: str, callback: str, style: Style = Style.PLAIN) -> InlineKeyboardButton:
    """A button that is pressed."""
    return InlineKeyboardButton(label, callback_data=callback, style=_STYLES[style])


def link(label: str, url: str) -> InlineKeyboardButton:
    """A button that opens something."""
    return InlineKeyboardButton(label, url=url)


def choice_button(choice: Choice, *, asks_why: bool = False) -> InlineKeyboardButton:
    """A choice. One that is off is marked; ``asks_why`` lets it ask for its reason whatever the version is by then."""
    if choice.enabled:
        return button(choice.label, choice.token, choice.style)
    return button(f"{OFF} {choice.label}", _why(choice.token) if asks_why else choice.token)


def _why(token: str) -> str:
    try:
        intent = read_token(token)
        return data.write(Kind.WHY, intent.table_id, intent.verb)
    except (TokenError, data.DataError):
        return token


def choice_rows(rows: Iterable[Sequence[Choice]], *, asks_why: bool = False) -> Rows:
    """Rows of choices, broken where their labels would not fit side by side."""
    return [
        part for row in rows for part in broken([choice_button(choice, asks_why=asks_why) for choice in row]) if part
    ]


def broken(row: Sequence[InlineKeyboardButton]) -> Rows:
    """A row as one or more that can be read: all buttons of a row are equally wide.

    Filled from the end, so that what stands alone is the first, which matters most.
    """
    found: Rows = []
    held: list[InlineKeyboardButton] = []
    for item in reversed(row):
        widest = max(len(other.text) for other in (*held, item))
        if held and (len(held) == BUTTONS_A_ROW or widest > LABEL_CHARACTERS[len(held)]):
            found.insert(0, held)
            held = []
        held = [item, *held]
    return [held, *found] if held else found


def keyboard(rows: Rows) -> InlineKeyboardMarkup | None:
    """A keyboard within the limits; None without buttons. What is too much is left out from the end."""
    kept: Rows = []
    left = BUTTONS
    for row in rows:
        if row and len(row) <= left:
            kept.append(row)
            left -= len(row)
    return InlineKeyboardMarkup(kept) if kept else None


def hand_rows(t: Texts, screen: Screen, mask: int, page: int) -> Rows:
    """A hand: what is suggested, the cards, what to do with those picked, and the rest."""
    if screen.picker is None:
        return choice_rows(screen.rows, asks_why=True)
    *ideas, rest = screen.rows or ((),)
    return [
        *choice_rows(ideas, asks_why=True),
        *card_rows(t, screen.table_id, screen.picker, mask, page),
        *broken([verb_button(screen.table_id, verb, mask) for verb in screen.picker.verbs]),
        *choice_rows([rest], asks_why=True),
    ]


def card_rows(t: Texts, table_id: str, picker: CardPicker, mask: int, page: int) -> Rows:
    """The cards of a page, and how to turn to another."""
    cards, mark = picker.cards, data.hand_mark(picker)
    pages = max(1, -(-len(cards) // CARDS_A_PAGE))
    page = min(page, pages - 1)
    shown = cards[page * CARDS_A_PAGE : (page + 1) * CARDS_A_PAGE]
    buttons = [
        button(
            card_label(t, card, picked=picked),
            data.write(Kind.PICK, table_id, mark, mask, page, card.bit),
            Style.PRIMARY if picked else Style.PLAIN,
        )
        for card in shown
        for picked in (bool(mask >> card.bit & 1),)
    ]
    rows = [buttons[at : at + CARDS_A_ROW] for at in range(0, len(buttons), CARDS_A_ROW)]
    if pages > 1:
        turns = (("◀", (page - 1) % pages), (page_label(page, pages), page), ("▶", (page + 1) % pages))
        # The last part tells the three apart where two of them lead to the same page.
        rows.append(
            [
                button(label, data.write(Kind.PAGE, table_id, mark, mask, to, place))
                for place, (label, to) in enumerate(turns)
            ]
        )
    return rows


def verb_button(table_id: str, verb: PickVerb, mask: int) -> InlineKeyboardButton:
    """Something to do with the picked cards; with too few or too many, the button tells how many it takes."""
    count = mask.bit_count()
    label = counted(verb.label, count if verb.enabled else 0)
    if verb.enabled and verb.least <= count <= verb.most:
        return button(label, f"{verb.token}:{base36(mask)}", verb.style)
    why = data.write(Kind.WHY, table_id, read_token(verb.token).verb, mask)
    return button(label if verb.enabled else f"{OFF} {label}", why)


def bits_of(picker: CardPicker) -> int:
    """The mask in which every card is picked."""
    return sum(1 << card.bit for card in picker.cards)
