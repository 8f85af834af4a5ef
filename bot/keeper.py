"""Keeping tables: one lock a table in the process, loading, and the one transaction of every change."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from itertools import islice
from typing import Final, TypeVar
from weakref import WeakValueDictionary

import msgspec
import structlog

from bot import metrics
from bot.fairness import Sealer
from bot.model import Status, Table
from bot.stakes.ledger import Short, person_of
from bot.stakes.rules import transfers_between
from bot.store import Change, Committed, Record, Repeated, Store, StoreBusy, UnreadableSave, Woken
from engine.decide import Events
from engine.evolve import evolve_all
from engine.state import Match

log = structlog.get_logger()

AT_ONCE: Final = 100
"""So many tables are read together, where many are looked at."""

RECENT: Final = 1024
"""Tables whose newest record is at hand, those that were changed or read last: a change is shown within a moment."""

Listener = Callable[[Record], None]
_T = TypeVar("_T")


class Unknown(LookupError):
    """No table of this id or code."""


class CannotPay(Exception):
    """Somebody at a table has fewer coins than its stake. Nothing was changed."""

    def __init__(self, person_id: str) -> None:
        super().__init__(person_id)
        self.person_id = person_id


def _no_deadline(before: Record, after: Record) -> int | None:
    del before, after
    return None


def _nothing_due(record: Record) -> int | None:
    del record
    return None


class Keeper:
    """The tables of a store, each under its own lock."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.sealer = Sealer(store)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []
        self._recent: OrderedDict[str, Record] = OrderedDict()
        self.deadline_of: Callable[[Record, Record], int | None] = _no_deadline
        """What to store as the deadline of a record's turn, by what the table was before and what it becomes."""
        self.due_of: Callable[[Record], int | None] = _nothing_due
        """When the program has something to do at a table; not asked where it knows that by itself."""

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` with every record that has been committed, after the commit."""
        self._listeners.append(listener)

    def lock(self, table_id: str) -> asyncio.Lock:
        """The lock of a table. Nothing but the store is awaited under it."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def load(self, table_id: str) -> Record:
        """A table as last committed.

        Raises:
            Unknown: there is none.
            UnreadableSave: its save cannot be read; the table is suspended, and it alone.
        """
        return self._known(table_id, await self._read(table_id, self.store.load(table_id)))

    async def load_for_press(self, table_id: str, press_id: str) -> tuple[Record, str | None]:
        """A table as last committed, and what a press was answered there before, if it was.

        Raises:
            Unknown: there is no such table.
            UnreadableSave: its save cannot be read; the table is suspended, and it alone.
        """
        record, answer = await self._read(table_id, self.store.load_for_press(table_id, press_id))
        return self._known(table_id, record), answer

    async def newest(self, table_id: str) -> Record:
        """A table as last committed, to be shown and not to be changed.

        Where the store belongs to this process alone, nobody else can have changed what was committed or read here
        last: it is not read once more for each of those who are shown it.

        Raises:
            Unknown: there is none.
            UnreadableSave: its save cannot be read; the table is suspended, and it alone.
        """
        recent = self._recent.get(table_id)
        return await self.load(table_id) if recent is None else recent

    async def wake(self, now_ms: int, quiet_ms: int, grace_ms: int) -> Woken:
        """Note that this process is up, as the store does it; that may move the deadlines of all tables."""
        woken = await self.store.wake(now_ms, quiet_ms, grace_ms)
        self.forget_recent()
        return woken

    def forget_recent(self) -> None:
        """Read everything anew: something has been changed at many tables at once."""
        self._recent.clear()

    def _known(self, table_id: str, record: Record | None) -> Record:
        if record is None:
            raise Unknown(table_id)
        self._remember(record)
        return record

    def _remember(self, record: Record) -> None:
        """Have a record at hand, unless what is at hand is newer: a read may be overtaken by a commit."""
        if self.store.leases.is_shared:
            return
        table_id = record.table.id
        recent = self._recent.get(table_id)
        if recent is None or record.version >= recent.version:
            self._recent[table_id] = record
        self._recent.move_to_end(table_id)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    async def _read(self, table_id: str, reading: Awaitable[_T]) -> _T:
        """What a table is read as; one that cannot be read is suspended."""
        try:
            return await reading
        except UnreadableSave as error:
            self._recent.pop(table_id, None)
            log.error("table.unreadable", table=table_id, problem=error.problem)
            try:
                await self.store.suspend(table_id)
            except StoreBusy as busy:
                log.warning("table.not_suspended", table=table_id, error=str(busy))
            raise

    async def readable(self, table_ids: Iterable[str]) -> AsyncIterator[Record]:
        """The tables of these ids as last committed, in their order; those that are gone or unreadable are left out."""
        left = iter(table_ids)
        while part := tuple(islice(left, AT_ONCE)):
            # Asked for one by one, a thousand tables wait for a thousand turns of the store.
            whole = await self.store.load_whole(part)
            for table_id in part:
                record = whole.get(table_id)
                if record is None:
                    record = await self._mended(table_id)
                    # Meanwhile any of the others may have changed: the rest is read anew, one by one.
                    whole = {}
                if record is not None:
                    yield record

    async def _mended(self, table_id: str) -> Record | None:
        """A table that could not be read as it stands; None where nothing can be made of it."""
        try:
            return await self.load(table_id)
        except (UnreadableSave, Unknown):
            return None

    async def commit(
        self,
        before: Record,
        *,
        table: Table | None = None,
        match: Match | None = None,
        events: Events = (),
        press_id: str | None = None,
        answer: str = "",
    ) -> Record | Repeated | None:
        """Commit what a table becomes: a new value of the table, a new match, or events folded into the one it has.

        Returns the committed record, or that the press had been applied before, or None where somebody else changed
        the table first.

        Raises:
            CannotPay: the match begins for coins that somebody does not have.
        """
        folded = match if match is not None else before.match
        if folded is not None:
            folded = evolve_all(folded, events)
        value = table or before.table
        if folded is not None:
            value = await self._sealed(value, match if match is not None else before.match, events)
        if folded is not None and folded.is_over:
            value = msgspec.structs.replace(value, status=Status.OVER)
        record = msgspec.structs.replace(
            before,
            table=value,
            version=before.version + 1,
            match=folded,
            events=before.events + len(events),
        )
        record = msgspec.structs.replace(record, deadline_ms=self.deadline_of(before, record))
        coins = transfers_between(before.table, value, folded)
        change = Change(record, events, press_id, answer, record.deadline_ms, coins, self.due_of(record))
        with metrics.COMMIT_SECONDS.time():
            result = await self.store.commit(change)
        if isinstance(result, Short):
            raise CannotPay(person_of(result.account))
        if isinstance(result, Committed):
            self._remember(record)
            self._tell(record)
            return record
        return result if isinstance(result, Repeated) else None

    async def _sealed(self, table: Table, before: Match | None, events: Events) -> Table:
        """The table with the seal of a deal that begins, or that of one that ends opened, in the same transaction."""
        deal = before.deal.number if before is not None and before.deal is not None else None
        seals = await self.sealer.seals_after(
            table.seals,
            table.id,
            table.rules,
            table.seating,
            events,
            in_play=deal,
            fixed=table.lesson and deal is None,
        )
        return table if seals == table.seals else msgspec.structs.replace(table, seals=seals)

    def _tell(self, record: Record) -> None:
        for listener in self._listeners:
            try:
                listener(record)
            except Exception:  # What is committed is done, whatever becomes of the notice.
                log.exception("table.listener_failed", table=record.table.id)
