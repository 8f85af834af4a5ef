"""A SQLite store in a folder of its own, and a second connection to look at it from outside."""

import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from adapters.storage.sql import SqlStore
from adapters.storage.sqlite import open_sqlite

BUSY_MS = 60


def at_noon() -> int:
    """A clock."""
    return 1_700_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database is."""
    return tmp_path / "buraco.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqlStore]:
    """A new database that does not wait long for a lock."""
    opened = await open_sqlite(path, at_noon, busy_ms=BUSY_MS)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture(name="outside")
async def outside_connection(postgres: str) -> AsyncIterator[Any]:
    """A connection to the server as another program would have it."""
    connection = await asyncpg.connect(postgres)
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def outside(path: Path) -> Iterator[sqlite3.Connection]:
    """A second connection, as another program would have it."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection:
        yield connection


def is_sound(path: Path) -> bool:
    """Whether SQLite finds the file intact, with every row at its place."""
    with outside(path) as connection:
        intact = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return intact and connection.execute("PRAGMA foreign_key_check").fetchall() == []


def names_in(folder: Path) -> list[str]:
    """The names of what is in a folder."""
    return sorted(file.name for file in folder.iterdir())


def modes_in(folder: Path) -> set[int]:
    """The rights on what is in a folder."""
    return {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def make_folder(folder: Path) -> None:
    """Make a folder."""
    folder.mkdir()


def link(path: Path, to: Path) -> None:
    """Give a file a second name."""
    path.symlink_to(to)


def allow(path: str, mode: int) -> None:
    """Set the rights on a file or a folder."""
    Path(path).chmod(mode)


def write(path: Path, data: bytes) -> None:
    """Overwrite a file."""
    path.write_bytes(data)


def read(path: Path) -> bytes:
    """What is in a file."""
    return path.read_bytes()
