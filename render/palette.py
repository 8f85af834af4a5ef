"""The designed palette of the PNG: the flat colours exactly, and ramps between the pairs that meet at an edge.

Text and shapes are antialiased by blending an ink into its ground, so every colour that can appear lies on one of a
few dozen straight lines. A palette of points on these lines is exact where a generic one would shift the felt.
"""

from typing import Final

from PIL import Image

from render.theme import Rgb, Theme, rgb

_COLOURS: Final = 256
_WIDE: Final = 7
"""Steps inside a ramp between colours far apart that meet often."""
_NARROW: Final = 3


def flat_colours(theme: Theme) -> tuple[str, ...]:
    """All colours of the theme, each once, in a stable order."""
    card, wild = theme.card, theme.wild
    ribbons = (theme.ribbons.clean, theme.ribbons.semi, theme.ribbons.dirty, theme.ribbons.special)
    colours = (
        *(theme.felt, theme.panel, theme.line, theme.badge, theme.badge_dark, theme.text, theme.muted, theme.warm),
        *(theme.turn, theme.ink, theme.calm, *theme.sides),
        *(card.face, card.edge, card.new, card.selected, card.selected_ink, card.shade),
        *(wild.face, wild.edge, wild.ink),
        *theme.suits.four,
        *theme.suits.two,
        *(colour for ribbon in ribbons for colour in (ribbon.fill, ribbon.ink, ribbon.edge)),
        *(colour for back in theme.backs for colour in (back.fill, back.pattern, back.bar)),
    )
    return tuple(dict.fromkeys(colours))


def ramps(theme: Theme) -> tuple[tuple[str, str, int], ...]:
    """The pairs of colours that meet, with how many steps lie between them."""
    card, wild, suits = theme.card, theme.wild, theme.suits
    ribbons = (theme.ribbons.clean, theme.ribbons.semi, theme.ribbons.dirty, theme.ribbons.special)
    return (
        *((card.face, suit, _WIDE) for suit in dict.fromkeys((*suits.four, *suits.two))),
        *((wild.face, suit, _NARROW) for suit in dict.fromkeys((*suits.four, *suits.two))),
        (wild.face, wild.ink, 5),
        (card.face, wild.ink, _NARROW),
        (card.face, card.edge, 5),
        (card.edge, theme.panel, _NARROW),
        (card.edge, theme.felt, _NARROW),
        (card.face, card.new, _NARROW),
        (wild.face, card.new, 2),
        (card.new, card.shade, _NARROW),
        (card.face, card.selected, _NARROW),
        (card.selected, card.selected_ink, _NARROW),
        (theme.panel, theme.text, _WIDE),
        (theme.panel, theme.muted, _WIDE),
        (theme.felt, theme.text, _WIDE),
        (theme.felt, theme.muted, _WIDE),
        (theme.badge, theme.text, 5),
        (theme.badge_dark, theme.text, 5),
        (theme.panel, theme.warm, _NARROW),
        (theme.turn, theme.ink, _WIDE),
        (theme.calm, theme.ink, _NARROW),
        (theme.turn, theme.felt, _NARROW),
        (theme.turn, theme.panel, 2),
        (theme.felt, theme.panel, 1),
        *((theme.panel, side, 5) for side in theme.sides),
        *((theme.felt, side, 2) for side in theme.sides),
        *((ribbon.fill, ribbon.ink, 5) for ribbon in ribbons),
        *((theme.panel, ribbon.edge, 2) for ribbon in ribbons),
        *((back.fill, back.pattern, _NARROW) for back in theme.backs),
        *((card.face, back.fill, 2) for back in theme.backs),
    )


def _between(start: Rgb, end: Rgb, share: float) -> Rgb:
    r, g, b = (round(a + (z - a) * share) for a, z in zip(start, end, strict=True))
    return r, g, b


def palette_colours(theme: Theme) -> tuple[Rgb, ...]:
    """The colours of the palette, flat ones first, at most 256.

    Raises:
        ValueError: the theme has more colours than a palette holds.
    """
    colours = {rgb(colour): None for colour in flat_colours(theme)}
    for start, end, steps in ramps(theme):
        for step in range(1, steps + 1):
            colours[_between(rgb(start), rgb(end), step / (steps + 1))] = None
    if len(colours) > _COLOURS:
        raise ValueError(f"{len(colours)} colours do not fit a palette of {_COLOURS}")
    return tuple(colours)


def palette_image(theme: Theme) -> Image.Image:
    """An image in mode P that carries the palette, as :meth:`PIL.Image.Image.quantize` wants it."""
    colours = palette_colours(theme)
    # Filled up with the first colour: a shorter palette would be padded with black, a colour of its own.
    filled = colours + (colours[0],) * (_COLOURS - len(colours))
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in filled for channel in colour])
    return image
