"""Texts put together from letters that are drawn once.

The fonts' hinted advances and kerning are whole pixels, so a text of letters set side by side is, pixel for pixel, what
the font engine draws of the whole; but that loads the outline of every letter several times for every text.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from render.fonts import Weight, font

_LETTERS_KEPT: Final = 4096


class Glyph(NamedTuple):
    """A letter: its mask, where that lies from the origin on the baseline, and its advance width in pixels."""

    mask: Image.Image
    dx: int
    dy: int
    advance: float


@lru_cache(maxsize=_LETTERS_KEPT)
def _glyph(letter: str, weight: Weight, size: int) -> Glyph:
    face = font(weight, size)
    left, top, right, bottom = (round(edge) for edge in face.getbbox(letter, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)), 0)
    ImageDraw.Draw(mask).text((-left, -top), letter, fill=255, font=face, anchor="ls")
    return Glyph(mask, left, top, face.getlength(letter))


@lru_cache(maxsize=4 * _LETTERS_KEPT)
def _kerning(before: str, after: str, weight: Weight, size: int) -> float:
    """How much nearer or farther two letters stand than their advances tell, in pixels."""
    apart = _glyph(before, weight, size).advance + _glyph(after, weight, size).advance
    return font(weight, size).getlength(before + after) - apart


def advance_of(text: str, weight: Weight, size: int) -> int:
    """The advance width of a text in pixels."""
    letters = sum(_glyph(letter, weight, size).advance for letter in text)
    return round(letters + sum(_kerning(before, after, weight, size) for before, after in pairwise(text)))


def set_text(text: str, weight: Weight, size: int) -> tuple[Image.Image, int, int]:
    """The mask of a text, and where its top left corner lies from the origin on the baseline."""
    x, before = 0.0, ""
    placed: list[tuple[Image.Image, int, int]] = []
    for letter in text:
        glyph = _glyph(letter, weight, size)
        if before:
            x += _kerning(before, letter, weight, size)
        placed.append((glyph.mask, round(x) + glyph.dx, glyph.dy))
        x, before = x + glyph.advance, letter
    left, top = min(x for _, x, _ in placed), min(y for _, _, y in placed)
    right = max(x + mask.width for mask, x, _ in placed)
    bottom = max(y + mask.height for mask, _, y in placed)
    whole = Image.new("L", (right - left, bottom - top), 0)
    for mask, x, y in placed:
        whole.paste(255, (x - left, y - top), mask)
    return whole, left, top
