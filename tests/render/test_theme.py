"""The theme: contrast, distance of suits under colour blindness, and the palette."""

from itertools import combinations

import msgspec
import pytest
from PIL import Image

from bot.pictures import SuitColours
from render.palette import flat_colours, palette_colours, palette_image
from render.theme import Rgb, Theme, load_theme, rgb

THEME = load_theme()
READABLE = 4.5
LARGE = 3.0

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> tuple[float, ...]:
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (n / 255 for n in rgb(colour)))


def luminance(colour: str) -> float:
    r, g, b = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    seen = [sum(w * c for w, c in zip(row, linear(colour), strict=True)) for row in VISION[vision]]
    r, g, b = (min(1.0, max(0.0, c)) for c in seen)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(a: str, b: str, vision: str) -> float:
    return float(sum((p - q) ** 2 for p, q in zip(lab(a, vision), lab(b, vision), strict=True)) ** 0.5)


def pairs(theme: Theme) -> list[tuple[str, str, str, float]]:
    """What is written on what, and the contrast that it needs."""
    found = [
        ("text on felt", theme.text, theme.felt, READABLE),
        ("text on panel", theme.text, theme.panel, READABLE),
        ("muted on felt", theme.muted, theme.felt, READABLE),
        ("muted on panel", theme.muted, theme.panel, READABLE),
        ("few cards", theme.warm, theme.panel, READABLE),
        ("banner", theme.ink, theme.turn, READABLE),
        ("banner at the end", theme.ink, theme.calm, READABLE),
        ("number", theme.text, theme.badge, READABLE),
        ("number on a ribbon", theme.text, theme.badge_dark, READABLE),
        ("wild", theme.wild.ink, theme.wild.face, READABLE),
        ("new card on felt", theme.card.new, theme.felt, LARGE),
        ("new card beside a white one", theme.card.new, theme.card.shade, LARGE),
        ("selected card", theme.card.selected, theme.felt, LARGE),
        ("check mark", theme.card.selected_ink, theme.card.selected, READABLE),
        ("card on panel", theme.card.face, theme.panel, LARGE),
    ]
    found += [("side", side, theme.panel, READABLE) for side in theme.sides]
    found += [("back", back.pattern, back.fill, LARGE) for back in theme.backs]
    found += [("foot bar", back.bar, theme.card.face, LARGE) for back in theme.backs]
    for suits in SuitColours:
        for ink in theme.suits.of(suits):
            found += [("suit", ink, theme.card.face, READABLE), ("suit on a wild", ink, theme.wild.face, LARGE)]
    ribbons = theme.ribbons
    for ribbon in (ribbons.clean, ribbons.semi, ribbons.dirty, ribbons.special):
        found.append(("ribbon", ribbon.ink, ribbon.fill, READABLE))
        found.append(("edge of a ribbon", ribbon.edge, theme.panel, LARGE))
    return found


@pytest.mark.parametrize(("what", "ink", "ground", "needed"), pairs(THEME))
def test_contrast(what: str, ink: str, ground: str, needed: float) -> None:
    assert contrast(ink, ground) >= needed, what


@pytest.mark.parametrize("vision", VISION)
def test_the_four_suits_differ_for_every_eye(vision: str) -> None:
    assert min(distance(a, b, vision) for a, b in combinations(THEME.suits.four, 2)) >= 20


@pytest.mark.parametrize("vision", VISION)
def test_clean_and_dirty_ribbons_differ_for_every_eye(vision: str) -> None:
    assert distance(THEME.ribbons.clean.fill, THEME.ribbons.dirty.fill, vision) >= 50
    assert distance(THEME.ribbons.clean.fill, THEME.ribbons.semi.fill, vision) >= 20
    assert distance(THEME.ribbons.semi.fill, THEME.ribbons.dirty.fill, vision) >= 40


def test_the_classic_pair_is_black_and_red() -> None:
    spade, heart, diamond, club = THEME.suits.two
    assert spade == club
    assert heart == diamond


def test_flat_colours_are_exact_in_the_palette() -> None:
    colours = palette_colours(THEME)
    assert len(set(colours)) == len(colours) <= 256
    assert {rgb(colour) for colour in flat_colours(THEME)} <= set(colours)


def test_a_flat_colour_stays_itself_when_reduced() -> None:
    palette = palette_image(THEME)
    for colour in flat_colours(THEME):
        assert reduced(colour, palette) == rgb(colour)


def reduced(colour: str, palette: Image.Image) -> Rgb:
    flat = Image.new("RGB", (2, 2), colour).quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")
    pixel = flat.getpixel((0, 0))
    assert isinstance(pixel, tuple)
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def test_a_theme_with_too_many_colours_is_refused() -> None:
    crowded = msgspec.structs.replace(
        THEME,
        sides=("#123456", "#654321", "#ABCDEF"),
        suits=msgspec.structs.replace(
            THEME.suits,
            four=("#010203", "#B00A09", "#126CFC", "#166553"),
            two=("#111217", "#C4161D", "#C4161E", "#101217"),
        ),
    )
    with pytest.raises(ValueError, match="do not fit"):
        palette_colours(crowded)


def test_a_theme_must_be_complete() -> None:
    broken = msgspec.to_builtins(THEME) | {"felt": "green"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(broken, type=Theme)


def test_an_unknown_theme_is_not_found() -> None:
    with pytest.raises(FileNotFoundError):
        load_theme("velvet")
