"""The store over SQL: each method is a few statements that the writer runs; decoding happens in the caller's task."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, union, update

from adapters.storage.blocks import SqlBlocks
from adapters.storage.changes import check_new, draft, people_of
from adapters.storage.codec import (
    decode_person,
    decode_place,
    encode_person,
    encode_place,
    encode_record,
    remember_decoded,
)
from adapters.storage.commits import insert_table, is_written, press_row, seat_rows
from adapters.storage.groups import Work
from adapters.storage.ledger import SqlLedger
from adapters.storage.letters import SqlLetters
from adapters.storage.loading import SqlLoading
from adapters.storage.results import SqlResults
from adapters.storage.schema import (
    homes,
    notes,
    people,
    person_keys,
    places,
    presses,
    seats,
    tables,
)
from adapters.storage.sharing import SqlSharing
from bot.model import Home, Person, PlaceSettings, Status
from bot.store import Change, CommitResult, Committed, Conflict, Record, Repeated

_T = TypeVar("_T")

_OPEN: Final = (Status.LOBBY.value, Status.PLAYING.value)
_HOME: Final = (homes.c.table_id, homes.c.platform, homes.c.place, homes.c.posted, homes.c.shown_version)

_ANSWER: Final = select(presses.c.answer).where(presses.c.press_id == bindparam("id_"))
_PERSON: Final = select(people.c.data).where(people.c.id == bindparam("id_"))
_PERSON_BY_KEY: Final = (
    select(people.c.data).join_from(person_keys, people).where(person_keys.c.key == bindparam("id_"))
)
_OPEN_TABLES: Final = select(tables.c.id).where(tables.c.status.in_(_OPEN)).order_by(tables.c.created_ms, tables.c.id)
_DEADLINES: Final = (
    select(tables.c.id, tables.c.deadline_ms)
    .where(tables.c.status == Status.PLAYING.value, tables.c.deadline_ms.is_not(None))
    .order_by(tables.c.deadline_ms, tables.c.id)
)
_TABLES_OF: Final = (
    select(tables.c.id)
    .join_from(seats, tables)
    .where(seats.c.person_id == bindparam("id_"), tables.c.status.in_(_OPEN))
    .order_by(tables.c.updated_ms, tables.c.id)
)
_KEYS_OF: Final = (
    select(person_keys.c.key).where(person_keys.c.person_id == bindparam("id_")).order_by(person_keys.c.key)
)
_PLACE: Final = select(places.c.data).where(places.c.key == bindparam("id_"))
_NOTE: Final = select(notes.c.text).where(notes.c.key == bindparam("id_"))
_TABLES_AT: Final = (
    select(tables.c.id)
    .join_from(homes, tables)
    .where(homes.c.platform == bindparam("on"), homes.c.place == bindparam("at"), tables.c.status.in_(_OPEN))
    .order_by(tables.c.created_ms.desc(), tables.c.id.desc())
)
_HOMES: Final = select(*_HOME).where(homes.c.table_id == bindparam("id_")).order_by(homes.c.platform, homes.c.place)
_LAGS: Final = (homes.c.shown_version < tables.c.version, tables.c.status != Status.SUSPENDED.value)
_LAGGING: Final = (
    select(*_HOME).join_from(homes, tables).where(*_LAGS).order_by(homes.c.table_id, homes.c.platform, homes.c.place)
)
_LAGGING_SINCE: Final = union(
    select(*_HOME).join_from(homes, tables).where(*_LAGS, tables.c.updated_ms >= bindparam("since")),
    select(*_HOME).join_from(homes, tables).where(*_LAGS, homes.c.shown_version < 0, tables.c.status.in_(_OPEN)),
).order_by("table_id", "platform", "place")
_IS_HOME: Final = and_(
    homes.c.table_id == bindparam("table"),
    homes.c.platform == bindparam("on"),
    homes.c.place == bindparam("at"),
)
_HOME_THERE: Final = select(homes.c.place).where(_IS_HOME)
_SHOW: Final = (
    update(homes)
    .where(_IS_HOME, homes.c.shown_version <= bindparam("shown_version"))
    .values(posted=func.coalesce(bindparam("posted"), homes.c.posted), shown_version=bindparam("shown_version"))
)
_SWAP: Final = (
    update(homes)
    .where(
        _IS_HOME,
        homes.c.posted.is_not_distinct_from(bindparam("before")) | (homes.c.posted == bindparam("posted_")),
    )
    .values(posted=bindparam("posted_"))
)

_log = structlog.get_logger(__name__)


class SqlStore(SqlLoading, SqlSharing, SqlResults, SqlLedger, SqlBlocks, SqlLetters):
    """All that is kept, in a database; see :class:`bot.store.Store`."""

    async def close(self) -> None:
        """Finish what is being written and let go of everything."""
        await self._writer.close()

    # people

    async def person(self, person_id: str) -> Person | None:
        """A person by id."""
        data = await self._writer.read(_scalar(_PERSON, person_id))
        return None if data is None else decode_person(person_id, data)

    async def person_by_key(self, key: str) -> Person | None:
        """The person behind a platform's key."""
        data = await self._writer.read(_scalar(_PERSON_BY_KEY, key))
        return None if data is None else decode_person(key, data)

    async def add_person(self, person: Person, key: str) -> Person:
        """Keep a new person under a key, or return the one who has it.

        A person who is known already gets one more key and stays as they are.
        """
        data = encode_person(person)

        def work(connection: Connection) -> bytes:
            known: bytes | None = _scalar(_PERSON_BY_KEY, key)(connection)
            if known is not None:
                return known
            stored: bytes | None = _scalar(_PERSON, person.id)(connection)
            if stored is None:
                connection.execute(insert(people), {"id": person.id, "data": data})
            connection.execute(insert(person_keys), {"key": key, "person_id": person.id})
            return stored or data

        return decode_person(person.id, await self._writer.write(work))

    async def save_person(self, person: Person) -> None:
        """Replace a person's name and settings; nobody comes back who is not there any more."""
        values = {"data": encode_person(person)}
        await self._writer.write(lambda c: c.execute(update(people).where(people.c.id == person.id).values(values)))

    async def keys_of(self, person_id: str) -> Sequence[str]:
        """The platforms' keys of a person."""
        return await self._writer.read(lambda c: tuple(c.scalars(_KEYS_OF, {"id_": person_id})))

    # places

    async def place_settings(self, place: str) -> PlaceSettings | None:
        """What a place has settled."""
        data = await self._writer.read(_scalar(_PLACE, place))
        return None if data is None else decode_place(place, data)

    async def save_place_settings(self, place: str, settings: PlaceSettings) -> None:
        """Keep what a place has settled."""
        data = encode_place(settings)

        def work(connection: Connection) -> None:
            change = update(places).where(places.c.key == place).values(data=data)
            if connection.execute(change).rowcount == 0:
                connection.execute(insert(places), {"key": place, "data": data})

        await self._writer.write(work)

    # notes

    async def note(self, key: str) -> str | None:
        """A small fact."""
        return await self._writer.read(_scalar(_NOTE, key))

    async def write_note(self, key: str, text: str) -> None:
        """Write a small fact down."""

        def work(connection: Connection) -> None:
            change = update(notes).where(notes.c.key == key).values(text=text)
            if connection.execute(change).rowcount == 0:
                connection.execute(insert(notes), {"key": key, "text": text})

        await self._writer.write(work)

    async def settle_note(self, key: str, text: str) -> str:
        """Write a small fact down where nothing stands yet."""

        def work(connection: Connection) -> str:
            known: str | None = _scalar(_NOTE, key)(connection)
            if known is None:
                connection.execute(insert(notes), {"key": key, "text": text})
            return text if known is None else known

        return await self._writer.write(work)

    # tables

    async def create(self, record: Record, home: Home | None, press_id: str | None = None) -> CommitResult:
        """Keep a new table and where it is shown; its id is the press's answer."""
        check_new(record, home)
        saved, code, now_ms = encode_record(record), record.table.code.casefold(), self._now_ms()

        def work(connection: Connection) -> CommitResult:
            if press_id is not None and (answer := _scalar(_ANSWER, press_id)(connection)) is not None:
                return Repeated(answer)
            taken = select(tables.c.id).where((tables.c.id == saved.table_id) | (tables.c.code == code))
            if connection.execute(taken).first() is not None:
                return Conflict()
            insert_table(connection, saved, code, record.table.created_ms, now_ms)
            if sitting := seat_rows(saved.table_id, people_of(record)):
                connection.execute(insert(seats), sitting)
            if home is not None:
                connection.execute(insert(homes), _home_row(home))
            if press_id is not None:
                connection.execute(insert(presses), press_row(press_id, saved.table_id, 0, saved.table_id, now_ms))
            return Committed()

        def again(connection: Connection) -> CommitResult:
            outcome = work(connection)
            return Committed() if is_written(connection, saved, press_id, saved.table_id) else outcome

        return await self._writer.write(work, again)

    async def find(self, code: str) -> str | None:
        """The id of the table with a code."""
        query = select(tables.c.id).where(tables.c.code == code.casefold())
        return await self._writer.read(lambda c: c.scalar(query))

    async def commit(self, change: Change) -> CommitResult:
        """Write a change in one transaction."""
        new = draft(change, self._now_ms())
        result = await self._writer.commit(new)
        if isinstance(result, Committed):
            remember_decoded(msgspec.structs.replace(new.saved, deadline_ms=new.deadline_ms), change.record)
        return result

    async def answer_to(self, press_id: str) -> str | None:
        """What a press was answered."""
        return await self._writer.read(_scalar(_ANSWER, press_id))

    async def open_tables(self) -> Sequence[str]:
        """The open tables, oldest first."""
        return await self._writer.read(lambda c: tuple(c.scalars(_OPEN_TABLES)))

    async def tables_of(self, person_id: str) -> Sequence[str]:
        """The open tables of a person, the longest unchanged first."""
        return await self._writer.read(lambda c: tuple(c.scalars(_TABLES_OF, {"id_": person_id})))

    async def idle_tables(self, status: Status, before_ms: int) -> Sequence[str]:
        """Tables that have been left alone."""
        query = (
            select(tables.c.id)
            .where(tables.c.status == status.value, tables.c.updated_ms < before_ms)
            .order_by(tables.c.updated_ms, tables.c.id)
        )
        return await self._writer.read(lambda c: tuple(c.scalars(query)))

    async def deadlines(self) -> Sequence[tuple[str, int]]:
        """The deadlines of open tables."""
        return await self._writer.read(lambda c: tuple((row.id, row.deadline_ms) for row in c.execute(_DEADLINES)))

    async def suspend(self, table_id: str) -> None:
        """Mark a table that cannot be read."""
        change = update(tables).where(tables.c.id == table_id).values(status=Status.SUSPENDED.value)
        await self._writer.write(lambda c: c.execute(change))

    # homes

    async def add_home(self, home: Home) -> None:
        """Show a table in one more place."""

        def work(connection: Connection) -> None:
            if not _is_there(connection, home):
                connection.execute(insert(homes), _home_row(home))

        await self._writer.write(work)

    async def move_homes(self, platform: str, place: str, to: str) -> Sequence[str]:
        """Take a place's homes along to its new name."""

        def work(connection: Connection) -> Sequence[str]:
            here = (homes.c.platform == platform) & (homes.c.place == place)
            moved = sorted(connection.scalars(delete(homes).where(here).returning(homes.c.table_id)))
            for table_id in moved:
                there = Home(table_id, platform, to)
                if not _is_there(connection, there):
                    connection.execute(insert(homes), _home_row(there))
            return tuple(moved)

        return await self._writer.write(work)

    async def homes(self, table_id: str) -> Sequence[Home]:
        """Where a table is shown."""
        return await self._writer.read(lambda c: tuple(Home(*row) for row in c.execute(_HOMES, {"id_": table_id})))

    async def tables_at(self, platform: str, place: str) -> Sequence[str]:
        """The open tables of a place, the newest first."""
        return await self._writer.read(lambda c: tuple(c.scalars(_TABLES_AT, {"on": platform, "at": place})))

    async def lagging_homes(self, since_ms: int = 0) -> Sequence[Home]:
        """Homes that show less than their table's version; what cannot be read cannot be shown either."""
        query = _LAGGING_SINCE.params(since=since_ms) if since_ms else _LAGGING
        return await self._writer.read(lambda c: tuple(Home(*row) for row in c.execute(query)))

    async def mark_shown(self, home: Home) -> None:
        """Keep what a home shows now, unless it is older than what it showed."""
        shown = {**_where(home), "posted": home.posted, "shown_version": home.shown_version}

        def work(connection: Connection) -> None:
            if _is_there(connection, home):
                connection.execute(_SHOW, shown)
            else:
                connection.execute(insert(homes), _home_row(home))

        await self._writer.write(work)

    async def swap_posted(self, home: Home, before: str | None) -> bool:
        """Keep what is posted in a home, if nobody has changed it; what is there already may have come from here."""
        swap = {**_where(home), "posted_": home.posted, "before": before}

        def work(connection: Connection) -> bool:
            if connection.execute(_SWAP, swap).rowcount > 0:
                return True
            if before is not None or _is_there(connection, home):
                return False
            connection.execute(insert(homes), _home_row(home))
            return True

        return await self._writer.write(work)


def _scalar(query: Select[_T], value: str) -> Work[_T | None]:
    return lambda connection: connection.scalar(query, {"id_": value})


def _is_there(connection: Connection, home: Home) -> bool:
    return connection.execute(_HOME_THERE, _where(home)).first() is not None


def _where(home: Home) -> dict[str, Any]:
    return {"table": home.table_id, "on": home.platform, "at": home.place}


def _home_row(home: Home) -> dict[str, Any]:
    return {
        "table_id": home.table_id,
        "platform": home.platform,
        "place": home.place,
        "posted": home.posted,
        "shown_version": home.shown_version,
    }
