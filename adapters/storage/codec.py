"""From values to stored bytes and back: JSON, digests, and the match rebuilt from its events.

The rules stand once in the table's own JSON; a snapshot holds only what play changes.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

import msgspec

from bot.model import Person, PlaceSettings, Status, Table
from bot.store import Record, UnreadableSave
from engine.events import DealStarted, Event
from engine.evolve import evolve_all
from engine.state import Deal, Match

SCHEMA: Final = 1
"""The form of the stored JSON. It goes up when old JSON does not decode any more, together with an :class:`Upcast`."""

Tree = dict[str, Any]


class Upcast(msgspec.Struct, frozen=True):
    """Lifts JSON of one schema to the next; each part is left as it is by default."""

    table: Callable[[Tree], Tree] = lambda tree: tree
    snapshot: Callable[[Tree], Tree] = lambda tree: tree


UPCASTS: Final[Mapping[int, Upcast]] = {}
"""By the schema that it starts from."""


class Progress(msgspec.Struct, frozen=True):
    """The snapshot: what of a :class:`Match` is neither rules, seating nor the first starter."""

    totals: tuple[int, ...]
    deals: int = 0
    deal: Deal | None = None
    winner: int | None = None


class Saved(msgspec.Struct, frozen=True):
    """A table as it lies in the store."""

    table_id: str
    status: str
    version: int
    events: int
    first_starter: int | None
    schema: int
    snapshot: bytes | None
    digest: bytes | None
    data_schema: int
    data: bytes
    data_digest: bytes | None
    deadline_ms: int | None = None
    """As it is stored; a change names its own."""


class BrokenSnapshot(Exception):
    """Only the snapshot cannot be read; the events may tell the rest."""


_DIGEST_BYTES: Final = 16
_PIECE_BYTES: Final = 2000
_RECENT: Final = 1024
"""Tables whose newest record is kept with its bytes: whoever acts next finds the same bytes in the store."""

_encoder = msgspec.json.Encoder()
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_table_decoder = msgspec.json.Decoder(Table)
_progress_decoder = msgspec.json.Decoder(Progress)
_place_decoder = msgspec.json.Decoder(PlaceSettings)
_person_decoder = msgspec.json.Decoder(Person)

_decoded: OrderedDict[str, tuple[Saved, Record]] = OrderedDict()

_FOLDING_ERRORS: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What folding events that contradict each other may end in."""


def digest_of(data: bytes) -> bytes:
    """The digest that is stored beside bytes: it finds damage, it is no signature."""
    digest = blake2b(digest_size=_DIGEST_BYTES)
    # In pieces: over a long one hashlib lets go of the interpreter, and while pictures are drawn getting it back takes
    # a thousand times as long as the digest.
    for start in range(0, len(data), _PIECE_BYTES):
        digest.update(data[start : start + _PIECE_BYTES])
    return digest.digest()


def encode_record(record: Record) -> Saved:
    """A record's bytes.

    Raises:
        ValueError: the match is played by other rules, or in another seating, than the table.
    """
    table, match = record.table, record.match
    data = _encoder.encode(table)
    snapshot: bytes | None = None
    if match is not None:
        if match.rules != table.rules or match.seating != table.seating:
            raise ValueError(f"{table.id}: the match has other rules or another seating than its table")
        snapshot = _encoder.encode(Progress(match.totals, match.deals, match.deal, match.winner))
    return Saved(
        table_id=table.id,
        status=table.status,
        version=record.version,
        events=record.events,
        first_starter=None if match is None else match.first_starter,
        schema=SCHEMA,
        snapshot=snapshot,
        digest=None if snapshot is None else digest_of(snapshot),
        data_schema=SCHEMA,
        data=data,
        data_digest=digest_of(data),
    )


def decode_record(saved: Saved) -> Record:
    """The record of a table's bytes; as long as they stay the same, they give the same value.

    Raises:
        BrokenSnapshot: only the snapshot is damaged: :func:`rebuild_record` may help.
        UnreadableSave: the table itself is.
    """
    known = _decoded.get(saved.table_id)
    if known is not None and known[0] == saved:
        _decoded.move_to_end(saved.table_id)
        return known[1]
    record = _decode_record(saved)
    _keep(saved, record)
    return record


def remember_decoded(saved: Saved, record: Record) -> None:
    """Take note of what bytes say that have just been written: they need not be decoded where they are read again."""
    if record.deadline_ms != saved.deadline_ms:
        # The deadline that a change names is stored, whatever its record says.
        record = msgspec.structs.replace(record, deadline_ms=saved.deadline_ms)
    _keep(saved, record)


def _keep(saved: Saved, record: Record) -> None:
    _decoded[saved.table_id] = (saved, record)
    _decoded.move_to_end(saved.table_id)
    if len(_decoded) > _RECENT:
        _decoded.popitem(last=False)


def _decode_record(saved: Saved) -> Record:
    table = _decode_table(saved)
    match: Match | None = None
    if saved.first_starter is not None:
        match = _decode_match(saved, table, saved.first_starter)
    elif saved.snapshot is not None or saved.events:
        raise BrokenSnapshot("a match without its first starter")
    return Record(table, saved.version, match, saved.events, saved.deadline_ms)


def forget_decoded() -> None:
    """Decode everything anew from now on: for whoever changes how it is done."""
    _decoded.clear()
    _table_of.cache_clear()


def _decode_table(saved: Saved) -> Table:
    table = _table_of(saved.table_id, saved.data_schema, saved.data, saved.data_digest)
    if saved.status == Status.SUSPENDED:
        # The mark stands in its own column, because suspending must not need to read or write anything else.
        table = msgspec.structs.replace(table, status=Status.SUSPENDED)
    return table


@lru_cache(maxsize=_RECENT)
def _table_of(table_id: str, schema: int, data: bytes, digest: bytes | None) -> Table:
    """What a table's own bytes say: they stay the same from action to action, and so do the rules in them."""
    if digest is not None and digest != digest_of(data):
        raise UnreadableSave(table_id, "the table does not agree with its digest")
    try:
        if schema == SCHEMA:
            return _table_decoder.decode(data)
        return msgspec.convert(_lift(data, schema, lambda upcast: upcast.table), Table)
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise UnreadableSave(table_id, f"the table cannot be read: {error}") from error


def _decode_match(saved: Saved, table: Table, first_starter: int) -> Match:
    if saved.snapshot is None:
        raise BrokenSnapshot("the snapshot is missing")
    if saved.digest is not None and saved.digest != digest_of(saved.snapshot):
        raise BrokenSnapshot("the snapshot does not agree with its digest")
    try:
        if saved.schema == SCHEMA:
            progress = _progress_decoder.decode(saved.snapshot)
        else:
            progress = msgspec.convert(_lift(saved.snapshot, saved.schema, lambda upcast: upcast.snapshot), Progress)
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise BrokenSnapshot(f"the snapshot cannot be read: {error}") from error
    return Match(
        rules=table.rules,
        seating=table.seating,
        first_starter=first_starter,
        totals=progress.totals,
        deals=progress.deals,
        deal=progress.deal,
        winner=progress.winner,
    )


def _lift(data: bytes, schema: int, part: Callable[[Upcast], Callable[[Tree], Tree]]) -> Tree:
    tree: Tree = msgspec.json.decode(data, type=Tree)
    while schema != SCHEMA:
        tree = part(UPCASTS[schema])(tree)
        schema += 1
    return tree


def rebuild_record(saved: Saved, payloads: Sequence[bytes]) -> Record:
    """The record of a table whose snapshot is lost, from all its events.

    Raises:
        UnreadableSave: the events do not lead to it either.
    """
    table = _decode_table(saved)
    if len(payloads) != saved.events:
        raise UnreadableSave(saved.table_id, f"{len(payloads)} of {saved.events} events are there")
    happened = decode_events(saved.table_id, payloads)
    starter = saved.first_starter
    if starter is None and happened and isinstance(happened[0], DealStarted):
        starter = happened[0].starter
    if starter is None:
        raise UnreadableSave(saved.table_id, "nobody knows who starts")
    # Not new_match: it judges, and the rules may have learnt since then to refuse what was played.
    before = Match(rules=table.rules, seating=table.seating, first_starter=starter, totals=(0,) * table.seating.sides)
    try:
        match = evolve_all(before, happened)
    except _FOLDING_ERRORS as error:
        raise UnreadableSave(saved.table_id, f"the events contradict each other: {error!r}") from error
    return Record(table, saved.version, match, saved.events, saved.deadline_ms)


def encode_events(happened: Sequence[Event]) -> list[bytes]:
    """The bytes of each event."""
    return [_encoder.encode(event) for event in happened]


def decode_events(table_id: str, payloads: Sequence[bytes]) -> tuple[Event, ...]:
    """The events of a table from their bytes.

    Raises:
        UnreadableSave: one cannot be read.
    """
    found: list[Event] = []
    for payload in payloads:
        try:
            found.append(_event_decoder.decode(payload))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise UnreadableSave(table_id, f"event {len(found) + 1} cannot be read: {error}") from error
    return tuple(found)


def json_text(text: str) -> str:
    """A text as it stands within stored JSON."""
    return _encoder.encode(text)[1:-1].decode()


def encode_person(person: Person) -> bytes:
    """A person's bytes."""
    return _encoder.encode(person)


def decode_person(person_id: str, data: bytes) -> Person:
    """A person from their bytes.

    Raises:
        UnreadableSave: they make no sense.
    """
    try:
        return _person_decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableSave(person_id, f"the person cannot be read: {error}") from error


def encode_place(settings: PlaceSettings) -> bytes:
    """The bytes of a place's settings."""
    return _encoder.encode(settings)


def decode_place(place: str, data: bytes) -> PlaceSettings:
    """A place's settings from their bytes.

    Raises:
        UnreadableSave: they make no sense.
    """
    try:
        return _place_decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableSave(place, f"the settings cannot be read: {error}") from error
