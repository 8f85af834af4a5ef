"""A store in memory: the reference of what the others do, and a fast one for tests. Nothing of it survives.

It keeps bytes like the others, so that a value which cannot be stored is found here too.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec
import structlog

from adapters.storage.blocks_memory import MemoryBlocks
from adapters.storage.changes import Draft, Standing, check_new, draft, judge, people_of
from adapters.storage.codec import (
    BrokenSnapshot,
    Saved,
    decode_events,
    decode_person,
    decode_place,
    decode_record,
    encode_person,
    encode_place,
    encode_record,
    rebuild_record,
)
from adapters.storage.ledger_memory import MemoryLedger
from adapters.storage.letters_memory import MemoryLetters
from adapters.storage.memory_forgetting import HomeKey, Kept, KeptPress, ids_of
from adapters.storage.memory_sharing import MemorySharing
from adapters.storage.results_memory import MemoryResults
from bot.model import Home, Person, PlaceSettings, Status
from bot.store import Change, CommitResult, Committed, Conflict, Record, Repeated, StoreError, UnreadableSave
from engine.events import Event

_OPEN: Final = (Status.LOBBY, Status.PLAYING)

_log = structlog.get_logger(__name__)


class MemoryStore(MemorySharing, MemoryResults, MemoryLedger, MemoryBlocks, MemoryLetters):
    """All that is kept, in dictionaries; see :class:`bot.store.Store`."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        MemoryResults.__init__(self)
        MemoryLedger.__init__(self, now_ms)
        MemoryBlocks.__init__(self)
        MemoryLetters.__init__(self)
        MemorySharing.__init__(self, now_ms)

    async def close(self) -> None:
        """Refuse whatever comes after."""
        self._closed = True

    def _changed_at(self) -> dict[str, tuple[str, int]]:
        return {table_id: (kept.saved.status, kept.updated_ms) for table_id, kept in self.kept.items()}

    # people

    async def person(self, person_id: str) -> Person | None:
        """A person by id."""
        self._check_open()
        data = self._people.get(person_id)
        return None if data is None else decode_person(person_id, data)

    async def person_by_key(self, key: str) -> Person | None:
        """The person behind a platform's key."""
        self._check_open()
        person_id = self._keys.get(key)
        return None if person_id is None else await self.person(person_id)

    async def add_person(self, person: Person, key: str) -> Person:
        """Keep a new person under a key, or return the one who has it."""
        self._check_open()
        person_id = self._keys.setdefault(key, person.id)
        data = self._people.setdefault(person_id, encode_person(person))
        return decode_person(person_id, data)

    async def save_person(self, person: Person) -> None:
        """Replace a person's name and settings."""
        self._check_open()
        if person.id in self._people:
            self._people[person.id] = encode_person(person)

    async def keys_of(self, person_id: str) -> Sequence[str]:
        """The platforms' keys of a person."""
        self._check_open()
        return tuple(sorted(key for key, known in self._keys.items() if known == person_id))

    # places

    async def place_settings(self, place: str) -> PlaceSettings | None:
        """What a place has settled."""
        self._check_open()
        data = self._places.get(place)
        return None if data is None else decode_place(place, data)

    async def save_place_settings(self, place: str, settings: PlaceSettings) -> None:
        """Keep what a place has settled."""
        self._check_open()
        self._places[place] = encode_place(settings)

    # notes

    async def note(self, key: str) -> str | None:
        """A small fact."""
        self._check_open()
        return self._notes.get(key)

    async def write_note(self, key: str, text: str) -> None:
        """Write a small fact down."""
        self._check_open()
        self._notes[key] = text

    async def settle_note(self, key: str, text: str) -> str:
        """Write a small fact down where nothing stands yet."""
        self._check_open()
        return self._notes.setdefault(key, text)

    # tables

    async def create(self, record: Record, home: Home | None, press_id: str | None = None) -> CommitResult:
        """Keep a new table and where it is shown; its id is the press's answer."""
        self._check_open()
        check_new(record, home)
        saved = encode_record(record)
        code = record.table.code.casefold()
        if press_id is not None and press_id in self._presses:
            return Repeated(self._presses[press_id].answer)
        if saved.table_id in self.kept or any(kept.code == code for kept in self.kept.values()):
            return Conflict()
        self.kept[saved.table_id] = Kept(
            saved, code, people_of(record), created_ms=record.table.created_ms, updated_ms=self._now_ms()
        )
        if home is not None:
            self._homes[key_of(home)] = home
        if press_id is not None:
            self._presses[press_id] = KeptPress(saved.table_id, saved.table_id, self._now_ms())
        return Committed()

    async def load(self, table_id: str) -> Record | None:
        """A table by id, rebuilt from its events where its snapshot is damaged."""
        self._check_open()
        kept = self.kept.get(table_id)
        if kept is None:
            return None
        saved = msgspec.structs.replace(kept.saved, deadline_ms=kept.deadline_ms)
        try:
            return decode_record(saved)
        except BrokenSnapshot as error:
            _log.error("storage.snapshot_broken", table=table_id, version=kept.saved.version, problem=str(error))
        record = rebuild_record(saved, kept.payloads)
        _log.warning("storage.snapshot_rebuilt", table=table_id, version=record.version, events=record.events)
        return record

    async def load_for_press(self, table_id: str, press_id: str) -> tuple[Record | None, str | None]:
        """A table by id, and what a press was answered there before."""
        return await self.load(table_id), await self.answer_to(press_id)

    async def load_whole(self, table_ids: Collection[str]) -> Mapping[str, Record]:
        """Those of some tables that can be read as they stand."""
        self._check_open()
        whole: dict[str, Record] = {}
        for table_id in table_ids:
            kept = self.kept.get(table_id)
            if kept is not None:
                with suppress(BrokenSnapshot, UnreadableSave):
                    whole[table_id] = decode_record(msgspec.structs.replace(kept.saved, deadline_ms=kept.deadline_ms))
        return whole

    async def find(self, code: str) -> str | None:
        """The id of the table with a code."""
        self._check_open()
        wanted = code.casefold()
        return next((table_id for table_id, kept in self.kept.items() if kept.code == wanted), None)

    async def commit(self, change: Change) -> CommitResult:
        """Write a change as a whole or not at all."""
        self._check_open()
        new = draft(change, self._now_ms())
        kept = self.kept.get(new.saved.table_id)
        answered = None if new.press_id is None else self._answered(new.press_id)
        refused = judge(new, None if kept is None else _standing(kept.saved), answered)
        refused = refused or self._books().short(new.transfers)
        if refused is not None or kept is None:
            return refused or Conflict()
        self._write(kept, new)
        return Committed()

    def _write(self, kept: Kept, new: Draft) -> None:
        kept.saved = new.saved
        kept.people = new.people
        kept.payloads = [*kept.payloads, *new.payloads]
        kept.deadline_ms = new.deadline_ms
        kept.due_ms = new.due_ms
        kept.updated_ms = new.at_ms
        self._keep(new.transfers, new.at_ms)
        if new.press_id is not None:
            self._presses[new.press_id] = KeptPress(new.saved.table_id, new.answer, new.at_ms)

    async def answer_to(self, press_id: str) -> str | None:
        """What a press was answered."""
        self._check_open()
        return self._answered(press_id)

    def _answered(self, press_id: str) -> str | None:
        known = self._presses.get(press_id)
        return None if known is None else known.answer

    async def events(self, table_id: str) -> Sequence[Event]:
        """All events of a table's match, in order."""
        self._check_open()
        kept = self.kept.get(table_id)
        return () if kept is None else decode_events(table_id, kept.payloads)

    async def open_tables(self) -> Sequence[str]:
        """The open tables, oldest first."""
        self._check_open()
        found = [kept for kept in self.kept.values() if kept.saved.status in _OPEN]
        return ids_of(sorted(found, key=lambda kept: (kept.created_ms, kept.saved.table_id)))

    async def tables_of(self, person_id: str) -> Sequence[str]:
        """The open tables of a person, the longest unchanged first."""
        self._check_open()
        found = [kept for kept in self.kept.values() if kept.saved.status in _OPEN and person_id in kept.people]
        return ids_of(sorted(found, key=lambda kept: (kept.updated_ms, kept.saved.table_id)))

    async def idle_tables(self, status: Status, before_ms: int) -> Sequence[str]:
        """Tables that have been left alone."""
        self._check_open()
        found = [kept for kept in self.kept.values() if kept.saved.status == status and kept.updated_ms < before_ms]
        return ids_of(sorted(found, key=lambda kept: (kept.updated_ms, kept.saved.table_id)))

    async def deadlines(self) -> Sequence[tuple[str, int]]:
        """The deadlines of open tables."""
        self._check_open()
        found = [
            (kept.deadline_ms, kept.saved.table_id)
            for kept in self.kept.values()
            if kept.deadline_ms is not None and kept.saved.status == Status.PLAYING
        ]
        return tuple((table_id, at_ms) for at_ms, table_id in sorted(found))

    async def suspend(self, table_id: str) -> None:
        """Mark a table that cannot be read."""
        self._check_open()
        kept = self.kept.get(table_id)
        if kept is not None:
            kept.saved = msgspec.structs.replace(kept.saved, status=Status.SUSPENDED.value)

    # homes

    async def add_home(self, home: Home) -> None:
        """Show a table in one more place."""
        self._check_open()
        self._check_table(home)
        self._homes.setdefault(key_of(home), home)

    async def move_homes(self, platform: str, place: str, to: str) -> Sequence[str]:
        """Take a place's homes along to its new name."""
        self._check_open()
        moved = [home for home in self._homes.values() if (home.platform, home.place) == (platform, place)]
        for home in moved:
            del self._homes[key_of(home)]
            there = Home(home.table_id, platform, to)
            self._homes.setdefault(key_of(there), there)
        return tuple(sorted(home.table_id for home in moved))

    async def homes(self, table_id: str) -> Sequence[Home]:
        """Where a table is shown."""
        self._check_open()
        return tuple(home for key, home in sorted(self._homes.items()) if home.table_id == table_id)

    async def tables_at(self, platform: str, place: str) -> Sequence[str]:
        """The open tables of a place, the newest first."""
        self._check_open()
        here = {home.table_id for home in self._homes.values() if (home.platform, home.place) == (platform, place)}
        found = [self.kept[table_id] for table_id in here if self.kept[table_id].saved.status in _OPEN]
        return ids_of(sorted(found, key=lambda kept: (kept.created_ms, kept.saved.table_id), reverse=True))

    async def lagging_homes(self, since_ms: int = 0) -> Sequence[Home]:
        """Homes that show less than their table's version."""
        self._check_open()
        found = (home for _, home in sorted(self._homes.items()) if self._lags(home))
        return tuple(home for home in found if self._is_recent(home, since_ms))

    def _is_recent(self, home: Home, since_ms: int) -> bool:
        kept = self.kept[home.table_id]
        return kept.updated_ms >= since_ms or (home.shown_version < 0 and kept.saved.status in _OPEN)

    def _lags(self, home: Home) -> bool:
        saved = self.kept[home.table_id].saved
        return home.shown_version < saved.version and saved.status != Status.SUSPENDED

    async def mark_shown(self, home: Home) -> None:
        """Keep what a home shows now, unless it is older than what it showed."""
        self._check_open()
        self._check_table(home)
        known = self._homes.get(key_of(home))
        if known is None or known.shown_version <= home.shown_version:
            posted = known.posted if known is not None and home.posted is None else home.posted
            self._homes[key_of(home)] = msgspec.structs.replace(home, posted=posted)

    async def swap_posted(self, home: Home, before: str | None) -> bool:
        """Keep what is posted in a home, if nobody has changed it."""
        self._check_open()
        self._check_table(home)
        known = self._homes.get(key_of(home), msgspec.structs.replace(home, posted=None))
        if known.posted not in (before, home.posted):
            return False
        self._homes[key_of(home)] = msgspec.structs.replace(known, posted=home.posted)
        return True

    def _check_table(self, home: Home) -> None:
        if home.table_id not in self.kept:
            raise StoreError(f"{home.table_id}: there is no such table")


def _standing(saved: Saved) -> Standing:
    return Standing(saved.version, saved.events, saved.first_starter, saved.data_digest)


def key_of(home: Home) -> HomeKey:
    return (home.table_id, home.platform, home.place)
