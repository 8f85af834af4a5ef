"""The picture of rows of cards, and the prose in it."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.pictures import CardRow, CardsPicture, SuitColours
from engine.cards import CARDS_A_PACK, PACKS, Card
from render import PillowRenderer
from render.canvas import Box, Style, text_width
from render.fonts import Weight
from render.layout import HIGHEST, WIDTH
from render.marks import cross, plan_pills
from render.prose import Sign, bit_width, line_width, longest, words, wrap
from render.rows import CAPTION, HEAD, LONGEST, card_lines, plan_rows
from render.shapes import shape
from tests.render.png import chunks, decode
from tests.render.scenes import Cards
from tests.render.watch import watching

STYLE = Style(Weight.SEMI_BOLD, 40)
TELEGRAM_SIDES = 10_000
"""What width and height of a photo may be together."""


def example() -> CardsPicture:
    """What a rule is shown with."""
    box = Cards()
    return CardsPicture(
        "¿Qué es una escalera?",
        (
            CardRow(box.cards("4h 5h 6h 7h"), "Cuatro cartas seguidas: limpia.", good=True),
            CardRow(box.cards("4h 2c 6h"), "El 2♣ ocupa el lugar del 5♥.", ("", "5♥", ""), good=True),
            CardRow(box.cards("9s Td Js"), "Dos palos mezclados: no vale.", good=False),
            CardRow(box.cards("As 2s 3s 4s 5s JK 7s 8s 9s Ts Js Qs Ks As"), "De as a as.", ("",) * 5 + ("6♠",)),
        ),
        "JKR",
    )


def one(row: CardRow) -> CardsPicture:
    return CardsPicture("Un juego", (row,), "JKR")


def test_cards_picture_is_a_plain_png_of_the_usual_width(renderer: PillowRenderer) -> None:
    data = renderer.cards(example())
    image = decode(data)
    assert set(chunks(data)) == {"IHDR", "PLTE", "IDAT", "IEND"}
    assert image.width == WIDTH
    assert image.height == plan_rows(example()).height <= HIGHEST
    assert len(data) < 100_000


def test_cards_picture_without_rows_is_its_title(renderer: PillowRenderer) -> None:
    for rows in ((), (CardRow(()),)):
        picture = CardsPicture("Solo un título", rows, "JKR")
        assert decode(renderer.cards(picture)).size == (WIDTH, HEAD)
    assert decode(renderer.cards(CardsPicture("", (), "JKR"))).width == WIDTH


def test_cards_picture_shows_every_text() -> None:
    with watching() as seen:
        PillowRenderer().cards(example())
    assert seen.outside == []
    assert min(seen.sizes) >= 30
    for text in ("escalera?", "mezclados:", "limpia.", "5", "6"):
        assert text in seen.texts


def test_cards_picture_tells_good_from_bad(renderer: PillowRenderer) -> None:
    row = example().rows[0]
    greys = {
        decode(renderer.cards(one(msgspec.structs.replace(row, good=good)))).convert("L").tobytes()
        for good in (True, False, None)
    }
    assert len(greys) == 3
    assert cross(40).tobytes() != shape("check", 40).tobytes()


def test_cards_picture_depends_on_the_suits_setting(renderer: PillowRenderer) -> None:
    two = msgspec.structs.replace(example(), suits=SuitColours.TWO)
    assert renderer.cards(two) != renderer.cards(example())


def test_cards_picture_shows_what_wilds_stand_for(renderer: PillowRenderer) -> None:
    row = CardRow(Cards().cards("4h 2c 6h"))
    pictures = {
        renderer.cards(one(msgspec.structs.replace(row, places=places)))
        for places in ((), ("", "5♥", ""), ("", "5♦", ""), ("", "", "7♥"))
    }
    assert len(pictures) == 4


@pytest.mark.parametrize("count", range(31))
@pytest.mark.parametrize("step", [50, 56, 88])
def test_cards_picture_lines_hold_every_card_once(count: int, step: int) -> None:
    lines = card_lines(count, step, 900, 10)
    assert [index for line in lines for index in line.indexes] == list(range(count))
    for line in lines:
        assert line.width <= 900
        assert len(line.indexes) <= LONGEST
        assert line.advance >= line.geometry.strip - 1
    if lines:
        assert len(lines[0].indexes) - len(lines[-1].indexes) < max(2, len(lines))


def test_cards_picture_keeps_a_run_of_14_on_one_line() -> None:
    rows = plan_rows(example()).rows
    assert [len(row.lines) for row in rows] == [1, 1, 1, 1]


def test_cards_picture_labels_do_not_touch() -> None:
    room = Box(0, 100, 600, 48)
    pills = plan_pills({40: "10♥", 100: "10♥", 160: "J♠", 400: "comodín"}, room, STYLE, 30)
    assert len(pills) == 4
    for n, pill in enumerate(pills):
        assert pill.box.x >= 0
        assert pill.box.right <= 600
        for other in pills[:n]:
            apart = pill.box.x >= other.box.right or pill.box.y >= other.box.bottom or other.box.y >= pill.box.bottom
            assert apart


def test_cards_picture_cuts_only_absurd_captions() -> None:
    row = CardRow((), "Una frase de un largo normal " * 8)
    assert plan_rows(one(row)).rows[0].caption.whole
    absurd = plan_rows(one(CardRow((), "palabra " * 200))).rows[0].caption
    assert not absurd.whole
    assert absurd.lines[-1][-1].bit == "…"


def test_words_keep_rank_and_suit_together() -> None:
    assert words("El 10♥, 2♣️ y ★") == (
        ("El",),
        (Sign("heart", 1, "10"), ","),
        (Sign("club", 3, "2"),),
        ("y",),
        (Sign("star"),),
    )
    assert words("CASA♥") == (("CASA", Sign("heart", 1)),)
    assert words("🎉 Иван \u202e") == ()


@given(text=st.text(max_size=120), width=st.integers(60, 900), rows=st.integers(1, 4))
@settings(deadline=None, max_examples=150)
def test_wrapped_lines_are_never_wider_than_their_room(text: str, width: int, rows: int) -> None:
    prose = wrap(text, STYLE, width, rows)
    assert len(prose.lines) <= rows
    assert all(line_width(line, STYLE) <= width for line in prose.lines)
    if prose.whole:
        drawn = [bit for line in prose.lines for _, bit in line]
        assert (
            "".join(map(str, drawn)) == "".join(str(bit) for word in words(text) for bit in word)
            or longest(text, STYLE) > width
        )


def test_a_word_wider_than_a_line_is_broken() -> None:
    prose = wrap("M" * 100, STYLE, 300)
    assert sum(len(str(bit)) for line in prose.lines for _, bit in line) == 100
    assert text_width("M", STYLE) < bit_width(Sign("heart", 1, "10"), STYLE)


TEXTS = st.one_of(
    st.text(max_size=300),
    st.text(alphabet="aeiomns WÑ10♥♠AKQ🎉李Ж,.", max_size=300),
    st.sampled_from(["", "W" * 300, "a " * 150, "El 10♥ y el 2♣ → ★", "\u202eabc\n\ndef", "李雷 🎉", "ñ" * 300]),
)
PLACES = st.one_of(st.sampled_from(["", "", "", "5♥", "10♠", "comodín", "★", "李", "W" * 60]), st.text(max_size=8))


@st.composite
def rows(draw: st.DrawFn) -> CardRow:
    count = draw(st.integers(0, 30))
    cards = tuple(Card(draw(st.integers(0, PACKS * CARDS_A_PACK - 1))) for _ in range(count))
    places = tuple(draw(st.lists(PLACES, max_size=count + 2)))
    return CardRow(cards, draw(TEXTS), places, draw(st.sampled_from([None, True, False])))


@given(title=TEXTS, content=st.lists(rows(), max_size=8), joker=st.text(max_size=5))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_cards_picture_never_overflows(title: str, content: list[CardRow], joker: str) -> None:
    picture = CardsPicture(title, tuple(content), joker)
    with watching() as seen:
        data = RENDERER.cards(picture)
    assert seen.outside == []
    image = decode(data)
    assert image.width == WIDTH
    assert image.width + image.height <= TELEGRAM_SIDES
    plan = plan_rows(picture)
    for row in plan.rows:
        for _, line, pills in row.lines:
            assert line.width < WIDTH
            assert all(pill.box.bottom <= row.height for pill in pills)
        assert all(line_width(line, row.caption_style) <= WIDTH - 72 for line in row.caption.lines)
    # The rim of the picture stays felt, whatever is inside.
    pixels = image.convert("RGB")
    felt = pixels.getpixel((0, 0))
    for box in ((0, 0, 12, image.height), (image.width - 12, 0, image.width, image.height)):
        assert pixels.crop(box).getcolors() == [(12 * image.height, felt)]


RENDERER = PillowRenderer()


def test_cards_picture_is_the_same_in_every_thread(renderer: PillowRenderer) -> None:
    pictures = [example(), one(example().rows[1]), CardsPicture("Nada", (), "JKR")]
    expected = [renderer.cards(picture) for picture in pictures] * 4
    fresh = PillowRenderer()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(fresh.cards, pictures * 4)) == expected


def test_cards_picture_captions_are_readable_on_a_phone() -> None:
    assert CAPTION.size * 400 / WIDTH >= 14
