"""Keeping tables: one lock a table in the process, loading, and the one transaction of every change."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import islice
from typing import Final
from weakref import WeakValueDictionary

import msgspec
import structlog

from bot import metrics
from bot.fairness import Sealer
from bot.model import Status, Table
from bot.stakes.ledger import Short, person_of
from bot.stakes.rules import transfers_between
from bot.store import Change, Committed, Record, Repeated, Store, StoreBusy, UnreadableSave
from engine.decide import Events
from engine.evolve import evolve_all
from engine.state import Match

log = structlog.get_logger()

AT_ONCE: Final = 100
"""So many tables are read together, where many are looked at."""

Listener = Callable[[Record], None]


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
        try:
            record = await self.store.load(table_id)
        except UnreadableSave as error:
            log.error("table.unreadable", table=table_id, problem=error.problem)
            try:
                await self.store.suspend(table_id)
            except StoreBusy as busy:
                log.warning("table.not_suspended", table=table_id, error=str(busy))
            raise
        if record is None:
            raise Unknown(table_id)
        return record

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
