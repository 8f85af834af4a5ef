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
    """The language in which they are answered: as their app says, or as they have chosen."""
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
    notices: str = "all"
    """When to be called by a message of its own: ``all`` each turn, ``late`` as time runs out, ``none`` never."""
    cautions: str = "always"
    """When to be asked before a doubtful move: ``always``, ``grave`` where no undo takes it back, ``never``."""
    language: str = ""
    """The language that they have chosen, whatever their app says; empty to follow the app."""


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
    """The person who gave this seat up, under ``left_name``."""
    left_name: str = ""
    """Also that of a robot whose seat a substitute took over."""
    left_how: str = ""
    """How: empty by themselves, ``voted`` by a vote of the others or by who keeps order, ``absent`` to a substitute."""
    absent_ms: int | None = None
    """Since when they have been absent, in milliseconds since the epoch."""
    since: int | None = None
    """The number of the first deal that a substitute plays whole; None for whoever sat there at the start."""
    filled: bool = False
    """The substitute took over from a robot that sat there from the start."""


class VoteKind(StrEnum):
    """What the people at a table decide together."""

    END = "end"
    """End the match without a result."""
    EXPEL = "expel"
    """Give somebody's seat to a robot."""
    PACE = "pace"
    """Play on at another pace."""
    SEAT = "seat"
    """Let somebody take a seat over: asked of the host, or of anybody where the host is away."""


class Vote(msgspec.Struct, frozen=True):
    """A question that is put to the people at a table."""

    number: int
    kind: VoteKind
    by: str
    """The person who put it."""
    by_name: str
    until_ms: int
    """When it lapses, in milliseconds since the epoch."""
    seat: int = -1
    """The seat that it is about."""
    seat_name: str = ""
    """Who sat there when it was put."""
    about: str = ""
    """The person whose seat it was; empty for a robot."""
    pace: Pace | None = None
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    carried: bool | None = None
    """How it ended. A seat that has been granted while its robot is in the middle of a turn waits for its end."""


class AwaitedCut(msgspec.Struct, frozen=True):
    """A deal whose seal is shown, and that waits for somebody to cut."""

    deal: int
    """Its number, 0 for the first of the match."""
    starter: int
    """The seat that begins it, drawn before the cut."""


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
    stake: int = 0
    """Coins that everybody puts up as the match begins; 0 where nobody plays for coins."""
    private: bool = False
    """Whether it stands in no list, and only those who know its code may sit down."""
    cutting: bool = False
    """Whether somebody cuts before each deal."""
    cut: AwaitedCut | None = None
    """The cut that the next deal waits for."""

    touched_ms: int = 0
    """When somebody last did something in the lobby, in milliseconds since the epoch; 0 for the opening."""
    vote: Vote | None = None
    """What is being decided."""
    past_vote: Vote | None = None
    """What was decided last."""
    votes: int = 0
    """How many votes there have been."""
    waits: dict[str, int] = {}
    """Until when (milliseconds since the epoch) persons may not put another question, after one that failed."""
    seen: dict[str, int] = {}
    """Persons who gave a seat up in this match, each with the seat whose cards they have seen."""
    circle: tuple[str, ...] = ()
    """Where partners change from match to match: the persons by the seats of the first one, empty for robots."""
    round: int = 0
    """How often partners have changed in this circle."""

    def seat_of(self, person: str) -> int | None:
        """The seat (in the lobby: the chair) of a person."""
        return next((i for i, chair in enumerate(self.chairs) if chair.person == person), None)

    @property
    def awaited_cut(self) -> AwaitedCut | None:
        """The cut that the next deal waits for, while the match goes on."""
        return self.cut if self.status is Status.PLAYING else None

    @property
    def is_full(self) -> bool:
        """Whether every seat has somebody."""
        return len(self.chairs) >= self.seating.seats

    @property
    def present(self) -> tuple[str, ...]:
        """The persons at the table who are not away."""
        return tuple(chair.person for chair in self.chairs if chair.person is not None and not chair.absent)

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
    coins: bool = True
    """Whether tables may be played for coins."""
    pings: bool = True
    """Whether people are called by name in the place when it is their turn."""
    channel: str = ""
    """The one channel or topic for tables, by the platform's own name; empty where they may be opened anywhere."""
    locale: str = ""
    """The language of the tables that are opened there; empty for the opener's."""
    cutting: bool = False
    """Whether somebody cuts before each deal at the tables that are opened there."""
