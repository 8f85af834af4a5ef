"""The picture of the table: its format, its layout, and that nothing leaves its place."""

from itertools import combinations

import msgspec
import pytest
from PIL import ImageChops, ImageStat

from bot.pictures import SuitColours, TablePicture
from engine.cards import BACK, Card
from engine.seating import Seating
from engine.state import Play, PlayKind
from engine.views import HandBacks, MuertoBack
from render import PillowRenderer
from render.canvas import Box
from render.cards import CardPainter
from render.layout import HIGHEST, INNER, MARGIN, WIDTH, TablePlan, ladder, plan_table
from render.scene import scene_of
from render.table import TablePainter
from render.theme import load_theme
from tests.render import scenes
from tests.render.png import chunks, decode
from tests.render.watch import watching

SCENES = scenes.tables()
SMALLEST_TEXT = 34

every_scene = pytest.mark.parametrize("name", SCENES)


def plan(picture: TablePicture) -> TablePlan:
    return plan_table(scene_of(picture))


def overlap(a: Box, b: Box) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


@every_scene
def test_it_is_an_opaque_palette_png_without_metadata(name: str, renderer: PillowRenderer) -> None:
    data = renderer.table(SCENES[name])
    image = decode(data)
    assert set(chunks(data)) == {"IHDR", "PLTE", "IDAT", "IEND"}
    assert image.mode == "P"
    assert image.width == WIDTH
    assert image.height <= HIGHEST
    assert image.height == plan(SCENES[name]).height
    assert len(data) <= 100 * 1024


@every_scene
def test_the_parts_lie_inside_the_picture_and_apart(name: str) -> None:
    laid = plan(SCENES[name])
    parts = [laid.banner, *laid.plates, laid.middle, *(panel.box for panel in laid.panels)]
    parts += [laid.foot] if laid.foot else []
    for part in parts:
        assert part.x >= MARGIN
        assert part.right <= WIDTH - MARGIN
        assert part.y >= MARGIN
        assert part.bottom <= laid.height - MARGIN
    assert not [pair for pair in combinations(parts, 2) if overlap(*pair)]


@every_scene
def test_every_meld_has_its_own_place_in_its_panel(name: str) -> None:
    view = SCENES[name].view
    for side, panel in enumerate(plan(SCENES[name]).panels):
        assert sorted(slot.meld for slot in panel.melds) == list(range(len(view.melds[side])))
        assert panel.hidden == 0
        for slot in panel.melds:
            assert panel.box.x < slot.box.x
            assert slot.box.right < panel.box.right
            assert panel.box.y < slot.box.y
            assert slot.box.bottom < panel.box.bottom
        assert not [pair for pair in combinations([slot.box for slot in panel.melds], 2) if overlap(*pair)]


@every_scene
def test_nothing_leaves_its_canvas_and_no_text_is_small(name: str) -> None:
    with watching() as seen:
        PillowRenderer().table(SCENES[name])
    assert seen.outside == []
    assert min(seen.sizes) >= SMALLEST_TEXT


@every_scene
def test_the_palette_is_true_to_the_colours(name: str) -> None:
    theme = load_theme()
    image = TablePainter(theme, CardPainter(theme)).draw(SCENES[name])
    reduced = decode(PillowRenderer().table(SCENES[name])).convert("RGB")
    squares = ImageStat.Stat(ImageChops.difference(image, reduced)).sum2
    mean = sum(squares) / (3 * image.width * image.height)
    assert 255**2 / max(mean, 1e-9) >= 10**4.4, "PSNR under 44 dB"


def test_an_early_table_is_low_and_its_panels_are_there() -> None:
    laid = plan(SCENES["early"])
    assert laid.height < 600
    assert [panel.box.h for panel in laid.panels] == [64, 64]


def test_cards_are_as_large_as_fits() -> None:
    steps = [size.step for size in ladder(open_pile=False)]
    assert plan(scenes.late()).step >= 46
    assert plan(scenes.third_deck()).step >= 36
    assert steps[:3] == sorted(steps[:3], reverse=True)


def test_an_open_pile_is_shown_whole_from_the_oldest() -> None:
    picture = scenes.open_pile(60)
    pile = plan(picture).pile
    assert pile is not None
    assert [card for row in pile.rows for card in row] == list(picture.view.pile)
    assert all((len(row) - 1) * pile.step < INNER for row in pile.rows)


def test_a_closed_pile_shows_only_its_top() -> None:
    assert plan(scenes.late()).pile is None


def test_the_two_settings_of_suits_differ(renderer: PillowRenderer) -> None:
    assert renderer.table(scenes.late()) != renderer.table(scenes.late(SuitColours.TWO))


def test_the_back_of_the_stock_and_of_the_hands_is_seen(renderer: PillowRenderer) -> None:
    picture = scenes.late()
    pictures = {
        renderer.table(msgspec.structs.replace(picture, view=msgspec.structs.replace(picture.view, **change)))
        for change in (
            {},
            {"stock_back": 0},
            {"stock_back": 2},
            {"hands": (HandBacks((2, 2, 0)), *picture.view.hands[1:])},
            {"hands": (HandBacks((2, 1, 1)), *picture.view.hands[1:])},
            {"muertos": (MuertoBack(11, 0),)},
            {"muertos": ()},
            {"taken": (0, 1)},
            {"mover": 1},
            {"stock_count": 0, "stock_back": None},
            {"pile": (), "pile_count": 0},
        )
    }
    assert len(pictures) == 11


def test_equal_faces_of_two_packs_look_the_same_on_the_table(renderer: PillowRenderer) -> None:
    picture = scenes.early()
    top = picture.view.pile[0]
    other = Card(top + 54)
    assert BACK[other] != BACK[top]
    changed = msgspec.structs.replace(picture.view, pile=(other,))
    assert renderer.table(picture) == renderer.table(msgspec.structs.replace(picture, view=changed))


def test_a_new_card_is_marked(renderer: PillowRenderer) -> None:
    picture = scenes.late()
    quiet = msgspec.structs.replace(picture.view, last_plays=picture.view.last_plays[:1])
    assert renderer.table(picture) != renderer.table(msgspec.structs.replace(picture, view=quiet))


def test_missing_names_sides_and_ribbons_do_no_harm(renderer: PillowRenderer) -> None:
    picture = scenes.late()
    texts = msgspec.structs.replace(
        picture.texts, names=(), sides=(), ribbons={}, banner="", corner="", stock="", pile=""
    )
    assert decode(renderer.table(msgspec.structs.replace(picture, texts=texts))).width == WIDTH


def test_more_than_can_be_shown_is_cut_and_counted() -> None:
    box = scenes.Cards()
    melds = [box.set(f"{rank}s {rank}h {rank}d") for rank in "3456789TJQKA" for _ in range(3)]
    picture = scenes.six()
    sides = (melds[:12], melds[12:24], melds[24:])
    rest = tuple(Card(n) for n in range(162) if n not in {card for meld in melds for card in meld.cards})
    view = scenes.view_of(
        scenes.rules(open_pile=True),
        picture.view.seating,
        sides,
        hands=(HandBacks((31, 31, 31)),) * 6,
        pile=rest,
        pile_count=len(rest),
        last_plays=(Play(0, PlayKind.DISCARDED, rest[-1:]),),
    )
    crowded = msgspec.structs.replace(picture, view=view)
    laid = plan(crowded)
    assert laid.height <= HIGHEST
    assert any(panel.hidden for panel in laid.panels)
    assert laid.pile is not None
    assert laid.pile.rows[-1][-1] == rest[-1]
    with watching() as seen:
        PillowRenderer().table(crowded)
    assert seen.outside == []
    for panel in laid.panels:
        assert (f"+{panel.hidden}" in seen.texts) == bool(panel.hidden)


def test_canastas_are_folded_before_cards_become_too_small() -> None:
    box, seating = scenes.Cards(), Seating.TWO_PAIRS
    clean = [box.run(" ".join(f"{rank}{suit}" for rank in "3456789")) for suit in "shdc" for _ in range(3)]
    high = [box.run(" ".join(f"{rank}{suit}" for rank in "TJQKA")) for suit in "shdc" for _ in range(2)]
    view = scenes.view_of(scenes.rules(), seating, (clean[:6] + high[:4], clean[6:] + high[4:]))
    laid = plan(msgspec.structs.replace(scenes.late(), view=view))
    folded = [slot.folded for panel in laid.panels for slot in panel.melds]
    assert any(folded)
    assert not all(folded)
    assert laid.step >= 34
