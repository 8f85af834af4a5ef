"""From pixels to bytes: a palette PNG without metadata."""

import struct
from typing import Final

from PIL import Image
from zlib_ng import zlib_ng

_LEVEL: Final = 3
"""Of the compression: higher levels cost much time for few bytes."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_PALETTE: Final = b"\x08\x03\x00\x00\x00"
"""Bit depth, colour type, and the only compression, filters and order of rows that suit it."""
_NO_FILTER: Final = b"\x00"


def encode_png(image: Image.Image, palette: Image.Image) -> bytes:
    """An RGB image as an 8-bit palette PNG, with the palette of ``palette`` (mode P) and no ancillary chunks."""
    reduced = image.quantize(palette=palette, dither=Image.Dither.NONE)
    width, height = reduced.size
    pixels = reduced.tobytes()
    rows = _NO_FILTER + _NO_FILTER.join([pixels[start : start + width] for start in range(0, len(pixels), width)])
    # Written here and not by Pillow: nearly all the time is the compression's, and this one takes half of it.
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">II", width, height) + _EIGHT_BIT_PALETTE),
            _chunk(b"PLTE", bytes(reduced.getpalette() or ())),
            _chunk(b"IDAT", zlib_ng.compress(rows, _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
