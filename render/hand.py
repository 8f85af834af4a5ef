"""The picture of a hand: numbered cards in groups, as large as a few lines allow."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures import HandPicture
from engine.cards import ACE, BACK, FACE, IS_JOKER, IS_WILD, KING, RANK, Card
from render.canvas import Align, Canvas, Style, fit, fit_style, text_width
from render.cards import CardPainter, Look, held, under
from render.fonts import Weight
from render.layout import HIGHEST, MARGIN, WIDTH
from render.theme import Theme
from render.wording import printable

HEAD: Final = 92
NUMBER: Final = Style(Weight.BOLD, 38)
_SMALL_NUMBER: Final = Style(Weight.BOLD, 34)
_NUMBER_H: Final = 46
_LINE_GAP: Final = 8
_TITLE: Final = Style(Weight.EXTRA_BOLD, 48)
_CORNER: Final = Style(Weight.SEMI_BOLD, 40)
_ROOM: Final = WIDTH - 2 * MARGIN
_LARGEST: Final = 100
_COMFORT: Final = 56
"""Below this step another line is better than smaller cards."""
_SMALLEST: Final = 34
_STEP: Final = 2
_WORTH_BREAKING: Final = 12
"""Groups are broken over lines where that makes the strip so many pixels wider."""
_TWO_LINES: Final = 13
_MOST_LINES: Final = 8


class HeldSlot(NamedTuple):
    """A card's place: its left edge in pixels and its line from the top."""

    card: Card
    x: int
    line: int


class HandPlan(NamedTuple):
    """The whole hand; slots in reading order."""

    height: int
    step: int
    slots: tuple[HeldSlot, ...]


class _Run(NamedTuple):
    """Cards that touch; ``group`` tells where a new group begins."""

    cards: tuple[Card, ...]
    group: int


def _joined(before: Card, after: Card) -> bool:
    if IS_WILD[before] and IS_WILD[after]:
        return True
    if IS_JOKER[before] or IS_JOKER[after]:
        return False
    ranks = RANK[before], RANK[after]
    return abs(ranks[0] - ranks[1]) <= 1 or set(ranks) == {ACE, KING}


def _runs(groups: tuple[tuple[Card, ...], ...]) -> tuple[_Run, ...]:
    runs = []
    for number, group in enumerate(groups):
        current: list[Card] = []
        for card in group:
            if current and not _joined(current[-1], card):
                runs.append(_Run(tuple(current), number))
                current = []
            current.append(card)
        if current:
            runs.append(_Run(tuple(current), number))
    return tuple(runs)


def line_height(step: int) -> int:
    """The height of a line of cards with room for raised ones above and numbers below, in pixels."""
    return lift(step) + held(step).h + 6 + _NUMBER_H + _LINE_GAP


def lift(step: int) -> int:
    """How far a marked card is raised, in pixels."""
    return round(0.2 * step)


def _gaps(step: int) -> tuple[int, int]:
    """Between runs, and between groups."""
    return max(8, step // 8), max(16, step // 2)


def _width(cards: int, step: int) -> int:
    return (cards - 1) * step + held(step).w


def _blocks(runs: tuple[_Run, ...], step: int, *, whole: bool) -> Iterator[tuple[list[_Run], int]]:
    """What is kept on one line, with its width: whole groups, or single runs."""
    small, _ = _gaps(step)
    block: list[_Run] = []
    for run in runs:
        if block and (not whole or run.group != block[-1].group):
            yield block, sum(_width(len(r.cards), step) + small for r in block) - small
            block = []
        block.append(run)
    if block:
        yield block, sum(_width(len(r.cards), step) + small for r in block) - small


def _flow(runs: tuple[_Run, ...], step: int, *, whole: bool) -> tuple[HeldSlot, ...]:
    """Set the cards in lines. A block wider than a line is broken wherever the line ends."""
    small, large = _gaps(step)
    card_width = held(step).w
    slots: list[HeldSlot] = []
    x, line, group = 0, 0, -1
    for block, width in _blocks(runs, step, whole=whole):
        if slots:
            x += large if block[0].group != group else small
            if x + width > _ROOM and (width <= _ROOM or x + card_width > _ROOM):
                x, line = 0, line + 1
        for n, run in enumerate(block):
            x += small if n else 0
            for card in run.cards:
                if x + card_width > _ROOM:
                    x, line = 0, line + 1
                slots.append(HeldSlot(card, MARGIN + x, line))
                x += step
            x += card_width - step
        group = block[-1].group
    return tuple(slots)


def _best(runs: tuple[_Run, ...], lines: int, least: int, *, whole: bool) -> tuple[int, tuple[HeldSlot, ...]]:
    """The largest step, at least ``least``, with which the cards fill so many lines; 0 if none does."""
    for step in range(_LARGEST, least - 1, -_STEP):
        if HEAD + lines * line_height(step) + MARGIN // 2 > HIGHEST:
            continue
        slots = _flow(runs, step, whole=whole)
        if slots[-1].line < lines:
            return step, slots
    return 0, ()


def plan_hand(groups: tuple[tuple[Card, ...], ...]) -> HandPlan:
    """Lay out a hand: up to 13 cards in two lines, more in three, and very many in as many as they need.

    Raises:
        ValueError: more cards than any deal can give do not fit.
    """
    runs = _runs(groups)
    count = sum(len(run.cards) for run in runs)
    if not count:
        return HandPlan(HEAD, _LARGEST, ())
    usual = 2 if count <= _TWO_LINES else 3
    for lines in range(usual, _MOST_LINES + 1):
        least = _COMFORT if lines < _MOST_LINES else _SMALLEST
        step, slots = _best(runs, lines, least, whole=True)
        broken_step, broken = _best(runs, lines, least, whole=False)
        if broken_step >= step + _WORTH_BREAKING:
            step, slots = broken_step, broken
        if step:
            used = slots[-1].line + 1
            return HandPlan(HEAD + used * line_height(step) + MARGIN // 2, step, slots)
    raise ValueError(f"{count} cards do not fit")


class HandPainter:
    """Draws hands in a theme."""

    def __init__(self, theme: Theme, cards: CardPainter) -> None:
        self._theme = theme
        self._cards = cards

    def draw(self, picture: HandPicture) -> Image.Image:
        """The hand, :data:`render.layout.WIDTH` wide, on the canvas of its cards."""
        plan = plan_hand(picture.groups)
        canvas = self._cards.canvas(WIDTH, plan.height, self._theme.felt)
        self._head(canvas, picture)
        word = printable(picture.joker)[:3]
        new, selected = frozenset(picture.new), frozenset(picture.selected)
        geometry, high = held(plan.step), lift(plan.step)
        before: tuple[HeldSlot, int, Look] | None = None
        for number, slot in enumerate(plan.slots, 1):
            card, is_new, is_selected = slot.card, slot.card in new, slot.card in selected
            look = Look(
                FACE[card], geometry, picture.suits, new=is_new, selected=is_selected, back=BACK[card], word=word
            )
            top = HEAD + slot.line * line_height(plan.step) + (0 if is_new or is_selected else high)
            below = None
            if before is not None and before[0].line == slot.line and before[0].x + plan.step == slot.x:
                below = under(before[2], before[1] - top)
            self._cards.lay(canvas, slot.x, top, look, self._theme.felt, below)
            self._number(canvas, plan, slot, number, look)
            before = slot, top, look
        return canvas.image

    def _head(self, canvas: Canvas, picture: HandPicture) -> None:
        corner = fit(printable(picture.corner), _CORNER, _ROOM // 2)
        canvas.text(WIDTH - MARGIN, HEAD // 2, corner, _CORNER, self._theme.muted, Align.RIGHT)
        room = _ROOM - (text_width(corner, _CORNER) + 24 if corner else 0)
        title = printable(picture.title)
        style = fit_style(title, _TITLE, room, 38)
        canvas.text(MARGIN, HEAD // 2, fit(title, style, room), style, self._theme.text)

    def _number(self, canvas: Canvas, plan: HandPlan, slot: HeldSlot, number: int, look: Look) -> None:
        theme = self._theme
        ink = theme.turn if look.new else theme.card.selected if look.selected else theme.muted
        fits = text_width(str(number), NUMBER) <= plan.step - 6
        style = NUMBER if fits else _SMALL_NUMBER
        y = HEAD + slot.line * line_height(plan.step) + lift(plan.step) + look.geometry.h + 6 + _NUMBER_H // 2
        # One that is wider than its card may touch the next one's.
        on = theme.felt if fits else None
        canvas.text(slot.x + look.geometry.strip // 2, y, str(number), style, ink, Align.CENTRE, on)
