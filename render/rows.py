"""The picture of rows of cards: each with labels under its wilds, a tick or a cross, and a caption.

All cards of a picture are equally large: as large as the longest line of them allows, and smaller where the picture
would be very high. A row of many cards is set in lines of about equal length.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures import CardRow, CardsPicture, SuitColours
from engine.cards import FACE, Card
from render.canvas import Box, Canvas, Style
from render.cards import CardPainter, Geometry, Look, fan, under
from render.fonts import Weight
from render.layout import GAP, HIGHEST, MARGIN, PAD, WIDTH
from render.marks import Label, MarkColours, Pill, draw_mark, draw_pill, plan_pills
from render.prose import Inks, Prose, ProseLine, draw_line, largest, wrap
from render.theme import Theme
from render.wording import printable

LONGEST: Final = 14
"""The most cards of a line: a run from ace to ace."""
HEAD: Final = 92
TITLE: Final = Style(Weight.EXTRA_BOLD, 50)
CAPTION: Final = Style(Weight.SEMI_BOLD, 40)
PLACE: Final = Style(Weight.BOLD, 38)
MARK: Final = 76
_TITLE_LINE: Final = 58
_SMALL_TITLE: Final = 40
_CAPTION_LINES: Final = 2
_LONG_CAPTION: Final = Style(Weight.SEMI_BOLD, 36)
_LONG_CAPTION_LINES: Final = 5
_SMALLEST_PLACE: Final = 30
_CAPTION_LINE: Final = 1.3
_PILL: Final = 48
_PILL_GAP: Final = 5
_LINE_GAP: Final = 12
_CAPTION_GAP: Final = 8
_BETWEEN: Final = 10
"""Between cards that do not overlap."""
_LARGEST: Final = 88
_SMALLEST: Final = 56
"""Rather than with smaller cards the picture grows beyond :data:`render.layout.HIGHEST`."""
_STEP: Final = 4
_ROOM: Final = WIDTH - 2 * MARGIN
_INNER: Final = _ROOM - 2 * PAD


class CardLine(NamedTuple):
    """Cards side by side: which of their row, how they are drawn, and how far one is from the next."""

    indexes: range
    geometry: Geometry
    advance: int

    @property
    def width(self) -> int:
        """The width in pixels."""
        return (len(self.indexes) - 1) * self.advance + self.geometry.w


def card_lines(count: int, step: int, room: int, between: int) -> tuple[CardLine, ...]:
    """Set cards in as few lines as may be. Where there is room they are apart, else they overlap as in a fan."""
    if not count:
        return ()
    most = max(1, min(LONGEST, 1 + (room - fan(step).w) // step))
    lines = -(-count // most)
    each = -(-count // lines)
    geometry, advance = fan(step), step
    if each * (geometry.w + between) - between <= room:
        geometry, advance = geometry._replace(strip=geometry.w), geometry.w + between
    starts = range(0, count, each)
    return tuple(CardLine(range(start, min(count, start + each)), geometry, advance) for start in starts)


def place_of(row: CardRow, index: int) -> str:
    """What the card at an index stands for; empty for one that stands for itself."""
    return row.places[index] if index < len(row.places) else ""


def line_pills(row: CardRow, line: CardLine, room: Box, style: Style, smallest: int, x: int) -> tuple[Pill, ...]:
    """The labels under a line of cards that begins at ``x``."""
    middles = {
        x + n * line.advance + line.geometry.strip // 2: place_of(row, index)
        for n, index in enumerate(line.indexes)
        if place_of(row, index)
    }
    return plan_pills(middles, room, style, smallest)


def draw_cards(
    canvas: Canvas,
    painter: CardPainter,
    row: CardRow,
    line: CardLine,
    x: int,
    y: int,
    suits: SuitColours,
    word: str,
    on: str,
) -> None:
    """Draw a line of cards on a ground of one colour; those with a place as wilds."""
    below = None
    for n, index in enumerate(line.indexes):
        card: Card = row.cards[index]
        look = Look(FACE[card], line.geometry, suits, wild=bool(place_of(row, index)), word=word)
        painter.lay(canvas, x + n * line.advance, y, look, on, below)
        below = under(look) if line.advance < line.geometry.w else None


class RowPlan(NamedTuple):
    """A row's panel, from its top."""

    row: CardRow
    height: int
    lines: tuple[tuple[int, CardLine, tuple[Pill, ...]], ...]
    """Each with its top and its labels."""
    cards_height: int
    caption: Prose
    caption_style: Style


class RowsPlan(NamedTuple):
    """The whole picture."""

    height: int
    title: tuple[ProseLine, ...]
    title_style: Style
    rows: tuple[RowPlan, ...]


def _caption(text: str, room: int) -> tuple[Style, Prose]:
    prose = wrap(text, CAPTION, room, _CAPTION_LINES)
    return (CAPTION, prose) if prose.whole else (_LONG_CAPTION, wrap(text, _LONG_CAPTION, room, _LONG_CAPTION_LINES))


def _plan_row(row: CardRow, step: int) -> RowPlan | None:
    """A row of a size; None where it is empty."""
    room = _INNER - (MARK + PAD if row.good is not None else 0)
    y, bottom, lines = PAD, PAD, []
    for line in card_lines(len(row.cards), step, room, _BETWEEN):
        below = Box(MARGIN + 4, y + line.geometry.h + _PILL_GAP, room + 2 * PAD - 8, _PILL)
        pills = line_pills(row, line, below, PLACE, _SMALLEST_PLACE, MARGIN + PAD)
        lines.append((y, line, pills))
        bottom = max((pill.box.bottom for pill in pills), default=y + line.geometry.h)
        y = bottom + _LINE_GAP
    style, caption = _caption(row.caption, _INNER if lines else room)
    height = round(style.size * _CAPTION_LINE) * len(caption.lines)
    if not lines and row.good is not None:
        height = max(height, MARK)
    if not lines and not height:
        return None
    gap = _CAPTION_GAP if lines and height else 0
    return RowPlan(row, bottom + gap + height + PAD - 2, tuple(lines), bottom - PAD, caption, style)


def plan_rows(picture: CardsPicture) -> RowsPlan:
    """Lay out rows of cards."""
    style, title = largest(picture.title, TITLE, _ROOM, 2, _SMALL_TITLE)
    head = HEAD + _TITLE_LINE * (len(title.lines) - 1) if title.lines else MARGIN
    height, rows = head, tuple[RowPlan, ...]()
    for step in _steps(picture):
        rows = tuple(plan for row in picture.rows if (plan := _plan_row(row, step)) is not None)
        height = head + sum(row.height + GAP for row in rows) + (MARGIN - GAP if rows else 0)
        if height <= HIGHEST:
            break
    return RowsPlan(height, title.lines, style, rows)


def _steps(picture: CardsPicture) -> Iterator[int]:
    """The sizes to try, the largest first: never so large that a line of :data:`LONGEST` would be broken."""
    longest = max((-(-len(row.cards) // -(-len(row.cards) // LONGEST)) for row in picture.rows if row.cards), default=1)
    marked = any(row.good is not None for row in picture.rows)
    room = _INNER - (MARK + PAD if marked else 0)
    first = _LARGEST
    while first > _SMALLEST and (longest - 1) * first + fan(first).w > room:
        first -= 1
    yield from range(first, _SMALLEST - 1, -_STEP)


class RowsPainter:
    """Draws rows of cards in a theme."""

    def __init__(self, theme: Theme, cards: CardPainter) -> None:
        self._theme = theme
        self._cards = cards
        self._good = MarkColours(theme.ribbons.clean.fill, theme.ribbons.clean.ink, theme.ribbons.clean.fill)
        self._bad = MarkColours(theme.suits.four[1], theme.card.face, theme.card.face)

    def draw(self, picture: CardsPicture) -> Image.Image:
        """The rows, :data:`render.layout.WIDTH` wide, on the canvas of their cards."""
        plan, theme = plan_rows(picture), self._theme
        inks = theme.suits.of(picture.suits)
        canvas = self._cards.canvas(WIDTH, plan.height, theme.felt)
        prose = Inks(theme.text, inks, theme.card.face)
        for n, line in enumerate(plan.title):
            draw_line(canvas, line, plan.title_style, MARGIN, HEAD // 2 + n * _TITLE_LINE, prose)
        y = HEAD + _TITLE_LINE * (len(plan.title) - 1) if plan.title else MARGIN
        label = Label(theme.card.face, theme.wild.edge, Inks(theme.suits.four[0], inks))
        word = printable(picture.joker)[:3]
        for row in plan.rows:
            self._row(canvas, row, y, prose, label, picture.suits, word)
            y += row.height + GAP
        return canvas.image

    def _row(
        self, canvas: Canvas, plan: RowPlan, y: int, prose: Inks, label: Label, suits: SuitColours, word: str
    ) -> None:
        canvas.round_rect(Box(MARGIN, y, _ROOM, plan.height), 14, self._theme.panel)
        for top, line, pills in plan.lines:
            draw_cards(canvas, self._cards, plan.row, line, MARGIN + PAD, y + top, suits, word, self._theme.panel)
            for pill in pills:
                draw_pill(canvas, pill._replace(box=pill.box._replace(y=y + pill.box.y)), label, self._theme.panel)
        caption_height = round(plan.caption_style.size * _CAPTION_LINE)
        top = y + plan.height - PAD + 2 - caption_height * len(plan.caption.lines)
        if plan.row.good is not None:
            middle = y + PAD + plan.cards_height // 2 if plan.lines else y + plan.height // 2
            box = Box(WIDTH - MARGIN - PAD - MARK, middle - MARK // 2, MARK, MARK)
            colours = self._good if plan.row.good else self._bad
            draw_mark(canvas, box, colours, good=plan.row.good, on=self._theme.panel)
            top = top if plan.lines else middle - caption_height * len(plan.caption.lines) // 2
        for n, words in enumerate(plan.caption.lines):
            middle = top + n * caption_height + caption_height // 2
            draw_line(canvas, words, plan.caption_style, MARGIN + PAD, middle, prose)
