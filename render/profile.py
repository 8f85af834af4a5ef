"""The picture of a profile: who it is, the rating, the numbers, the people, the last matches, the achievements."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures import Outcome, ProfileFact, ProfilePicture
from engine.cards import parse_face
from render.canvas import Box, Canvas, Style, fit, fit_style, text_width
from render.cards import CardPainter, Look, fan, under
from render.fonts import Weight
from render.layout import GAP, HIGHEST, MARGIN, PAD, WIDTH
from render.marks import MarkColours, draw_mark
from render.prose import Inks, Prose, draw_line, largest, wrap
from render.shapes import shape
from render.theme import Theme
from render.wording import known_by, printable

NAME: Final = Style(Weight.EXTRA_BOLD, 64)
NOTE: Final = Style(Weight.SEMI_BOLD, 38)
RATING: Final = Style(Weight.EXTRA_BOLD, 100)
VALUE: Final = Style(Weight.EXTRA_BOLD, 58)
PERSON: Final = Style(Weight.BOLD, 48)
LABEL: Final = Style(Weight.SEMI_BOLD, 38)
AWARD: Final = Style(Weight.BOLD, 38)
SMALLEST: Final = 36
MOST_RECENT: Final = 10
_SMALLEST_NAME: Final = 44
_ROOM: Final = WIDTH - 2 * MARGIN
_INNER: Final = _ROOM - 2 * PAD
_LINE: Final = 44
_NAME_LINE: Final = 66
_ACES: Final = ("As", "Ah", "Ad", "Ac")
_ACE_STEP: Final = 42
_RATING_WIDTH: Final = 330
_TREND: Final = 34
_COLUMNS: Final = 3
_MARK: Final = 74
_AWARD_HEIGHT: Final = 54
_AWARD_GAP: Final = 12
_AWARD_ROWS: Final = (2, 1)
"""Tried in turn: with many lines above, fewer achievements are named."""
_STAR: Final = 34


class Award(NamedTuple):
    """An achievement's label in its place."""

    box: Box
    text: str


class ProfilePlan(NamedTuple):
    """Where everything lies; a box of no height is left out."""

    height: int
    head: Box
    name_style: Style
    name: Prose
    empty: Box
    empty_text: Prose
    rating: Box
    facts: tuple[tuple[Box, ProfileFact], ...]
    people: tuple[tuple[Box, ProfileFact], ...]
    recent: Box
    awards: Box
    award_labels: tuple[Award, ...]


def plan_profile(picture: ProfilePicture) -> ProfilePlan:
    """Lay out a profile, within :data:`render.layout.HIGHEST` where its texts are not absurd."""
    plans = (_plan(picture, rows) for rows in _AWARD_ROWS)
    found = next(plans)
    return found if found.height <= HIGHEST else next(plans)


def _plan(picture: ProfilePicture, award_rows: int) -> ProfilePlan:
    aces = fan(_ACE_STEP)
    room = _INNER - (3 * _ACE_STEP + aces.w) - PAD
    style, name = largest(known_by(picture.name, picture.alias), NAME, room, 2, _SMALLEST_NAME)
    text_height = _NAME_LINE * len(name.lines) + (_LINE if picture.note else 0)
    head = Box(MARGIN, MARGIN, _ROOM, max(text_height, aces.h) + 2 * PAD)
    y = head.bottom + GAP
    empty_text = wrap(picture.empty, NOTE, _INNER)
    empty = Box(MARGIN, y, _ROOM, _LINE * len(empty_text.lines) + 2 * PAD if empty_text.lines else 0)
    y = _below(empty, y)
    rating = Box(MARGIN, y, _ROOM, _rating_height(picture))
    y = _below(rating, y)
    facts, y = _tiles(picture.facts, _COLUMNS, y, VALUE)
    people, y = _tiles(picture.people, 2, y, PERSON)
    recent = Box(MARGIN, y, _ROOM, _LINE + _MARK + 2 * PAD + 8 if picture.recent else 0)
    y = _below(recent, y)
    labels = _award_labels(picture.awards, y + PAD + _LINE + 4, award_rows)
    titled = bool(printable(picture.awards_title))
    bottom = max((label.box.bottom for label in labels), default=y + PAD + _LINE if titled else y)
    awards = Box(MARGIN, y, _ROOM, bottom - y + PAD if titled or labels else 0)
    y = _below(awards, y)
    return ProfilePlan(
        y - GAP + MARGIN, head, style, name, empty, empty_text, rating, facts, people, recent, awards, labels
    )


def _below(box: Box, y: int) -> int:
    return box.bottom + GAP if box.h else y


def _rating_height(picture: ProfilePicture) -> int:
    if picture.rating is None:
        return 0
    return max(RATING.size + _LINE - 12, _LINE * len(picture.standing)) + 2 * PAD


def _tiles(
    facts: Sequence[ProfileFact], columns: int, y: int, value: Style
) -> tuple[tuple[tuple[Box, ProfileFact], ...], int]:
    """Facts side by side; each row as high as its fullest tile. Returns the tiles and where the next thing begins."""
    found = []
    for at in range(0, len(facts), columns):
        row = facts[at : at + columns]
        lines = 1 + any(fact.note for fact in row)
        height = value.size + _LINE * lines + 2 * PAD - 8
        # The last row is as wide as the others, however few stand in it.
        width = (_ROOM - GAP * (len(row) - 1)) // len(row)
        for n, fact in enumerate(row):
            found.append((Box(MARGIN + n * (width + GAP), y, width, height), fact))
        y += height + GAP
    return tuple(found), y


def _award_labels(awards: Sequence[str], top: int, rows: int) -> tuple[Award, ...]:
    """As many labels as fit so many rows."""
    found: list[Award] = []
    x, row = MARGIN + PAD, 0
    for name in awards:
        text = fit(printable(name), AWARD, _INNER - _STAR - 3 * PAD)
        if not text:
            continue
        width = text_width(text, AWARD) + _STAR + 3 * PAD - 6
        if x + width > WIDTH - MARGIN - PAD:
            x, row = MARGIN + PAD, row + 1
            if row == rows:
                break
        found.append(Award(Box(x, top + row * (_AWARD_HEIGHT + _AWARD_GAP), width, _AWARD_HEIGHT), text))
        x += width + _AWARD_GAP
    return tuple(found)


class ProfilePainter:
    """Draws profiles in a theme."""

    def __init__(self, theme: Theme, cards: CardPainter) -> None:
        self._theme = theme
        self._cards = cards
        self._won = MarkColours(theme.ribbons.clean.fill, theme.ribbons.clean.ink, theme.ribbons.clean.fill)
        self._lost = MarkColours(theme.suits.four[1], theme.card.face, theme.card.face)

    def draw(self, picture: ProfilePicture) -> Image.Image:
        """The profile, :data:`render.layout.WIDTH` wide, on the canvas of its cards."""
        plan, theme = plan_profile(picture), self._theme
        canvas = self._cards.canvas(WIDTH, plan.height, theme.felt)
        prose = Inks(theme.text, theme.suits.of(picture.suits), theme.card.face)
        self._head(canvas, picture, plan, prose)
        if plan.empty.h:
            canvas.round_rect(plan.empty, 14, theme.panel)
            for n, line in enumerate(plan.empty_text.lines):
                draw_line(canvas, line, NOTE, MARGIN + PAD, plan.empty.y + PAD + n * _LINE + _LINE // 2, prose)
        if picture.rating is not None:
            self._rating(canvas, picture, picture.rating, plan.rating)
        for box, fact in plan.facts:
            self._tile(canvas, box, fact.value, fact, VALUE)
        for box, fact in plan.people:
            self._tile(canvas, box, known_by(fact.value, picture.alias), fact, PERSON)
        if plan.recent.h:
            self._recent(canvas, picture, plan.recent)
        if plan.awards.h:
            self._awards(canvas, picture, plan)
        return canvas.image

    def _head(self, canvas: Canvas, picture: ProfilePicture, plan: ProfilePlan, prose: Inks) -> None:
        theme, box = self._theme, plan.head
        canvas.round_rect(box, 14, theme.panel)
        canvas.rect(Box(box.x, box.y + 14, 8, box.h - 28), theme.turn)
        geometry = fan(_ACE_STEP)
        x = box.right - PAD - 3 * _ACE_STEP - geometry.w
        for n, code in enumerate(_ACES):
            look = Look(parse_face(code), geometry, picture.suits)
            below = under(look) if n else None
            self._cards.lay(canvas, x + n * _ACE_STEP, box.middle - geometry.h // 2, look, theme.panel, below)
        height = _NAME_LINE * len(plan.name.lines) + (_LINE if picture.note else 0)
        y = box.middle - height // 2
        left = box.x + PAD + 8
        for line in plan.name.lines:
            draw_line(canvas, line, plan.name_style, left, y + _NAME_LINE // 2, prose)
            y += _NAME_LINE
        if picture.note:
            self._fitted(canvas, left, y + _LINE // 2, picture.note, NOTE, theme.muted, x - left - PAD)

    def _rating(self, canvas: Canvas, picture: ProfilePicture, rating: ProfileFact, box: Box) -> None:
        theme = self._theme
        canvas.round_rect(box, 14, theme.panel)
        left = box.x + PAD + 8
        height = RATING.size + _LINE - 12
        y = box.middle - height // 2
        self._fitted(canvas, left, y + RATING.size // 2 - 4, rating.value, RATING, theme.text, _RATING_WIDTH)
        self._fitted(canvas, left, y + RATING.size + _LINE // 2 - 12, rating.label, LABEL, theme.muted, _RATING_WIDTH)
        x = left + _RATING_WIDTH + PAD
        y = box.middle - _LINE * len(picture.standing) // 2
        for n, line in enumerate(picture.standing):
            at, middle = x, y + n * _LINE + _LINE // 2
            # The last line tells how the rating moves.
            if picture.trend and n == len(picture.standing) - 1:
                self._trend(canvas, at, middle, picture.trend)
                at += _TREND + 12
            self._fitted(canvas, at, middle, line, LABEL, theme.text, box.right - PAD - at)

    def _trend(self, canvas: Canvas, x: int, middle: int, trend: int) -> None:
        """A triangle that points up or down."""
        theme = self._theme
        if trend > 0:
            canvas.shape(x + _TREND // 2, middle, "triangle", _TREND, theme.ribbons.clean.fill)
            return
        turned = shape("triangle", _TREND).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        canvas.stamp(x, middle - _TREND // 2, turned, theme.warm)

    def _tile(self, canvas: Canvas, box: Box, value: str, fact: ProfileFact, style: Style) -> None:
        theme = self._theme
        canvas.round_rect(box, 14, theme.panel)
        left, room = box.x + PAD + 4, box.w - 2 * PAD - 4
        y = box.y + PAD + style.size // 2 - 4
        self._fitted(canvas, left, y, value, style, theme.text, room)
        y = box.y + PAD + style.size - 8 + _LINE // 2
        self._fitted(canvas, left, y, fact.label, LABEL, theme.muted, room)
        self._fitted(canvas, left, y + _LINE, fact.note, LABEL, theme.muted, room)

    def _recent(self, canvas: Canvas, picture: ProfilePicture, box: Box) -> None:
        theme = self._theme
        canvas.round_rect(box, 14, theme.panel)
        left = box.x + PAD + 4
        self._fitted(canvas, left, box.y + PAD + _LINE // 2 - 4, picture.recent_title, LABEL, theme.muted, _INNER - 8)
        y = box.y + PAD + _LINE + 4
        advance = (_INNER - 8 - _MARK) // (MOST_RECENT - 1)
        for n, outcome in enumerate(picture.recent[-MOST_RECENT:]):
            place = Box(left + n * advance, y, _MARK, _MARK)
            if outcome is Outcome.LEFT:
                canvas.framed(place, _MARK // 5, theme.line, theme.muted, 4, on=theme.panel)
                canvas.rect(Box(place.x + 20, place.middle - 5, _MARK - 40, 10), theme.text)
            else:
                won = outcome is Outcome.WON
                draw_mark(canvas, place, self._won if won else self._lost, good=won, on=theme.panel)

    def _awards(self, canvas: Canvas, picture: ProfilePicture, plan: ProfilePlan) -> None:
        theme, box = self._theme, plan.awards
        canvas.round_rect(box, 14, theme.panel)
        colours = theme.ribbons.special
        middle = box.y + PAD + _LINE // 2 - 2
        self._fitted(canvas, box.x + PAD + 4, middle, picture.awards_title, LABEL, theme.muted, _INNER - 8)
        for award in plan.award_labels:
            canvas.round_rect(award.box, award.box.h // 2, colours.fill)
            x = award.box.x + PAD
            canvas.shape(x + _STAR // 2, award.box.middle, "star", _STAR, colours.ink)
            canvas.text(x + _STAR + 10, award.box.middle, award.text, AWARD, colours.ink)

    @staticmethod
    def _fitted(canvas: Canvas, x: int, y: int, text: str, style: Style, ink: str, room: int) -> None:
        """A line of text, smaller where that helps and cut where nothing does."""
        text = printable(text)
        style = fit_style(text, style, room, SMALLEST)
        canvas.text(x, y, fit(text, style, room), style, ink)
