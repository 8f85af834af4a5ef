"""A canvas: an image with the few operations that pictures are made of."""

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageColor, ImageDraw

from render.fonts import CAP_HEIGHT, Weight
from render.glyphs import advance_of, set_text
from render.shapes import corner, shape

ELLIPSIS: Final = "…"


class Box(NamedTuple):
    """A rectangle in pixels: left, top, width and height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row beyond it."""
        return self.y + self.h

    @property
    def middle(self) -> int:
        """The row halfway down."""
        return self.y + self.h // 2

    def inset(self, margin: int) -> "Box":
        """The rectangle smaller by a margin on every side."""
        return Box(self.x + margin, self.y + margin, self.w - 2 * margin, self.h - 2 * margin)


class Style(NamedTuple):
    """A weight and a size in pixels."""

    weight: Weight
    size: int


class Align(StrEnum):
    """Which point of a text its x names."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class TextMask(NamedTuple):
    """A text drawn once: its mask, where that lies from the origin on the baseline, and the advance width."""

    mask: Image.Image
    dx: int
    dy: int
    advance: int


@lru_cache(maxsize=4096)
def text_width(text: str, style: Style) -> int:
    """The advance width of a text in pixels."""
    return advance_of(text, *style)


@lru_cache(maxsize=512)
def text_mask(text: str, style: Style) -> TextMask:
    """The mask of a text that is not empty, as :func:`Canvas.text` pastes it."""
    return TextMask(*set_text(text, *style), text_width(text, style))


@lru_cache(maxsize=64)
def _corners(radius: int) -> tuple[Image.Image, Image.Image, Image.Image, Image.Image]:
    """The masks of a rounded corner: top left, top right, bottom left, bottom right."""
    piece = corner(radius)
    return (
        piece,
        piece.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
        piece.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
        piece.transpose(Image.Transpose.ROTATE_180),
    )


@lru_cache(maxsize=256)
def _ink(colour: str) -> tuple[int, ...]:
    """A colour as Pillow takes it without reading its name each time."""
    return ImageColor.getrgb(colour)


@lru_cache(maxsize=2048)
def fit(text: str, style: Style, width: int) -> str:
    """The text, cut with an ellipsis to what fits in ``width`` pixels; empty where not even one letter does."""
    if text_width(text, style) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + ELLIPSIS, style) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ""


def fit_style(text: str, style: Style, width: int, smallest: int) -> Style:
    """The largest style of a weight, down to ``smallest`` pixels, in which the text fits; else the smallest."""
    for size in range(style.size, smallest, -2):
        if text_width(text, Style(style.weight, size)) <= width:
            return Style(style.weight, size)
    return Style(style.weight, min(style.size, smallest))


class Canvas:
    """An RGB image and what can be drawn on it. Colours are ``#RRGGBB``."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self._draw = ImageDraw.Draw(self.image)

    def text(self, x: int, y: int, text: str, style: Style, ink: str, align: Align = Align.LEFT) -> int:
        """Write a text; ``y`` is the middle of its capitals. Returns its advance width."""
        if not text:
            return 0
        mask = text_mask(text, style)
        if align is not Align.LEFT:
            x -= mask.advance if align is Align.RIGHT else mask.advance // 2
        baseline = y + round(style.size * CAP_HEIGHT / 2)
        self.stamp(x + mask.dx, baseline + mask.dy, mask.mask, ink)
        return mask.advance

    def shape(self, x: int, y: int, name: str, size: int, ink: str) -> None:
        """Draw a shape centred on a point."""
        self.stamp(x - size // 2, y - size // 2, shape(name, size), ink)

    def stamp(self, x: int, y: int, mask: Image.Image, ink: str) -> None:
        """Paste an ink through a mask at its top left corner."""
        self.image.paste(_ink(ink), (x, y), mask)

    def sprite(self, x: int, y: int, sprite: Image.Image) -> None:
        """Paste a picture at its top left corner; one with an alpha channel is blended."""
        if sprite.mode == "RGBA":
            self.image.paste(sprite, (x, y), sprite)
        else:
            self.image.paste(sprite, (x, y))

    def rect(self, box: Box, fill: str) -> None:
        """Fill a rectangle."""
        if box.w > 0 and box.h > 0:
            self._draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), fill=fill)

    def round_rect(self, box: Box, radius: int, fill: str) -> None:
        """Fill a rounded rectangle."""
        x, y, w, h = box
        radius = min(radius, w // 2, h // 2)
        if radius < 1:
            self.rect(box, fill)
            return
        self.rect(Box(x + radius, y, w - 2 * radius, h), fill)
        self.rect(Box(x, y + radius, radius, h - 2 * radius), fill)
        self.rect(Box(x + w - radius, y + radius, radius, h - 2 * radius), fill)
        right, bottom = x + w - radius, y + h - radius
        top_left, top_right, bottom_left, bottom_right = _corners(radius)
        self.stamp(x, y, top_left, fill)
        self.stamp(right, y, top_right, fill)
        self.stamp(x, bottom, bottom_left, fill)
        self.stamp(right, bottom, bottom_right, fill)

    def framed(self, box: Box, radius: int, fill: str, edge: str, width: int) -> None:
        """Fill a rounded rectangle that has an edge ``width`` pixels wide inside its box."""
        self.round_rect(box, radius, edge)
        self.round_rect(box.inset(width), max(0, radius - width), fill)
