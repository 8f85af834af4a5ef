"""A rule set on one A4 page to print: white, with little ink, in two columns.

The text is as large as it can be for everything to fit, and never smaller than can be read.
"""

from itertools import accumulate
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures import SheetForm, SheetPicture
from render.canvas import Box, Canvas, Style
from render.cards import CardPainter
from render.fonts import Weight
from render.paper import ACCENT, DPI, INK, LINE, PAGE, RED, WHITE, page_pdf, page_png, paper_theme
from render.prose import draw_line, largest, line_width
from render.sheet_blocks import INKS, QUIET, Block, Setter, TableTooWide
from render.theme import Theme
from render.wording import printable

MARGIN: Final = 150
"""Printers leave less than this white: 12.7 mm."""
COLUMN_GAP: Final = 84
COLUMN: Final = (PAGE[0] - 2 * MARGIN - COLUMN_GAP) // 2
_LARGEST: Final = 11.0
_SMALLEST: Final = 7.5
"""Of the text, in points."""
_POINT_STEP: Final = 0.25
_TITLE: Final = Style(Weight.EXTRA_BOLD, 136)
_SMALL_TITLE: Final = 64
_TITLE_MIDDLE: Final = 82
"""Of its capitals: two accents over one have room above."""
_TITLE_HEIGHT: Final = 170
_SUBTITLE: Final = Style(Weight.SEMI_BOLD, 54)
_SMALL_SUBTITLE: Final = 34
_SUBTITLE_LINE: Final = 64
_FOOT: Final = Style(Weight.SEMI_BOLD, 34)
_SMALL_FOOT: Final = 31
_FOOT_LINE: Final = 44
_PIP: Final = 84
_PIPS: Final = (("spade", INK), ("heart", RED), ("club", INK), ("diamond", RED))
_PIPS_WIDTH: Final = len(_PIPS) * _PIP + (len(_PIPS) - 1) * 26
_RULE: Final = 6
_TRIES: Final = 4
"""How many smaller sizes are tried so that no part is broken."""
_SPREAD: Final = 1.3
"""How far parts are moved apart where there is room, in sizes of the text."""


class SheetTooLong(ValueError):
    """More than fits one page even in the smallest text."""

    def __init__(self) -> None:
        super().__init__(f"the sheet does not fit one A4 page with text of {_SMALLEST} pt")


class SheetPlan(NamedTuple):
    """The columns of a page."""

    size: int
    """Of the text, in pixels."""
    columns: tuple[tuple[tuple[int, Block], ...], ...]
    """The blocks of each column with their tops from the column's top."""


def _sizes() -> tuple[int, ...]:
    steps = round((_LARGEST - _SMALLEST) / _POINT_STEP)
    return tuple(round((_LARGEST - n * _POINT_STEP) * DPI / 72) for n in range(steps + 1))


class _Split(NamedTuple):
    """How good it is that the second column begins with a block; less is better."""

    untidy: bool
    """It begins within a part, or a column stays empty."""
    lonely: bool
    """A heading's only block is parted from the rest of its part, or its last one is."""
    height: int
    """Of the higher column."""
    at: int


def _split(blocks: list[Block], room: int) -> _Split | None:
    """With which block the second column begins; None where two columns do not hold them."""
    tops = [0, *accumulate(block.gap + block.height for block in blocks)]
    count = len(blocks)

    def height(start: int, end: int) -> int:
        return tops[end] - tops[start] - (blocks[start].gap if start < end else 0)

    found = []
    for at in range(1, count + 1):
        if at < count and blocks[at].follows:
            continue
        higher = max(height(0, at), height(at, count))
        if higher <= room:
            untidy = at == count or not blocks[at].opens
            found.append(_Split(untidy, at < count and untidy and _lonely(blocks, at), higher, at))
    return min(found, default=None) if blocks else _Split(untidy=False, lonely=False, height=0, at=0)


def _lonely(blocks: list[Block], at: int) -> bool:
    return at + 1 == len(blocks) or blocks[at + 1].opens or blocks[at - 1].follows


def _column(blocks: list[Block], room: int, size: int) -> tuple[tuple[int, Block], ...]:
    """Blocks with their tops; what room is left goes between the parts, up to a limit."""
    if not blocks:
        return ()
    used = sum(block.gap + block.height for block in blocks) - blocks[0].gap
    opening = sum(block.opens for block in blocks[1:])
    extra = min((room - used) // opening, round(size * _SPREAD)) if opening else 0
    placed, y = [], 0
    for n, block in enumerate(blocks):
        if n:
            y += block.gap + (extra if block.opens else 0)
        placed.append((y, block))
        y += block.height
    return tuple(placed)


class SheetPainter:
    """Draws printed pages."""

    def __init__(self, theme: Theme) -> None:
        self._cards = CardPainter(paper_theme(theme))

    def make(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """The page as a file.

        Raises:
            SheetTooLong: it does not fit.
        """
        page = self.draw(picture)
        return page_pdf(page, picture.title) if form is SheetForm.PDF else page_png(page)

    def plan(self, picture: SheetPicture, room: int) -> SheetPlan:
        """The columns in about the largest size with which they are at most ``room`` pixels high.

        Text a little smaller is taken where a part would be broken otherwise.

        Raises:
            SheetTooLong: none is small enough.
        """
        sizes = _sizes()
        smallest = self._filled(picture, sizes[-1], room)
        if smallest is None:
            raise SheetTooLong
        found: list[tuple[_Split, SheetPlan]] = []
        for size in sizes[:-1]:
            filled = self._filled(picture, size, room)
            if filled is not None:
                found.append(filled)
                if not filled[0].untidy or len(found) > _TRIES:
                    break
        # Of equally tidy ones the first, which is the largest.
        return min([*found, smallest], key=lambda each: (each[0].untidy, each[0].lonely))[1]

    def _filled(self, picture: SheetPicture, size: int, room: int) -> tuple[_Split, SheetPlan] | None:
        setter = Setter(self._cards, size, COLUMN, printable(picture.joker)[:3])
        try:
            blocks = [block for part in picture.parts for block in setter.blocks(part)]
        except TableTooWide:
            return None
        split = _split(blocks, room)
        if split is None:
            return None
        columns = (blocks[: split.at], blocks[split.at :])
        return split, SheetPlan(size, tuple(_column(column, room, size) for column in columns))

    def draw(self, picture: SheetPicture) -> Image.Image:
        """The page as an RGB image with 300 dots an inch."""
        width, height = PAGE
        canvas = Canvas(width, height, WHITE)
        top = self._head(canvas, picture)
        bottom = self._foot(canvas, picture.foot)
        plan = self.plan(picture, bottom - top)
        for n, column in enumerate(plan.columns):
            for y, block in column:
                block.draw(canvas, MARGIN + n * (COLUMN + COLUMN_GAP), top + y)
        if plan.columns[1]:
            end = max(y + block.height for column in plan.columns for y, block in column)
            canvas.rect(Box(width // 2 - 1, top + 8, 2, end - 8), LINE)
        return canvas.image

    def _head(self, canvas: Canvas, picture: SheetPicture) -> int:
        """Title and subtitle; returns where the columns begin."""
        room, right = PAGE[0] - 2 * MARGIN, PAGE[0] - MARGIN
        style, title = largest(picture.title, _TITLE, room - _PIPS_WIDTH - 60, 1, _SMALL_TITLE)
        for line in title.lines:
            draw_line(canvas, line, style, MARGIN, MARGIN + _TITLE_MIDDLE, INKS._replace(text=ACCENT))
        for n, (shape, ink) in enumerate(_PIPS):
            canvas.shape(right - _PIPS_WIDTH + n * (_PIP + 26) + _PIP // 2, MARGIN + _TITLE_MIDDLE, shape, _PIP, ink)
        y = MARGIN + _TITLE_HEIGHT
        style, subtitle = largest(picture.subtitle, _SUBTITLE, room, 2, _SMALL_SUBTITLE)
        for n, line in enumerate(subtitle.lines):
            draw_line(canvas, line, style, MARGIN, y + n * _SUBTITLE_LINE + 20, QUIET)
        y += _SUBTITLE_LINE * len(subtitle.lines)
        canvas.rect(Box(MARGIN, y, room, _RULE), ACCENT)
        return y + _RULE + 44

    def _foot(self, canvas: Canvas, text: str) -> int:
        """The foot in at most two lines; returns where the columns end."""
        room, bottom = PAGE[0] - 2 * MARGIN, PAGE[1] - MARGIN
        style, foot = largest(text, _FOOT, room, 2, _SMALL_FOOT)
        if not foot.lines:
            return bottom
        top = bottom - _FOOT_LINE * len(foot.lines)
        for n, line in enumerate(foot.lines):
            left = MARGIN + (room - line_width(line, style)) // 2
            draw_line(canvas, line, style, left, top + n * _FOOT_LINE + _FOOT_LINE // 2, QUIET)
        canvas.rect(Box(MARGIN, top - 16, room, 2), LINE)
        return top - 16 - 30
