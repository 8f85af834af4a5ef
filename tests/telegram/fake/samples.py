"""Small things for tests: pictures, keyboards and a clock."""

import struct
import zlib

from telegram import InlineKeyboardButton, InlineKeyboardMarkup


def png(width: int = 30, height: int = 20, filler: int = 0) -> bytes:
    """Make a small picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(width) for _ in range(min(height, 100))))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"tEXt", bytes(filler))


def keys(*labels: str) -> InlineKeyboardMarkup:
    """Make one row of buttons whose data is their label."""
    return InlineKeyboardMarkup([[InlineKeyboardButton(label, callback_data=label) for label in labels]])


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, at: float = 1_800_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at
