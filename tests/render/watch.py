"""A watch over what is drawn: nothing may leave its canvas, where it would be cut off without a word."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PIL import Image

from render.canvas import Align, Box, Canvas, Style, text_mask


class Watch:
    """What was drawn while it was on."""

    def __init__(self) -> None:
        self.sizes: set[int] = set()
        """The sizes of fonts."""
        self.texts: list[str] = []
        self.outside: list[str] = []

    def check(self, image: Image.Image, box: Box, what: str) -> None:
        """Note what leaves the image."""
        if box.x < 0 or box.y < 0 or box.right > image.width or box.bottom > image.height:
            self.outside.append(f"{what} {box} in {image.size}")


@contextmanager
def watching() -> Iterator[Watch]:
    """Watch every canvas. Sprites that are already kept are not drawn again: use a fresh renderer to see all."""
    seen = Watch()
    text, stamp, sprite, rect = Canvas.text, Canvas.stamp, Canvas.sprite, Canvas.rect

    def watched_text(
        canvas: Canvas,
        x: int,
        y: int,
        words: str,
        style: Style,
        ink: str,
        align: Align = Align.LEFT,
        on: str | None = None,
    ) -> int:
        if words:
            seen.sizes.add(style.size)
            seen.texts.append(words)
            mask = text_mask(words, style)
            left = x - {Align.LEFT: 0, Align.CENTRE: mask.advance // 2, Align.RIGHT: mask.advance}[align]
            cap = round(style.size * 0.7)
            # Accents and descenders may touch what is around the line, capitals may not.
            seen.check(canvas.image, Box(left + mask.dx, y - cap // 2, mask.mask.width, cap), repr(words))
        return text(canvas, x, y, words, style, ink, align, on)

    def watched_stamp(canvas: Canvas, x: int, y: int, mask: Image.Image, ink: str, on: str | None = None) -> None:
        seen.check(canvas.image, Box(x, y, mask.width, mask.height), "shape")
        stamp(canvas, x, y, mask, ink, on)

    def watched_sprite(canvas: Canvas, x: int, y: int, picture: Image.Image) -> None:
        seen.check(canvas.image, Box(x, y, picture.width, picture.height), "sprite")
        sprite(canvas, x, y, picture)

    def watched_rect(canvas: Canvas, box: Box, fill: str) -> None:
        if box.w > 0 and box.h > 0:
            seen.check(canvas.image, box, "rectangle")
        rect(canvas, box, fill)

    replaced: dict[str, Any] = {
        "text": watched_text,
        "stamp": watched_stamp,
        "sprite": watched_sprite,
        "rect": watched_rect,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, method in replaced.items():
            patch.setattr(Canvas, name, method)
        yield seen
