"""The last move in words: text with small inline cards, wrapped into lines."""

from typing import Final, NamedTuple

from bot.pictures import Line, SuitColours
from engine.cards import FACE, JOKER, RANK_OF_FACE, SUIT_OF_FACE, Card
from render.canvas import ELLIPSIS, Box, Canvas, Style, fit, text_width
from render.cards import rank_mask, rank_text
from render.fonts import CAP_HEIGHT, Weight
from render.shapes import shape, suit_shape
from render.theme import Theme

LINE_WEIGHT: Final = Weight.SEMI_BOLD
_PAD: Final = 6
_GAP: Final = 3


class Piece(NamedTuple):
    """A word or a card on a line; ``x`` from the line's start, in pixels."""

    x: int
    what: str | Card


def _chip_measures(size: int) -> tuple[int, int, int]:
    """Height of an inline card, of its capitals and of its pip, for a font size."""
    return round(size * 1.12), round(size * CAP_HEIGHT), round(size * 0.68)


def chip_width(card: Card, size: int) -> int:
    """The width of an inline card among text of a size in pixels."""
    _, cap, pip = _chip_measures(size)
    face = FACE[card]
    if face == JOKER:
        return cap + 4 + 2 * _PAD
    return rank_mask(rank_text(RANK_OF_FACE[face]), cap, size).width + _GAP + pip + 2 * _PAD


def _tokens(line: Line) -> list[tuple[str | Card, bool]]:
    """Words and cards, each with whether a blank stands before it."""
    tokens: list[tuple[str | Card, bool]] = []
    blank = False
    for part in line:
        if not isinstance(part, str):
            # Two cards side by side are kept apart, as if the sentence had a blank there.
            tokens.append((part, blank or bool(tokens and not isinstance(tokens[-1][0], str))))
            blank = False
            continue
        for n, word in enumerate(part.split()):
            tokens.append((word, n > 0 or blank or part[:1].isspace()))
            blank = False
        blank = blank or part[-1:].isspace()
    return tokens


def wrap(line: Line, style: Style, first: int, width: int, rows: int) -> tuple[tuple[tuple[Piece, ...], ...], bool]:
    """Break a sentence into at most ``rows`` lines of ``width`` pixels, the first one beginning at ``first``.

    Returns the lines and whether the whole sentence fits; what does not is replaced by an ellipsis.
    """
    blank_width = text_width(" ", style)
    lines: list[list[Piece]] = [[]]
    x = first
    for what, blank in _tokens(line):
        w = text_width(what, style) if isinstance(what, str) else chip_width(what, style.size)
        # Punctuation that follows a card without a blank stays with it.
        gap = blank_width if blank and lines[-1] else 0
        if lines[-1] and x + gap + w > width and (blank or not isinstance(what, str)):
            if len(lines) == rows:
                return _cut(lines, x, style, width), False
            lines.append([])
            x, gap = 0, 0
        if isinstance(what, str) and x + gap + w > width:
            what = fit(what, style, width - x - gap)
            w = text_width(what, style)
        if isinstance(what, str) or x + gap + w <= width:
            lines[-1].append(Piece(x + gap, what))
            x += gap + w
    return tuple(tuple(pieces) for pieces in lines), True


def _cut(lines: list[list[Piece]], x: int, style: Style, width: int) -> tuple[tuple[Piece, ...], ...]:
    last = lines[-1]
    dots = text_width(ELLIPSIS, style)
    while last and x + dots > width:
        x = last.pop().x
    last.append(Piece(x, ELLIPSIS))
    return tuple(tuple(pieces) for pieces in lines)


def draw_piece(canvas: Canvas, theme: Theme, suits: SuitColours, piece: Piece, style: Style, x: int, y: int) -> None:
    """Draw a piece of a line that starts at ``x`` and whose capitals' middle is ``y``."""
    x += piece.x
    if isinstance(piece.what, str):
        canvas.text(x, y, piece.what, style, theme.text)
    else:
        _chip(canvas, theme, suits, piece.what, style.size, x, y)


def _chip(canvas: Canvas, theme: Theme, suits: SuitColours, card: Card, size: int, x: int, y: int) -> None:
    height, cap, pip = _chip_measures(size)
    face, middle = FACE[card], height // 2

    def draw(canvas: Canvas, x: int, y: int) -> None:
        whole = box._replace(x=x, y=y)
        if face == JOKER:
            canvas.round_rect(whole, 7, theme.wild.face)
            canvas.shape(x + box.w // 2, y + middle, "star", cap + 4, theme.wild.ink)
            return
        canvas.round_rect(whole, 7, theme.card.face)
        suit = SUIT_OF_FACE[face]
        ink = theme.suits.of(suits)[suit]
        rank = rank_mask(rank_text(RANK_OF_FACE[face]), cap, size)
        canvas.stamp(x + _PAD, y + middle - rank.height // 2, rank, ink)
        canvas.stamp(whole.right - _PAD - pip, y + middle - pip // 2, shape(suit_shape(suit), pip), ink)

    box = Box(x, y - middle, chip_width(card, size), height)
    canvas.group(box, theme.felt, ("chip", face, size, suits), draw)
