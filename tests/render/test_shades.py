"""Pictures drawn as places in the palette: they come out as if they had been drawn in RGB and then reduced."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from PIL import Image, ImageChops

from bot.pictures import TablePicture
from engine.cards import Face
from render import PillowRenderer
from render.canvas import Align, Box, Canvas, PaletteCanvas, Style
from render.cards import CardPainter, Look, alone, fan, under
from render.encode import encode_png
from render.fonts import Weight
from render.hand import HandPainter
from render.profile import ProfilePainter
from render.rows import RowsPainter
from render.shades import Shades, size_of
from render.shapes import shape
from render.table import TablePainter
from render.theme import load_theme
from tests.render import scenes
from tests.render.png import decode
from tests.render.test_profile import full
from tests.render.test_properties import pictures
from tests.render.test_rows import example

THEME = load_theme()
SHADES = Shades(THEME)
IN_RGB, IN_PLACES = CardPainter(THEME), CardPainter(THEME, SHADES)
STYLE = Style(Weight.BOLD, 40)
STRAY = 100
"""Of more than half a million pixels: where texts that no table has run over an edge, a blend is blended again."""

Paint = Callable[[CardPainter], Image.Image]

PAINTED: dict[str, Paint] = {
    **{name: partial(lambda p, cards: TablePainter(THEME, cards).draw(p), p) for name, p in scenes.tables().items()},
    **{
        f"hand of {count}": partial(
            lambda count, cards: HandPainter(THEME, cards).draw(scenes.hand(count, selected=count // 4)), count
        )
        for count in (0, 1, 7, 11, 13, 22, 40, 80)
    },
    "rows": lambda cards: RowsPainter(THEME, cards).draw(example()),
    "profile": lambda cards: ProfilePainter(THEME, cards).draw(full()),
}


def strays(one: Image.Image, other: Image.Image) -> int:
    """How many pixels of two images in mode L differ."""
    return one.width * one.height - ImageChops.difference(one, other).histogram()[0]


@pytest.mark.parametrize("name", PAINTED)
def test_it_is_pixel_for_pixel_what_rgb_gives_reduced(name: str) -> None:
    for _ in ("drawn", "pasted from what was kept"):
        assert strays(PAINTED[name](IN_PLACES), SHADES.reduced(PAINTED[name](IN_RGB))) == 0


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(pictures())
def test_so_is_any_table_but_for_what_leaves_its_place(picture: TablePicture) -> None:
    drawn = TablePainter(THEME, IN_PLACES).draw(picture)
    assert strays(drawn, SHADES.reduced(TablePainter(THEME, IN_RGB).draw(picture))) <= STRAY


@pytest.mark.parametrize("limit", [1, 1 << 14])
def test_caches_that_hold_next_to_nothing_change_no_byte(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rich = PillowRenderer()
    for name in ("render.shades._GROUPS_BYTES", "render.shades._INKED_BYTES", "render.cards._CACHE_BYTES"):
        monkeypatch.setattr(name, limit)
    poor = PillowRenderer()
    for picture in scenes.tables().values():
        assert poor.table(picture) == rich.table(picture)
    assert poor.hand(scenes.hand(22, selected=3)) == rich.hand(scenes.hand(22, selected=3))


def test_what_is_kept_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 1 << 18
    monkeypatch.setattr("render.shades._GROUPS_BYTES", limit)
    monkeypatch.setattr("render.shades._INKED_BYTES", limit)
    shades = Shades(THEME)
    table = TablePainter(THEME, CardPainter(THEME, shades))
    for picture in scenes.tables().values():
        table.draw(picture)
        assert shades.groups.total <= limit
    canvas = PaletteCanvas(400, 60, THEME.felt, shades)
    for number in range(400):
        canvas.text(10, 30, f"número {number}", STYLE, THEME.text, on=THEME.felt)
    assert 0 < shades.kept_inks <= limit


def test_a_mask_that_takes_anothers_place_in_memory_is_not_taken_for_it() -> None:
    shades, place = Shades(THEME), SHADES.place(THEME.felt)
    for size in range(4, 200):
        # Made and dropped: the next one may get the same identity.
        mask = shape("circle", 4).resize((size, 3))
        assert shades.inked(mask, THEME.text, place).size == (size, 3)


def on_two_grounds(canvas: Canvas) -> Canvas:
    canvas.rect(Box(0, 0, 60, 80), THEME.panel)
    return canvas


@pytest.mark.parametrize(
    "draw",
    [
        lambda canvas: canvas.text(60, 40, "Ábc", STYLE, THEME.text, Align.CENTRE),
        lambda canvas: canvas.shape(60, 40, "star", 50, THEME.turn),
        lambda canvas: canvas.round_rect(Box(40, 20, 40, 40), 12, THEME.turn),
        lambda canvas: canvas.sprite(40, 10, IN_RGB.face(Look(Face(5), fan(36), scenes.late().suits))),
        lambda canvas: canvas.sprite(40, 10, Image.new("RGB", (20, 20), THEME.ink)),
        lambda canvas: canvas.text(-5, 2, "fuera", STYLE, THEME.text),
    ],
)
def test_what_lies_on_two_colours_is_blended_with_each(draw: Callable[[Canvas], Any]) -> None:
    rgb = on_two_grounds(Canvas(120, 80, THEME.felt))
    places = on_two_grounds(PaletteCanvas(120, 80, THEME.felt, SHADES))
    draw(rgb)
    draw(places)
    assert strays(places.image, SHADES.reduced(rgb.image)) == 0


def test_colours_told_and_colours_found_give_the_same() -> None:
    told, found = (PaletteCanvas(300, 80, THEME.felt, SHADES) for _ in range(2))
    for canvas, on in ((told, THEME.felt), (found, None)):
        canvas.round_rect(Box(4, 4, 292, 72), 14, THEME.panel, on=on)
        canvas.text(20, 40, "Ábaco", STYLE, THEME.text, on=on and THEME.panel)
        canvas.shape(200, 40, "heart", 40, THEME.suits.four[1], on=on and THEME.panel)
    assert strays(told.image, found.image) == 0


@pytest.mark.parametrize("down", [-9, 0, 9])
@pytest.mark.parametrize("new", [False, True])
def test_a_card_shows_at_its_corners_what_it_lies_on(down: int, new: bool) -> None:
    geometry, suits = fan(46), scenes.late().suits
    below, look = Look(Face(7), geometry, suits, new=new), Look(Face(8), geometry, suits, wild=True)
    rgb = IN_RGB.canvas(160, 140, THEME.panel)
    places = IN_PLACES.canvas(160, 140, THEME.panel)
    for cards, canvas in ((IN_RGB, rgb), (IN_PLACES, places)):
        cards.lay(canvas, 20, 20 + down, below, THEME.panel)
        cards.lay(canvas, 20 + geometry.strip, 20, look, THEME.panel, under(below, down))
    assert strays(places.image, SHADES.reduced(rgb.image)) == 0


def test_what_was_drawn_before_is_not_drawn_again() -> None:
    calls = []

    def draw(canvas: Canvas, x: int, y: int) -> None:
        calls.append((x, y))
        canvas.rect(Box(x, y, 10, 10), THEME.turn)

    shades = Shades(THEME)
    for ground in (THEME.felt, THEME.panel):
        canvas = PaletteCanvas(100, 100, ground, shades)
        for x in (0, 30, 60):
            canvas.group(Box(x, 5, 12, 12), ground, "square", draw)
        assert canvas.image.histogram()[shades.place(THEME.turn)] == 300
    assert calls == [(0, 0), (0, 0)], "once on each ground"


def test_places_are_restored_to_their_colours() -> None:
    face = IN_RGB.face(Look(Face(20), alone(124), scenes.late().suits)).convert("RGB")
    reduced = SHADES.reduced(face)
    assert reduced.mode == "L"
    assert strays(SHADES.reduced(SHADES.restored(reduced)), reduced) == 0
    assert size_of(face) == 3 * size_of(reduced) == 3 * face.width * face.height


@pytest.mark.parametrize("height", [1, 255, 256, 257, 512, 700])
def test_every_row_comes_through_the_compression(height: int) -> None:
    places = Image.frombytes("L", (33, height), bytes(n * n % 251 for n in range(33 * height)))
    image = decode(encode_png(places, SHADES.colours))
    assert image.mode == "P"
    assert image.size == (33, height)
    assert image.tobytes() == places.tobytes()
