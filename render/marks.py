"""Marks beside cards: the tick and the cross, and the label that tells what a wild stands for."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from render.canvas import Box, Canvas, Style
from render.prose import Inks, ProseLine, draw_line, largest, line_width

_FINE: Final = 8
_SIDE: Final = 0.2
"""Beside a label's text, in sizes of it."""
_LEVELS: Final = 2


class MarkColours(NamedTuple):
    """A mark's ground, its sign, and the rim that parts it from what is around it."""

    fill: str
    sign: str
    rim: str


class Label(NamedTuple):
    """A label's colours."""

    fill: str
    edge: str
    inks: Inks


@lru_cache(maxsize=32)
def cross(size: int) -> Image.Image:
    """The mask of a cross."""
    big = size * _FINE
    image = Image.new("L", (big, big), 0)
    draw = ImageDraw.Draw(image)
    near, far, thick = big * 0.14, big * 0.86, big * 0.14
    for x, y, dx, dy in ((near, near, far, far), (near, far, far, near)):
        sign = 1 if y < dy else -1
        draw.polygon(
            [
                (x - thick / 2, y + sign * thick / 2),
                (x + thick / 2, y - sign * thick / 2),
                (dx + thick / 2, dy - sign * thick / 2),
                (dx - thick / 2, dy + sign * thick / 2),
            ],
            fill=255,
        )
    return image.resize((size, size), Image.Resampling.BOX)


def draw_mark(canvas: Canvas, box: Box, colours: MarkColours, *, good: bool, on: str | None = None) -> None:
    """Draw a tick on a disc, or a cross on a square: apart by colour, sign and outline; ``on`` is what is around it."""
    rim = max(2, round(box.w * 0.06))
    if good:
        canvas.framed(box, box.w // 2, colours.fill, colours.rim, rim, on)
        size = round(box.w * 0.62)
        canvas.shape(box.x + box.w // 2, box.middle, "check", size, colours.sign)
    else:
        canvas.framed(box, round(box.w * 0.2), colours.fill, colours.rim, rim, on)
        size = round(box.w * 0.66)
        canvas.stamp(box.x + (box.w - size) // 2, box.y + (box.h - size) // 2, cross(size), colours.sign)


class Pill(NamedTuple):
    """A label in its place."""

    box: Box
    line: ProseLine
    style: Style


def plan_pills(texts: Mapping[int, str], room: Box, style: Style, smallest: int) -> tuple[Pill, ...]:
    """Labels centred on columns, ``texts`` being what stands under each column's middle.

    They stand in one line, as high as the room, or alternately in two where they would touch; none leaves the room to
    the left or to the right. What is too long is set smaller, then cut.
    """
    middles = sorted(texts)
    pills: tuple[Pill, ...] = ()
    for levels in (1, _LEVELS):
        found = []
        for n, middle in enumerate(middles):
            beside = (middles[at] for at in (n - levels, n + levels) if 0 <= at < len(middles))
            reach = min(
                2 * (middle - room.x), 2 * (room.right - middle), *(abs(middle - other) - 4 for other in beside)
            )
            y = room.y + n % levels * (room.h + 3)
            found.append(_pill(texts[middle], middle, y, room.h, reach, style, smallest))
        pills = tuple(pill for pill, _ in found if pill)
        if all(whole for _, whole in found):
            break
    return pills


def _pill(
    text: str, middle: int, y: int, height: int, reach: int, style: Style, smallest: int
) -> tuple[Pill | None, bool]:
    """A label that reaches so far, and whether all of its text is there."""
    pad = round(style.size * _SIDE)
    own, prose = largest(text, style, max(1, reach - 2 * pad), 1, smallest)
    if not prose.lines:
        return None, True
    used = line_width(prose.lines[0], own)
    if used > reach - 4:
        return None, False
    width = min(reach, max(used + 2 * pad, height))
    return Pill(Box(middle - width // 2, y, width, height), prose.lines[0], own), prose.whole


def draw_pill(canvas: Canvas, pill: Pill, colours: Label, on: str | None = None) -> None:
    """Draw a label; ``on`` is the colour of what is around it."""
    canvas.framed(pill.box, pill.box.h // 2, colours.fill, colours.edge, 2, on)
    left = pill.box.x + (pill.box.w - line_width(pill.line, pill.style)) // 2
    draw_line(canvas, pill.line, pill.style, left, pill.box.middle, colours.inks)
