"""Opening a SQLite file: one process, one connection, durable commits, the newest schema.

Every way in which a file can refuse to serve ends in :class:`~bot.store.StoreUnusable` with what to do about it.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from adapters.storage.connection import SqliteConnection
from adapters.storage.groups import Server
from adapters.storage.lock import FileLock
from adapters.storage.schema_version import SCRIPTS, newest_in, version_of
from adapters.storage.sql import SqlStore
from adapters.storage.writer import Writer
from bot.store import StoreBusy, StoreError, StoreInUse, StoreUnusable

OLDEST: Final = (3, 37, 0)
"""Strict tables."""
SAFE_WITH_OTHERS: Final = (3, 51, 3)
"""Before it, two connections that write or checkpoint at once can damage a WAL database (sqlite.org/wal.html)."""
BUSY_MS: Final = 5000

_SETTINGS: Final = (
    "synchronous=FULL",
    "foreign_keys=ON",
    "trusted_schema=OFF",
    "journal_size_limit=67108864",
    # What is deleted or replaced is overwritten with zeros: whoever is forgotten must not stay in free pages.
    "secure_delete=ON",
)

_BUSY: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
    }
)
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_RESTORE: Final = "stop the program, keep the file, and put back the newest backup"

_log = structlog.get_logger(__name__)


async def open_sqlite(
    path: Path, now_ms: Callable[[], int], *, busy_ms: int = BUSY_MS, scripts: Path = SCRIPTS
) -> SqlStore:
    """Open a database file; a missing one is made, with its folder.

    Raises:
        StoreUnusable: it cannot be used; says why and what to do.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        raise StoreUnusable(f"SQLite {sqlite3.sqlite_version} is too old", "use a Python with SQLite 3.37 or newer")
    path = _prepared(path)
    connection = SqliteConnection(path, _locked(path))
    try:
        with _complaints(path):
            await connection
            await connection.run(lambda core: _make_ready(core, path, busy_ms, scripts))
    except BaseException:
        await connection.release()
        raise
    _log.info(
        "storage.opened",
        file=path.name,
        sqlite=sqlite3.sqlite_version,
        second_writer_is_safe=sqlite3.sqlite_version_info >= SAFE_WITH_OTHERS,
    )
    return SqlStore(Writer(connection, Server("BEGIN IMMEDIATE", translate)), now_ms, settle, tidy)


def settle(connection: Connection) -> None:
    """Bring the write-ahead log into the database and empty it: what was deleted still stands in its old pages."""
    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def tidy(connection: Connection) -> None:
    """Write the database anew: nothing of what was deleted remains in it, and its room is given back."""
    connection.exec_driver_sql("VACUUM")
    settle(connection)


def translate(error: SQLAlchemyError) -> StoreError:
    """The store's error for a database error. Values never get into it: hands are secret."""
    code, problem = _code_of(error), _problem_of(error)
    if code in _BUSY:
        return StoreBusy(problem)
    if code in _DAMAGED:
        return StoreUnusable(problem, _RESTORE)
    return StoreError(problem)


def _code_of(error: Exception) -> int | None:
    """SQLite's primary result code."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def _problem_of(error: Exception) -> str:
    return str(error.orig if isinstance(error, DBAPIError) else error)


def _prepared(path: Path) -> Path:
    """The real path, whose folder exists and which is a file or will be one that only its owner can read."""
    path = path.expanduser().resolve()
    if path.is_dir():
        raise StoreUnusable(f"{path} is a folder", "name a file in it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise _no_rights(path, error) from error
    return path


def _locked(path: Path) -> FileLock:
    try:
        return FileLock(path.with_name(f"{path.name}.lock"))
    except BlockingIOError as error:
        raise StoreInUse(
            f"{path} is in use by another instance", "stop the other one, or give each its own database"
        ) from error
    except OSError as error:
        raise _no_rights(path, error) from error


def _no_rights(path: Path, error: OSError) -> StoreUnusable:
    reason = error.strerror or str(error)
    return StoreUnusable(f"{path} cannot be written: {reason}", "give the program's user the right to write there")


def _make_ready(connection: Connection, path: Path, busy_ms: int, scripts: Path) -> None:
    connection.exec_driver_sql(f"PRAGMA busy_timeout={busy_ms:d}")
    if connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar() != "wal":
        raise StoreUnusable(f"{path} does not take a write-ahead log", "put the database on a local disk")
    for setting in _SETTINGS:
        connection.exec_driver_sql(f"PRAGMA {setting}")
    if version_of(connection) != newest_in(scripts):
        from adapters.storage.migrate import migrate  # noqa: PLC0415 - Alembic is seldom wanted and takes long to load

        migrate(connection, path, scripts)


@contextmanager
def _complaints(path: Path) -> Iterator[None]:
    """While opening, every error of the database means that it cannot be used."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        code, problem = _code_of(error), _problem_of(error)
        if code == sqlite3.SQLITE_NOTADB:
            raise StoreUnusable(f"{path} is no database", "choose another file, or move this one away") from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreUnusable(f"{path} is locked by another program", "close whatever has it open") from error
        if code == sqlite3.SQLITE_FULL:
            raise StoreUnusable(f"{path} has no room to grow", "free some space on the disk") from error
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise StoreUnusable(f"{path} cannot be written", "give the program's user the right to write") from error
        raise StoreUnusable(f"{path} cannot be opened: {problem}", _RESTORE) from error
