"""Cards as emojis: valid for the platform, and told apart as small as they are shown."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures import SuitColours
from engine.cards import FACE_CODE, PACKS, RANKS, SUITS
from engine.reasons import NotationError
from render.emoji import DESIGN, SIDE, back_emoji, card_emoji, emoji_name, emojis

SMALL = 20
"""The height in pixels at which a platform shows an emoji in a line of text."""
DARK, LIGHT = "#313338", "#FFFFFF"
MARKS = (2, 1, 18, 19)
"""Where rank and pip stand on a small card."""


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    """Every emoji once."""
    return {name: draw() for name, draw in emojis().items()}


def _open(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    image.load()
    return image


def _shown(png: bytes, ground: str, side: int = SMALL) -> Image.Image:
    small = _open(png).resize((side, side), Image.Resampling.LANCZOS)
    shown = Image.new("RGB", (side, side), ground)
    shown.paste(small, (0, 0), small)
    return shown


def _apart(one: Image.Image, other: Image.Image) -> float:
    """The root mean square of the differences between two pictures, over all channels; 0..255."""
    squares = [value**2 for value in ImageStat.Stat(ImageChops.difference(one, other)).rms]
    return float((sum(squares) / len(squares)) ** 0.5)


def test_there_is_one_for_each_face_and_each_back(drawn: dict[str, bytes]) -> None:
    assert len(drawn) == 53 + PACKS
    assert len(set(drawn.values())) == len(drawn)
    assert all(drawn[emoji_name(code)] == card_emoji(code) for code in FACE_CODE)
    assert all(drawn[emoji_name(f"back{back}")] == back_emoji(back) for back in range(PACKS))


def test_names_are_valid_and_stay_unique_whatever_the_case() -> None:
    names = list(emojis())
    assert all(re.fullmatch(r"buraco_(..|back\d)_\d+", name) for name in names)
    assert all(re.fullmatch(r"[A-Za-z0-9_]{2,32}", name) for name in names)
    assert len({name.lower() for name in names}) == len(names)
    assert emoji_name("7h") == f"buraco_7h_{DESIGN}"


def test_pictures_are_small_squares_with_transparent_corners(drawn: dict[str, bytes]) -> None:
    for name, png in drawn.items():
        image = _open(png)
        assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (SIDE, SIDE)), name
        assert len(png) < 8 << 10, name
        alpha = image.getchannel("A")
        assert [alpha.getpixel((x, y)) for x in (0, SIDE - 1) for y in (0, SIDE - 1)] == [0] * 4, name
        left, _, right, _ = alpha.getbbox() or (0, 0, 0, 0)
        assert [alpha.getpixel((x, y)) for x in (left, right - 1) for y in (0, SIDE - 1)] == [0] * 4, name
        assert alpha.getpixel((SIDE // 2, SIDE // 2)) == 255, name


def test_equal_calls_give_equal_bytes_in_any_thread(drawn: dict[str, bytes]) -> None:
    with ThreadPoolExecutor(4) as pool:
        again = {name: pool.submit(draw) for name, draw in emojis().items()}
        assert {name: job.result() for name, job in again.items()} == drawn


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(NotationError):
        card_emoji("1x")


@pytest.mark.parametrize("ground", [DARK, LIGHT])
def test_all_are_told_apart_in_a_line_of_text(drawn: dict[str, bytes], ground: str) -> None:
    shown = {name: _shown(png, ground).crop(MARKS) for name, png in drawn.items()}
    near = min((_apart(shown[one], shown[other]), one, other) for one, other in combinations(shown, 2))
    assert near[0] > 18, near


def _nearest(codes: Sequence[str], suits: SuitColours, side: int) -> tuple[float, str, str]:
    """The two cards most alike, by their brightness alone."""
    grey = {code: _shown(card_emoji(code, suits), LIGHT, side).convert("L") for code in codes}
    return min((_apart(grey[one], grey[other]), one, other) for one, other in combinations(codes, 2))


@pytest.mark.parametrize("side", [18, 20, 22])
def test_ranks_are_told_apart_by_their_shape(side: int) -> None:
    for suit in SUITS:
        near = _nearest([rank + suit for rank in RANKS], SuitColours.FOUR, side)
        assert near[0] > 14, near


@pytest.mark.parametrize("side", [18, 20, 22])
@pytest.mark.parametrize("suits", list(SuitColours))
def test_suits_are_told_apart_by_their_shape(suits: SuitColours, side: int) -> None:
    for rank in RANKS:
        near = _nearest([rank + suit for suit in SUITS], suits, side)
        assert near[0] > 14, near


@pytest.mark.parametrize("ground", [DARK, LIGHT])
def test_a_card_stands_out_from_the_ground(drawn: dict[str, bytes], ground: str) -> None:
    for name, png in drawn.items():
        row = _shown(png, ground).convert("L").crop((0, SMALL // 2, SMALL, SMALL // 2 + 1))
        low, high = row.crop((0, 0, 5, 1)).getextrema()
        assert isinstance(low, int | float)
        assert isinstance(high, int | float)
        assert high - low > 60, name
