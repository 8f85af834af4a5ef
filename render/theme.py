"""The theme: every colour of the pictures, read from ``data/themes``."""

from importlib.resources import files
from typing import Annotated, Final

import msgspec

from bot.pictures import SuitColours

Rgb = tuple[int, int, int]
"""Red, green and blue, 0..255 each."""

Hex = Annotated[str, msgspec.Meta(pattern="^#[0-9A-F]{6}$")]

DEFAULT: Final = "felt"


def rgb(colour: str) -> Rgb:
    """The channels of a colour written ``#RRGGBB``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


class CardColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ordinary card, and the edges of cards that are new or selected."""

    face: Hex
    edge: Hex
    new: Hex
    selected: Hex
    selected_ink: Hex
    shade: Hex
    """The hairline around a marked edge: it keeps yellow apart from the white of the card beside it."""


class WildColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that is wild where it lies."""

    face: Hex
    edge: Hex
    ink: Hex


class SuitPalette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ink of the suits s h d c."""

    four: tuple[Hex, Hex, Hex, Hex]
    two: tuple[Hex, Hex, Hex, Hex]

    def of(self, suits: SuitColours) -> tuple[str, str, str, str]:
        """The four inks of a setting."""
        return self.four if suits is SuitColours.FOUR else self.two


class RibbonColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One style of ribbon."""

    fill: Hex
    ink: Hex
    edge: Hex


class Ribbons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The styles of ribbons under canastas."""

    clean: RibbonColours
    semi: RibbonColours
    dirty: RibbonColours
    special: RibbonColours


class BackColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The back of one pack."""

    fill: Hex
    pattern: Hex
    bar: Hex
    """The foot bar of a card held in the hand."""


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All colours. ``sides`` and ``backs`` are indexed by the side and by the pack."""

    felt: Hex
    panel: Hex
    line: Hex
    badge: Hex
    badge_dark: Hex
    text: Hex
    muted: Hex
    warm: Hex
    turn: Hex
    ink: Hex
    calm: Hex
    """The banner when nobody is on turn."""
    sides: tuple[Hex, Hex, Hex]
    card: CardColours
    wild: WildColours
    suits: SuitPalette
    ribbons: Ribbons
    backs: tuple[BackColours, BackColours, BackColours]


def load_theme(name: str = DEFAULT) -> Theme:
    """Read a theme of ``data/themes`` by its name without suffix.

    Raises:
        FileNotFoundError: there is no such theme.
        msgspec.ValidationError: a colour is missing, unknown or not written as ``#RRGGBB``.
    """
    return msgspec.toml.decode(files("data").joinpath("themes", f"{name}.toml").read_bytes(), type=Theme)
