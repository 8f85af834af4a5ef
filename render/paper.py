"""Paper: the colours of a printed page, and the page as PNG or PDF.

Everything is drawn once, with 300 dots an inch; the PNG is the same page with half as many.
"""

import re
import struct
import zlib
from functools import cache
from io import BytesIO
from typing import Final

import msgspec
from PIL import Image

from render.theme import Rgb, Theme, rgb

DPI: Final = 300
PAGE: Final = (2480, 3508)
"""A4 upright in pixels."""
WHITE: Final = "#FFFFFF"
INK: Final = "#18211D"
ACCENT: Final = "#0B5A43"
GREY: Final = "#5E6964"
LINE: Final = "#B4BEB9"
WILD: Final = "#F3ECFD"
WILD_EDGE: Final = "#6A1B9A"
RED: Final = "#B8141B"

_PNG_SCALE: Final = 2
_LEVEL: Final = 6
_STEPS: Final = 11
_COLOURS: Final = 256
_SIGNATURE: Final = 8


def paper_theme(theme: Theme) -> Theme:
    """A theme with cards that take little ink; black suits and red ones."""
    inks = (INK, RED, RED, INK)
    return msgspec.structs.replace(
        theme,
        card=msgspec.structs.replace(theme.card, face=WHITE, edge=GREY),
        wild=msgspec.structs.replace(theme.wild, face=WILD, edge=WILD_EDGE, ink=WILD_EDGE),
        suits=msgspec.structs.replace(theme.suits, four=inks, two=inks),
    )


@cache
def _palette() -> Image.Image:
    """The colours of the page and what lies between each and the ground that it is drawn on."""
    colours: dict[Rgb, None] = {}
    for ground in (WHITE, WILD):
        for ink in (INK, ACCENT, GREY, LINE, WILD_EDGE, RED):
            for step in range(_STEPS + 1):
                share = step / _STEPS
                r, g, b = (round(a + (z - a) * share) for a, z in zip(rgb(ground), rgb(ink), strict=True))
                colours[r, g, b] = None
    filled = [*colours, *[rgb(WHITE)] * (_COLOURS - len(colours))]
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in filled for channel in colour])
    return image


def _png(page: Image.Image, dpi: int) -> bytes:
    out = BytesIO()
    reduced = page.quantize(palette=_palette(), dither=Image.Dither.NONE)
    reduced.save(out, "PNG", compress_level=_LEVEL, optimize=False, dpi=(dpi, dpi))
    return out.getvalue()


def page_png(page: Image.Image) -> bytes:
    """A page as an 8-bit palette PNG with 150 dots an inch."""
    return _png(page.reduce(_PNG_SCALE), DPI // _PNG_SCALE)


def page_pdf(page: Image.Image, title: str) -> bytes:
    """A page as a PDF of one page, lossless, with 300 dots an inch. Equal pages with equal titles give equal bytes.

    Pillow would write a JPEG, which is larger and blurs letters, so the few objects are written here. The rows of a
    PNG are packed as PDF wants them and are taken as they are.
    """
    palette, rows = b"", []
    data = _png(page, DPI)
    at = _SIGNATURE
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if name == b"PLTE":
            palette = body
        elif name == b"IDAT":
            rows.append(body)
        at += 12 + size
    width, height = page.size
    box = f"{width * 72 / DPI:.2f} {height * 72 / DPI:.2f}"
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8"
        f" /ColorSpace [/Indexed /DeviceRGB {len(palette) // 3 - 1} <{palette.hex()}>] /Filter /FlateDecode"
        f" /DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns {width} >>"
    )
    return _pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %b] /Contents 4 0 R"
            b" /Resources << /XObject << /Page 5 0 R >> >> >>" % box.encode(),
            _stream("<<", zlib.compress(f"q {box.replace(' ', ' 0 0 ')} 0 0 cm /Page Do Q".encode()), flate=True),
            _stream(image, b"".join(rows)),
            b"<< /Title <%b> /CreationDate (D:20000101000000Z) /ModDate (D:20000101000000Z) >>"
            % ("\ufeff" + _encodable(title)).encode("utf-16-be").hex().encode(),
        ]
    )


def _encodable(text: str) -> str:
    return re.sub("[\ud800-\udfff\x00-\x1f]", " ", text)


def _stream(head: str, data: bytes, *, flate: bool = False) -> bytes:
    head += " /Filter /FlateDecode" if flate else ""
    return f"{head} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _pdf(objects: list[bytes]) -> bytes:
    """A file of objects numbered from 1, the first being the catalogue and the last the information."""
    out, offsets = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start, count = len(out), len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, count - 1, start)
    return bytes(out)
