"""The middle of the table: stock, pile, muertos and the last move in words."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Final, NamedTuple

from PIL import Image

from engine.cards import FACE, Card
from engine.views import PublicView
from render.canvas import Align, Box, Canvas, Style, fit, text_width
from render.cards import CardPainter, Geometry, Look, alone, fan, under
from render.fonts import Weight
from render.layout import (
    MARGIN,
    PAD,
    PILE_HEAD,
    PILE_MORE,
    SENTENCE,
    SENTENCE_LINE,
    PilePlan,
    TablePlan,
    foot_lines,
    indent,
)
from render.melds import raised_by
from render.scene import Scene
from render.sentence import LINE_WEIGHT, Piece, draw_piece, wrap
from render.shapes import side_shape
from render.theme import Theme

_CARD_H: Final = 124
_HEADROOM: Final = 8
_LAYER_X: Final = 5
_LAYER_Y: Final = 3
"""How far each card of a stack shows behind the one above it."""
_MUERTO_LAYER: Final = 4
_CHOSEN_RIM: Final = 6
_FLAT: Final = 60
"""A muerto no higher than this is drawn without the cards under its back."""
_LABEL: Final = Style(Weight.SEMI_BOLD, 38)
_FIGURE: Final = Style(Weight.EXTRA_BOLD, 44)
_LABEL_MAX: Final = 150
_COLUMN_GAP: Final = 32
_MUERTOS_MAX: Final = 264
_SMALL_SENTENCE: Final = Style(LINE_WEIGHT, 34)
_SMALL_LINE: Final = 43


class _Muerto(NamedTuple):
    """A muerto on the table (its back) or one that a side took."""

    back: int | None
    side: int


def _muertos(view: PublicView) -> tuple[_Muerto, ...]:
    taken = [_Muerto(None, side) for side, count in enumerate(view.taken) for _ in range(count)]
    return (*taken, *(_Muerto(muerto.back, -1) for muerto in view.muertos))


def _layers(count: int) -> int:
    """How many cards show behind the top of a stack: it looks thinner as it runs out."""
    return min(3, max(0, count - 1) // 4 + (count > 1))


class MiddlePainter:
    """Draws the middle of the table."""

    def __init__(self, theme: Theme, cards: CardPainter) -> None:
        self._theme = theme
        self._cards = cards

    def draw(self, canvas: Canvas, plan: TablePlan, scene: Scene) -> None:
        """Draw it into its box; with an open pile also the last move at the foot."""
        if plan.pile is None:
            self._closed(canvas, plan.middle, scene)
            return
        self._open(canvas, plan.pile, scene)
        if plan.foot is not None:
            lines = foot_lines(scene)
            self._sentence(canvas, plan.foot.x, plan.foot.y, lines, SENTENCE, SENTENCE_LINE, scene)

    def _closed(self, canvas: Canvas, box: Box, scene: Scene) -> None:
        """Stock and pile at the left, muertos at the right, the last move between them."""
        view, texts = scene.view, scene.texts
        x, y = box.x, box.bottom - 20
        least = alone(_CARD_H).w + 3 * _LAYER_X
        self._stock(canvas, x, box.y + _HEADROOM, scene)
        x += max(least, self._label(canvas, x, y, texts.stock, view.stock_count)) + _COLUMN_GAP
        self._pile_top(canvas, x, box.y + _HEADROOM, scene)
        x += max(least, self._label(canvas, x, y, texts.pile, view.pile_count)) + _COLUMN_GAP
        right = self._muertos(canvas, box, scene)
        self._last(canvas, Box(x, box.y, right - x, box.h), scene)

    def _label(self, canvas: Canvas, x: int, y: int, word: str, count: int) -> int:
        """Write a word and a count. Returns how wide they are."""
        start, word = x, fit(word, _LABEL, _LABEL_MAX)
        if word:
            x += canvas.text(x, y, word, _LABEL, self._theme.muted) + 10
        return x + canvas.text(x, y, str(count), _FIGURE, self._theme.text) - start

    def _stack(self, canvas: Canvas, top: Box, layers: int, key: Hashable, sprite: Callable[[], Image.Image]) -> None:
        """A card, and the edges of the cards that lie under it, away to the upper right."""
        colours, rise = self._theme.card, layers * _LAYER_Y

        def draw(canvas: Canvas, x: int, y: int) -> None:
            for layer in range(layers, 0, -1):
                lower = Box(x + layer * _LAYER_X, y + rise - layer * _LAYER_Y, top.w, top.h)
                canvas.framed(lower, 10, colours.face, colours.edge, 2)
            canvas.sprite(x, y + rise, sprite())

        box = Box(top.x, top.y - rise, top.w + layers * _LAYER_X, top.h + rise)
        canvas.group(box, self._theme.felt, (key, layers), draw)

    def _stock(self, canvas: Canvas, x: int, y: int, scene: Scene) -> None:
        view, geometry = scene.view, alone(_CARD_H)
        box = Box(x, y, geometry.w, geometry.h)
        if not view.stock_count or view.stock_back is None:
            canvas.framed(box, 10, self._theme.felt, self._theme.line, 3, on=self._theme.felt)
            return
        back = partial(self._cards.back, view.stock_back, box.w, box.h)
        self._stack(canvas, box, _layers(view.stock_count), ("stock", view.stock_back), back)

    def _pile_top(self, canvas: Canvas, x: int, y: int, scene: Scene) -> None:
        geometry, top = alone(_CARD_H), scene.view.pile_top
        box = Box(x, y, geometry.w, geometry.h)
        if top is None:
            canvas.framed(box, 10, self._theme.felt, self._theme.line, 3, on=self._theme.felt)
            return
        look = self._look(top, geometry, scene)
        self._stack(canvas, box, _layers(scene.view.pile_count), look, partial(self._cards.face, look))

    def _look(self, card: Card, geometry: Geometry, scene: Scene) -> Look:
        new = card == scene.changed.discard
        return Look(FACE[card], geometry, scene.suits, new=new, word=scene.texts.joker)

    def _muertos(self, canvas: Canvas, box: Box, scene: Scene) -> int:
        """The muertos at the right edge, and their label under them. Returns where they begin."""
        muertos, gap = _muertos(scene.view), 18
        begin = box.right
        if muertos:
            width = min(116, (_MUERTOS_MAX - gap * (len(muertos) - 1)) // len(muertos))
            height = round(width * 0.72)
            begin = x = box.right - len(muertos) * (width + gap) + gap - 2 * _MUERTO_LAYER
            for muerto in muertos:
                place = Box(x, box.y + _HEADROOM + (_CARD_H - height) // 2, width, height)
                self._muerto(canvas, place, muerto, self._theme.felt, chosen=scene.view.choosing is not None)
                x += width + gap
        label = fit(scene.texts.muertos, _LABEL, _MUERTOS_MAX + 60)
        canvas.text(box.right, box.bottom - 20, label, _LABEL, self._theme.muted, Align.RIGHT)
        begin = min(begin, box.right - text_width(label, _LABEL))
        return begin - 28 if begin < box.right else begin

    def _muerto(self, canvas: Canvas, box: Box, muerto: _Muerto, ground: str, *, chosen: bool) -> None:
        """One muerto: an outline with the shape of the side that took it, or cards lying face down.

        Edged where one of them must be chosen.
        """
        if muerto.back is None:
            canvas.framed(box, 10, ground, self._theme.line, 3, on=ground)
            colour = self._theme.sides[muerto.side]
            canvas.shape(box.x + box.w // 2, box.middle, side_shape(muerto.side), box.h * 5 // 11, colour)
            return
        pack, layers = muerto.back, (2, 1) if box.h > _FLAT else ()
        rim = _CHOSEN_RIM if chosen else 0
        beyond = max(rim, len(layers) * _MUERTO_LAYER)

        def draw(canvas: Canvas, x: int, y: int) -> None:
            place = Box(x + rim, y + beyond, box.w, box.h)
            for layer in layers:
                lower = Box(place.x + layer * _MUERTO_LAYER, place.y - layer * _MUERTO_LAYER, box.w, box.h)
                canvas.framed(lower, 8, self._theme.card.face, self._theme.card.edge, 2)
            if chosen:
                canvas.round_rect(place.inset(-rim), 14, self._theme.turn)
            canvas.sprite(place.x, place.y, self._cards.back(pack, box.w, box.h))

        whole = Box(box.x - rim, box.y - beyond, rim + box.w + beyond, beyond + box.h + rim)
        canvas.group(whole, ground, ("muerto", pack, chosen), draw)

    def _last(self, canvas: Canvas, box: Box, scene: Scene) -> None:
        """The last move: up to three large lines beside the cards, or four smaller ones."""
        line, first = scene.texts.last, indent(scene)
        if not line or box.w < 2 * first:
            return
        lines, whole = wrap(line, SENTENCE, first, box.w, 3)
        style, height = SENTENCE, SENTENCE_LINE
        if not whole:
            lines, _ = wrap(line, _SMALL_SENTENCE, first, box.w, 4)
            style, height = _SMALL_SENTENCE, _SMALL_LINE
        beside = _HEADROOM + (_CARD_H - len(lines) * height) // 2
        self._sentence(canvas, box.x, box.y + max(4, beside), lines, style, height, scene)

    def _sentence(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        lines: tuple[tuple[Piece, ...], ...],
        style: Style,
        line_height: int,
        scene: Scene,
    ) -> None:
        side = scene.actor_side
        if side is not None:
            canvas.shape(x + 17, y + line_height // 2, side_shape(side), 32, self._theme.sides[side])
        for n, pieces in enumerate(lines):
            middle = y + n * line_height + line_height // 2
            for piece in pieces:
                draw_piece(canvas, self._theme, scene.suits, piece, style, x, middle)

    def _open(self, canvas: Canvas, plan: PilePlan, scene: Scene) -> None:
        """Stock, pile and muertos small in one line, over the whole pile."""
        view, texts, theme = scene.view, scene.texts, self._theme
        canvas.round_rect(plan.box, 14, theme.panel, on=theme.felt)
        x, y = plan.box.x + PAD, plan.box.y + PILE_HEAD // 2
        place = Box(x, y - 26, 38, 52)
        if view.stock_count and view.stock_back is not None:
            self._cards.lay_back(canvas, place, view.stock_back, theme.panel)
        else:
            canvas.framed(place, 6, theme.panel, theme.line, 3, on=theme.panel)
        x += place.w + 14
        x += self._label(canvas, x, y, texts.stock, view.stock_count) + 44
        x += self._label(canvas, x, y, texts.pile, view.pile_count) + 24
        right = plan.box.right - PAD
        for muerto in reversed(_muertos(view)):
            right -= 60
            place = Box(right, y - 21, 60, 42)
            self._muerto(canvas, place, muerto, theme.panel, chosen=view.choosing is not None)
            right -= 16
        label = fit(texts.muertos, _LABEL, max(0, right - x))
        canvas.text(right, y, label, _LABEL, theme.muted, Align.RIGHT)
        self._fan(canvas, plan, scene)

    def _fan(self, canvas: Canvas, plan: PilePlan, scene: Scene) -> None:
        geometry, lift = fan(plan.step), raised_by(plan.step)
        for n, row in enumerate(plan.rows):
            x, y = MARGIN + PAD, plan.box.y + PILE_HEAD - 8 + n * (lift + geometry.h + 2) + lift
            if plan.hidden and n == 0:
                style = Style(Weight.EXTRA_BOLD, 34)
                canvas.text(x, y + geometry.h // 2, f"+{plan.hidden}", style, self._theme.muted)
                x += PILE_MORE * plan.step
            below = None
            for card in row:
                look = self._look(card, geometry, scene)
                # Only the last card of all can be raised, so that no card lies on one that is higher.
                top, down = (y - lift, lift) if card == scene.changed.discard else (y, 0)
                self._cards.lay(canvas, x, top, look, self._theme.panel, below and below._replace(down=down))
                x, below = x + plan.step, under(look)
