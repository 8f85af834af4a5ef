"""The picture of the table: banner, players, stock and pile, and a panel for each side."""

from typing import Final

from PIL import Image

from bot.pictures import TablePicture
from engine.views import HandBacks
from render.canvas import Align, Box, Canvas, Style, fit, fit_style, text_width
from render.cards import CardPainter
from render.fonts import Weight
from render.layout import (
    BACK_GAP,
    BACK_H,
    BACK_W,
    BACKS,
    BACKS_GAP,
    COUNT,
    PAD,
    PANEL_HEAD,
    PLATE_LINE,
    WIDTH,
    PanelPlan,
    backs_width,
    plan_table,
)
from render.melds import MeldLook, MeldPainter
from render.middle import MiddlePainter
from render.scene import Scene, scene_of
from render.shapes import side_shape
from render.theme import Theme

_BANNER: Final = Style(Weight.EXTRA_BOLD, 54)
_CORNER: Final = Style(Weight.BOLD, 40)
_NAME: Final = Style(Weight.BOLD, 40)
_TITLE: Final = Style(Weight.BOLD, 44)
_TABLE: Final = Style(Weight.SEMI_BOLD, 38)
_TOTAL: Final = Style(Weight.EXTRA_BOLD, 52)
_SMALLEST_TEXT: Final = 34
_FEW_CARDS: Final = 2


class TablePainter:
    """Draws tables in a theme."""

    def __init__(self, theme: Theme, cards: CardPainter) -> None:
        self._theme = theme
        self._cards = cards
        self._melds = MeldPainter(theme, cards)
        self._middle = MiddlePainter(theme, cards)

    def draw(self, picture: TablePicture) -> Image.Image:
        """The table, :data:`render.layout.WIDTH` wide, on the canvas of its cards."""
        scene = scene_of(picture)
        plan = plan_table(scene)
        canvas = self._cards.canvas(WIDTH, plan.height, self._theme.felt)
        self._banner(canvas, plan.banner, scene)
        for seat, box in enumerate(plan.plates):
            self._plate(canvas, box, scene, seat)
        self._middle.draw(canvas, plan, scene)
        for side, panel in enumerate(plan.panels):
            self._panel_head(canvas, panel.box, scene, side)
            self._panel(canvas, panel, scene, plan.step, side)
        return canvas.image

    def _banner(self, canvas: Canvas, box: Box, scene: Scene) -> None:
        theme, view, texts = self._theme, scene.view, scene.texts
        over = view.ended is not None
        fill = theme.calm if over else theme.turn
        canvas.round_rect(box, 20, fill, on=theme.felt)
        sign = "chevrons" if not over else "star" if view.winner is not None else "flag"
        canvas.shape(box.x + 50, box.middle, sign, 46, theme.ink, on=fill)
        corner = fit(texts.corner, _CORNER, box.w // 2)
        canvas.text(box.right - 24, box.middle, corner, _CORNER, theme.ink, Align.RIGHT, on=fill)
        room = box.w - 92 - 24 - (text_width(corner, _CORNER) + 24 if corner else 0)
        style = fit_style(texts.banner, _BANNER, room, 42)
        canvas.text(box.x + 92, box.middle, fit(texts.banner, style, room), style, theme.ink, on=fill)

    def _plate(self, canvas: Canvas, box: Box, scene: Scene, seat: int) -> None:
        theme, view, name = self._theme, scene.view, scene.texts.names[seat]
        side = view.seating.side_of(seat)
        if view.ended is None and seat == view.mover:
            canvas.framed(box.inset(-4), 16, theme.panel, theme.turn, 5, on=theme.felt)
        elif seat == view.closer:
            canvas.framed(box, 14, theme.panel, theme.calm, 4, on=theme.felt)
        else:
            canvas.round_rect(box, 14, theme.panel, on=theme.felt)
        one_line = box.h < 2 * PLATE_LINE
        x, right = box.x + PAD - 2, box.right - PAD + 2
        y = box.middle if one_line else box.y + 12 + PLATE_LINE // 2
        hand = view.hands[seat]
        figures = text_width(str(hand.count), COUNT) + backs_width(hand.backs)
        canvas.shape(x + 16, y, side_shape(side), 32, theme.sides[side], on=theme.panel)
        room = right - x - 42 - (figures + 20 if one_line else 0)
        style = fit_style(name, _NAME, room, _SMALLEST_TEXT)
        canvas.text(x + 42, y, fit(name, style, room), style, theme.text, on=theme.panel)
        if one_line:
            self._hand(canvas, right - figures, y, hand, right)
        elif box.h > 20 + 2 * PLATE_LINE:
            self._hand(canvas, x, y + PLATE_LINE, hand, right, below=PLATE_LINE)
        else:
            self._hand(canvas, x, y + PLATE_LINE, hand, right)

    def _hand(self, canvas: Canvas, x: int, y: int, hand: HandBacks, right: int, *, below: int = 0) -> None:
        """How many cards are held, then how many of each pack; ``below`` moves these to a line of their own.

        More than any deal gives may leave the plate, whose text ends at ``right``.
        """
        theme = self._theme
        few = hand.count <= _FEW_CARDS
        advance = canvas.text(x, y, str(hand.count), COUNT, theme.warm if few else theme.text, on=theme.panel)
        end = x + backs_width(hand.backs) + (0 if below else advance)
        on = theme.panel if end <= right else None
        x, y = (x - BACKS_GAP, y + below) if below else (x + advance, y)
        for pack, count in enumerate(hand.backs):
            if not count:
                continue
            x += BACKS_GAP
            self._cards.lay_back(canvas, Box(x, y - BACK_H // 2, BACK_W, BACK_H), pack, self._theme.panel)
            x += BACK_W + BACK_GAP
            x += canvas.text(x, y, str(count), BACKS, theme.muted, on=on)

    def _panel(self, canvas: Canvas, panel: PanelPlan, scene: Scene, step: int, side: int) -> None:
        view, texts = scene.view, scene.texts
        for slot in panel.melds:
            meld, kind = view.melds[side][slot.meld], view.kinds[side][slot.meld]
            look = MeldLook(
                meld,
                step,
                slot.folded,
                tuple(card in scene.changed.cards for card in meld.cards),
                view.numbers[side][slot.meld],
                kind,
                texts.ribbons.get(kind, ""),
                texts.joker,
                scene.suits,
            )
            self._melds.draw(canvas, slot.box.x, slot.box.y, look)
        if panel.more is not None:
            style = Style(Weight.EXTRA_BOLD, 40)
            middle = panel.more.x + panel.more.w // 2
            canvas.round_rect(panel.more, 12, self._theme.badge, on=self._theme.panel)
            canvas.text(middle, panel.more.middle, f"+{panel.hidden}", style, self._theme.text, Align.CENTRE)

    def _panel_head(self, canvas: Canvas, box: Box, scene: Scene, side: int) -> None:
        theme, view, texts = self._theme, scene.view, scene.texts
        colour = theme.sides[side]
        canvas.round_rect(box, 14, theme.panel, on=theme.felt)
        canvas.round_rect(Box(box.x, box.y + 12, 8, box.h - 24), 4, colour, on=theme.panel)
        words = texts.sides[side] if side < len(texts.sides) else None
        x, right, y = box.x + PAD + 8, box.right - PAD, box.y + PANEL_HEAD // 2
        canvas.shape(x + 17, y, side_shape(side), 34, colour, on=theme.panel)
        x += 46
        if view.winner == side:
            canvas.shape(x + 20, y, "star", 42, theme.turn)
            x += 52
        if words is None:
            return
        total = fit(words.total, _TOTAL, box.w // 3)
        right -= canvas.text(right, y, total, _TOTAL, colour, Align.RIGHT, on=theme.panel) + 16
        worth = fit(words.table, _TABLE, box.w // 3)
        right -= canvas.text(right, y, worth, _TABLE, theme.muted, Align.RIGHT, on=theme.panel) + 20
        style = fit_style(words.title, _TITLE, right - x, _SMALLEST_TEXT)
        canvas.text(x, y, fit(words.title, style, right - x), style, theme.text, on=theme.panel)
