"""What a change needs to be accepted: the one judgement that every store shares."""

from typing import Final, NamedTuple

import msgspec

from adapters.storage.codec import Saved, encode_events, encode_record
from bot.model import Home, Status
from bot.stakes.ledger import Transfer
from bot.store import Change, CommitResult, Conflict, Record, Repeated

FORGOTTEN: Final = "{}"
"""In the place of an answer that told the name of somebody who is forgotten."""
CLOSED: Final = (Status.OVER.value, Status.CANCELLED.value)
"""How tables stand at which nothing more will be done."""


class Stale(Exception):
    """What was read is not true any more: the work has to be done anew, from its beginning."""


class Draft(msgspec.Struct, frozen=True):
    """A change in bytes, ready to be written: a value that cannot be encoded harms nobody but its author."""

    saved: Saved
    payloads: list[bytes]
    people: tuple[str, ...]
    press_id: str | None
    answer: str
    deadline_ms: int | None
    at_ms: int
    transfers: tuple[Transfer, ...] = ()
    due_ms: int | None = None


class Standing(NamedTuple):
    """Where a table stands in the store, as far as a change has to know."""

    version: int
    events: int
    first_starter: int | None
    data_digest: bytes | None


def draft(change: Change, at_ms: int) -> Draft:
    """A change in bytes."""
    record = change.record
    return Draft(
        saved=encode_record(record),
        payloads=encode_events(change.events),
        people=people_of(record),
        press_id=change.press_id,
        answer=change.answer,
        deadline_ms=change.deadline_ms,
        at_ms=at_ms,
        transfers=change.transfers,
        due_ms=change.due_ms,
    )


def people_of(record: Record) -> tuple[str, ...]:
    """The persons at a record's table, each once."""
    return tuple(dict.fromkeys(record.table.people))


def judge(change: Draft, standing: Standing | None, answered: str | None) -> CommitResult | None:
    """Why a change is not written; None where it is.

    Args:
        change: what is to be written.
        standing: where the table stands; None where there is no such table.
        answered: what the change's press was answered before; None for a new one.

    Raises:
        ValueError: the change is not what the contract asks for; that is a bug, not a race.
    """
    if answered is not None:
        return Repeated(answered)
    saved = change.saved
    if standing is None or standing.version + 1 != saved.version:
        return Conflict()
    if standing.events + len(change.payloads) != saved.events:
        raise ValueError(
            f"{saved.table_id}: {standing.events} events and {len(change.payloads)} new ones are not {saved.events}"
        )
    if standing.first_starter not in (None, saved.first_starter):
        # The events are of one match: with another one folded into them nothing could be rebuilt.
        raise ValueError(f"{saved.table_id}: a table keeps its match")
    return None


def standing_after(change: Draft) -> Standing:
    """Where the table stands once the change is written."""
    saved = change.saved
    return Standing(saved.version, saved.events, saved.first_starter, saved.data_digest)


def check_new(record: Record, home: Home | None) -> None:
    """Refuse a new table that is not at its beginning.

    Raises:
        ValueError: it has a version or events already, or its home belongs to another table.
    """
    if record.version or record.events:
        raise ValueError(f"{record.table.id}: a new table has version 0 and no events")
    if home is not None and home.table_id != record.table.id:
        raise ValueError(f"{record.table.id}: the home is of another table")
