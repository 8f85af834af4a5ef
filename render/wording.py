"""Making texts printable: names carry any script, the fonts know Latin only."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from bot.pictures import Line, SideTexts, TableTexts
from render.fonts import covers

_DRAWN: Final = frozenset("LNPSZ")
"""Major categories that have a shape of their own; marks are composed before, controls have none."""


def _letters(text: str) -> int:
    return sum(unicodedata.category(character)[0] in "LN" for character in text)


@lru_cache(maxsize=1024)
def printable(text: str) -> str:
    """The text without what the fonts cannot draw, in single blanks.

    Styled letters become plain ones, and a letter whose accent is unknown loses the accent.
    """
    kept = []
    for character in unicodedata.normalize("NFKC", text):
        base = character if covers(character) else unicodedata.normalize("NFD", character)[0]
        if character.isspace():
            kept.append(" ")
        elif unicodedata.category(base)[0] in _DRAWN and covers(base):
            kept.append(base)
    return " ".join("".join(kept).split())


def seat_label(seat: int) -> str:
    """What stands for a name that cannot be drawn: ``J1`` for the first seat."""
    return f"J{seat + 1}"


def printable_name(name: str, seat: int) -> str:
    """A name as it can be drawn; the seat's label where less than half of its letters would be left."""
    return known_by(name, seat_label(seat))


def known_by(name: str, alias: str) -> str:
    """A name as it can be drawn; the alias where less than half of its letters would be left."""
    plain = printable(name)
    return plain if plain and 2 * _letters(plain) >= _letters(name) else alias


class _Printer:
    """Makes texts printable in which the names of a table occur."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(printable_name(name, seat) for seat, name in enumerate(names))
        changed = ((old, new) for old, new in zip(names, self.names, strict=True) if old.strip() and old != new)
        # The longest first, so that a name which is part of another does not break it.
        self._changed = sorted(changed, key=lambda pair: -len(pair[0]))

    def text(self, text: str) -> str:
        for old, new in self._changed:
            text = text.replace(old, new)
        return printable(text)

    def line(self, line: Line) -> Line:
        # A blank at either end of a part separates it from the card beside it and must survive.
        return tuple(self._part(part) if isinstance(part, str) else part for part in line)

    def _part(self, part: str) -> str:
        plain = self.text(part)
        before = " " if part[:1].isspace() else ""
        after = " " if part[-1:].isspace() and plain else ""
        return f"{before}{plain}{after}"


def printable_texts(texts: TableTexts, seats: int) -> TableTexts:
    """The texts of a table as they can be drawn, with a name for each of ``seats`` seats.

    A name that cannot be drawn is replaced by its seat's label, in every text where it occurs.
    """
    names = (*texts.names[:seats], *("",) * (seats - len(texts.names)))
    printer = _Printer(names)
    return msgspec.structs.replace(
        texts,
        banner=printer.text(texts.banner),
        corner=printer.text(texts.corner),
        names=printer.names,
        stock=printer.text(texts.stock),
        pile=printer.text(texts.pile),
        muertos=printer.text(texts.muertos),
        last=printer.line(texts.last),
        sides=tuple(
            SideTexts(printer.text(side.title), printer.text(side.table), printer.text(side.total))
            for side in texts.sides
        ),
        ribbons={kind: printer.text(word) for kind, word in texts.ribbons.items()},
        joker=printer.text(texts.joker)[:3],
    )
