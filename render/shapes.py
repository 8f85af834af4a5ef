"""Shapes as masks: pips, the star, marks of sides, signs and rounded corners, drawn large once and scaled down.

A mask is an image in mode L; the ink is chosen when it is pasted. Nothing here is typed in a font.
"""

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageDraw

Point = tuple[float, float]

_MASTER: Final = 512
"""The side of the square in which shapes are drawn before they are scaled down."""
_CURVE_STEPS: Final = 24
_SIDES: Final = ("circle", "triangle", "square")
_SUITS: Final = ("spade", "heart", "diamond", "club")


def suit_shape(suit: int) -> str:
    """The name of a suit's pip."""
    return _SUITS[suit]


def side_shape(side: int) -> str:
    """The name of the shape that marks a side."""
    return _SIDES[side]


def _bezier(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    points = []
    for step in range(_CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        k = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        xs, ys = zip(a, b, c, d, strict=True)
        points.append((sum(w * x for w, x in zip(k, xs, strict=True)), sum(w * y for w, y in zip(k, ys, strict=True))))
    return points


def _mirrored(right: list[Point]) -> list[Point]:
    """A closed outline from its right half, which runs along the middle axis x = 0.5."""
    return right + [(1 - x, y) for x, y in reversed(right)]


class _Pen:
    """Draws in the unit square."""

    def __init__(self, image: Image.Image) -> None:
        self._draw = ImageDraw.Draw(image)

    def polygon(self, points: list[Point], ink: int = 255) -> None:
        self._draw.polygon([(x * _MASTER, y * _MASTER) for x, y in points], fill=ink)

    def disc(self, x: float, y: float, radius: float, ink: int = 255) -> None:
        box = ((x - radius) * _MASTER, (y - radius) * _MASTER, (x + radius) * _MASTER, (y + radius) * _MASTER)
        self._draw.ellipse(box, fill=ink)


def _heart(pen: _Pen) -> None:
    pen.polygon(
        _mirrored(
            [
                *_bezier((0.5, 0.26), (0.56, 0.11), (0.66, 0.05), (0.77, 0.05)),
                *_bezier((0.77, 0.05), (0.90, 0.05), (1.0, 0.15), (1.0, 0.32)),
                *_bezier((1.0, 0.32), (1.0, 0.58), (0.68, 0.76), (0.5, 0.98)),
            ]
        )
    )


def _foot(pen: _Pen, top: float) -> None:
    pen.polygon(_mirrored([(0.53, top), *_bezier((0.54, 0.70), (0.55, 0.86), (0.62, 0.95), (0.74, 0.99))]))


def _spade(pen: _Pen) -> None:
    pen.polygon(
        _mirrored(
            [
                *_bezier((0.5, 0.0), (0.62, 0.20), (1.0, 0.36), (1.0, 0.61)),
                *_bezier((1.0, 0.61), (1.0, 0.76), (0.90, 0.84), (0.78, 0.84)),
                *_bezier((0.78, 0.84), (0.66, 0.84), (0.56, 0.77), (0.5, 0.66)),
            ]
        )
    )
    _foot(pen, 0.6)


def _diamond(pen: _Pen) -> None:
    pen.polygon(
        _mirrored(
            [
                *_bezier((0.5, 0.0), (0.60, 0.19), (0.74, 0.37), (0.90, 0.5)),
                *_bezier((0.90, 0.5), (0.74, 0.63), (0.60, 0.81), (0.5, 1.0)),
            ]
        )
    )


def _club(pen: _Pen) -> None:
    pen.disc(0.5, 0.245, 0.235)
    pen.disc(0.235, 0.6, 0.235)
    pen.disc(0.765, 0.6, 0.235)
    pen.polygon([(0.42, 0.4), (0.58, 0.4), (0.62, 0.66), (0.38, 0.66)])
    _foot(pen, 0.5)


def _star(pen: _Pen) -> None:
    points = []
    for corner in range(10):
        radius = 0.525 if corner % 2 == 0 else 0.225
        angle = -pi / 2 + corner * pi / 5
        points.append((0.5 + radius * cos(angle), 0.535 + radius * sin(angle)))
    pen.polygon(points)


def _circle(pen: _Pen) -> None:
    pen.disc(0.5, 0.5, 0.5)


def _triangle(pen: _Pen) -> None:
    pen.polygon([(0.5, 0.02), (1.0, 0.95), (0.0, 0.95)])


def _square(pen: _Pen) -> None:
    pen.polygon([(0.05, 0.05), (0.95, 0.05), (0.95, 0.95), (0.05, 0.95)])


def _chevrons(pen: _Pen) -> None:
    for x in (0.0, 0.46):
        pen.polygon([(x, 0.05), (x + 0.18, 0.05), (x + 0.54, 0.5), (x + 0.18, 0.95), (x, 0.95), (x + 0.36, 0.5)])


def _flag(pen: _Pen) -> None:
    pen.polygon([(0.12, 0.0), (0.26, 0.0), (0.26, 1.0), (0.12, 1.0)])
    pen.polygon([(0.26, 0.04), (0.95, 0.30), (0.26, 0.58)])


def _check(pen: _Pen) -> None:
    pen.polygon([(0.02, 0.53), (0.18, 0.36), (0.39, 0.57), (0.82, 0.12), (0.98, 0.28), (0.39, 0.90)])


def _ring(pen: _Pen) -> None:
    pen.disc(0.5, 0.5, 0.46)
    pen.disc(0.5, 0.5, 0.25, 0)


def _half_diamond(pen: _Pen) -> None:
    pen.polygon([(0.5, 0.0), (0.95, 0.5), (0.5, 1.0), (0.05, 0.5)])
    pen.polygon([(0.5, 0.24), (0.73, 0.5), (0.5, 0.76)], 0)


def _gem(pen: _Pen) -> None:
    pen.polygon([(0.5, 0.0), (0.95, 0.5), (0.5, 1.0), (0.05, 0.5)])


_SHAPES: Final[dict[str, Callable[[_Pen], None]]] = {
    "spade": _spade,
    "heart": _heart,
    "diamond": _diamond,
    "club": _club,
    "star": _star,
    "circle": _circle,
    "triangle": _triangle,
    "square": _square,
    "chevrons": _chevrons,
    "flag": _flag,
    "check": _check,
    "ring": _ring,
    "half_gem": _half_diamond,
    "gem": _gem,
}


@lru_cache(maxsize=len(_SHAPES))
def _master(name: str) -> Image.Image:
    image = Image.new("L", (_MASTER, _MASTER), 0)
    _SHAPES[name](_Pen(image))
    return image


@lru_cache(maxsize=256)
def shape(name: str, size: int) -> Image.Image:
    """The mask of a shape, ``size`` by ``size`` pixels."""
    return _master(name).resize((size, size), Image.Resampling.BOX if size * 4 <= _MASTER else Image.Resampling.LANCZOS)


_CORNER_SCALE: Final = 8


@lru_cache(maxsize=64)
def corner(radius: int) -> Image.Image:
    """The mask of a rounded rectangle's top left corner, ``radius`` pixels a side."""
    big = radius * _CORNER_SCALE
    image = Image.new("L", (big, big), 0)
    ImageDraw.Draw(image).ellipse((0, 0, 2 * big - 1, 2 * big - 1), fill=255)
    return image.resize((radius, radius), Image.Resampling.BOX)


@lru_cache(maxsize=256)
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """The mask of a filled rounded rectangle."""
    mask = Image.new("L", (width, height), 255)
    if radius:
        piece = corner(radius)
        for x, y, turned in (
            (0, 0, piece),
            (width - radius, 0, piece.transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
            (0, height - radius, piece.transpose(Image.Transpose.FLIP_TOP_BOTTOM)),
            (width - radius, height - radius, piece.transpose(Image.Transpose.ROTATE_180)),
        ):
            mask.paste(turned, (x, y))
    return mask
