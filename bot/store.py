"""What the application asks of a store. :mod:`adapters.storage` has the stores; one contract suite tests them all.

The rule that everything hangs on: a change of a table is one transaction (version check, unique press key, events,
snapshot, deadline), and it is committed before anybody is shown anything.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from bot.blocks import BlockStore
from bot.dead_letters import LetterStore
from bot.leases import Leases
from bot.model import Home, Person, PlaceSettings, Status, Table
from bot.results.storing import ResultStore
from bot.stakes.ledger import Short, Transfer
from bot.stakes.storing import LedgerStore
from engine.events import Event
from engine.state import Match


class Record(msgspec.Struct, frozen=True):
    """A table as it is stored: its value, the match in progress, and the version that this is."""

    table: Table
    version: int = 0
    match: Match | None = None
    events: int = 0
    """How many events of the match have been stored."""
    deadline_ms: int | None = None
    """When the table's clock runs out, in milliseconds since the epoch, as it is stored now; None without a clock."""


class Change(msgspec.Struct, frozen=True):
    """One change of a table, to be committed as a whole or not at all."""

    record: Record
    """What the table becomes; its version is the expected version plus one."""
    events: tuple[Event, ...] = ()
    """Events of the match to append."""
    press_id: str | None = None
    """Unique key of the press that led here: delivered again, it gets the stored answer."""
    answer: str = ""
    """What the press was answered, kept for a repeated delivery."""
    deadline_ms: int | None = None
    """When the table's clock runs out, in milliseconds since the epoch; None without a clock."""
    transfers: tuple[Transfer, ...] = ()
    """Coins that move with it: where somebody cannot pay, nothing of the change is written."""
    due_ms: int | None = None
    """When the program itself has something to do at the table, for whichever process comes first; None for nothing."""


class Committed(msgspec.Struct, frozen=True):
    """The change is durable."""


class Repeated(msgspec.Struct, frozen=True):
    """The press had been applied before; ``answer`` is what it was answered then."""

    answer: str


class Conflict(msgspec.Struct, frozen=True):
    """Somebody else changed the table first; nothing was written."""


CommitResult = Committed | Repeated | Conflict | Short


class Woken(msgspec.Struct, frozen=True):
    """What came of noting that somebody is up."""

    now_ms: int
    """The store's time, in milliseconds since the epoch."""
    moved_ms: int = 0
    """By how much the clocks were moved; 0 where they were not."""


ALIVE: Final = "alive"
"""The note of when somebody was up last, in milliseconds since the epoch."""


def moved_ms(noted: str | None, now_ms: int, quiet_ms: int, grace_ms: int) -> int:
    """By how much the clocks are to be moved, by the note of when somebody was up last; 0 where nobody ever was."""
    if noted is None or not noted.isdecimal():
        return 0
    away = max(0, now_ms - int(noted))
    return away + grace_ms if away > quiet_ms else 0


class PressCount(msgspec.Struct, frozen=True):
    """How many presses of somebody are kept, and from when to when, in milliseconds since the epoch."""

    count: int = 0
    first_ms: int | None = None
    last_ms: int | None = None


class Erasure(msgspec.Struct, frozen=True):
    """What is to be forgotten of a person, whose tables have let go of them before."""

    person_id: str
    names: tuple[str, ...] = ()
    """What they were called: no kept answer tells it any more."""
    places: tuple[str, ...] = ()
    """Keys of settings that are theirs alone."""
    homes: tuple[tuple[str, str], ...] = ()
    """Platforms and places that are theirs alone, such as a private chat, with all topics in it."""


def press_marks(person_id: str) -> tuple[str, ...]:
    """How the keys of a person's presses begin."""
    return f"{person_id}:", f"open:{person_id}:"


class StoreError(Exception):
    """The common base of what a store raises."""


class UnreadableSave(StoreError):
    """A table whose stored bytes make no sense. Nothing of them is touched."""

    def __init__(self, table_id: str, problem: str) -> None:
        super().__init__(f"{table_id}: {problem}")
        self.table_id = table_id
        self.problem = problem


class StoreBusy(StoreError):
    """The store cannot write just now: locked by another process, or out of space. Nothing was written."""


class OutcomeUnknown(StoreBusy):
    """The connection to the store broke in a commit, and the store is away: whether it was made is not known.

    The same press again settles it: it is applied once, whatever happened before.
    """


class StoreUnusable(StoreError):
    """The store cannot be opened at all: a newer schema, another instance, no rights. ``advice`` says what to do."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


class StoreUnreachable(StoreUnusable):
    """The server that keeps it does not answer; later it may."""


class StoreInUse(StoreUnusable):
    """Another instance has it open."""


class Store(ResultStore, LedgerStore, BlockStore, LetterStore, Protocol):
    """People, tables, homes, results, coins, block lists, dead letters. Every method may raise :class:`StoreBusy`."""

    @property
    def leases(self) -> Leases:
        """Who does what, where several processes share the store; nobody is asked where it belongs to one alone."""

    async def close(self) -> None:
        """Finish what is being written and let go of everything; may be called twice."""

    # people

    async def person(self, person_id: str) -> Person | None:
        """A person by id."""

    async def person_by_key(self, key: str) -> Person | None:
        """The person behind a platform's key, such as ``web:<hash of the cookie's secret>``."""

    async def add_person(self, person: Person, key: str) -> Person:
        """Keep a new person under a platform's key; if the key is already known, that person is returned instead."""

    async def save_person(self, person: Person) -> None:
        """Replace a person's name and settings."""

    async def keys_of(self, person_id: str) -> Sequence[str]:
        """The platforms' keys of a person, sorted."""

    async def seats_of(self, person_id: str) -> Sequence[str]:
        """The ids of all tables at which a person sits, however they stand, oldest first."""

    async def mentioning(self, texts: Sequence[str]) -> Sequence[str]:
        """The ids of the tables whose own data hold one of some texts, oldest first; also those that are unreadable."""

    async def presses_of(self, person_id: str) -> PressCount:
        """What is kept of a person's presses."""

    async def erase_person(self, erasure: Erasure) -> None:
        """Forget a person in one transaction: keys, name, settings, presses, places. Nothing remains in the files.

        Other people's presses stay answered, without the person's name.
        """

    # places

    async def place_settings(self, place: str) -> PlaceSettings | None:
        """What a server or group has settled, by a platform's key such as ``discord:<id>``; None where nothing is.

        Raises:
            UnreadableSave: it makes no sense.
        """

    async def save_place_settings(self, place: str, settings: PlaceSettings) -> None:
        """Keep what a server or group has settled."""

    # notes

    async def note(self, key: str) -> str | None:
        """A small fact that somebody wrote down under a key, such as what has been registered with a platform."""

    async def write_note(self, key: str, text: str) -> None:
        """Write a small fact down, in the place of what stood there."""

    async def settle_note(self, key: str, text: str) -> str:
        """Write a small fact down where nothing stands yet; returns what stands there then.

        Whoever asks at the same time, in whatever process, is told the same.
        """

    # tables

    async def create(self, record: Record, home: Home | None, press_id: str | None = None) -> CommitResult:
        """Keep a new table (version 0), and where it is shown."""

    async def load(self, table_id: str) -> Record | None:
        """A table by id, as last committed.

        Where the snapshot cannot be read or disagrees with its digest, it is rebuilt from the events.

        Raises:
            UnreadableSave: it cannot be read at all.
        """

    async def load_for_press(self, table_id: str, press_id: str) -> tuple[Record | None, str | None]:
        """A table as :meth:`load` gives it, and what a press was answered there before, asked for at once.

        Raises:
            UnreadableSave: the table cannot be read at all.
        """

    async def load_whole(self, table_ids: Collection[str]) -> Mapping[str, Record]:
        """Those of some tables that can be read as they stand, as last committed, asked for at once.

        What there is not, and what is damaged, is left out: :meth:`load` repairs it, or says what is wrong.
        """

    async def find(self, code: str) -> str | None:
        """The id of the table with a code, whatever its case; None where there is none."""

    async def commit(self, change: Change) -> CommitResult:
        """Write a change in one transaction: durable when this returns :class:`Committed`."""

    async def answer_to(self, press_id: str) -> str | None:
        """What a press was answered, if it has been applied."""

    async def events(self, table_id: str) -> Sequence[Event]:
        """All events of a table's match, in order.

        Raises:
            UnreadableSave: one cannot be read.
        """

    async def open_tables(self) -> Sequence[str]:
        """The ids of the tables in the lobby or playing, oldest first; suspended ones are left out."""

    async def tables_of(self, person_id: str) -> Sequence[str]:
        """The ids of the open tables at which a person sits, the longest unchanged first."""

    async def idle_tables(self, status: Status, before_ms: int) -> Sequence[str]:
        """The ids of the tables of a status that have not changed since a time in milliseconds since the epoch."""

    async def deadlines(self) -> Sequence[tuple[str, int]]:
        """The open tables with a clock, each with its deadline in milliseconds since the epoch, the earliest first."""

    async def suspend(self, table_id: str) -> None:
        """Mark a table that cannot be read, leaving everything else of it untouched."""

    # several processes

    async def wake(self, now_ms: int, quiet_ms: int, grace_ms: int) -> Woken:
        """Note that somebody is up. Whoever finds that nobody has been for longer moves every clock that runs.

        It is one transaction: however many ask at once, the clocks are moved by one of them.

        Args:
            now_ms: the time, in milliseconds since the epoch; a store that is shared goes by its own clock instead.
            quiet_ms: how long nobody may have been noted before clocks are moved.
            grace_ms: what they are moved by beyond the time that nobody was there.
        """

    async def versions(self, table_ids: Collection[str]) -> Mapping[str, int]:
        """The versions of some tables; those that there are not are left out."""

    async def set_due(self, table_id: str, version: int, due_ms: int | None) -> None:
        """Keep when the program has something to do at a table, if that still has this version."""

    # what need not be kept

    async def forget_matches(self, before_ms: int) -> int:
        """Drop events and presses of closed tables that have not changed since then; returns how many tables had any.

        The table stays with its last snapshot.
        """

    async def forget_presses(self, before_ms: int) -> int:
        """Drop presses that were answered before then; returns how many there were."""

    async def tidy(self) -> None:
        """Give back the room of what was dropped. It takes a while, during which nothing else is done."""

    # homes

    async def add_home(self, home: Home) -> None:
        """Show a table in one more place (once)."""

    async def move_homes(self, platform: str, place: str, to: str) -> Sequence[str]:
        """A place is called otherwise from now on: its homes go along, with nothing shown there yet.

        Returns the ids of the tables that it shows.
        """

    async def homes(self, table_id: str) -> Sequence[Home]:
        """Where a table is shown."""

    async def tables_at(self, platform: str, place: str) -> Sequence[str]:
        """The ids of the open tables that are shown in a place, the newest first."""

    async def lagging_homes(self, since_ms: int = 0) -> Sequence[Home]:
        """Homes that show an older version than their table has.

        Without a time every home there is is looked at, which takes a while. With one, those of tables that have
        changed since then, and those of open tables that have shown nothing so far.
        """

    async def show_anew(self, table_id: str) -> None:
        """Let all homes of a table lag behind, so that they are shown again although nothing has changed."""

    async def mark_shown(self, home: Home) -> None:
        """Keep what a home shows now; an older version never replaces a newer one.

        A home without anything ``posted`` leaves what stands there.
        """

    async def swap_posted(self, home: Home, before: str | None) -> bool:
        """Keep what is posted in a home, whatever version that shows, if it still is what it was ``before``.

        A home that is not there is added if nothing was before. False where it is something else by now.
        """


OpenStore = Callable[[str], Awaitable[Store]]
"""Opens the store at a database's address."""
