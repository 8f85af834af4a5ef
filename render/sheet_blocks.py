"""The blocks of a printed page: headings, sentences, rows of a table and rows of cards, each set to a column's width.

A block knows its height before it is drawn, so that columns can be filled, and is never broken.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from bot.pictures import CardRow, SheetPart, SheetTable, SuitColours
from render.canvas import Box, Canvas, Style
from render.cards import CardPainter
from render.fonts import Weight
from render.marks import Label, MarkColours, draw_mark, draw_pill
from render.paper import ACCENT, GREY, INK, LINE, RED, WHITE, WILD_EDGE
from render.prose import Inks, Prose, draw_line, line_width, longest, wrap
from render.rows import card_lines, draw_cards, line_pills

INKS: Final = Inks(INK, (INK, RED, RED, INK))
QUIET: Final = Inks(GREY, (INK, RED, RED, INK))
HEADING: Final = Inks(ACCENT, (INK, RED, RED, INK))
_GOOD: Final = MarkColours(WHITE, ACCENT, ACCENT)
_BAD: Final = MarkColours(WHITE, RED, RED)
_LABEL: Final = Label(WHITE, WILD_EDGE, INKS)
_LEADING: Final = 1.27
_HEADING: Final = 1.3
_THIN: Final = 2
_WHOLE_TABLE: Final = 14
"""Tables of so many rows are not broken over columns."""
_NUMBER_SIGNS: Final = frozenset("0123456789.,+-−–×%/ ")


class TableTooWide(ValueError):
    """A table has more columns than there is room for."""

    def __init__(self, columns: int) -> None:
        super().__init__(f"no room for {columns} columns")


class Block(NamedTuple):
    """A part of a column that is not broken."""

    height: int
    gap: int
    """Above it, unless it is the first of its column."""
    follows: bool
    """It stays with the block above."""
    opens: bool
    """It begins a part."""
    draw: Callable[[Canvas, int, int], None]
    """Draws it at its top left corner."""


class Setter:
    """Sets parts in a size of text for a column of a width, both in pixels."""

    def __init__(self, cards: CardPainter, size: int, width: int, joker: str) -> None:
        self._cards = cards
        self._size = size
        self._width = width
        self._joker = joker
        self._style = Style(Weight.SEMI_BOLD, size)
        self._leading = round(size * _LEADING)

    def blocks(self, part: SheetPart) -> Iterator[Block]:
        """The blocks of a part.

        Raises:
            TableTooWide: its table has more columns than there is room for.
        """
        first = True
        for block in self._contents(part):
            yield block._replace(opens=first)
            first = False

    def _contents(self, part: SheetPart) -> Iterator[Block]:
        title = wrap(part.title, Style(Weight.EXTRA_BOLD, round(self._size * _HEADING)), self._width)
        follows = bool(title.lines)
        if title.lines:
            yield self._heading(title)
        for line in part.lines:
            prose = wrap(line, self._style, self._width - self._indent)
            if prose.lines:
                yield self._sentence(prose, follows=follows)
                follows = False
        if part.table is not None and part.table.rows:
            yield from self._table(part.table, follows=follows)
            follows = False
        for row in part.rows:
            if row.cards or row.caption or row.good is not None:
                yield self._row(row, follows=follows)
                follows = False

    @property
    def _indent(self) -> int:
        return round(self._size * 0.72)

    def _lines(self, canvas: Canvas, prose: Prose, style: Style, x: int, y: int, inks: Inks = INKS) -> None:
        leading = round(style.size * _LEADING)
        for n, line in enumerate(prose.lines):
            draw_line(canvas, line, style, x, y + n * leading + leading // 2, inks)

    def _heading(self, prose: Prose) -> Block:
        style = Style(Weight.EXTRA_BOLD, round(self._size * _HEADING))
        text = round(style.size * _LEADING) * len(prose.lines)
        rule = max(3, round(self._size * 0.08))

        def draw(canvas: Canvas, x: int, y: int) -> None:
            self._lines(canvas, prose, style, x, y, HEADING)
            canvas.rect(Box(x, y + text, self._width, rule), ACCENT)

        return Block(text + rule, round(self._size * 0.95), follows=False, opens=False, draw=draw)

    def _sentence(self, prose: Prose, *, follows: bool) -> Block:
        dot = max(6, round(self._size * 0.24))

        def draw(canvas: Canvas, x: int, y: int) -> None:
            canvas.shape(x + dot // 2 + 2, y + self._leading // 2, "gem", round(dot * 1.4) + 2, ACCENT)
            self._lines(canvas, prose, self._style, x + self._indent, y)

        gap = round(self._size * (0.38 if follows else 0.22))
        return Block(self._leading * len(prose.lines), gap, follows=follows, opens=False, draw=draw)

    def _table(self, table: SheetTable, *, follows: bool) -> Iterator[Block]:
        columns = max(len(row) for row in table.rows)
        if not columns:
            return
        rows = [(*row, *("",) * (columns - len(row))) for row in table.rows]
        right = [all(set(row[n]) <= _NUMBER_SIGNS for row in rows[1:]) and n > 0 for n in range(columns)]
        widths = self._columns(rows, right)
        whole = len(rows) <= _WHOLE_TABLE
        if any(any(row) for row in rows[:1]):
            yield self._table_row(rows[0], widths, right, head=True, follows=follows)
        for n, row in enumerate(rows[1:]):
            yield self._table_row(row, widths, right, head=False, follows=whole or n == 0)

    def _columns(self, rows: Sequence[tuple[str, ...]], right: Sequence[bool]) -> tuple[int, ...]:
        """The widths of columns: what they want, if need be less; what is left over goes to the widest text."""
        between, bold = self._size, Style(Weight.BOLD, self._size)
        count = len(rows[0])
        room = self._width - between * (count - 1)
        if room < 2 * self._size * count:
            raise TableTooWide(count)
        want, need = [], []
        for n in range(count):
            cells = [wrap(row[n], bold, self._width) for row in rows]
            want.append(max((line_width(line, bold) for cell in cells for line in cell.lines), default=0) + 4)
            need.append(max(longest(row[n], bold) for row in rows) + 4)
        least = need if sum(need) <= room else [2 * self._size] * count
        widths = list(want)
        while sum(widths) > room:
            n = max(range(count), key=lambda n: (widths[n] - least[n], -n))
            widths[n] -= min(widths[n] - least[n], max(1, (sum(widths) - room) // count))
        widths[max(range(count), key=lambda n: (not right[n], widths[n], -n))] += room - sum(widths)
        return tuple(width + (between if n < count - 1 else 0) for n, width in enumerate(widths))

    def _table_row(
        self, row: tuple[str, ...], widths: tuple[int, ...], right: list[bool], *, head: bool, follows: bool
    ) -> Block:
        style = Style(Weight.BOLD, self._size) if head else self._style
        between, last = self._size, len(row) - 1
        rooms = [width - (between if n < last else 0) for n, width in enumerate(widths)]
        cells = [wrap(text, style, room) for text, room in zip(row, rooms, strict=True)]
        pad = round(self._size * 0.10)
        height = self._leading * max(1, *(len(cell.lines) for cell in cells)) + 2 * pad + _THIN

        def draw(canvas: Canvas, x: int, y: int) -> None:
            canvas.rect(Box(x, y + height - _THIN, self._width, _THIN), GREY if head else LINE)
            for cell, width, room, aligned in zip(cells, widths, rooms, right, strict=True):
                for n, line in enumerate(cell.lines):
                    left = x + (room - line_width(line, style) if aligned else 0)
                    middle = y + pad + n * self._leading + self._leading // 2
                    draw_line(canvas, line, style, left, middle, QUIET if head else INKS)
                x += width

        gap = round(self._size * 0.2) if head else 0
        return Block(height, gap, follows=follows, opens=False, draw=draw)

    def _row(self, row: CardRow, *, follows: bool) -> Block:
        """A tick or a cross, the cards, and the caption: beside them where there is room, else below."""
        size, step = self._size, round(self._size * 1.2)
        mark, gap = round(size * 1.35), round(size * 0.5)
        left = mark + gap if row.good is not None else 0
        lines = card_lines(len(row.cards), step, self._width - left, round(size * 0.2))
        beside = left + max((line.width for line in lines), default=-gap) + gap
        fits = not lines or self._width - beside >= self._width * 0.4
        pill, style = round(size * 1.3), Style(Weight.BOLD, size)
        y, placed = 0, []
        for line in lines:
            below = Box(0, y + line.geometry.h + 4, beside - gap // 2 if fits else self._width, pill)
            pills = line_pills(row, line, below, style, round(size * 0.8), left)
            placed.append((y, line, pills))
            y = max((each.box.bottom for each in pills), default=y + line.geometry.h) + round(size * 0.3)
        cards = max(0, y - round(size * 0.3))
        x_text = beside if fits else left
        prose = wrap(row.caption, self._style, self._width - x_text)
        text = self._leading * len(prose.lines)
        marked = max(cards, mark if row.good is not None else 0)
        height = max(marked, text) if fits else marked + round(size * 0.2) + text
        first = lines[0].geometry.h if lines else height

        def draw(canvas: Canvas, x: int, y: int) -> None:
            # The caption stands beside the middle of the cards, and so does the mark; labels hang below.
            middle = max(first, text if fits else 0, mark if row.good is not None else 0) // 2
            shift = max(0, min(middle - first // 2, height - cards)) if fits and lines else 0
            if row.good is not None:
                box = Box(x, y + middle - mark // 2, mark, mark)
                draw_mark(canvas, box, _GOOD if row.good else _BAD, good=row.good)
            for top, line, pills in placed:
                draw_cards(
                    canvas, self._cards, row, line, x + left, y + shift + top, SuitColours.TWO, self._joker, WHITE
                )
                for each in pills:
                    moved = each.box._replace(x=each.box.x + x, y=each.box.y + y + shift)
                    draw_pill(canvas, each._replace(box=moved), _LABEL)
            top = max(0, middle - text // 2) if fits else height - text
            self._lines(canvas, prose, self._style, x + x_text, y + top)

        return Block(height, round(size * (0.45 if follows else 0.5)), follows=follows, opens=False, draw=draw)
