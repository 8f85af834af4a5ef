"""Reading PNG bytes in tests."""

import struct
from io import BytesIO

from PIL import Image

_SIGNATURE = 8


def decode(data: bytes) -> Image.Image:
    """The picture in its own mode, fully loaded."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


def chunks(data: bytes) -> list[str]:
    """The names of the chunks of a PNG."""
    names, at = [], _SIGNATURE
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        names.append(name.decode("ascii"))
        at += 12 + length
    return names
