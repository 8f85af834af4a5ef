"""Prose with signs in it: texts are wrapped into lines, and suit signs, which no font has, are drawn as pips.

A rank right before a suit sign, as in ``10♥``, belongs to the sign and is never parted from it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from render.canvas import ELLIPSIS, Box, Canvas, Style, text_width
from render.fonts import CAP_HEIGHT
from render.shapes import suit_shape
from render.wording import printable

_SIGNS: Final = {"♠": 0, "♤": 0, "♥": 1, "♡": 1, "♦": 2, "♢": 2, "♣": 3, "♧": 3}
_OTHERS: Final = {"★": "star", "☆": "star", "→": "chevrons", "✓": "check", "✔": "check"}
_MARK: Final = re.compile(rf"(?:(?<!\w)(10|[2-9AJQK]))?([{''.join(_SIGNS)}])|([{''.join(_OTHERS)}])")
_PAD: Final = 0.10
"""Beside the contents of a chip, in sizes of the text."""
_GAP: Final = 0.06
_UNLIMITED: Final = 1 << 20


class Sign(NamedTuple):
    """A shape among the text; a suit's has perhaps a rank before it."""

    shape: str
    suit: int = -1
    rank: str = ""


Bit = str | Sign
Word = tuple[Bit, ...]


class Inks(NamedTuple):
    """The colours of prose on a ground."""

    text: str
    suits: tuple[str, str, str, str]
    chip: str = ""
    """The ground of the little card on which a suit sign stands; empty where the suits' inks can be read without."""


class Placed(NamedTuple):
    """A bit of a line; ``x`` from the line's start, in pixels."""

    x: int
    bit: Bit


ProseLine = tuple[Placed, ...]


class Prose(NamedTuple):
    """A text in lines. ``whole`` is false where an ellipsis stands for its end."""

    lines: tuple[ProseLine, ...]
    whole: bool


@lru_cache(maxsize=512)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text as they can be drawn."""
    found = []
    for word in unicodedata.normalize("NFKC", text).split():
        bits = tuple(bit for bit in _bits(word) if bit)
        if bits:
            found.append(bits)
    return tuple(found)


def _bits(word: str) -> Iterator[Bit]:
    at = 0
    for found in _MARK.finditer(word):
        yield printable(word[at : found.start()])
        rank, suit, other = found.groups()
        if suit:
            yield Sign(suit_shape(_SIGNS[suit]), _SIGNS[suit], rank or "")
        else:
            yield Sign(_OTHERS[other])
        at = found.end()
    yield printable(word[at:])


def _pip(style: Style) -> int:
    return round(style.size * 0.68)


def bit_width(bit: Bit, style: Style) -> int:
    """The advance width of a bit in pixels."""
    if isinstance(bit, str):
        return text_width(bit, style)
    pads = 2 * round(style.size * _PAD)
    rank = text_width(bit.rank, style) + round(style.size * _GAP) if bit.rank else 0
    return rank + _pip(style) + pads


def _width(word: Word, style: Style) -> int:
    return sum(bit_width(bit, style) for bit in word)


def longest(text: str, style: Style) -> int:
    """The width of the longest word of a text in pixels."""
    return max((_width(word, style) for word in words(text)), default=0)


def _broken(word: Word, style: Style, width: int) -> Iterator[Word]:
    """The parts of a word, none wider than a line; a single character is never broken."""
    part: list[Bit] = []
    used = 0
    for bit in word:
        for piece in bit if isinstance(bit, str) else (bit,):
            own = bit_width(piece, style)
            if part and used + own > width:
                yield tuple(part)
                part, used = [], 0
            if part and isinstance(piece, str) and isinstance(part[-1], str):
                part[-1] += piece
            else:
                part.append(piece)
            used += own
    if part:
        yield tuple(part)


@lru_cache(maxsize=256)
def wrap(text: str, style: Style, width: int, rows: int = _UNLIMITED) -> Prose:
    """Break a text into at most ``rows`` lines of ``width`` pixels. What does not fit gives way to an ellipsis."""
    lines: list[list[Placed]] = [[]]
    blank = text_width(" ", style)
    x = 0
    for whole in words(text):
        for n, word in enumerate(_broken(whole, style, width) if _width(whole, style) > width else (whole,)):
            own, gap = _width(word, style), blank if lines[-1] and not n else 0
            if lines[-1] and (n or x + gap + own > width):
                if len(lines) == rows:
                    return _cut(lines, x, style, width)
                lines.append([])
                x, gap = 0, 0
            x += gap
            for bit in word:
                lines[-1].append(Placed(x, bit))
                x += bit_width(bit, style)
    return Prose(tuple(tuple(line) for line in lines if line), True)


def _cut(lines: list[list[Placed]], x: int, style: Style, width: int) -> Prose:
    dots, last = text_width(ELLIPSIS, style), lines[-1]
    while last and x + dots > width:
        x, bit = last.pop()
        # Of a long word as much as there is room for is kept.
        if isinstance(bit, str):
            while bit and x + text_width(bit + ELLIPSIS, style) > width:
                bit = bit[:-1]
            if bit:
                last.append(Placed(x, bit))
                x += text_width(bit, style)
                break
    last.append(Placed(x, ELLIPSIS))
    return Prose(tuple(tuple(line) for line in lines), False)


def largest(text: str, style: Style, width: int, rows: int, smallest: int) -> tuple[Style, Prose]:
    """The text in the largest size, down to ``smallest`` pixels, in which all of it fits so many lines."""
    for size in range(style.size, smallest - 1, -2):
        tried = Style(style.weight, size)
        prose = wrap(text, tried, width, rows)
        if prose.whole:
            return tried, prose
    tried = Style(style.weight, min(style.size, smallest))
    return tried, wrap(text, tried, width, rows)


def line_width(line: ProseLine, style: Style) -> int:
    """The width of a line in pixels."""
    return line[-1].x + bit_width(line[-1].bit, style) if line else 0


def draw_line(canvas: Canvas, line: ProseLine, style: Style, x: int, y: int, inks: Inks) -> None:
    """Draw a line from ``x`` on; ``y`` is the middle of its capitals."""
    for at, bit in line:
        if isinstance(bit, str):
            canvas.text(x + at, y, bit, style, inks.text)
        else:
            draw_sign(canvas, bit, style, x + at, y, inks)


def draw_sign(canvas: Canvas, sign: Sign, style: Style, x: int, y: int, inks: Inks) -> None:
    """Draw a sign from ``x`` on."""
    pad, pip = round(style.size * _PAD), _pip(style)
    ink = inks.text if sign.suit < 0 else inks.suits[sign.suit]
    if inks.chip and sign.suit >= 0:
        height = round(style.size * (CAP_HEIGHT + 0.36))
        canvas.round_rect(Box(x, y - height // 2, bit_width(sign, style), height), round(style.size * 0.18), inks.chip)
    x += pad
    if sign.rank:
        x += canvas.text(x, y, sign.rank, style, ink) + round(style.size * _GAP)
    canvas.shape(x + pip // 2, y, sign.shape, pip, ink)
