"""Melds: the fan of cards, raised where new, over the number and the canasta's ribbon."""

from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from bot.pictures import SuitColours
from engine.cards import FACE, IS_WILD, RANK_OF_FACE
from engine.melds import Kind, Meld, Shape
from render.canvas import Align, Box, Canvas, Style, fit, text_width
from render.cards import CardPainter, Geometry, Look, fan, rank_text, under
from render.fonts import Weight
from render.theme import RibbonColours, Theme

FOOT: Final = 42
"""The height of the line with number and ribbon."""
FOOT_GAP: Final = 4
NUMBER: Final = Style(Weight.EXTRA_BOLD, 36)
WORD: Final = Style(Weight.EXTRA_BOLD, 34)
_PAD: Final = 10


class Fan(NamedTuple):
    """Which cards of a meld are drawn: their indexes, and the left edge of each in pixels."""

    indexes: tuple[int, ...]
    lefts: tuple[int, ...]
    width: int

    @property
    def folded(self) -> bool:
        """Whether cards are left out."""
        return self.indexes[-1] - self.indexes[0] + 1 > len(self.indexes)


def fold_gap(step: int) -> int:
    """The width of the three dots that stand for folded cards."""
    return round(0.62 * step)


def meld_fan(meld: Meld, step: int, *, folded: bool = False) -> Fan:
    """Where the cards of a meld lie. Folded, only the first, the last and the wild are drawn."""
    last = len(meld.cards) - 1
    shown = sorted({0, last} | ({meld.wild} if meld.wild >= 0 else set())) if folded else range(last + 1)
    geometry, x, lefts = fan(step), 0, [0]
    indexes = tuple(shown)
    for before, index in pairwise(indexes):
        x += step if index == before + 1 else geometry.w + fold_gap(step)
        lefts.append(x)
    return Fan(indexes, tuple(lefts), x + geometry.w)


def meld_width(meld: Meld, step: int, number: int, *, folded: bool = False) -> int:
    """The width of a meld, cards and number, in pixels."""
    last = len(meld.cards) - 1
    cards = meld_fan(meld, step, folded=True).width if folded else last * step + fan(step).w
    return max(cards, number_width(number))


def raised_by(step: int) -> int:
    """How far a new card is raised, in pixels."""
    return round(0.2 * step)


def meld_height(step: int) -> int:
    """The height of a meld with its room for raised cards above and its foot below."""
    return raised_by(step) + fan(step).h + FOOT_GAP + FOOT


@lru_cache(maxsize=64)
def number_width(number: int) -> int:
    """The width of the badge with a meld's number."""
    return text_width(f"#{number}", NUMBER) + 2 * _PAD


def ribbon_style(theme: Theme, kind: Kind) -> tuple[RibbonColours, str] | None:
    """The colours and the sign of a kind's ribbon; None for what is no canasta."""
    ribbons = theme.ribbons
    match kind:
        case Kind.MELD:
            return None
        case Kind.CLEAN:
            return ribbons.clean, "gem"
        case Kind.SEMI:
            return ribbons.semi, "half_gem"
        case Kind.DIRTY | Kind.ACES_DIRTY:
            return ribbons.dirty, "ring"
        case Kind.REAL | Kind.ACE_TO_ACE | Kind.ACES_CLEAN:
            return ribbons.special, "gem"
        case Kind.WILDS:
            return ribbons.special, "star"


class MeldLook(NamedTuple):
    """Everything that the drawing of a meld depends on."""

    meld: Meld
    step: int
    folded: bool
    new: tuple[bool, ...]
    number: int
    kind: Kind
    word: str
    joker: str
    suits: SuitColours


def _stands_for(meld: Meld, index: int) -> tuple[str, int]:
    """The rank on the chip of the wild at an index, and its suit (−1: none)."""
    place = meld.place_of(index)
    if place is not None:
        return rank_text(RANK_OF_FACE[place]), meld.suit
    return rank_text(meld.low), -1


def card_look(look: MeldLook, index: int, geometry: Geometry) -> Look:
    """How the card at an index of a meld is drawn: a wild lilac, with a chip where it stands for another card."""
    meld, card = look.meld, look.meld.cards[index]
    if index == meld.wild:
        chip, chip_suit = _stands_for(meld, index)
        return Look(FACE[card], geometry, look.suits, wild=True, chip=chip, chip_suit=chip_suit, new=look.new[index])
    wild = meld.shape is Shape.WILDS and IS_WILD[card]
    return Look(FACE[card], geometry, look.suits, wild=wild, new=look.new[index], word=look.joker)


class MeldPainter:
    """Draws melds on the ground of a panel."""

    def __init__(self, theme: Theme, cards: CardPainter) -> None:
        self._theme = theme
        self._cards = cards

    def draw(self, canvas: Canvas, x: int, y: int, look: MeldLook) -> None:
        """Draw a meld, :func:`meld_height` pixels high, its top left corner at a place."""
        step, lift = look.step, raised_by(look.step)
        geometry = fan(step)
        shown = meld_fan(look.meld, step, folded=look.folded)
        before: tuple[int, int, Look] | None = None
        for index, left in zip(shown.indexes, shown.lefts, strict=True):
            top, card, below = 0 if look.new[index] else lift, card_look(look, index, geometry), None
            if before is not None and index != before[0] + 1:
                self._dots(canvas, x + left - fold_gap(step), y + lift + geometry.h // 2, step)
            elif before is not None:
                below = under(before[2], before[1] - top)
            self._cards.lay(canvas, x + left, y + top, card, self._theme.panel, below)
            before = index, top, card
        self._foot(canvas, look, Box(x, y + meld_height(step) - FOOT, shown.width, FOOT))

    def _dots(self, canvas: Canvas, x: int, y: int, step: int) -> None:
        size = max(5, round(step * 0.14))
        for dot in range(3):
            canvas.shape(x + fold_gap(step) * (2 * dot + 1) // 6, y, "circle", size, self._theme.muted)

    def _foot(self, canvas: Canvas, look: MeldLook, box: Box) -> None:
        theme, style = self._theme, ribbon_style(self._theme, look.kind)
        width, touched = number_width(look.number), any(look.new)
        fill = theme.turn if touched else theme.badge if style is None else theme.badge_dark
        has_ribbon = style is not None and box.w > width + FOOT
        # With room for accents and tails, which may leave the ribbon.
        whole = Box(box.x, box.y - FOOT_GAP, box.w if has_ribbon else width, box.h + 2 * FOOT_GAP)

        def draw(canvas: Canvas, x: int, y: int) -> None:
            y += FOOT_GAP
            if style is not None and has_ribbon:
                colours, sign = style
                canvas.framed(Box(x, y, box.w, box.h), 9, colours.fill, colours.edge, 2)
                self._ribbon(canvas, look, Box(x + width, y, box.w - width, box.h), colours, sign)
            badge = Box(x, y, width, box.h)
            canvas.round_rect(badge, 9, fill)
            canvas.text(x + _PAD, badge.middle, f"#{look.number}", NUMBER, theme.ink if touched else theme.text)

        ribbon = (style, look.word, len(look.meld.cards)) if has_ribbon else None
        canvas.group(whole, theme.panel, ("foot", look.number, fill, ribbon), draw)

    def _ribbon(self, canvas: Canvas, look: MeldLook, box: Box, colours: RibbonColours, sign: str) -> None:
        """Sign, word and count; where it is narrow, the count gives way to the word, then the word to the count."""
        sign_size, pad = 22, 8
        x, right = box.x + pad, box.right - pad
        canvas.shape(x + sign_size // 2, box.middle, sign, sign_size, colours.ink)
        x += sign_size + pad - 3
        count = str(len(look.meld.cards))
        beside = right - x - text_width(count, WORD) - pad
        word = look.word if text_width(look.word, WORD) <= right - x else fit(look.word, WORD, max(0, beside))
        if text_width(word, WORD) <= beside + (0 if word else pad):
            canvas.text(right, box.middle, count, WORD, colours.ink, Align.RIGHT)
        canvas.text(x, box.middle, word, WORD, colours.ink)
