"""Results and ratings over SQL: the part of the store that tells what became of finished matches."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
import structlog
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from adapters.storage.jobs import Jobs
from adapters.storage.schema import ratings as rating_rows
from adapters.storage.schema import result_people, results, tables
from bot.model import Status
from bot.results.meetings import Meetings, since_ms
from bot.results.model import Rating, Result, Skill, without_person
from bot.results.places import place_mark
from bot.results.rating import rate
from bot.store import UnreadableSave
from engine.seating import Seating

_WITHOUT: Final = (
    select(tables.c.id, tables.c.updated_ms)
    .join_from(tables, results, isouter=True)
    .where(tables.c.status == Status.OVER.value, results.c.table_id.is_(None))
    .order_by(tables.c.updated_ms, tables.c.id)
)
_RESULT: Final = select(results.c.table_id, results.c.data).where(results.c.table_id == bindparam("id_"))
_ALL: Final = select(results.c.table_id, results.c.data).order_by(results.c.seq)
_OF_PERSON: Final = (
    select(results.c.table_id, results.c.data)
    .join_from(result_people, results)
    .where(result_people.c.person_id == bindparam("id_"))
    .order_by(results.c.seq)
)
_RATINGS_OF: Final = select(rating_rows.c.person_id, rating_rows.c.seating, rating_rows.c.data).where(
    rating_rows.c.person_id == bindparam("id_")
)
_RATINGS: Final = select(rating_rows.c.person_id, rating_rows.c.seating, rating_rows.c.data).where(
    rating_rows.c.person_id.in_(bindparam("ids", expanding=True)), rating_rows.c.seating == bindparam("seating_")
)

_MET: Final = (
    select(results.c.table_id, results.c.data)
    .where(
        results.c.seq.in_(
            select(result_people.c.seq)
            .where(result_people.c.person_id.in_(bindparam("ids", expanding=True)))
            .group_by(result_people.c.seq)
            .having(func.count() > 1)
        ),
        results.c.ended_ms > bindparam("since"),
    )
    .order_by(results.c.seq)
)
_SHARED: Final = "postgresql"

_log = structlog.get_logger(__name__)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Result)


class Standing(msgspec.Struct, frozen=True):
    """What of a rating is not its key."""

    skill: Skill
    matches: int


_standing_decoder = msgspec.json.Decoder(Standing)


def encode_result(result: Result) -> bytes:
    """A result's bytes."""
    return _encoder.encode(result)


def decode_result(table_id: str, data: bytes) -> Result:
    """A result from its bytes.

    Raises:
        UnreadableSave: they make no sense.
    """
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableSave(table_id, f"the result cannot be read: {error}") from error


def encode_rating(rating: Rating) -> bytes:
    """The bytes of a rating, without its key."""
    return _encoder.encode(Standing(rating.skill, rating.matches))


def decode_rating(person_id: str, seating: str, data: bytes) -> Rating:
    """A rating from its key and its bytes.

    Raises:
        UnreadableSave: they make no sense.
    """
    try:
        standing = _standing_decoder.decode(data)
        return Rating(person_id, Seating(seating), standing.skill, standing.matches)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise UnreadableSave(person_id, f"the rating cannot be read: {error}") from error


def meetings_in(rows: Iterable[tuple[str, bytes]]) -> Meetings:
    """The meetings in results, by table and bytes. What cannot be read keeps no other result from being kept."""
    meetings = Meetings()
    for table_id, data in rows:
        try:
            meetings.add(decode_result(table_id, data))
        except UnreadableSave as error:
            _log.warning("results.unreadable", table=table_id, problem=error.problem)
    return meetings


def in_order(found: Sequence[Rating]) -> tuple[Rating, ...]:
    """Ratings by person and then in the order of seatings."""
    return tuple(sorted(found, key=lambda rating: (rating.person, list(Seating).index(rating.seating))))


class SqlResults:
    """The results and ratings of a store in a database; see :class:`bot.results.storing.ResultStore`."""

    def __init__(self, writer: Jobs, now_ms: Callable[[], int]) -> None:
        self._writer = writer
        self._now_ms = now_ms

    async def without_result(self) -> Sequence[tuple[str, int]]:
        """The tables that are over and have no result, oldest first."""
        return await self._writer.read(lambda c: tuple((row.id, row.updated_ms) for row in c.execute(_WITHOUT)))

    async def add_result(self, result: Result) -> bool:
        """Rate a result and keep it once, with the ratings that it leads to."""

        def work(connection: Connection) -> bool:
            _alone(connection)
            if connection.execute(_RESULT, {"id_": result.table_id}).first() is not None:
                return False
            new, ratings = rate(result, _ratings_before(connection, result), _meetings_before(connection, result))
            row = {
                "table_id": new.table_id,
                "place": place_mark(new.origin),
                "ended_ms": new.ended_ms,
                "data": encode_result(new),
            }
            connection.execute(insert(results), row)
            seq = connection.scalar(select(results.c.seq).where(results.c.table_id == new.table_id))
            if new.people:
                connection.execute(insert(result_people), [{"person_id": person, "seq": seq} for person in new.people])
            for rating in ratings:
                _put_rating(connection, rating)
            return True

        return await self._writer.write(work)

    async def result(self, table_id: str) -> Result | None:
        """The result of a table."""
        row = await self._writer.read(lambda c: c.execute(_RESULT, {"id_": table_id}).first())
        return None if row is None else decode_result(table_id, row.data)

    async def results(self) -> Sequence[Result]:
        """All results."""
        return _decoded(await self._writer.read(lambda c: c.execute(_ALL).all()))

    async def results_of(self, person_id: str) -> Sequence[Result]:
        """The results of a person."""
        return _decoded(await self._writer.read(lambda c: c.execute(_OF_PERSON, {"id_": person_id}).all()))

    async def results_at(self, mark: str, since_ms: int = 0, until_ms: int | None = None) -> Sequence[Result]:
        """The results of a place."""
        query = select(results.c.table_id, results.c.data).where(
            results.c.place == mark, results.c.ended_ms >= since_ms
        )
        if until_ms is not None:
            query = query.where(results.c.ended_ms < until_ms)
        query = query.order_by(results.c.seq)
        return _decoded(await self._writer.read(lambda c: c.execute(query).all()))

    async def ratings(self, person_ids: Sequence[str], seating: Seating) -> Sequence[Rating]:
        """The ratings of persons in a seating."""
        rows = await self._writer.read(lambda c: c.execute(_RATINGS, _those(person_ids, seating)).all())
        return in_order([decode_rating(*row) for row in rows])

    async def ratings_of(self, person_id: str) -> Sequence[Rating]:
        """The ratings of a person."""
        rows = await self._writer.read(lambda c: c.execute(_RATINGS_OF, {"id_": person_id}).all())
        return in_order([decode_rating(*row) for row in rows])

    async def move_results(self, origin: str, to: str) -> None:
        """Take a place's results along to its new name."""

        def work(connection: Connection) -> None:
            here = select(results.c.table_id, results.c.data).where(results.c.place == place_mark(origin))
            here = here.order_by(results.c.seq).with_for_update()
            for table_id, data in connection.execute(here).all():
                moved = msgspec.structs.replace(decode_result(table_id, data), origin=to)
                values = {"place": place_mark(to), "data": encode_result(moved)}
                connection.execute(update(results).where(results.c.table_id == table_id).values(values))

        await self._writer.write(work)

    async def anonymise_results(self, person_id: str) -> int:
        """Make a person nobody in all results."""

        def work(connection: Connection) -> int:
            _alone(connection)
            theirs = delete(result_people).where(result_people.c.person_id == person_id).returning(result_people.c.seq)
            seqs = connection.scalars(theirs).all()
            found = select(results.c.table_id, results.c.data).where(results.c.seq.in_(seqs)).order_by(results.c.seq)
            rows = connection.execute(found.with_for_update()).all()
            for table_id, data in rows:
                nobody = encode_result(without_person(decode_result(table_id, data), person_id))
                connection.execute(update(results).where(results.c.table_id == table_id).values(data=nobody))
            connection.execute(delete(rating_rows).where(rating_rows.c.person_id == person_id))
            return len(rows)

        return await self._writer.sweep(work)


def _alone(connection: Connection) -> None:
    """Let nobody else rate until the transaction is over: each rating follows from the one before."""
    if connection.dialect.name == _SHARED:
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(results.name))))


def _those(person_ids: Sequence[str], seating: Seating) -> dict[str, object]:
    return {"ids": list(person_ids), "seating_": seating.value}


def _ratings_before(connection: Connection, result: Result) -> dict[str, Rating]:
    """The ratings of a result's people, by person."""
    rows = connection.execute(_RATINGS, _those(result.people, result.seating)).all()
    return {rating.person: rating for rating in (decode_rating(*row) for row in rows)}


def _meetings_before(connection: Connection, result: Result) -> Meetings:
    """The meetings of a result's people of late."""
    wanted = {"ids": list(result.people), "since": since_ms(result)}
    return meetings_in((table_id, data) for table_id, data in connection.execute(_MET, wanted).all())


def _put_rating(connection: Connection, rating: Rating) -> None:
    key = (rating_rows.c.person_id == rating.person) & (rating_rows.c.seating == rating.seating.value)
    data = encode_rating(rating)
    if connection.execute(update(rating_rows).where(key).values(data=data)).rowcount == 0:
        row = {"person_id": rating.person, "seating": rating.seating.value, "data": data}
        connection.execute(insert(rating_rows), row)


def _decoded(rows: Sequence[Any]) -> tuple[Result, ...]:
    return tuple(decode_result(table_id, data) for table_id, data in rows)
