"""The fonts: Barlow Semi Condensed from its package, and which characters it can draw."""

from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final

from PIL import ImageFont

_PACKAGE: Final = "fontpkg_barlow_semi_condensed"
_UNMAPPED: Final = "\uffff"
"""A noncharacter: no font maps it, so drawing it shows the box of a missing glyph."""
CAP_HEIGHT: Final = 0.7
"""The height of a capital in ems."""


class Weight(StrEnum):
    """The weights in use; the value is the file's suffix."""

    SEMI_BOLD = "SemiBold"
    BOLD = "Bold"
    EXTRA_BOLD = "ExtraBold"


class FontsMissingError(RuntimeError):
    """The font package is not installed or lacks a file."""

    def __init__(self, name: str) -> None:
        super().__init__(f"font file {name} not found: install the package fontpkg-barlow-semi-condensed")


@cache
def _file(weight: Weight) -> bytes:
    name = f"BarlowSemiCondensed-{weight}.ttf"
    try:
        return files(_PACKAGE).joinpath("files", name).read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        raise FontsMissingError(name) from None


@lru_cache(maxsize=64)
def font(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels.

    Raises:
        FontsMissingError: the font package is not installed or incomplete.
    """
    # The basic layout engine gives the same advance widths on every machine, whether or not a shaping library is there.
    return ImageFont.truetype(BytesIO(_file(weight)), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _missing_glyph() -> tuple[tuple[int, int], bytes]:
    mask = font(Weight.BOLD, 32).getmask(_UNMAPPED)
    return mask.size, bytes(mask)


@lru_cache(maxsize=4096)
def covers(character: str) -> bool:
    """Whether the fonts have a glyph for a character."""
    mask = font(Weight.BOLD, 32).getmask(character)
    return (mask.size, bytes(mask)) != _missing_glyph()
