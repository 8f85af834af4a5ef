"""What the application keeps beside the game itself: people, tables, their seats and their homes.

All values are immutable; the store keeps them as JSON. A field may be added with a default, but none may change its
meaning: old saves must load for ever.
"""

from enum import StrEnum
from typing import Any

import msgspec

from bot.fairness import Seal
from engine.ruleset import Ruleset
from engine.seating import Seating


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays, on whatever platform."""

    id: str
    name: str
    locale: str = "es"
    hand_order: str = "suit"
    """How the hand is sorted: ``suit`` or ``rank``."""
    suit_colours: str = "four"
    """How the suits are told apart: ``four`` or ``two`` colours."""
    quiz_streak: int = 0
    """Exercises answered rightly in a row."""
    quiz_best: int = 0
    quiz_last: str = ""
    """The exercise that was answered last: answered again, it does not count again."""
    public_record: bool = True
    """Whether others may see the profile, and the name in rankings."""


class Status(StrEnum):
    """Where a table stands."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """The match has been won."""
    CANCELLED = "cancelled"
    SUSPENDED = "suspended"
    """Its save cannot be read: nothing is lost, nobody can play on until it is repaired."""


class Pace(StrEnum):
    """How long a turn may take."""

    FREE = "free"
    """As long as it takes."""
    QUICK = "quick"
    NORMAL = "normal"
    MAIL = "mail"
    """For matches that go on for days."""


class Chair(msgspec.Struct, frozen=True):
    """Who sits at a seat: a person, or a robot."""

    name: str
    """As shown to all; safe to draw and to print."""
    person: str | None = None
    robot: str | None = None
    side: int | None = None
    """In the lobby the side that they chose; None leaves it to the lot."""
    missed: int = 0
    """Turns in a row for which the time ran out."""
    absent: bool = False
    """A robot plays for the person, whose seat it stays."""
    stood_in: bool = False
    """A robot has played for the person at least once."""
    left: str | None = None
    """The person who gave this seat up to the robot, under ``left_name``."""
    left_name: str = ""


class Table(msgspec.Struct, frozen=True):
    """A table: its people, its rules and where it stands. The match itself is :class:`engine.state.Match`."""

    id: str
    code: str
    """What people type or follow to join."""
    name: str
    host: str | None
    """The person who may start and cancel; passes on when they leave."""
    rules: Ruleset
    """Resolved: later changes of the rule-set file do not touch this table."""
    seating: Seating
    locale: str = "es"
    status: Status = Status.LOBBY
    chairs: tuple[Chair, ...] = ()
    """In the lobby in the order of joining; from the start on a chair for each seat, drawn by lot."""
    options: dict[str, Any] = {}
    """House rules as they were asked for, to show them in words."""
    created_ms: int = 0
    started_ms: int | None = None
    pace: Pace = Pace.FREE
    lesson: bool = False
    """A guided first deal: always the same one, with explanations beside the hand."""
    rematch: str = ""
    """The id of the table that plays on after this one; empty while nobody has asked for it."""
    origin: str = ""
    """The server or group in which it was opened, by its platform's key: whoever keeps order there may end it."""
    robot_level: str = "normal"
    """How well the robots play that take seats: the id of a robot."""
    seals: tuple[Seal, ...] = ()
    """Of the deals, as everybody may see them: a salt stands here only after its deal."""

    def seat_of(self, person: str) -> int | None:
        """The seat (in the lobby: the chair) of a person."""
        return next((i for i, chair in enumerate(self.chairs) if chair.person == person), None)

    @property
    def is_full(self) -> bool:
        """Whether every seat has somebody."""
        return len(self.chairs) >= self.seating.seats

    @property
    def people(self) -> tuple[str, ...]:
        """The persons at the table."""
        return tuple(chair.person for chair in self.chairs if chair.person is not None)


PERSONAL_PLACE = "hand:"
"""Places of a platform that begin so show one person's hand, not the table; they are no table's to take along."""


class Home(msgspec.Struct, frozen=True):
    """A place where a table is shown: a Discord channel, a Telegram group, a browser room.

    ``posted`` is the platform's own reference of the message that shows it, ``shown_version`` the version
    it shows, −1 before anything has been shown.
    """

    table_id: str
    platform: str
    place: str
    posted: str | None = None
    shown_version: int = -1


class PlaceSettings(msgspec.Struct, frozen=True):
    """What a server or group has settled for its tables. A field may be added with a default, as above."""

    ruleset_id: str = ""
    """The rule set of a table that is opened without naming one; empty for the program's own."""
    pace: Pace = Pace.FREE
    threads: bool = False
    """Whether each table gets a thread of its own, where the platform has such a thing."""
