"""Cards as emojis: one face or one back on a square with transparent corners, made to be read 20 pixels high.

Such a picture stands in a line of text or in front of an option of a menu, on a light or on a dark ground. So the card
fills the square, its rank is set wider than in the pictures of the table, and there is one pip and nothing else.
"""

from collections.abc import Callable
from functools import cache, partial
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import SuitColours
from engine.cards import FACE_CODE, JOKER, PACKS, RANK_OF_FACE, SUIT_OF_FACE, Face, parse_face
from render.canvas import Box, Canvas
from render.cards import rank_text
from render.fonts import CAP_HEIGHT, Weight, font
from render.shapes import rounded, shape, suit_shape
from render.theme import Theme, load_theme

DESIGN: Final = 1
"""The version of the drawings, a part of every name: raise it when a drawing changes."""
SIDE: Final = 128
"""The width and the height of an emoji in pixels, as platforms keep them."""

_WIDTH: Final = 112
_RADIUS: Final = 18
_EDGE: Final = 5
"""Less than a pixel in a line of text: enough to part a white card from a white ground."""
_RANK_Y: Final = 37
_RANK: Final = 53
_ROOM: Final = 4
_WIDER: Final = 1.75
"""How much wider than in the font a rank is set: the square has room, and strokes of a pixel each need it."""
_WIDEST: Final = 94
_OPENINGS: Final = {"5": (0.0, 0.6, 0.37, 0.22), "6": (0.6, 0.19, 0.4, 0.18), "9": (0.0, 0.63, 0.4, 0.18)}
"""Left, top, width and height of what is cut out of a digit, in widths of it and in heights of a capital."""
_TAIL: Final = ((0.48, 0.68), (0.74, 0.68), (1.06, 1.06), (0.78, 1.06))
_PIP_Y: Final = 97
_PIPS: Final = ((60, 50), (60, 48), (64, 52), (66, 50))
"""Width and height of the pips of the suits s h d c: about equal ink, the lobes of the club well apart."""
_STAR: Final = 104
_MARGIN: Final = 13
_PITCH: Final = 43
"""Between the strokes of a back's pattern."""
_DOTS: Final = ((-0.33, -0.64), (0.33, -0.64), (-0.66, 0), (0, 0), (0.66, 0), (-0.33, 0.64), (0.33, 0.64))
_FINE: Final = 8
"""How many times larger strokes are drawn before they are scaled down."""
_LEVEL: Final = 9


@cache
def _theme() -> Theme:
    return load_theme()


def _card(ground: str, edge: str) -> Canvas:
    canvas = Canvas(_WIDTH, SIDE, edge)
    canvas.framed(Box(0, 0, _WIDTH, SIDE), _RADIUS, ground, edge, _EDGE)
    return canvas


def _png(card: Image.Image) -> bytes:
    """A card with its corners cut off in the middle of a transparent square, as PNG."""
    square = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    card.putalpha(rounded(card.width, card.height, _RADIUS))
    square.paste(card, ((SIDE - card.width) // 2, (SIDE - card.height) // 2))
    out = BytesIO()
    square.save(out, "PNG", compress_level=_LEVEL, optimize=False)
    return out.getvalue()


def _rank(rank: str) -> Image.Image:
    """The mask of a rank: its capital is the middle of the mask, with room for overshoot above and below.

    The Q is an O with a tail across its corner, as the font's tail would hang down onto the pip. The hooks of 5, 6
    and 9 are shortened: well open, they are not taken for each other nor for an 8.
    """
    letter, cap, room = "O" if rank == "Q" else rank, _RANK * _FINE, _ROOM * _FINE
    face = font(Weight.BOLD, round(cap / CAP_HEIGHT))
    left, _, right, _ = (round(edge) for edge in face.getbbox(letter, anchor="ls"))
    mask = Image.new("L", (right - left, cap + 2 * room), 0)
    draw = ImageDraw.Draw(mask)
    draw.text((-left, cap + room), letter, fill=255, font=face, anchor="ls")
    if rank in _OPENINGS:
        x, y, w, h = _OPENINGS[rank]
        draw.rectangle((x * mask.width, y * cap + room, (x + w) * mask.width, (y + h) * cap + room), fill=0)
    if rank == "Q":
        whole = Image.new("L", (round(mask.width * 1.06), mask.height), 0)
        whole.paste(mask)
        ImageDraw.Draw(whole).polygon([(x * mask.width, y * cap + room) for x, y in _TAIL], fill=255)
        mask = whole
    width = min(_WIDEST, round(mask.width * _WIDER / _FINE))
    return mask.resize((width, mask.height // _FINE), Image.Resampling.BOX)


def _marks(canvas: Canvas, face: Face, ink: str) -> None:
    suit, rank = SUIT_OF_FACE[face], _rank(rank_text(RANK_OF_FACE[face]))
    canvas.stamp((_WIDTH - rank.width) // 2, _RANK_Y - rank.height // 2, rank, ink)
    width, height = _PIPS[suit]
    pip = shape(suit_shape(suit), SIDE).resize((width, height), Image.Resampling.LANCZOS)
    canvas.stamp((_WIDTH - width) // 2, _PIP_Y - height // 2, pip, ink)


def _pattern(back: int, width: int, height: int) -> Image.Image:
    """The mask of a pack's pattern as on the table, a lattice, dots or slanted stripes, but coarse."""
    mask = Image.new("L", (width * _FINE, height * _FINE), 0)
    draw, pitch = ImageDraw.Draw(mask), _PITCH * _FINE
    w, h = mask.size
    if back == 1:
        radius = pitch * 0.22
        for dx, dy in _DOTS:
            x, y = w * (1 + dx) / 2, h * (1 + dy) / 2
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    else:
        thick = pitch // (6 if back == 0 else 4)
        middle = (w - h) // 2
        for x in range(middle - 4 * pitch, middle + 4 * pitch + 1, pitch):
            draw.line((x, 0, x + h, h), fill=255, width=thick)
            if back == 0:
                draw.line((x + h, 0, x, h), fill=255, width=thick)
    return mask.resize((width, height), Image.Resampling.BOX)


def card_emoji(face_code: str, suits: SuitColours = SuitColours.FOUR) -> bytes:
    """The PNG of a face in its notation, such as ``7h``, ``Th`` or ``JK``.

    Raises:
        NotationError: the notation is no card.
        FontsMissingError: the font package is not installed.
    """
    face, theme = parse_face(face_code), _theme()
    ground, edge = (theme.wild.face, theme.wild.edge) if face == JOKER else (theme.card.face, theme.card.edge)
    canvas = _card(ground, edge)
    if face == JOKER:
        canvas.shape(_WIDTH // 2, SIDE // 2, "star", _STAR, theme.wild.ink)
    else:
        _marks(canvas, face, theme.suits.of(suits)[SUIT_OF_FACE[face]])
    return _png(canvas.image)


def back_emoji(back: int) -> bytes:
    """The PNG of the back of a pack: 0, 1 or 2."""
    theme = _theme()
    colours, box = theme.backs[back], Box(0, 0, _WIDTH, SIDE).inset(_MARGIN)
    canvas = _card(theme.card.face, theme.card.edge)
    canvas.rect(box, colours.fill)
    canvas.stamp(box.x, box.y, _pattern(back, box.w, box.h), colours.pattern)
    return _png(canvas.image)


def emoji_name(face_code: str) -> str:
    """The name of the emoji of a face, or of a back as ``back0``: ``buraco_7h_1``, ``buraco_back0_1``."""
    return f"buraco_{face_code}_{DESIGN}"


def emojis() -> dict[str, Callable[[], bytes]]:
    """How to draw each emoji, by its name: the 53 faces, then the three backs."""
    faces = {emoji_name(code): partial(card_emoji, code) for code in FACE_CODE}
    backs = {emoji_name(f"back{back}"): partial(back_emoji, back) for back in range(PACKS)}
    return {**faces, **backs}
