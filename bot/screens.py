"""Screens: the user interface as data.

Flow and wording exist once, in :mod:`bot.presenter`; a platform draws these values with its own widgets and brings
back tokens. Nothing here knows a platform.
"""

from enum import StrEnum

import msgspec

from bot.pictures import HandPicture, ReadPicture, SheetPicture, TablePicture
from bot.texts import SOURCE_LOCALE


class Capabilities(msgspec.Struct, frozen=True):
    """What a platform can do; the presenter and the announcer respect it."""

    name: str
    token_length: int
    """Longest token in bytes."""
    most_buttons: int
    most_picks: int
    """Cards that one picker can offer at once."""
    alternative_length: int
    """Longest text alternative of a picture, in characters."""
    pushes_hands: bool
    """Whether a private hand can be sent without being asked for."""
    edits_a_minute: int
    """How often a place's public screen may be redrawn."""


class Role(StrEnum):
    """What a screen is."""

    LOBBY = "lobby"
    TABLE = "table"
    HAND = "hand"
    QUESTION = "question"
    """A choice that an action needs before it can be done."""
    RULES = "rules"
    """All rules of a table, to read."""
    READING = "reading"
    """Something else to read: the last plays, the table in words."""
    NOTE = "note"
    """Only text: a table that is closed, suspended or unknown."""


class Style(StrEnum):
    """How a choice stands out."""

    PLAIN = "plain"
    PRIMARY = "primary"
    GOOD = "good"
    DANGER = "danger"


class Choice(msgspec.Struct, frozen=True):
    """A button. Disabled, it says why."""

    label: str
    token: str
    style: Style = Style.PLAIN
    enabled: bool = True
    why: str = ""


class PickVerb(msgspec.Struct, frozen=True):
    """What may be done with the picked cards: press ``token`` with ``:<mask>`` behind it."""

    label: str
    token: str
    least: int
    most: int
    style: Style = Style.PLAIN
    enabled: bool = True
    why: str = ""


class CardOption(msgspec.Struct, frozen=True):
    """A card that can be picked: ``bit`` is its bit in the mask, ``group`` the heap it is shown in."""

    bit: int
    code: str
    """``7h``, ``JK``"""
    label: str
    """``7 de corazones``"""
    group: int
    back: int
    new: bool = False
    keep: str = ""
    """Why it may not be discarded now; empty where it may."""


class CardPicker(msgspec.Struct, frozen=True):
    """The cards of a hand in the player's order, and what may be done with those picked."""

    cards: tuple[CardOption, ...]
    verbs: tuple[PickVerb, ...]


class Call(msgspec.Struct, frozen=True):
    """Whom a public screen calls, once: those on turn, or everybody when the match begins."""

    key: str
    """The same for as long as the same people are called for the same thing."""
    people: tuple[str, ...]
    """Ids of persons; robots are never called."""
    text: str
    """What they are told, without their names, which the platform writes in its own way."""
    choice: Choice
    """What they press."""
    late: bool = False
    """Whether their time runs out."""


class Screen(msgspec.Struct, frozen=True):
    """One screen, complete: everything that is to be read, seen and pressed. ``table_id`` is empty away from tables."""

    role: Role
    table_id: str
    version: int
    title: str
    lines: tuple[str, ...] = ()
    picture: TablePicture | HandPicture | ReadPicture | None = None
    alternative: str = ""
    """The facts of the picture in words, for screen readers and slow links."""
    rows: tuple[tuple[Choice, ...], ...] = ()
    picker: CardPicker | None = None
    call: Call | None = None
    deal: int = -1
    """The number of the deal that the screen shows; −1 where none is shown."""
    until_ms: int | None = None
    """When the turn's time runs out, in milliseconds since the epoch; None without a clock."""
    locale: str = SOURCE_LOCALE
    """The language of a public screen: the table's."""
    passing: bool = False
    """Whether it shows the middle of a turn, which the turn's end will soon replace."""
    again: str = ""
    """The token that shows this very screen, where its picture may be fetched apart; empty where it is not needed."""


class File(msgspec.Struct, frozen=True):
    """A file for one person alone."""

    name: str
    data: bytes


class Answer(msgspec.Struct, frozen=True):
    """What a press is answered, privately and at once.

    ``text`` is short enough for a toast (200 characters); ``screen`` replaces what the presser has before them.
    """

    text: str = ""
    ok: bool = True
    screen: Screen | None = None
    reason: str = ""
    """The engine's reason, where it refused: a key for looking up the rule."""
    more: Choice | None = None
    """Where to read on, for instance the rule that explains a refusal."""
    public: bool = False
    """The screen is meant for everybody in the place of the press."""
    document: SheetPicture | None = None
    """A page to print, to be sent as a file."""
    file: File | None = None
    """A file to be sent to the presser alone; ``text`` says what it is."""
