"""Nothing overflows in any language: pictures, the printed page, screens, messages."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import rulesets
from bot.catalogues import read
from bot.presenter.reasons import reason_text
from bot.presenter.sheet import sheet_of
from bot.presenter.table import table_screen
from bot.presenter.yours import LONGEST as TOAST
from bot.reglas.topics import topics
from bot.texts import SOURCE_LOCALE, languages, texts
from engine.reasons import Reason
from engine.state import Match
from render import PillowRenderer
from render.fonts import covers
from render.layout import HIGHEST, WIDTH
from render.paper import DPI
from render.sheet import SheetPainter
from render.theme import load_theme
from tests.bot.presenter.test_screens import _played
from tests.bot.tables import hand_of, place_of
from tests.languages.test_catalogues import strings
from tests.render.png import decode
from tests.render.watch import watching

RENDERER = PillowRenderer()
SMALLEST = 6.5
"""Points: the least type of a printed page in any language."""


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(_played(), st.sampled_from(languages()))
def test_every_picture_fits(match: Match, locale: str) -> None:
    public = table_screen(place_of(match, locale=locale))
    with watching() as seen:
        image = decode(RENDERER.table(public.picture))  # type: ignore[arg-type]
        assert (image.width, image.height <= HIGHEST) == (WIDTH, True)
        for seat in range(match.seating.seats):
            hand = hand_of(match, seat, locale=locale)
            assert hand.picture is None or RENDERER.hand(hand.picture)  # type: ignore[arg-type]
            assert all(0 < len(line) <= 300 for line in hand.lines)
    assert seen.outside == []
    assert min(seen.sizes, default=34) >= 34
    assert all(0 < len(choice.label) <= 80 for screen in (public,) for row in screen.rows for choice in row)


@pytest.mark.parametrize("locale", languages())
def test_every_letter_can_be_drawn(locale: str) -> None:
    said: list[str] = [topic.body + topic.head.title for topic in topics(locale).values()]
    if locale != SOURCE_LOCALE:
        said += [text for message in read(locale) for text in strings(message)]
    letters = {letter for text in said for letter in text if letter.isalpha() or letter in "«»¿¡…·−–’‘“”"}
    assert sorted(letter for letter in letters if not covers(letter)) == []


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("name", rulesets.ids())
def test_the_printed_page_fits_on_one_page(locale: str, name: str) -> None:
    page = sheet_of(texts(locale), rulesets.load(name))
    assert SheetPainter(load_theme()).plan(page, 2900).size >= SMALLEST * DPI / 72


@pytest.mark.parametrize("locale", languages())
def test_refusals_fit_in_a_toast(locale: str) -> None:
    t, facts = texts(locale), {"minimum": 7, "maximum": 14, "points": 45}
    for name in rulesets.ids():
        for reason in Reason:
            assert 0 < len(reason_text(t, rulesets.load(name), reason, facts)) <= TOAST, (name, reason)
