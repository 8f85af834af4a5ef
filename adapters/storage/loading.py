"""Reading tables over SQL: each with its snapshot, and with its events where the snapshot is damaged."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import structlog
from sqlalchemy import Connection, bindparam, select

from adapters.storage.codec import BrokenSnapshot, Saved, decode_events, decode_record, rebuild_record
from adapters.storage.jobs import Jobs
from adapters.storage.schema import events, presses, table_data, tables
from bot.store import Record, UnreadableSave
from engine.events import Event

_COLUMNS: Final = select(
    tables.c.id,
    tables.c.status,
    tables.c.version,
    tables.c.events,
    tables.c.first_starter,
    tables.c.schema,
    tables.c.snapshot,
    tables.c.digest,
    table_data.c.schema,
    table_data.c.data,
    table_data.c.digest,
    tables.c.deadline_ms,
).join_from(tables, table_data, isouter=True)
_SAVED: Final = _COLUMNS.where(tables.c.id == bindparam("id_"))
_SAVED_AND_ANSWER: Final = _COLUMNS.add_columns(
    select(presses.c.answer).where(presses.c.press_id == bindparam("press")).scalar_subquery()
).where(tables.c.id == bindparam("id_"))
_ALL_SAVED: Final = _COLUMNS.where(tables.c.id.in_(bindparam("ids", expanding=True)))
_DATA: Final = 9
"""Where the table's own data stand in such a row."""
_PAYLOADS: Final = select(events.c.payload).where(events.c.table_id == bindparam("id_")).order_by(events.c.seq)

_log = structlog.get_logger(__name__)


class SqlLoading:
    """The part of the store that reads tables; decoding happens in the caller's task."""

    _writer: Jobs

    async def load(self, table_id: str) -> Record | None:
        """A table by id, rebuilt from its events where its snapshot is damaged."""
        saved = await self._writer.read(lambda c: _saved(c, table_id))
        return None if saved is None else await self._decoded(saved)

    async def load_for_press(self, table_id: str, press_id: str) -> tuple[Record | None, str | None]:
        """A table by id, and what a press was answered there before."""
        saved, answer = await self._writer.read(lambda c: _saved_and_answer(c, table_id, press_id))
        return None if saved is None else await self._decoded(saved), answer

    async def _decoded(self, saved: Saved) -> Record:
        table_id = saved.table_id
        try:
            return decode_record(saved)
        except BrokenSnapshot as error:
            _log.error("storage.snapshot_broken", table=table_id, version=saved.version, problem=str(error))
        # Read again: the table may have moved on since, and its events with it.
        whole, payloads = await self._writer.view(lambda c: _with_events(c, table_id))
        record = rebuild_record(whole, payloads)
        _log.warning("storage.snapshot_rebuilt", table=table_id, version=record.version, events=record.events)
        return record

    async def load_whole(self, table_ids: Collection[str]) -> Mapping[str, Record]:
        """Those of some tables that can be read as they stand."""
        wanted = {"ids": list(table_ids)}
        rows = await self._writer.read(lambda c: c.execute(_ALL_SAVED, wanted).all())
        whole: dict[str, Record] = {}
        for row in rows:
            if row[_DATA] is not None:
                saved = Saved(*row)
                try:
                    whole[saved.table_id] = decode_record(saved)
                except (BrokenSnapshot, UnreadableSave):
                    continue
        return whole

    async def events(self, table_id: str) -> Sequence[Event]:
        """All events of a table's match, in order."""
        return decode_events(table_id, await self._writer.read(lambda c: _payloads(c, table_id)))


def _saved(connection: Connection, table_id: str) -> Saved | None:
    row = connection.execute(_SAVED, {"id_": table_id}).first()
    return None if row is None else _checked(row)


def _saved_and_answer(connection: Connection, table_id: str, press_id: str) -> tuple[Saved | None, str | None]:
    row = connection.execute(_SAVED_AND_ANSWER, {"id_": table_id, "press": press_id}).first()
    if row is None:
        return None, None
    *columns, answer = row
    return _checked(columns), answer


def _checked(columns: Sequence[Any]) -> Saved:
    if columns[_DATA] is None:
        raise UnreadableSave(columns[0], "the table's own data is missing")
    return Saved(*columns)


def _payloads(connection: Connection, table_id: str) -> Sequence[bytes]:
    return connection.scalars(_PAYLOADS, {"id_": table_id}).all()


def _with_events(connection: Connection, table_id: str) -> tuple[Saved, Sequence[bytes]]:
    saved = _saved(connection, table_id)
    if saved is None:
        raise UnreadableSave(table_id, "it vanished")
    return saved, _payloads(connection, table_id)
