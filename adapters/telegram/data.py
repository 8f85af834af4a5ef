"""Callback data of what is purely of this chat: picking cards, turning pages, asking why a button is off.

Tokens of the application begin with their format, a figure, and go through untouched; these begin with a letter. All
of it stands in the button, so that a keyboard works after a restart.
"""

import hashlib
from enum import StrEnum

import msgspec

from adapters.telegram.limits import DATA_BYTES
from bot.screens import CardPicker
from bot.tokens import FORMAT, base36, from_base36

_MASK_BITS = 128


class Kind(StrEnum):
    """What a button of this chat does."""

    PICK = "s"
    """table, hand, mask, page, bit: pick a card or let it go"""
    PAGE = "p"
    """table, hand, mask, page"""
    WHY = "w"
    """table, verb[, mask]: say why a button is off, or how many cards it takes"""
    BRING = "b"
    """table, verb: bring something of a table that was chosen from a list"""
    CLOSE = "x"
    """Take the message away."""
    OPEN = "o"
    """seating: open a table"""
    GROUP_RULES = "gr"
    """rule set: what the group plays"""
    GROUP_PACE = "gp"
    """pace"""
    GROUP_SWITCH = "gs"
    """what, value: pings, coins or the topic for tables"""
    MINE = "me"
    """what, value: a setting of the person"""


class DataError(ValueError):
    """Data that is none of ours."""


class Data(msgspec.Struct, frozen=True):
    """Callback data, read."""

    kind: Kind
    parts: tuple[str, ...] = ()

    def part(self, index: int) -> str:
        """A part.

        Raises:
            DataError: there is none.
        """
        if index >= len(self.parts):
            raise DataError(self.kind)
        return self.parts[index]

    def number(self, index: int) -> int:
        """A part that is a number.

        Raises:
            DataError: it is none, or too big to be one of ours.
        """
        try:
            number = from_base36(self.part(index))
        except ValueError:
            raise DataError(self.kind) from None
        if number >> _MASK_BITS:
            raise DataError(self.kind)
        return number


def is_token(data: str) -> bool:
    """Whether data is a token of the application."""
    return data.startswith(f"{FORMAT}:")


def write(kind: Kind, *parts: str | int) -> str:
    """The data of a button.

    Raises:
        DataError: it does not fit.
    """
    data = ":".join((kind, *(part if isinstance(part, str) else base36(part) for part in parts)))
    if len(data.encode()) > DATA_BYTES:
        raise DataError(data)
    return data


def read(data: str) -> Data:
    """Read callback data, which may come from anybody.

    Raises:
        DataError: it is none of ours.
    """
    if len(data.encode()) > DATA_BYTES or not data.isascii():
        raise DataError(data[:DATA_BYTES])
    kind, *parts = data.split(":")
    try:
        return Data(Kind(kind), tuple(parts))
    except ValueError:
        raise DataError(data) from None


def table_of(data: str) -> str:
    """The table that data is about; empty where it is about none."""
    parts = data.split(":")
    if is_token(data) or parts[0] in (Kind.PICK, Kind.PAGE, Kind.WHY, Kind.BRING):
        return parts[1] if len(parts) > 1 else ""
    return ""


def hand_mark(picker: CardPicker) -> int:
    """A short mark of which cards the bits of a mask stand for: the same hand has the same mark, however sorted."""
    held = sorted((card.bit, card.code, card.back) for card in picker.cards)
    return int.from_bytes(hashlib.blake2s(msgspec.json.encode(held), digest_size=4).digest(), "big")
