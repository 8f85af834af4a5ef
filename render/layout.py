"""Where everything on the table lies: boxes in pixels, computed from a view before anything is drawn.

The largest cards are taken with which the whole table fits :data:`HIGHEST`. Where even small cards do not fit, canastas
are folded, then all melds; a table that no real deal reaches is cut, with a count of what is left out.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from engine.cards import Card
from engine.melds import CANASTA, Meld
from engine.policies import PileShown
from engine.views import PublicView
from render.canvas import Box, Style, text_width
from render.cards import fan
from render.fonts import Weight
from render.melds import meld_height, meld_width, raised_by
from render.scene import Scene
from render.sentence import LINE_WEIGHT, Piece, wrap

WIDTH: Final = 1080
HIGHEST: Final = 1280
MARGIN: Final = 20
GAP: Final = 12
PAD: Final = 16
BANNER: Final = 84
PANEL_HEAD: Final = 64
PANEL_FOOT: Final = 14
ROW_GAP: Final = 8
MELD_GAP: Final = 16
PLATE_LINE: Final = 48
MIDDLE: Final = 182
PILE_HEAD: Final = 72
SENTENCE_LINE: Final = 50

COUNT: Final = Style(Weight.EXTRA_BOLD, 52)
BACKS: Final = Style(Weight.SEMI_BOLD, 38)
SENTENCE: Final = Style(LINE_WEIGHT, 38)
BACK_W: Final = 28
BACK_H: Final = 38
BACK_GAP: Final = 7
BACKS_GAP: Final = 12
ACTOR: Final = 44

PILE_MORE: Final = 3
"""The room, in cards, for the count of older cards that are left out of an open pile."""
INNER: Final = WIDTH - 2 * MARGIN - 2 * PAD
_STEPS: Final = (60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36)
_FOLDED_STEPS: Final = (46, 44, 42, 40, 38, 36, 34)
_SMALLEST: Final = 30
_SMALL_STEPS: Final = (40, 38, 36, 34, 32, _SMALLEST)
_FOLD_FROM: Final = 4
_PILE_STEP: Final = 42
_PILE_STEPS: Final = (38, 32)
_NOTHING_FOLDED: Final = 1000


class Size(NamedTuple):
    """One rung of the ladder: how large the cards are, and what is folded or left out."""

    step: int
    fold_from: int
    """Melds of this many cards are folded."""
    pile_step: int
    """The smallest step of an open pile."""
    cut: int = 0
    """To how many rows an open pile is cut, as the melds are to what fits; 0: nothing is left out."""


class MeldSlot(NamedTuple):
    """A meld's place: the meld's index among the side's melds, its box and whether it is folded."""

    meld: int
    box: Box
    folded: bool


class PanelPlan(NamedTuple):
    """A side's panel."""

    box: Box
    melds: tuple[MeldSlot, ...]
    more: Box | None
    """Where the count of melds left out stands."""
    hidden: int


class PilePlan(NamedTuple):
    """A pile that lies open: its panel, its cards in rows (oldest first), and how many older ones are left out."""

    box: Box
    step: int
    rows: tuple[tuple[Card, ...], ...]
    hidden: int


class TablePlan(msgspec.Struct, frozen=True):
    """The whole table."""

    height: int
    step: int
    banner: Box
    plates: tuple[Box, ...]
    middle: Box
    """Stock, pile, last move and muertos; with an open pile the panel that holds it."""
    pile: PilePlan | None
    panels: tuple[PanelPlan, ...]
    foot: Box | None
    """The last move, where an open pile takes its place."""


def ladder(*, open_pile: bool) -> Iterator[Size]:
    """The sizes to try, best first."""
    piles = _PILE_STEPS if open_pile else _PILE_STEPS[:1]
    for steps, fold_from in (
        (_STEPS, _NOTHING_FOLDED),
        (_FOLDED_STEPS, CANASTA),
        (_SMALL_STEPS, _NOTHING_FOLDED),
        (_SMALL_STEPS, _FOLD_FROM),
    ):
        for pile in piles:
            for step in steps:
                yield Size(step, fold_from, pile)
    yield Size(_SMALLEST, _FOLD_FROM, _PILE_STEPS[-1], cut=2)
    yield Size(_SMALLEST, _FOLD_FROM, _PILE_STEPS[-1], cut=1)


def backs_width(counts: Sequence[int]) -> int:
    """The width of the little backs with their counts, in pixels."""
    return sum(BACKS_GAP + BACK_W + BACK_GAP + text_width(str(count), BACKS) for count in counts if count)


def plan_table(scene: Scene) -> TablePlan:
    """Lay out a table."""
    view = scene.view
    banner = Box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, BANNER)
    plates = _plates(view, banner.bottom + GAP)
    top = plates[-1].bottom + GAP
    open_pile = view.rules.pile_shown is PileShown.ALL
    foot = _foot_height(scene) if open_pile else 0
    plan = None
    for size in ladder(open_pile=open_pile):
        plan = _plan(view, size, banner, plates, top, foot)
        if plan is not None:
            break
    if plan is None:
        raise ValueError("the smallest layout does not fit")
    return plan


def _plates(view: PublicView, top: int) -> tuple[Box, ...]:
    seats = len(view.hands)
    columns = seats if seats <= 4 else (seats + 1) // 2
    width = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) // columns
    height = _plate_height(view, width, columns)
    return tuple(
        Box(MARGIN + (seat % columns) * (width + GAP), top + (seat // columns) * (height + GAP), width, height)
        for seat in range(seats)
    )


def _plate_height(view: PublicView, width: int, columns: int) -> int:
    """Two plates in a row hold everything on one line; narrow ones with three packs need three."""
    if columns == 2:
        return 76
    widest = max(text_width(str(hand.count), COUNT) + backs_width(hand.backs) for hand in view.hands)
    lines = 2 if widest <= width - 2 * PAD + 4 else 3
    return 20 + lines * PLATE_LINE


def _foot_height(scene: Scene) -> int:
    return SENTENCE_LINE * len(foot_lines(scene)) + 2 if scene.texts.last else 0


def foot_lines(scene: Scene) -> tuple[tuple[Piece, ...], ...]:
    """The last move at the foot, in at most two lines."""
    return wrap(scene.texts.last, SENTENCE, indent(scene), WIDTH - 2 * MARGIN, 2)[0]


def indent(scene: Scene) -> int:
    """The room before the last move for the shape of the side that did it, in pixels."""
    return 0 if scene.actor_side is None else ACTOR


def _plan(view: PublicView, size: Size, banner: Box, plates: tuple[Box, ...], top: int, foot: int) -> TablePlan | None:
    """The table in a size; None where it does not fit."""
    if size.cut == 1:
        foot = 0
    pile = _pile(view, size, top) if view.rules.pile_shown is PileShown.ALL else None
    middle = pile.box if pile else Box(MARGIN, top, WIDTH - 2 * MARGIN, MIDDLE)
    y = middle.bottom + GAP
    room = HIGHEST - MARGIN - foot - (GAP if foot else 0) - y - GAP * (len(view.melds) - 1)
    packed = [_pack(melds, numbers, size) for melds, numbers in zip(view.melds, view.numbers, strict=True)]
    if any(rows is None for rows in packed):
        return None
    sides = [rows for rows in packed if rows is not None]
    allowed = _allowed_rows([len(rows) for rows in sides], size, room)
    if allowed is None:
        return None
    panels = []
    for rows, most in zip(sides, allowed, strict=True):
        panel = _panel(rows, most, size, y)
        panels.append(panel)
        y = panel.box.bottom + GAP
    foot_box = Box(MARGIN, y, WIDTH - 2 * MARGIN, foot) if foot else None
    bottom = foot_box.bottom if foot_box else y - GAP
    return TablePlan(bottom + MARGIN, size.step, banner, plates, middle, pile, tuple(panels), foot_box)


def panel_height(rows: int, step: int) -> int:
    """The height of a side's panel with so many rows of melds."""
    return PANEL_HEAD + (rows * (meld_height(step) + ROW_GAP) - ROW_GAP + PANEL_FOOT if rows else 0)


def _allowed_rows(rows: list[int], size: Size, room: int) -> list[int] | None:
    """How many rows each panel may have; None where they do not fit and may not be cut."""
    allowed = list(rows)
    while sum(panel_height(count, size.step) for count in allowed) > room:
        if not size.cut or max(allowed) <= 1:
            return None
        allowed[allowed.index(max(allowed))] -= 1
    return allowed


class _Item(NamedTuple):
    meld: int
    width: int
    folded: bool


_Rows = list[list[_Item]]


def _pack(melds: Sequence[Meld], numbers: Sequence[int], size: Size) -> _Rows | None:
    """Melds in rows; None where one is wider than a row. Their order is kept unless another saves a row."""
    items, used = [], 0
    for index, (meld, number) in enumerate(zip(melds, numbers, strict=True)):
        folded = len(meld.cards) >= size.fold_from
        width = meld_width(meld, size.step, number, folded=folded)
        if width > INNER:
            return None
        items.append(_Item(index, width, folded))
        used += width + MELD_GAP
    in_order = _in_order(items)
    if len(in_order) <= -(-used // (INNER + MELD_GAP)):
        # No order takes fewer rows than this.
        return in_order
    first_fit = _first_fit(items)
    return first_fit if len(first_fit) < len(in_order) else in_order


def _used(row: list[_Item]) -> int:
    return sum(item.width + MELD_GAP for item in row)


def _in_order(items: list[_Item]) -> _Rows:
    rows: _Rows = []
    used = 0
    for item in items:
        if rows and used + item.width <= INNER:
            rows[-1].append(item)
        else:
            rows.append([item])
            used = 0
        used += item.width + MELD_GAP
    return rows


def _first_fit(items: list[_Item]) -> _Rows:
    rows: _Rows = []
    used: list[int] = []
    for item in items:
        for n, row in enumerate(rows):
            if used[n] + item.width <= INNER:
                row.append(item)
                used[n] += item.width + MELD_GAP
                break
        else:
            rows.append([item])
            used.append(item.width + MELD_GAP)
    return rows


_MORE_W: Final = 110


def _panel(rows: _Rows, most: int, size: Size, top: int) -> PanelPlan:
    height = meld_height(size.step)
    shown = [list(row) for row in rows[:most]]
    hidden = sum(len(row) for row in rows[most:])
    if hidden:
        while shown[-1] and _used(shown[-1]) + _MORE_W > INNER:
            shown[-1].pop()
            hidden += 1
    slots, x, y = [], 0, top + PANEL_HEAD
    for n, row in enumerate(shown):
        x, y = MARGIN + PAD, top + PANEL_HEAD + n * (height + ROW_GAP)
        for item in row:
            slots.append(MeldSlot(item.meld, Box(x, y, item.width, height), item.folded))
            x += item.width + MELD_GAP
    more = Box(x, y + raised_by(size.step), _MORE_W, fan(size.step).h) if hidden else None
    box = Box(MARGIN, top, WIDTH - 2 * MARGIN, panel_height(len(shown), size.step))
    return PanelPlan(box, tuple(slots), more, hidden)


def _fan_width(cards: int, step: int) -> int:
    return (cards - 1) * step + fan(step).w


def _pile(view: PublicView, size: Size, top: int) -> PilePlan:
    """The open pile in as few rows as its smallest step allows, with the largest step for these."""
    cards, least = view.pile, size.pile_step
    a_row = 1 + (INNER - fan(least).w) // least
    if size.cut and len(cards) > size.cut * a_row:
        first = a_row - PILE_MORE
        hidden = len(cards) - first - (size.cut - 1) * a_row
        newest = cards[hidden:]
        later = (newest[start : start + a_row] for start in range(first, len(newest), a_row))
        return _open_pile(top, least, (newest[:first], *later), hidden)
    rows = -(-len(cards) // a_row)
    each = -(-len(cards) // rows) if rows else 1
    step, largest = least, min(_PILE_STEP, size.step)
    while step < largest and _fan_width(each, step + 1) <= INNER:
        step += 1
    return _open_pile(top, step, tuple(cards[start : start + each] for start in range(0, len(cards), each)), 0)


def _open_pile(top: int, step: int, lines: tuple[tuple[Card, ...], ...], hidden: int) -> PilePlan:
    row_height = raised_by(step) + fan(step).h
    height = PILE_HEAD + (len(lines) * (row_height + 2) + PANEL_FOOT - 4 if lines else 0)
    return PilePlan(Box(MARGIN, top, WIDTH - 2 * MARGIN, height), step, lines, hidden)
