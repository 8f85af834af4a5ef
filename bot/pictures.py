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


class CardRow(msgspec.Struct, frozen=True):
    """Cards side by side, such as a meld in an example, and what is said about them."""

    cards: tuple[Card, ...]
    caption: str = ""
    places: tuple[str, ...] = ()
    """A card each: what a wild stands for, ``5♥``; empty for a card that stands for itself."""
    good: bool | None = None
    """A tick or a cross beside them; None for neither."""


class CardsPicture(msgspec.Struct, frozen=True):
    """Rows of cards with a title: the examples of a rule, a meld that somebody asks about, an exercise."""

    title: str
    rows: tuple[CardRow, ...]
    joker: str
    suits: SuitColours = SuitColours.FOUR


class StillPicture(msgspec.Struct, frozen=True):
    """A table as it stood in a deal that is over: for one reader, and never in the live table's place."""

    table: TablePicture


class Outcome(StrEnum):
    """How a match ended for somebody."""

    WON = "won"
    LOST = "lost"
    LEFT = "left"


class ProfileFact(msgspec.Struct, frozen=True):
    """A number or a name with what it is."""

    label: str
    value: str
    note: str = ""
    """What there is to add, in small."""


class ProfilePicture(msgspec.Struct, frozen=True):
    """A person's profile at a glance. What is empty is left out."""

    name: str
    alias: str
    """Stands for a name of which too little can be drawn."""
    note: str = ""
    """``Clásico · oculto``"""
    empty: str = ""
    """Said in place of everything else, where nothing has been played."""
    rating: ProfileFact | None = None
    standing: tuple[str, ...] = ()
    """The rating's place and how it moves, a line each."""
    trend: int = 0
    """Which way the rating moves: −1, 0 or 1."""
    facts: tuple[ProfileFact, ...] = ()
    people: tuple[ProfileFact, ...] = ()
    recent_title: str = ""
    recent: tuple[Outcome, ...] = ()
    """The last matches, the newest last."""
    awards_title: str = ""
    awards: tuple[str, ...] = ()
    suits: SuitColours = SuitColours.FOUR


class SheetTable(msgspec.Struct, frozen=True):
    """A small table on a printed page: rows of cells, the first row being its heads; empty for none."""

    rows: tuple[tuple[str, ...], ...]


class SheetPart(msgspec.Struct, frozen=True):
    """A part of a printed page: a heading, sentences, perhaps a table, perhaps cards."""

    title: str
    lines: tuple[str, ...] = ()
    table: SheetTable | None = None
    rows: tuple[CardRow, ...] = ()


class SheetPicture(msgspec.Struct, frozen=True):
    """One A4 page to print: a rule set in short."""

    title: str
    subtitle: str
    parts: tuple[SheetPart, ...]
    foot: str
    joker: str


ReadPicture = CardsPicture | StillPicture | ProfilePicture
"""A picture of something to read, drawn for whoever asked for it."""


class SheetForm(StrEnum):
    """What a printed page is made as."""

    PNG = "png"
    PDF = "pdf"


class Renderer:
    """What the application needs of a renderer. Calls are made in a worker thread and must be thread-safe."""

    def table(self, picture: TablePicture) -> bytes:
        """The PNG of a table."""
        raise NotImplementedError

    def hand(self, picture: HandPicture) -> bytes:
        """The PNG of a hand."""
        raise NotImplementedError

    def cards(self, picture: CardsPicture) -> bytes:
        """The PNG of rows of cards."""
        raise NotImplementedError

    def profile(self, picture: ProfilePicture) -> bytes:
        """The PNG of a profile."""
        raise NotImplementedError

    def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """A printed page, as PNG or PDF."""
        raise NotImplementedError
