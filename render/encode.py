"""From pixels to bytes: a palette PNG without metadata."""

from io import BytesIO
from typing import Final

from PIL import Image

_LEVEL: Final = 3
"""Of zlib: higher levels cost much time for few bytes."""


def encode_png(image: Image.Image, palette: Image.Image) -> bytes:
    """An RGB image as an 8-bit palette PNG, with the palette of ``palette`` (mode P) and no ancillary text chunks."""
    reduced = image.quantize(palette=palette, dither=Image.Dither.NONE)
    out = BytesIO()
    reduced.save(out, "PNG", compress_level=_LEVEL, optimize=False)
    return out.getvalue()
