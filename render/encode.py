"""From places in a palette to bytes: a PNG without metadata."""

import struct
from typing import Final

from PIL import Image
from zlib_ng import zlib_ng

_LEVEL: Final = 2
"""Of the compression: the next one takes a third more time for three bytes in a hundred."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_PALETTE: Final = b"\x08\x03\x00\x00\x00"
"""Bit depth, colour type, and the only compression, filters and order of rows that suit it."""


def encode_png(places: Image.Image, colours: bytes) -> bytes:
    """Places in a palette (mode L) as an 8-bit palette PNG without ancillary chunks; ``colours`` are the palette's."""
    width, height = places.size
    # A column more at the left: every row of a PNG begins with its filter, and 0 is none. Pasted into memory of our own,
    # which saves what Image.tobytes takes to cut the pixels into pieces and to join them.
    rows = bytearray((width + 1) * height)
    sheet = Image.frombuffer("L", (width + 1, height), rows, "raw", "L", 0, 1)
    sheet.readonly = 0
    sheet.paste(places, (1, 0))
    # Written here and not by Pillow: nearly all the time is the compression's, and this one takes half of it.
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">II", width, height) + _EIGHT_BIT_PALETTE),
            _chunk(b"PLTE", colours),
            _chunk(b"IDAT", zlib_ng.compress(rows, _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
