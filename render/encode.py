"""From places in a palette to bytes: a PNG without metadata."""

import struct
from typing import Final

from PIL import Image
from zlib_ng import zlib_ng

_LEVEL: Final = 2
"""Of the compression: the next one takes a third more time for three bytes in a hundred."""
_ROWS: Final = 256
"""Compressed at a time."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_PALETTE: Final = b"\x08\x03\x00\x00\x00"
"""Bit depth, colour type, and the only compression, filters and order of rows that suit it."""


def encode_png(places: Image.Image, colours: bytes) -> bytes:
    """Places in a palette (mode L) as an 8-bit palette PNG without ancillary chunks; ``colours`` are the palette's."""
    # Written here and not by Pillow: nearly all the time is the compression's, and this one takes half of it.
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">II", *places.size) + _EIGHT_BIT_PALETTE),
            _chunk(b"PLTE", colours),
            _chunk(b"IDAT", _compressed(places)),
            _chunk(b"IEND", b""),
        )
    )


def _compressed(places: Image.Image) -> bytes:
    width, height = places.size
    # A column more at the left: every row of a PNG begins with its filter, and 0 is none. The rows are pasted, some at
    # a time, into memory of our own that the compression reads: Image.tobytes would copy all of them twice.
    rows = bytearray((width + 1) * _ROWS)
    strip = Image.frombuffer("L", (width + 1, _ROWS), rows, "raw", "L", 0, 1)
    strip.readonly = 0
    compression = zlib_ng.compressobj(_LEVEL)
    found = []
    for top in range(0, height, _ROWS):
        strip.paste(places, (1, -top))
        found.append(compression.compress(memoryview(rows)[: (width + 1) * min(_ROWS, height - top)]))
    return b"".join((*found, compression.flush()))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
