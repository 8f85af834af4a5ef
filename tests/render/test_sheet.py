"""The printed page."""

import re
import struct
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.resources import files
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from bot.pictures import CardRow, SheetForm, SheetPart, SheetPicture, SheetTable
from bot.presenter.rulebook import rule_lines
from bot.texts import texts
from engine.cards import CARDS_A_PACK, PACKS, Card
from engine.ruleset import parse_ruleset
from render import PillowRenderer
from render.paper import DPI, PAGE
from render.sheet import COLUMN, MARGIN, SheetPainter, SheetTooLong
from render.theme import load_theme
from tests.render.png import chunks, decode
from tests.render.scenes import Cards
from tests.render.watch import watching

ROOT = Path(__file__).resolve().parents[2]
RULESETS = sorted(
    path.name.removesuffix(".toml")
    for path in files("data").joinpath("rulesets").iterdir()
    if path.name.endswith(".toml")
)
PNG_SIZE = (1240, 1754)
LEAST = 7.5
RENDERER = PillowRenderer()

PROGRAM = """
from hashlib import sha256
from bot.pictures import SheetForm
from render import PillowRenderer
from tests.render.test_sheet import sheet
renderer, page = PillowRenderer(), sheet("clasico")
print(sha256(renderer.sheet(page, SheetForm.PNG) + renderer.sheet(page, SheetForm.PDF)).hexdigest())
"""


def sheet(name: str) -> SheetPicture:
    """A rule set in short, as it would be printed."""
    t = texts("es")
    rules = parse_ruleset(files("data").joinpath("rulesets", f"{name}.toml").read_text(encoding="utf-8"))
    box = Cards()
    told = groupby(rule_lines(t, rules), key=lambda line: line.section)
    values = (
        ("Carta", "Puntos"),
        ("Joker", t.number(rules.joker_points)),
        ("2", t.number(rules.two_points)),
        ("As", t.number(rules.ace_points)),
        ("K, Q, J, 10, 9, 8", t.number(rules.high_points)),
        ("7, 6, 5, 4, 3", t.number(rules.low_points)),
    )
    bonuses = (
        ("Premio", "Qué es", "Puntos"),
        ("Limpia", "Siete cartas o más, sin comodín", t.number(rules.clean_bonus)),
        ("Sucia", "Con un comodín en el lugar de otra carta", t.number(rules.dirty_bonus)),
        ("De as a as", "14 cartas, sin comodín", t.number(rules.ace_to_ace_bonus)),
        ("Cierre", "", t.number(rules.closing_bonus)),
    )
    rows = (
        CardRow(box.cards("4h 5h 6h 7h 8h 9h Th"), "Canasta limpia: siete corazones.", good=True),
        CardRow(box.cards("4s 2c 6s"), "El 2♣ ocupa el lugar del 5♠.", ("", "5♠", ""), good=True),
        CardRow(box.cards("9s Td Js"), "Palos mezclados: no vale.", good=False),
    )
    parts = (
        *(SheetPart(section, tuple(line.text for line in lines)) for section, lines in told),
        SheetPart("Valor de las cartas", table=SheetTable(values)),
        SheetPart("Canastas y premios", table=SheetTable(bonuses)),
        SheetPart("Ejemplos", rows=rows),
    )
    return SheetPicture(f"Buraco {rules.name}", "Dos mazos con cuatro jokers", parts, "Hoja de reglas", "JKR")


def only(*parts: SheetPart) -> SheetPicture:
    return SheetPicture("Título", "", parts, "Pie", "JKR")


def pdf_image(data: bytes) -> Image.Image:
    """The picture of a page: its rows are those of a PNG."""
    head = re.search(rb"/Width (\d+) /Height (\d+) .*?<([0-9a-f]+)>.*?/Length (\d+) >>\nstream\n", data)
    assert head is not None
    size = int(head[1]), int(head[2])
    pixels = zlib.decompress(data[head.end() : head.end() + int(head[4])])
    assert len(pixels) == (size[0] + 1) * size[1]

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    return decode(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", bytes.fromhex(head[3].decode()))
        + chunk(b"IDAT", zlib.compress(pixels, 1))
        + chunk(b"IEND", b"")
    ).convert("RGB")


def check_margins(page: Image.Image) -> None:
    """Nothing is drawn in the margins, and nothing between the columns but the line in the middle."""
    scale = page.width / PAGE[0]
    drawn = ImageChops.invert(page.convert("L")).getbbox()
    least = round(MARGIN * scale) - 6
    assert drawn is not None
    assert min(drawn[0], drawn[1], page.width - drawn[2], page.height - drawn[3]) >= least
    top, bottom = round(510 * scale), round(3230 * scale)
    left, right = round((MARGIN + COLUMN) * scale) + 3, page.width - round((MARGIN + COLUMN) * scale) - 3
    middle = page.width // 2
    for box in ((left, top, middle - 3, bottom), (middle + 3, top, right, bottom)):
        assert page.convert("L").crop(box).getextrema() == (255, 255)


@pytest.mark.parametrize("name", RULESETS)
def test_the_sheet_of_every_rule_set_fits(name: str) -> None:
    data = RENDERER.sheet(sheet(name), SheetForm.PNG)
    page = decode(data)
    assert set(chunks(data)) == {"IHDR", "PLTE", "IDAT", "IEND", "pHYs"}
    assert page.size == PNG_SIZE
    assert len(data) < 250_000
    check_margins(page.convert("RGB"))
    assert SheetPainter(load_theme()).plan(sheet(name), 2900).size >= LEAST * DPI / 72


def test_a_sheet_takes_little_ink() -> None:
    page = decode(RENDERER.sheet(sheet("clasico"), SheetForm.PNG)).convert("L")
    assert ImageStat.Stat(page).mean[0] > 255 * 0.92
    # Of no square of a centimetre most is dark.
    squares = page.resize((21, 30), Image.Resampling.BOX)
    assert min(squares.tobytes()) > 110


def test_a_sheet_as_pdf_has_one_page_of_a4() -> None:
    data = RENDERER.sheet(sheet("rioplatense"), SheetForm.PDF)
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type /Page\b", data)) == 1
    assert b"/Count 1" in data
    assert b"/MediaBox [0 0 595.20 841.92]" in data
    assert len(data) < 1_500_000
    assert "Buraco Rioplatense".encode("utf-16-be").hex().encode() in data
    page = pdf_image(data)
    assert page.size == PAGE
    check_margins(page)
    png = decode(RENDERER.sheet(sheet("rioplatense"), SheetForm.PNG)).convert("RGB")
    assert max(ImageStat.Stat(ImageChops.difference(page.reduce(2), png)).mean) < 2


def test_the_objects_of_the_pdf_are_where_its_table_says() -> None:
    data = RENDERER.sheet(only(SheetPart("Uno", ("dos",))), SheetForm.PDF)
    start = int(data.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert data[start : start + 4] == b"xref"
    offsets = [int(offset) for offset in re.findall(rb"(\d{10}) 00000 n", data[start:])]
    for number, offset in enumerate(offsets, 1):
        assert data[offset:].startswith(b"%d 0 obj\n" % number)
    assert b"/Size %d " % (len(offsets) + 1) in data[start:]


@pytest.mark.parametrize("title", ["", "a) (b \\", "\ud800 roto", "Ñandú 🎉", "x\x00y"])
def test_any_title_makes_a_pdf(title: str) -> None:
    data = RENDERER.sheet(SheetPicture(title, title, (), title, ""), SheetForm.PDF)
    assert re.search(rb"/Title <feff[0-9a-f]*>", data)


def test_a_short_sheet_has_large_text_and_a_long_one_small_text() -> None:
    painter = SheetPainter(load_theme())
    few, many = (
        painter.plan(only(*(SheetPart(f"Parte {n}", ("Una frase de la hoja. " * 4,) * 6) for n in range(count))), 2900)
        for count in (2, 8)
    )
    assert few.size == round(11 * DPI / 72)
    assert LEAST * DPI / 72 - 1 < many.size < few.size
    assert all(few.columns)


def test_columns_begin_with_a_part_where_they_can() -> None:
    plan = SheetPainter(load_theme()).plan(sheet("clasico"), 2900)
    assert plan.columns[1][0][1].opens
    for column in plan.columns:
        assert column[-1][0] + column[-1][1].height <= 2900
        assert all(below[0] >= above[0] + above[1].height for above, below in pairwise(column))


def test_a_part_longer_than_a_column_is_broken_but_never_after_its_heading() -> None:
    plan = SheetPainter(load_theme()).plan(only(SheetPart("Todo", ("Una frase de la hoja.",) * 80)), 2900)
    assert len(plan.columns[0]) > 2
    assert len(plan.columns[1]) > 2


@pytest.mark.parametrize(
    "part",
    [
        SheetPart("Mucho", ("Una frase que se repite. " * 10,) * 80),
        SheetPart("Tabla", table=SheetTable((("x",) * 60, ("1",) * 60))),
        SheetPart("Filas", rows=(CardRow((Card(1),) * 14, "y"),) * 90),
    ],
)
def test_a_sheet_that_is_too_long_is_refused(part: SheetPart) -> None:
    for form in SheetForm:
        with pytest.raises(SheetTooLong, match="one A4 page"):
            RENDERER.sheet(only(part), form)


def test_a_sheet_shows_every_text() -> None:
    with watching() as seen:
        PillowRenderer().sheet(sheet("clasico"), SheetForm.PNG)
    assert seen.outside == []
    assert min(seen.sizes) >= round(LEAST * DPI / 72)
    drawn = " ".join(seen.texts)
    for text in (
        "Buraco Clásico",
        "Valor de las cartas",
        "Puntos",
        "Joker",
        "Canasta limpia: siete corazones.",
        "Hoja",
    ):
        for word in text.split():
            assert word in drawn


WORDS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="aeiomns WÑ10♥♠AKQ🎉李Ж,.", max_size=200),
    st.sampled_from(["", "W" * 200, "El 10♥ y el 2♣ → ★", "a\n\u202eb", "100", "−5"]),
)


@st.composite
def parts(draw: st.DrawFn) -> SheetPart:
    table = draw(st.none() | st.lists(st.lists(WORDS, max_size=5).map(tuple), max_size=6))
    rows = []
    for _ in range(draw(st.integers(0, 3))):
        cards = tuple(Card(draw(st.integers(0, PACKS * CARDS_A_PACK - 1))) for _ in range(draw(st.integers(0, 20))))
        places = tuple(draw(st.lists(st.sampled_from(["", "", "5♥", "10♠", "comodín"]), max_size=20)))
        rows.append(CardRow(cards, draw(WORDS), places, draw(st.sampled_from([None, True, False]))))
    lines = tuple(draw(st.lists(WORDS, max_size=6)))
    return SheetPart(draw(WORDS), lines, None if table is None else SheetTable(tuple(table)), tuple(rows))


@given(content=st.lists(parts(), max_size=6), title=WORDS, subtitle=WORDS, foot=WORDS)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_sheet_never_overflows(content: list[SheetPart], title: str, subtitle: str, foot: str) -> None:
    picture = SheetPicture(title, subtitle, tuple(content), foot, "JKR")
    try:
        with watching() as seen:
            data = RENDERER.sheet(picture, SheetForm.PNG)
    except SheetTooLong:
        return
    assert seen.outside == []
    page = decode(data)
    assert page.size == PNG_SIZE
    check_margins(page.convert("RGB"))


def test_threads_do_not_change_a_sheet() -> None:
    jobs = [(sheet(name), form) for name in ("clasico", "rioplatense") for form in SheetForm]
    expected = [RENDERER.sheet(*job) for job in jobs]
    fresh = PillowRenderer()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda job: fresh.sheet(*job), jobs * 2)) == expected * 2


def test_another_process_makes_the_same_sheet() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    page = sheet("clasico")
    both = RENDERER.sheet(page, SheetForm.PNG) + RENDERER.sheet(page, SheetForm.PDF)
    assert done.stdout.strip() == sha256(both).hexdigest()
