"""Canvases: an image with the few operations that pictures are made of, in RGB or as places in a palette."""

from collections.abc import Callable, Hashable
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageColor

from render.fonts import CAP_HEIGHT, Weight
from render.glyphs import advance_of, set_text
from render.shades import Shades
from render.shapes import corner, shape

ELLIPSIS: Final = "…"
_TALLEST: Final = 0.8
"""What letters without an accent reach above the baseline, in ems, and small letters with one."""
_LARGEST_GROUP: Final = 100_000
"""In pixels: what is larger and plain is filled each time."""


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
def _channels(colour: str) -> tuple[int, ...]:
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


Draw = Callable[["Canvas", int, int], None]
"""Draws something on a canvas, its top left corner at a place."""


class Canvas:
    """An RGB image and what can be drawn on it. Colours are ``#RRGGBB``.

    ``on`` is the one colour of what is drawn over, where that is one and is known. RGB needs no such help.
    """

    def __init__(self, width: int, height: int, ground: str) -> None:
        self.image = self._blank(width, height, ground)

    def text(
        self, x: int, y: int, text: str, style: Style, ink: str, align: Align = Align.LEFT, on: str | None = None
    ) -> int:
        """Write a text; ``y`` is the middle of its capitals. Returns its advance width."""
        if not text:
            return 0
        mask = text_mask(text, style)
        if align is not Align.LEFT:
            x -= mask.advance if align is Align.RIGHT else mask.advance // 2
        baseline = y + round(style.size * CAP_HEIGHT / 2)
        if -mask.dy > _TALLEST * style.size:
            # An accent on a capital may reach beyond what the text stands on.
            on = None
        self.stamp(x + mask.dx, baseline + mask.dy, mask.mask, ink, on)
        return mask.advance

    def shape(self, x: int, y: int, name: str, size: int, ink: str, on: str | None = None) -> None:
        """Draw a shape centred on a point."""
        self.stamp(x - size // 2, y - size // 2, shape(name, size), ink, on)

    def stamp(self, x: int, y: int, mask: Image.Image, ink: str, on: str | None = None) -> None:
        """Paste an ink through a mask at its top left corner."""
        self._ink(x, y, mask, ink, on)

    def sprite(self, x: int, y: int, sprite: Image.Image) -> None:
        """Paste a picture at its top left corner; one with an alpha channel is blended."""
        self._lay(x, y, sprite)

    def rect(self, box: Box, fill: str) -> None:
        """Fill a rectangle."""
        if box.w > 0 and box.h > 0:
            self._fill(box, fill)

    def round_rect(self, box: Box, radius: int, fill: str, on: str | None = None) -> None:  # noqa: ARG002
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

    def framed(self, box: Box, radius: int, fill: str, edge: str, width: int, on: str | None = None) -> None:  # noqa: ARG002
        """Fill a rounded rectangle that has an edge ``width`` pixels wide inside its box."""
        self.round_rect(box, radius, edge)
        self.round_rect(box.inset(width), max(0, radius - width), fill)

    def group(self, box: Box, on: str, key: Hashable, draw: Draw) -> None:  # noqa: ARG002
        """Draw things that lie on each other, inside a box.

        ``draw`` is called with a canvas and the box's place on it, unless the same was drawn before: ``key`` stands for
        all that it depends on but the box's size and ``on``.
        """
        draw(self, box.x, box.y)

    def _blank(self, width: int, height: int, ground: str) -> Image.Image:
        return Image.new("RGB", (width, height), ground)

    def _ink(self, x: int, y: int, mask: Image.Image, ink: str, on: str | None) -> None:  # noqa: ARG002
        self.image.paste(_channels(ink), (x, y), mask)

    def _lay(self, x: int, y: int, sprite: Image.Image) -> None:
        if sprite.mode == "RGBA":
            self.image.paste(sprite, (x, y), sprite)
        else:
            self.image.paste(sprite, (x, y))

    def _fill(self, box: Box, fill: str) -> None:
        self.image.paste(_channels(fill), (box.x, box.y, box.right, box.bottom))


class PaletteCanvas(Canvas):
    """The same on an image of places in a palette (mode L).

    What lies on one colour comes out as in RGB, reduced. What lies on several is blended with their places' colours:
    that is right too where these are flat colours of the theme, and may be a shade off where they are blends.
    """

    def __init__(self, width: int, height: int, ground: str, shades: Shades) -> None:
        self._shades = shades
        super().__init__(width, height, ground)

    def round_rect(self, box: Box, radius: int, fill: str, on: str | None = None) -> None:
        """Fill a rounded rectangle."""
        if on is None or box.w * box.h > _LARGEST_GROUP:
            super().round_rect(box, radius, fill)
            return

        def draw(canvas: Canvas, x: int, y: int) -> None:
            canvas.round_rect(Box(x, y, box.w, box.h), radius, fill)

        self.group(box, on, ("round_rect", radius, fill), draw)

    def framed(self, box: Box, radius: int, fill: str, edge: str, width: int, on: str | None = None) -> None:
        """Fill a rounded rectangle that has an edge ``width`` pixels wide inside its box."""
        if on is None:
            super().framed(box, radius, fill, edge, width)
            return

        # However large: the corners of the fill lie on those of the edge, and one by one they would be reduced twice.
        def draw(canvas: Canvas, x: int, y: int) -> None:
            canvas.framed(Box(x, y, box.w, box.h), radius, fill, edge, width)

        self.group(box, on, ("framed", radius, fill, edge, width), draw)

    def group(self, box: Box, on: str, key: Hashable, draw: Draw) -> None:
        """Draw things that lie on each other, inside a box: in RGB, reduced once and kept."""

        def make() -> Image.Image:
            canvas = Canvas(box.w, box.h, on)
            draw(canvas, 0, 0)
            return self._shades.reduced(canvas.image)

        self.sprite(box.x, box.y, self._shades.groups.get((key, box.w, box.h, on), make))

    def _blank(self, width: int, height: int, ground: str) -> Image.Image:
        return Image.new("L", (width, height), self._shades.place(ground))

    def _ink(self, x: int, y: int, mask: Image.Image, ink: str, on: str | None) -> None:
        if on is not None:
            self.image.paste(self._shades.inked(mask, ink, self._shades.place(on)), (x, y))
            return
        box = (x, y, x + mask.width, y + mask.height)
        under = self.image.crop(box)
        lowest, highest = under.getextrema()
        if not isinstance(lowest, tuple) and lowest == highest:
            self.image.paste(self._shades.inked(mask, ink, int(lowest)), box)
            return
        blended = self._shades.restored(under)
        blended.paste(_channels(ink), (0, 0), mask)
        self.image.paste(self._shades.reduced(blended), box)

    def _lay(self, x: int, y: int, sprite: Image.Image) -> None:
        if sprite.mode == "RGBA":
            blended = self._shades.restored(self.image.crop((x, y, x + sprite.width, y + sprite.height)))
            blended.paste(sprite, (0, 0), sprite)
            sprite = blended
        self.image.paste(sprite if sprite.mode == "L" else self._shades.reduced(sprite), (x, y))

    def _fill(self, box: Box, fill: str) -> None:
        self.image.paste(self._shades.place(fill), (box.x, box.y, box.right, box.bottom))
