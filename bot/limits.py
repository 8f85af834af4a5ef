"""How many tables may be open at once: for one person, and in one place."""

from typing import Protocol

import msgspec

from bot.commands import CommandError, CommandProblem
from bot.model import Home, Person
from bot.store import Store


class Limits(msgspec.Struct, frozen=True):
    """How many open tables there may be before no other one is opened; 0 for as many as anybody likes."""

    person: int = 0
    """At which one person sits."""
    place: int = 0
    """That one channel, group or chat shows."""


class _Limited(Protocol):
    person_tables: int
    place_tables: int


def limits_of(settings: _Limited) -> Limits:
    """The limits that are set."""
    return Limits(settings.person_tables, settings.place_tables)


async def check_limits(limits: Limits, store: Store, person: Person, home: Home | None) -> None:
    """Refuse a table to whoever sits at enough of them, or to a place that shows enough.

    Several that are opened in the same moment may go past it by as many as the gate lets in at once.

    Raises:
        CommandError: there are too many, with how many there may be.
        StoreBusy: the store cannot tell.
    """
    if limits.person and len(await store.tables_of(person.id)) >= limits.person:
        raise CommandError(CommandProblem.AT_MANY_TABLES, most=limits.person)
    if limits.place and home is not None and len(await store.tables_at(home.platform, home.place)) >= limits.place:
        raise CommandError(CommandProblem.PLACE_FULL, most=limits.place)
