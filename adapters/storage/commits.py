"""A group of changes in a handful of statements, however many they are: the transaction that every action goes through.

The caller has begun the transaction and holds the write lock, so what is read here stays true until the commit.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update

from adapters.storage.changes import Draft, Standing, judge, standing_after
from adapters.storage.codec import Saved
from adapters.storage.postings import open_books, write_books
from adapters.storage.schema import events, presses, seats, table_data, tables
from bot.store import CommitResult, Committed

_WHERE_THEY_STAND = (
    select(tables.c.id, tables.c.version, tables.c.events, tables.c.first_starter, table_data.c.digest)
    .join_from(tables, table_data)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.c.id)
)
# Of both: what a lock was waited for is read anew only from the rows that are locked.
_STANDINGS = _WHERE_THEY_STAND.with_for_update(of=(tables, table_data))
_FREE_STANDINGS = _WHERE_THEY_STAND.with_for_update(of=(tables, table_data), skip_locked=True)
_STORED = select(tables.c.version, tables.c.events, tables.c.digest, table_data.c.digest).join_from(tables, table_data)
_ANSWERS = select(presses.c.press_id, presses.c.answer).where(presses.c.press_id.in_(bindparam("ids", expanding=True)))
_ADVANCE = (
    update(tables)
    .where(tables.c.id == bindparam("id_"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "status",
                "version",
                "events",
                "first_starter",
                "schema",
                "snapshot",
                "digest",
                "deadline_ms",
                "updated_ms",
                "due_ms",
            )
        }
    )
)
_REPLACE_DATA = (
    update(table_data)
    .where(table_data.c.table_id == bindparam("id_"))
    .values(schema=bindparam("schema"), data=bindparam("data"), digest=bindparam("digest"))
)
# Made once: a statement that is made anew is looked up anew among those that have been compiled.
_ADD_EVENTS = insert(events)
_ADD_PRESSES = insert(presses)
_SIT = insert(seats)
_LEAVE = delete(seats).where(seats.c.table_id == bindparam("id_"))

Rows = list[dict[str, Any]]
Outcome = CommitResult | ValueError
"""An error is a bug of whoever made the change; the others of its group are written."""


class _Group:
    """The rows that the accepted changes of a group add up to."""

    def __init__(self) -> None:
        self.events: Rows = []
        self.presses: Rows = []
        self.tables: dict[str, dict[str, Any]] = {}
        self.data: dict[str, dict[str, Any]] = {}
        self.seats: dict[str, tuple[str, ...]] = {}

    def add(self, change: Draft, standing: Standing) -> None:
        saved, table_id = change.saved, change.saved.table_id
        self.events += [
            {"table_id": table_id, "seq": seq, "payload": payload, "at_ms": change.at_ms}
            for seq, payload in enumerate(change.payloads, standing.events + 1)
        ]
        if change.press_id is not None:
            self.presses.append(press_row(change.press_id, table_id, saved.version, change.answer, change.at_ms))
        self.tables[table_id] = {
            "id_": table_id,
            "status": saved.status,
            "version": saved.version,
            "events": saved.events,
            "first_starter": saved.first_starter,
            "schema": saved.schema,
            "snapshot": saved.snapshot,
            "digest": saved.digest,
            "deadline_ms": change.deadline_ms,
            "updated_ms": change.at_ms,
            "due_ms": change.due_ms,
        }
        if standing.data_digest != saved.data_digest:
            self.data[table_id] = {
                "id_": table_id,
                "schema": saved.data_schema,
                "data": saved.data,
                "digest": saved.data_digest,
            }
            self.seats[table_id] = change.people

    def write(self, connection: Connection) -> None:
        if self.events:
            connection.execute(_ADD_EVENTS, self.events)
        if self.presses:
            connection.execute(_ADD_PRESSES, self.presses)
        if self.tables:
            connection.execute(_ADVANCE, list(self.tables.values()))
        if self.data:
            connection.execute(_REPLACE_DATA, list(self.data.values()))
            connection.execute(_LEAVE, [{"id_": table_id} for table_id in self.seats])
            sitting = [row for table_id, people in self.seats.items() for row in seat_rows(table_id, people)]
            if sitting:
                connection.execute(_SIT, sitting)


def apply_changes(connection: Connection, changes: Sequence[Draft]) -> Sequence[Outcome]:
    """Write what of a group of changes can be written; an outcome for each, in their order.

    Changes of one table follow each other as if each had its own transaction.
    """
    return _apply(connection, changes, _standings(connection, _STANDINGS, changes))


def apply_free_changes(connection: Connection, changes: Sequence[Draft]) -> Sequence[Outcome | None]:
    """The same without waiting for anybody: None for the changes of tables that are locked, or are not there."""
    standings = _standings(connection, _FREE_STANDINGS, changes)
    there = [change for change in changes if change.saved.table_id in standings]
    outcomes = iter(_apply(connection, there, standings))
    return [next(outcomes) if change.saved.table_id in standings else None for change in changes]


def _apply(connection: Connection, changes: Sequence[Draft], standings: dict[str, Standing]) -> Sequence[Outcome]:
    answers = _answers(connection, changes)
    books = open_books(connection, (transfer for change in changes for transfer in change.transfers))
    group = _Group()
    outcomes: list[Outcome] = []
    for change in changes:
        table_id, press_id = change.saved.table_id, change.press_id
        standing = standings.get(table_id)
        try:
            refused = judge(change, standing, None if press_id is None else answers.get(press_id))
            refused = refused or books.short(change.transfers)
        except ValueError as error:
            outcomes.append(error)
            continue
        if refused is not None or standing is None:
            outcomes.append(refused or Committed())
            continue
        group.add(change, standing)
        books.post(change.transfers)
        standings[table_id] = standing_after(change)
        if press_id is not None:
            answers[press_id] = change.answer
        outcomes.append(Committed())
    group.write(connection)
    write_books(connection, books, max((change.at_ms for change in changes), default=0))
    return outcomes


def apply_change(connection: Connection, change: Draft) -> CommitResult:
    """Write one change, or tell why not.

    Raises:
        ValueError: a bug of whoever made it.
    """
    (outcome,) = apply_changes(connection, [change])
    if isinstance(outcome, ValueError):
        raise outcome
    return outcome


def apply_again(connection: Connection, change: Draft) -> CommitResult:
    """Write one change of which nobody knows whether it has been written: whoever finds it there has written it.

    The row is locked first, so that a transaction which is still under way is waited for.

    Raises:
        ValueError: a bug of whoever made it.
    """
    outcome = apply_change(connection, change)
    if isinstance(outcome, Committed) or not is_written(connection, change.saved, change.press_id, change.answer):
        return outcome
    return Committed()


def is_written(connection: Connection, saved: Saved, press_id: str | None, answer: str) -> bool:
    """Whether the store holds just what a change would have written: its press, or its bytes where it has none."""
    if press_id is not None:
        query = select(presses.c.table_id, presses.c.version, presses.c.answer).where(presses.c.press_id == press_id)
        known = connection.execute(query).first()
        return known is not None and tuple(known) == (saved.table_id, saved.version, answer)
    stored = connection.execute(_STORED.where(tables.c.id == saved.table_id)).first()
    return stored is not None and tuple(stored) == (saved.version, saved.events, saved.digest, saved.data_digest)


def _standings(connection: Connection, query: Select[Any], changes: Sequence[Draft]) -> dict[str, Standing]:
    ids = list({change.saved.table_id for change in changes})
    found = connection.execute(query, {"ids": ids})
    return {table_id: Standing(*rest) for table_id, *rest in found}


def _answers(connection: Connection, changes: Sequence[Draft]) -> dict[str, str]:
    ids = list({change.press_id for change in changes if change.press_id is not None})
    if not ids:
        return {}
    found = connection.execute(_ANSWERS, {"ids": ids})
    return {row.press_id: row.answer for row in found}


def insert_table(connection: Connection, saved: Saved, code: str, created_ms: int, now_ms: int) -> None:
    """Insert a new table."""
    connection.execute(
        insert(tables),
        {
            "id": saved.table_id,
            "code": code,
            "status": saved.status,
            "version": saved.version,
            "events": saved.events,
            "first_starter": saved.first_starter,
            "schema": saved.schema,
            "snapshot": saved.snapshot,
            "digest": saved.digest,
            "created_ms": created_ms,
            "updated_ms": now_ms,
        },
    )
    connection.execute(
        insert(table_data),
        {"table_id": saved.table_id, "schema": saved.data_schema, "data": saved.data, "digest": saved.data_digest},
    )


def press_row(press_id: str, table_id: str, version: int, answer: str, at_ms: int) -> dict[str, Any]:
    """A row of presses."""
    return {"press_id": press_id, "table_id": table_id, "version": version, "answer": answer, "at_ms": at_ms}


def seat_rows(table_id: str, people: Sequence[str]) -> Rows:
    """The rows of seats for a table's people."""
    return [{"table_id": table_id, "person_id": person} for person in people]
