"""Pictures as data: what is to be drawn, with every word already chosen by the presenter.

:mod:`render` turns these values into PNG bytes. They hold views and cards that their readers may see, and nothing else.
"""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from engine.cards import Card
from engine.melds import Kind
from engine.views import PublicView

Line = tuple[str | Card, ...]
"""A sentence with cards in it: strings are drawn as text, cards as small inline cards."""


class SuitColours(StrEnum):
    """How the suits are told apart."""

    FOUR = "four"
    TWO = "two"
    """The classic pair of black and red."""


class SideTexts(msgspec.Struct, frozen=True):
    """The words in the panel of a side."""

    title: str
    """``Ana + Luis``"""
    table: str
    """What lies on the table is worth, ``mesa 640``."""
    total: str
    """``1.245``"""


class TableTexts(msgspec.Struct, frozen=True):
    """Every word in the picture of the table."""

    banner: str
    """``Turno de Ana: roba``"""
    corner: str
    """``R3 · a 3.000``"""
    names: tuple[str, ...]
    """A seat each."""
    stock: str
    """``Mazo``"""
    pile: str
    """``Pozo``"""
    muertos: str
    """``1 buraco libre``; empty where the rule set or the deal has none left to speak of."""
    last: Line
    """The last move in words."""
    sides: tuple[SideTexts, ...]
    ribbons: Mapping[Kind, str]
    """The word on the ribbon of each kind of canasta."""
    joker: str
    """A short word under the joker's star, at most three letters."""


class TablePicture(msgspec.Struct, frozen=True):
    """The public table."""

    view: PublicView
    texts: TableTexts
    suits: SuitColours = SuitColours.FOUR


class HandPicture(msgspec.Struct, frozen=True):
    """A private hand. ``groups`` hold the cards in reading order; gaps are drawn between groups."""

    groups: tuple[tuple[Card, ...], ...]
    new: tuple[Card, ...]
    """Cards that came this turn: raised and marked."""
    title: str
    """``Tu mano · 12 cartas``"""
    corner: str
    """``por palo``"""
    joker: str
    suits: SuitColours = SuitColours.FOUR
    selected: tuple[Card, ...] = ()


class Renderer:
    """What the application needs of a renderer. Calls are made in a worker thread and must be thread-safe."""

    def table(self, picture: TablePicture) -> bytes:
        """The PNG of a table."""
        raise NotImplementedError

    def hand(self, picture: HandPicture) -> bytes:
        """The PNG of a hand."""
        raise NotImplementedError
