"""Forgetting: the statements that take a person, old matches and old presses out of the database."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, update

from adapters.storage.changes import CLOSED, FORGOTTEN
from adapters.storage.codec import json_text
from adapters.storage.columns import begins, holds
from adapters.storage.groups import Work
from adapters.storage.jobs import Jobs
from adapters.storage.schema import events, homes, people, person_keys, places, presses, seats, table_data, tables
from bot.store import Erasure, PressCount, press_marks

_AGE: Final = (tables.c.created_ms, tables.c.id)


def _nothing(connection: Connection) -> None:
    """What a database has to do that cleans up by itself."""
    del connection


class Forgetting:
    """The part of the store over SQL that finds and forgets what is kept of people; see :class:`bot.store.Store`."""

    def __init__(
        self, writer: Jobs, now_ms: Callable[[], int], settle: Work[None] = _nothing, tidy: Work[None] = _nothing
    ) -> None:
        """``settle`` takes what was deleted out of whatever lies beside the database, ``tidy`` shrinks it.

        Both run outside any transaction.
        """
        self._writer = writer
        self._now_ms = now_ms
        self._settle = settle
        self._tidy = tidy

    async def seats_of(self, person_id: str) -> Sequence[str]:
        """All tables of a person, oldest first."""
        return await self._writer.read(lambda c: _seats_of(c, person_id))

    async def mentioning(self, texts: Sequence[str]) -> Sequence[str]:
        """The tables that mention something, oldest first."""
        return await self._writer.view(lambda c: _mentioning(c, texts))

    async def presses_of(self, person_id: str) -> PressCount:
        """What is kept of a person's presses."""
        return await self._writer.view(lambda c: _presses_of(c, person_id))

    async def erase_person(self, erasure: Erasure) -> None:
        """Forget a person, also in what lies beside the database."""
        await self._writer.sweep(lambda c: _erase_person(c, erasure))
        await self._writer.read(self._settle)

    async def forget_matches(self, before_ms: int) -> int:
        """Drop the play of tables that were closed long ago."""
        return await self._writer.sweep(lambda c: _forget_matches(c, before_ms))

    async def forget_presses(self, before_ms: int) -> int:
        """Drop presses of long ago."""
        old = delete(presses).where(presses.c.at_ms < before_ms)
        return await self._writer.sweep(lambda c: c.execute(old).rowcount)

    async def tidy(self) -> None:
        """Write the database anew, without what was dropped."""
        await self._writer.read(self._tidy)


def _seats_of(connection: Connection, person_id: str) -> tuple[str, ...]:
    """All tables of a person, oldest first."""
    query = select(tables.c.id).join_from(seats, tables).where(seats.c.person_id == person_id).order_by(*_AGE)
    return tuple(connection.scalars(query))


def _mentioning(connection: Connection, texts: Sequence[str]) -> tuple[str, ...]:
    """The tables whose own data hold one of some texts, oldest first."""
    if not texts:
        return ()
    found = or_(*(holds(table_data.c.data, json_text(text).encode()) for text in texts))
    query = select(tables.c.id).join_from(table_data, tables).where(found).order_by(*_AGE)
    return tuple(connection.scalars(query))


def _presses_of(connection: Connection, person_id: str) -> PressCount:
    """What is kept of a person's presses."""
    query = select(func.count(), func.min(presses.c.at_ms), func.max(presses.c.at_ms)).where(_by(person_id))
    return PressCount(*connection.execute(query).one())


def _by(person_id: str) -> ColumnElement[bool]:
    """Whether a press is a person's."""
    return or_(*(begins(presses.c.press_id, mark) for mark in press_marks(person_id)))


def _erase_person(connection: Connection, erasure: Erasure) -> None:
    """Forget a person."""
    person_id = erasure.person_id
    connection.execute(delete(seats).where(seats.c.person_id == person_id))
    connection.execute(delete(person_keys).where(person_keys.c.person_id == person_id))
    connection.execute(delete(people).where(people.c.id == person_id))
    connection.execute(delete(presses).where(_by(person_id)))
    names = [holds(presses.c.answer, json_text(name)) for name in erasure.names]
    if names:
        # Answers to the opening of a table are its id, not JSON.
        told = begins(presses.c.answer, "{") & or_(*names)
        connection.execute(update(presses).where(told).values(answer=FORGOTTEN))
    if erasure.places:
        connection.execute(delete(places).where(places.c.key.in_(erasure.places)))
    for platform, place in erasure.homes:
        within = begins(homes.c.place, f"{place}:")
        connection.execute(delete(homes).where(homes.c.platform == platform, or_(homes.c.place == place, within)))


def _forget_matches(connection: Connection, before_ms: int) -> int:
    """Drop events and presses of tables that were closed before then; how many had any."""
    old = tables.c.status.in_(CLOSED) & (tables.c.updated_ms < before_ms)
    played = exists().where(events.c.table_id == tables.c.id) | exists().where(presses.c.table_id == tables.c.id)
    found = tuple(connection.scalars(select(tables.c.id).where(old, played)))
    for table_id in found:
        connection.execute(delete(events).where(events.c.table_id == table_id))
        connection.execute(delete(presses).where(presses.c.table_id == table_id))
    return len(found)
