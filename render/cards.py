"""Own drawn cards as sprites: faces in every state, and the backs of the packs.

A face shows its rank over its pip inside the strip that stays visible in a fan. A wild shows what it is small at the
top and what it stands for on a white chip below.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from bot.pictures import SuitColours
from engine.cards import ACE, HIGH_ACE, JOKER, RANK_OF_FACE, SUIT_OF_FACE, Face, parse_face
from render.cache import Lru
from render.canvas import Align, Box, Canvas, PaletteCanvas, Style, fit_style, text_width
from render.fonts import CAP_HEIGHT, Weight, font
from render.shades import Shades, size_of
from render.shapes import rounded, shape, suit_shape
from render.theme import Theme

_RANKS: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_MASTER_SIZE: Final = 400
_WIDEST_RANK: Final = 0.86
"""Of the strip: only the 10 is wider and is squeezed."""
_SMALLEST_WORD: Final = 34
_CACHE_BYTES: Final = 12 << 20
"""Of faces with transparent corners, of which those that can be pasted are made. Backs take a part of it more."""
_ANY_FACE: Final = parse_face("As")


def rank_text(rank: int) -> str:
    """How a rank (1..13, 14 for the ace above the king) is written on a card; empty for a joker."""
    return _RANKS[ACE if rank == HIGH_ACE else rank]


@lru_cache(maxsize=16)
def _rank_master(rank: str) -> Image.Image:
    face = font(Weight.EXTRA_BOLD, _MASTER_SIZE)
    left, top, right, bottom = (round(edge) for edge in face.getbbox(rank, anchor="ls"))
    cap = round(_MASTER_SIZE * CAP_HEIGHT)
    # As high as a capital with room for overshoot and the tail of the Q, the same above the capitals and below them.
    room = max(-top - cap, bottom, 0)
    ink = ImageDraw.Draw(probe := Image.new("L", (right, cap + 2 * room), 0))
    ink.text((0, cap + room), rank, fill=255, font=face, anchor="ls")
    return probe.crop((left, 0, right, cap + 2 * room))


@lru_cache(maxsize=256)
def rank_mask(rank: str, cap: int, widest: int) -> Image.Image:
    """The mask of a rank whose capitals are ``cap`` pixels high, centred on them, at most ``widest`` pixels wide."""
    master = _rank_master(rank)
    scale = cap / (_MASTER_SIZE * CAP_HEIGHT)
    size = (max(1, min(widest, round(master.width * scale))), max(1, round(master.height * scale)))
    return master.resize(size, Image.Resampling.LANCZOS)


class Geometry(NamedTuple):
    """The measures of a card in pixels. ``strip`` is the width that a fan leaves visible, where the marks stand."""

    w: int
    h: int
    strip: int
    radius: int
    edge: int
    rank_y: int
    """The middle of the rank."""
    rank: int
    """The height of a capital."""
    pip_y: int
    pip: int

    @property
    def mark(self) -> int:
        """The width of a marked edge."""
        return max(4, round(self.strip * 0.085))


@lru_cache(maxsize=64)
def fan(step: int) -> Geometry:
    """A card of a fan on the table, ``step`` pixels of which stay visible."""
    return Geometry(
        w=round(1.24 * step),
        h=round(1.88 * step),
        strip=step,
        radius=round(0.17 * step),
        edge=2,
        rank_y=round(0.53 * step),
        rank=round(0.70 * step),
        pip_y=round(1.37 * step),
        pip=round(0.70 * step),
    )


@lru_cache(maxsize=64)
def held(step: int) -> Geometry:
    """A card of a hand, with room for a foot bar."""
    return Geometry(
        w=round(1.30 * step),
        h=round(2.08 * step),
        strip=step,
        radius=round(0.15 * step),
        edge=3 if step > 60 else 2,
        rank_y=round(0.52 * step),
        rank=round(0.70 * step),
        pip_y=round(1.34 * step),
        pip=round(0.68 * step),
    )


@lru_cache(maxsize=16)
def alone(height: int) -> Geometry:
    """A card that nothing covers: its marks stand in the middle."""
    width = round(height * 0.72)
    return Geometry(
        w=width,
        h=height,
        strip=width,
        radius=round(0.09 * height),
        edge=2,
        rank_y=round(0.29 * height),
        rank=round(0.37 * height),
        pip_y=round(0.72 * height),
        pip=round(0.38 * height),
    )


class Look(NamedTuple):
    """Everything that a face's sprite depends on."""

    face: Face
    geometry: Geometry
    suits: SuitColours
    wild: bool = False
    chip: str = ""
    """The rank on the chip."""
    chip_suit: int = -1
    new: bool = False
    selected: bool = False
    back: int = -1
    """The pack for the foot bar; −1: no bar."""
    word: str = ""
    """The word under a joker's star."""


class Under(NamedTuple):
    """The card under a card of a fan, without its marks: these stand in the strip that stays visible."""

    lilac: bool
    new: bool
    selected: bool
    down: int
    """How much lower it lies, in pixels."""

    def look(self, geometry: Geometry) -> Look:
        """A card that looks like it beyond its strip."""
        return Look(_ANY_FACE, geometry, SuitColours.FOUR, wild=self.lilac, new=self.new, selected=self.selected)


def under(look: Look, down: int = 0) -> Under:
    """What a card is for the next one of a fan, which lies ``down`` pixels above it."""
    return Under(look.wild or look.face == JOKER, look.new, look.selected, down)


class CardPainter:
    """Draws cards in a theme and keeps the sprites."""

    def __init__(self, theme: Theme, shades: Shades | None = None) -> None:
        """With ``shades`` pictures are drawn as places in a palette, else in RGB."""
        self.theme = theme
        self._shades = shades
        self._faces: Lru[Look, Image.Image] = Lru(_CACHE_BYTES, size_of)
        self._backs: Lru[tuple[int, int, int], Image.Image] = Lru(_CACHE_BYTES // 4, size_of)

    def canvas(self, width: int, height: int, ground: str) -> Canvas:
        """A canvas for a picture that cards are laid on."""
        if self._shades is None:
            return Canvas(width, height, ground)
        return PaletteCanvas(width, height, ground, self._shades)

    def lay(self, canvas: Canvas, x: int, y: int, look: Look, on: str, below: Under | None = None) -> None:
        """Lay a face on a ground of one colour; in a fan, over the card whose strip stays visible at its left."""
        if self._shades is None:
            # RGB blends with whatever is there, the card below among it.
            canvas.sprite(x, y, self.face(look))
            return
        geometry = look.geometry

        def draw(canvas: Canvas, x: int, y: int) -> None:
            if below is not None:
                top, bottom = max(0, -below.down), min(geometry.h, geometry.h - below.down)
                beside = self.face(below.look(geometry)).crop((geometry.strip, top, geometry.w, bottom))
                canvas.sprite(x, y + below.down + top, beside)
            canvas.sprite(x, y, self.face(look))

        canvas.group(Box(x, y, geometry.w, geometry.h), on, (look, below), draw)

    def lay_back(self, canvas: Canvas, box: Box, pack: int, on: str) -> None:
        """Lay a back on a ground of one colour."""

        def draw(canvas: Canvas, x: int, y: int) -> None:
            canvas.sprite(x, y, self.back(pack, box.w, box.h))

        canvas.group(box, on, ("back", pack), draw)

    def face(self, look: Look) -> Image.Image:
        """The sprite of a face: RGBA with transparent corners, as large as its geometry."""
        return self._faces.get(look, lambda: self._draw_face(look))

    def back(self, pack: int, width: int, height: int) -> Image.Image:
        """The sprite of a back in any size, upright or lying."""
        return self._backs.get((pack, width, height), lambda: self._draw_back(pack, width, height))

    def _draw_face(self, look: Look) -> Image.Image:
        geometry, colours = look.geometry, self.theme.card
        lilac = look.wild or look.face == JOKER
        face = self.theme.wild.face if lilac else colours.face
        canvas = Canvas(geometry.w, geometry.h, face)
        self._edge(canvas, look, face, self.theme.wild.edge if lilac else colours.edge)
        if look.chip:
            self._stand_in(canvas, look)
        elif look.face == JOKER:
            self._joker(canvas, look)
        else:
            self._marks(canvas, look)
        if look.back >= 0:
            self._foot(canvas, look)
        if look.selected:
            size = round(geometry.strip * 0.40)
            x, y = geometry.strip - size // 2 - 2, geometry.h - size + size // 2
            canvas.shape(x, y, "circle", size, colours.selected)
            canvas.shape(x, y, "check", round(size * 0.68), colours.selected_ink)
        canvas.image.putalpha(rounded(geometry.w, geometry.h, geometry.radius))
        return canvas.image

    def _edge(self, canvas: Canvas, look: Look, face: str, plain: str) -> None:
        geometry, colours = look.geometry, self.theme.card
        box = Box(0, 0, geometry.w, geometry.h)
        if look.new or look.selected:
            canvas.framed(box, geometry.radius, face, colours.shade, 1)
            mark = colours.selected if look.selected else colours.new
            canvas.framed(box.inset(1), geometry.radius - 1, face, mark, geometry.mark)
        else:
            canvas.framed(box, geometry.radius, face, plain, geometry.edge)

    def _marks(self, canvas: Canvas, look: Look) -> None:
        geometry, suit = look.geometry, SUIT_OF_FACE[look.face]
        ink = self.theme.suits.of(look.suits)[suit]
        self._rank(canvas, geometry.strip // 2, geometry.rank_y, rank_text(RANK_OF_FACE[look.face]), look, ink)
        canvas.shape(geometry.strip // 2, geometry.pip_y, suit_shape(suit), geometry.pip, ink)

    def _rank(self, canvas: Canvas, x: int, y: int, rank: str, look: Look, ink: str) -> None:
        geometry = look.geometry
        mask = rank_mask(rank, geometry.rank, round(geometry.strip * _WIDEST_RANK) - 2 * geometry.edge)
        canvas.stamp(x - mask.width // 2, y - mask.height // 2, mask, ink)

    def _joker(self, canvas: Canvas, look: Look) -> None:
        geometry, ink = look.geometry, self.theme.wild.ink
        x, width = geometry.strip // 2, geometry.strip - 2 * geometry.edge - 2
        style = fit_style(look.word, Style(Weight.EXTRA_BOLD, round(geometry.strip * 0.48)), width, 0)
        if look.word and style.size >= _SMALLEST_WORD and text_width(look.word, style) <= width:
            canvas.shape(x, geometry.rank_y, "star", round(geometry.strip * 0.82), ink)
            canvas.text(x, geometry.pip_y, look.word, style, ink, Align.CENTRE)
        else:
            canvas.shape(x, (geometry.rank_y + geometry.pip_y) // 2, "star", round(geometry.strip * 0.86), ink)

    def _stand_in(self, canvas: Canvas, look: Look) -> None:
        """What the card is, small, over a chip with the rank that it stands for."""
        geometry, wild = look.geometry, self.theme.wild
        strip, inks = geometry.strip, self.theme.suits.of(look.suits)
        y = round(strip * 0.43)
        if look.face == JOKER:
            canvas.shape(strip // 2, y, "star", round(strip * 0.62), wild.ink)
        else:
            suit = SUIT_OF_FACE[look.face]
            rank = rank_mask(rank_text(RANK_OF_FACE[look.face]), round(strip * 0.48), strip)
            pip = shape(suit_shape(suit), round(strip * 0.42))
            x = (strip - rank.width - pip.width - round(strip * 0.04)) // 2
            canvas.stamp(x, y - rank.height // 2, rank, inks[suit])
            canvas.stamp(x + rank.width + round(strip * 0.04), y - pip.height // 2, pip, inks[suit])
        margin = round(strip * 0.10)
        top = round(strip * 0.80)
        box = Box(margin, top, strip - 2 * margin, geometry.h - top - margin - geometry.edge)
        canvas.framed(box, round(strip * 0.14), self.theme.card.face, wild.edge, 2)
        ink = inks[look.chip_suit] if look.chip_suit >= 0 else self.theme.suits.four[0]
        mask = rank_mask(look.chip, round(strip * 0.62), box.w - 8)
        canvas.stamp(strip // 2 - mask.width // 2, box.middle - mask.height // 2, mask, ink)

    def _foot(self, canvas: Canvas, look: Look) -> None:
        """A bar for the first pack, two for the second, three for the third."""
        geometry, bars = look.geometry, look.back + 1
        height = max(5, round(geometry.strip * 0.085))
        gap = max(3, round(geometry.strip * 0.06))
        whole = round(geometry.strip * (0.40 if look.selected else 0.62))
        x = geometry.mark + round(geometry.strip * 0.06) if look.selected else (geometry.strip - whole) // 2
        width = (whole - gap * (bars - 1)) // bars
        y = geometry.h - height - round(geometry.strip * 0.09) - geometry.edge
        for bar in range(bars):
            box = Box(x + bar * (width + gap), y, width, height)
            canvas.round_rect(box, height // 3, self.theme.backs[look.back].bar)

    def _draw_back(self, pack: int, width: int, height: int) -> Image.Image:
        colours = self.theme.backs[pack]
        radius = max(3, round(min(width, height) * 0.13))
        margin = 2 if min(width, height) < 40 else 3
        canvas = Canvas(width, height, self.theme.card.face)
        inner = Box(0, 0, width, height).inset(margin)
        ground = Canvas(width, height, colours.fill)
        ground.stamp(0, 0, _pattern(pack, width, height), colours.pattern)
        canvas.image.paste(ground.image.crop((inner.x, inner.y, inner.right, inner.bottom)), (inner.x, inner.y))
        canvas.image.putalpha(rounded(width, height, radius))
        return canvas.image


def _pattern(pack: int, width: int, height: int) -> Image.Image:
    """The mask of a pack's pattern: a lattice, dots, or slanted stripes."""
    scale = 4
    pitch = max(9, round(min(width, height) * 0.22)) * scale
    big = Image.new("L", (width * scale, height * scale), 0)
    draw = ImageDraw.Draw(big)
    w, h = big.size
    if pack == 1:
        radius = pitch * 0.23
        for row, y in enumerate(range(0, h + pitch, pitch * 3 // 4)):
            for x in range(pitch // 2 if row % 2 else 0, w + pitch, pitch):
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    else:
        thick = pitch // 6 if pack == 0 else pitch // 3
        for x in range(-h, w + h, pitch):
            draw.line((x, 0, x + h, h), fill=255, width=thick)
            if pack == 0:
                draw.line((x + h, 0, x, h), fill=255, width=thick)
    return big.resize((width, height), Image.Resampling.BOX)
