"""What the errors of PostgreSQL mean for the store. No value gets into a message: hands are secret."""

from enum import Enum
from typing import Final

import asyncpg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from adapters.storage.changes import Stale
from adapters.storage.postgres_address import Address
from bot.store import StoreBusy, StoreError, StoreUnreachable, StoreUnusable

_RACES: Final = frozenset({"23505", "40001", "40P01"})
"""Somebody else was there in the same moment: a taken key, a serialisation failure, a deadlock."""
_LOST: Final = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03", "53300", "25P04"})
"""The server ends, begins, or has ended the session; no connection is free."""
_LOST_CLASS: Final = "08"
_BUSY: Final = frozenset({"55P03", "57014", "25006", "55006"})
"""A lock or a statement took too long; the server takes no writes now (it has become a standby)."""
_BUSY_CLASSES: Final = ("53", "58")
"""No room, no memory; the system below fails."""
_OF_VALUES: Final = "22"
_DAMAGED: Final = frozenset({"XX001", "XX002"})
_NO_ENTRY: Final = frozenset({"28000", "28P01"})
_NO_DATABASE: Final = "3D000"
_NO_RIGHT: Final = "42501"
_NO_SETTING: Final = frozenset({"42704", "22023", "42601"})
_RESTORE: Final = "stop the program, keep the server's files, and put back the newest backup"


class Fault(Enum):
    """What is to be done about an error."""

    RACE = "race"
    """Nothing was written; the same once more sees what the other one did."""
    LOST = "lost"
    """The connection is gone; another one may do."""
    FINAL = "final"
    """Doing it again changes nothing."""


def fault_of(error: BaseException) -> Fault:
    """What is to be done about an error of the driver, of SQLAlchemy or of the network."""
    if isinstance(error, Stale):
        return Fault.RACE
    cause = _cause_of(error)
    state = state_of(error)
    if state is not None:
        if state in _RACES:
            return Fault.RACE
        return Fault.LOST if state in _LOST or state.startswith(_LOST_CLASS) else Fault.FINAL
    if isinstance(cause, asyncpg.InvalidCachedStatementError):
        return Fault.RACE
    if isinstance(cause, asyncpg.DataError):  # refused by the driver: a value that the column cannot hold
        return Fault.FINAL
    lost = (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError)
    is_lost = isinstance(cause, lost) or (isinstance(error, DBAPIError) and error.connection_invalidated)
    return Fault.LOST if is_lost else Fault.FINAL


def state_of(error: BaseException) -> str | None:
    """The SQLSTATE of an error; None where the server did not send it."""
    cause = _cause_of(error)
    state = getattr(cause, "sqlstate", None)
    return state if isinstance(state, str) else None


def is_ours(error: BaseException) -> bool:
    """Whether an error comes from the database or the way to it, not from the work that was done."""
    kinds = (Stale, SQLAlchemyError, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
    return isinstance(error, kinds)


def translate(error: BaseException) -> StoreError:
    """The store's error for an error that doing it again does not mend."""
    problem, state = problem_of(error), state_of(error) or ""
    if isinstance(error, PoolTimeout):
        return StoreBusy("no connection to the database is free")
    if state in _BUSY or state[:2] in _BUSY_CLASSES or fault_of(error) is Fault.LOST:
        return StoreBusy(problem)
    if state in _DAMAGED:
        return StoreUnusable(problem, _RESTORE)
    if state == _NO_RIGHT:
        return StoreUnusable(problem, "give the database's user the right to read and write its tables")
    return StoreError(problem)


def complaint(error: BaseException, address: Address) -> StoreUnusable:
    """Why a database cannot be opened, with what to do."""
    state = state_of(error) or ""
    where, database = address.host, address.database or "of the user's name"
    if state in _NO_ENTRY:
        return StoreUnusable(
            f"PostgreSQL at {where} does not let this user in",
            "check user and password in BURACO_DATABASE_URL, and the server's pg_hba.conf",
        )
    if state == _NO_DATABASE:
        return StoreUnusable(
            f"there is no database {database} at {where}", "make it: createdb --encoding=UTF8 with that name"
        )
    if state == _NO_RIGHT:
        return StoreUnusable(
            f"the user may not make tables in the database {database}: {problem_of(error)}",
            "make the user its owner: ALTER DATABASE … OWNER TO …",
        )
    if state in _NO_SETTING:
        return StoreUnusable(
            f"PostgreSQL refuses the address: {problem_of(error)}", "take out of it what stands behind the ?"
        )
    if isinstance(_cause_of(error), asyncpg.ClientConfigurationError | ValueError):
        return StoreUnusable("the address of the PostgreSQL database cannot be used", "see docs/operations.md")
    if fault_of(error) is Fault.LOST or state[:2] in _BUSY_CLASSES:
        return StoreUnreachable(
            f"no PostgreSQL server takes us in at {where}: {problem_of(error)}",
            "start it, or correct host and port in BURACO_DATABASE_URL",
        )
    return StoreUnusable(f"the database {database} at {where} cannot be opened: {problem_of(error)}", _RESTORE)


def problem_of(error: BaseException) -> str:
    """What the server says in one line, or the kind of error: details could hold a hand or a password."""
    cause = _cause_of(error)
    if isinstance(cause, asyncpg.PostgresError):
        # What the driver itself refuses, and what the server says of values, repeats the value.
        from_server = getattr(cause, "severity", None) is not None and not str(cause.sqlstate).startswith(_OF_VALUES)
        message = str(getattr(cause, "message", "") or "") if from_server else ""
        return f"{message.splitlines()[0] if message else type(cause).__name__} ({cause.sqlstate})"
    if isinstance(cause, TimeoutError):
        return "it does not answer in time"
    if isinstance(cause, OSError):
        return cause.strerror or type(cause).__name__
    return type(cause).__name__


def _cause_of(error: BaseException) -> BaseException:
    """The driver's or the system's own error."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error
