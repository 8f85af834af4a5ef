"""The palette at work: which place of it a colour has, pictures reduced to places, and inks blended into grounds.

A picture is drawn as numbers from the start: each pixel is a colour's place in the palette (mode L). Reducing a whole
table at its end costs far more than blending each small piece once, and a piece drawn over one flat ground comes out as
if the whole had been reduced: which place a colour has depends on that colour alone.
"""

from collections.abc import Hashable
from functools import partial
from typing import Final

from PIL import Image

from render.cache import Lru
from render.palette import palette_image
from render.theme import Theme

_INKED_BYTES: Final = 4 << 20
"""Of texts and shapes in the colours in which they were drawn lately, with their masks."""
_GROUPS_BYTES: Final = 32 << 20
"""Of cards on what they usually lie on, in the sizes that tables need, and of whatever else is drawn often."""
_BLENDS_KEPT: Final = 512
_LEVELS: Final = 256


class _Inked:
    """A mask that was inked, and the places that this gave.

    It holds the mask, whose identity is its key: as long as it is kept, no other mask can be taken for that one. A mask
    that its own cache has dropped and made again is inked again.
    """

    __slots__ = ("mask", "places")

    def __init__(self, mask: Image.Image, places: Image.Image) -> None:
        self.mask = mask
        self.places = places


def size_of(image: Image.Image) -> int:
    """How many bytes the pixels of an image have."""
    return image.width * image.height * len(image.getbands())


class Shades:
    """A theme's palette. All threads share it."""

    def __init__(self, theme: Theme) -> None:
        """Take the colours of a theme.

        Raises:
            ValueError: they are more than a palette holds.
        """
        self.palette = palette_image(theme)
        """An image in mode P that carries it."""
        self.colours = bytes(self.palette.getpalette() or ())
        """Red, green and blue of every place."""
        self._places: dict[str, int] = {}
        self._blends: Lru[tuple[str, int], bytes] = Lru(_BLENDS_KEPT, lambda _: 1)
        self._inks: Lru[tuple[int, str, int], _Inked] = Lru(_INKED_BYTES, lambda inked: 2 * size_of(inked.places))
        self.groups: Lru[Hashable, Image.Image] = Lru(_GROUPS_BYTES, size_of)
        """Cards and other things as places, ready to be pasted, by all that they depend on."""

    @property
    def kept_inks(self) -> int:
        """The bytes of all texts and shapes that are kept."""
        return self._inks.total

    def place(self, colour: str) -> int:
        """The place of a flat colour of the theme, written ``#RRGGBB``."""
        found = self._places.get(colour)
        if found is None:
            found = self._places[colour] = self.reduced(Image.new("RGB", (1, 1), colour)).tobytes()[0]
        return found

    def reduced(self, image: Image.Image) -> Image.Image:
        """An RGB image as places, each the nearest colour of the palette."""
        near = image.quantize(palette=self.palette, dither=Image.Dither.NONE)
        return Image.frombytes("L", near.size, near.tobytes())

    def restored(self, places: Image.Image) -> Image.Image:
        """The RGB image that places stand for."""
        image = Image.frombytes("P", places.size, places.tobytes())
        image.putpalette(self.colours)
        return image.convert("RGB")

    def inked(self, mask: Image.Image, ink: str, ground: int) -> Image.Image:
        """The places of an ink laid through a mask on one flat ground, whose place is given."""
        return self._inks.get((id(mask), ink, ground), partial(self._inked, mask, ink, ground)).places

    def _inked(self, mask: Image.Image, ink: str, ground: int) -> _Inked:
        blend = self._blends.get((ink, ground), partial(self._blend, ink, ground))
        return _Inked(mask, Image.frombytes("L", mask.size, mask.tobytes().translate(blend)))

    def _blend(self, ink: str, ground: int) -> bytes:
        """The places of an ink over a ground, for every level of a mask: blended as Pillow would, then reduced."""
        levels = Image.frombytes("L", (_LEVELS, 1), bytes(range(_LEVELS)))
        r, g, b = self.colours[3 * ground : 3 * ground + 3]
        ramp = Image.new("RGB", levels.size, (r, g, b))
        ramp.paste(ink, (0, 0), levels)
        return self.reduced(ramp).tobytes()
