"""The parts that pictures are made of: sentences, changes, sprites and the cache."""

from functools import partial
from threading import Thread

import msgspec
import pytest
from PIL import Image, ImageChops

from bot.pictures import SuitColours
from engine.cards import Card, parse_face
from engine.melds import Kind
from engine.state import Play, PlayKind
from render.cache import Lru
from render.canvas import Canvas, Style, fit, fit_style, text_width
from render.cards import CardPainter, Look, alone, fan, held
from render.fonts import Weight
from render.melds import MeldLook, MeldPainter, card_look, meld_fan, meld_height, meld_width, ribbon_style
from render.moves import changes
from render.sentence import LINE_WEIGHT, wrap
from render.shapes import shape
from render.theme import load_theme
from tests.render import scenes
from tests.render.watch import watching

THEME = load_theme()
STYLE = Style(LINE_WEIGHT, 38)


def test_text_is_cut_with_an_ellipsis() -> None:
    style = Style(Weight.BOLD, 40)
    cut = fit("Maximiliano de la Fuente", style, 200)
    assert cut.endswith("…")
    assert text_width(cut, style) <= 200
    assert fit("Ana", style, 200) == "Ana"
    assert fit("Ana", style, 3) == ""
    assert fit_style("Ana", style, 200, 34) == style
    assert fit_style("Maximiliano de la Fuente", style, 200, 34).size == 34


def test_a_sentence_wraps_between_words_and_cards() -> None:
    line = ("Luis robó, bajó ", Card(3), Card(4), Card(5), " y tiró ", Card(9), ".")
    lines, whole = wrap(line, STYLE, 44, 300, 5)
    assert whole
    assert len(lines) > 1
    assert [piece.what for pieces in lines for piece in pieces] == [
        *("Luis", "robó,", "bajó", Card(3), Card(4), Card(5), "y", "tiró", Card(9), "."),
    ]
    assert all(pieces[0].x == (44 if n == 0 else 0) for n, pieces in enumerate(lines))


def test_a_sentence_that_is_too_long_ends_with_an_ellipsis() -> None:
    lines, whole = wrap(("uno dos tres cuatro cinco seis siete ocho",), STYLE, 0, 200, 2)
    assert not whole
    assert len(lines) == 2
    assert lines[-1][-1].what == "…"


def test_what_this_turn_did_to_melds_is_marked_instead_of_the_turn_before() -> None:
    view = scenes.late().view
    before = changes(view)
    assert len(before.cards) == 4
    assert before.discard == view.pile_top
    drew = msgspec.structs.replace(view, plays=(Play(0, PlayKind.DREW),))
    assert changes(drew).cards == before.cards
    assert changes(drew).discard == view.pile_top
    assert changes(drew).actor == 0
    laid = view.melds[0][2].cards[:2]
    added = msgspec.structs.replace(view, plays=(Play(0, PlayKind.DREW), Play(0, PlayKind.ADDED, laid, 2)))
    assert changes(added).cards == frozenset(laid)
    assert changes(added).discard is None


def test_nothing_is_marked_at_the_start() -> None:
    assert changes(scenes.early().view).actor is None
    assert changes(scenes.early().view).discard is None


@pytest.mark.parametrize(
    ("notation", "index", "chip", "suit"),
    [("3h 4h JK=5h 6h", 2, "5", 1), ("Qs Ks 2d=As", 2, "A", 0), ("2h=Ac 2c 3c", 0, "A", 3)],
)
def test_the_chip_of_a_run_names_rank_and_suit(notation: str, index: int, chip: str, suit: int) -> None:
    meld = scenes.Cards().run(notation)
    look = MeldLook(meld, 48, False, (False,) * len(meld.cards), 1, Kind.MELD, "", "JKR", SuitColours.FOUR)
    drawn = card_look(look, index, fan(48))
    assert (drawn.wild, drawn.chip, drawn.chip_suit) == (True, chip, suit)
    others = [card_look(look, n, fan(48)) for n in range(len(meld.cards)) if n != index]
    assert not any(other.wild or other.chip for other in others), "a natural 2 is an ordinary card"


def test_the_chip_of_a_set_has_no_suit_and_a_wild_meld_has_none() -> None:
    cards = scenes.Cards()
    group, wilds = cards.set("5c 5d 5c", "2c"), cards.wilds("2s 2h JK")
    plain = (False,) * 4
    look = MeldLook(group, 48, False, plain, 1, Kind.MELD, "", "JKR", SuitColours.FOUR)
    drawn = card_look(look, group.wild, fan(48))
    assert (drawn.wild, drawn.chip, drawn.chip_suit) == (True, "5", -1)
    look = MeldLook(wilds, 48, False, plain, 1, Kind.MELD, "", "JKR", SuitColours.FOUR)
    assert all(card_look(look, n, fan(48)).wild and not card_look(look, n, fan(48)).chip for n in range(3))


def test_every_canasta_has_a_ribbon_of_its_own_style() -> None:
    assert ribbon_style(THEME, Kind.MELD) is None
    styles = {kind: ribbon_style(THEME, kind) for kind in Kind if kind is not Kind.MELD}
    assert styles[Kind.ACES_DIRTY] == styles[Kind.DIRTY]
    assert len({styles[kind] for kind in (Kind.CLEAN, Kind.SEMI, Kind.DIRTY, Kind.REAL)}) == 4
    assert len({styles[kind] for kind in (Kind.REAL, Kind.ACE_TO_ACE, Kind.ACES_CLEAN)}) == 1


def test_a_folded_meld_shows_its_ends_and_its_wild() -> None:
    meld = scenes.Cards().run("3h 4h 5h JK=6h 7h 8h 9h")
    folded = meld_fan(meld, 40, folded=True)
    assert folded.indexes == (0, 3, 6)
    assert folded.folded
    assert folded.width < meld_fan(meld, 40).width
    assert not meld_fan(meld, 40).folded


def test_a_meld_is_as_large_as_planned() -> None:
    cards = CardPainter(THEME)
    meld = scenes.Cards().run("3h 4h 5h JK=6h 7h 8h 9h")
    for folded in (False, True):
        look = MeldLook(meld, 44, folded, (False,) * 6 + (True,), 12, Kind.DIRTY, "SUCIA", "JKR", SuitColours.TWO)
        size = meld_width(meld, 44, 12, folded=folded), meld_height(44)
        canvas = Canvas(*size, THEME.felt)
        with watching() as seen:
            MeldPainter(THEME, cards).draw(canvas, 0, 0, look)
        assert seen.outside == []
        bare = ImageChops.difference(canvas.image, Image.new("RGB", size, THEME.felt))
        assert bare.getbbox() == (0, 0, *size)


@pytest.mark.parametrize("code", ["As", "Th", "2d", "Qc", "JK"])
def test_cards_are_drawn_in_every_geometry(code: str) -> None:
    painter = CardPainter(THEME)
    for geometry in (fan(30), fan(60), held(34), held(100), alone(124)):
        look = Look(parse_face(code), geometry, SuitColours.FOUR, word="JKR")
        sprite = painter.face(look)
        assert sprite.size == (geometry.w, geometry.h)
        assert sprite.mode == "RGBA"
        assert sprite.getpixel((0, 0)) != sprite.getpixel((geometry.w // 2, 5))
        assert painter.face(look) is sprite


def test_the_three_backs_differ_in_pattern_not_only_in_colour() -> None:
    painter = CardPainter(THEME)
    prints = set()
    for pack in range(3):
        grey = painter.back(pack, 60, 84).convert("L")
        middle = sum(grey.histogram()[n] * n for n in range(256)) / (60 * 84)
        prints.add(grey.point([255 * (n > middle) for n in range(256)]).tobytes())
    assert len(prints) == 3


@pytest.mark.parametrize("name", ["spade", "heart", "diamond", "club", "star", "circle", "triangle", "square", "check"])
def test_shapes_have_ink_and_are_symmetric_in_size(name: str) -> None:
    mask = shape(name, 40)
    assert mask.size == (40, 40)
    assert mask.getbbox() is not None
    assert mask.getextrema() == (0, 255)


def test_the_cache_keeps_what_was_used_last_up_to_its_limit() -> None:
    cache: Lru[str, str] = Lru(10, len)
    made: list[str] = []

    def make(value: str) -> str:
        made.append(value)
        return value

    for key in ("aaaa", "bbbb", "aaaa", "cccc"):
        assert cache.get(key, partial(make, key)) == key
    assert made == ["aaaa", "bbbb", "cccc"]
    assert (len(cache), cache.total) == (2, 8)
    cache.get("aaaa", lambda: make("again"))
    assert made[-1] == "cccc"
    cache.get("z" * 50, lambda: make("z" * 50))
    assert len(cache) == 1


def test_the_cache_may_be_shared() -> None:
    cache: Lru[int, int] = Lru(50, lambda _: 1)

    def use() -> None:
        for n in range(2000):
            assert cache.get(n % 90, partial(int, n % 90)) == n % 90

    threads = [Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == cache.total == 50
