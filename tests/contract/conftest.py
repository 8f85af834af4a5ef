"""The stores under the contract: each as a backend that can be opened, opened again and damaged."""

import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import asyncpg
import msgspec
import pytest

from adapters.storage import open_store, sql
from adapters.storage.memory import MemoryStore
from bot.store import Store
from tests.postgres import Server


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture(autouse=True)
def _what_is_read_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table that is read is made from its bytes, as a new process makes it."""
    monkeypatch.setattr(sql, "remember_decoded", lambda *_: None)


class Backend(Protocol):
    """A kind of store."""

    store: Store
    clock: Clock

    async def reopen(self) -> Store:
        """The store as a new process finds it; a volatile one as it is."""

    async def damage(self, table_id: str, **columns: Any) -> Store:
        """The store after columns of a table have been overwritten."""

    async def drop_event(self, table_id: str, seq: int) -> Store:
        """The store after one event has vanished."""


class MemoryBackend:
    """The reference: nothing of it survives, so opening it again gives the same."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.store: Store = MemoryStore(self.clock)

    async def reopen(self) -> Store:
        return self.store

    async def damage(self, table_id: str, **columns: Any) -> Store:
        assert isinstance(self.store, MemoryStore)
        kept = self.store.kept[table_id]
        kept.saved = msgspec.structs.replace(kept.saved, **columns)
        return self.store

    async def drop_event(self, table_id: str, seq: int) -> Store:
        assert isinstance(self.store, MemoryStore)
        kept = self.store.kept[table_id]
        kept.payloads = [*kept.payloads[: seq - 1], *kept.payloads[seq:]]
        return self.store


_OVERWRITE = {
    "data": "UPDATE table_data SET data = ? WHERE table_id = ?",
    "data_digest": "UPDATE table_data SET digest = ? WHERE table_id = ?",
    "data_schema": "UPDATE table_data SET schema = ? WHERE table_id = ?",
    "digest": "UPDATE tables SET digest = ? WHERE id = ?",
    "events": "UPDATE tables SET events = ? WHERE id = ?",
    "first_starter": "UPDATE tables SET first_starter = ? WHERE id = ?",
    "schema": "UPDATE tables SET schema = ? WHERE id = ?",
    "snapshot": "UPDATE tables SET snapshot = ? WHERE id = ?",
}


class SqlBackend(ABC):
    """A database at an address."""

    store: Store

    def __init__(self, url: str) -> None:
        self.clock = Clock()
        self.url = url

    async def open(self) -> Store:
        self.store = await open_store(self.url, now_ms=self.clock)
        return self.store

    async def reopen(self) -> Store:
        await self.store.close()
        return await self.open()

    async def damage(self, table_id: str, **columns: Any) -> Store:
        for name, value in columns.items():
            await self.execute(_OVERWRITE[name], value, table_id)
        return self.store

    async def drop_event(self, table_id: str, seq: int) -> Store:
        await self.execute("DELETE FROM events WHERE table_id = ? AND seq = ?", table_id, seq)
        return self.store

    @abstractmethod
    async def execute(self, statement: str, *values: Any) -> None:
        """Change the database behind the store's back; the statement must hit something."""


class SqliteBackend(SqlBackend):
    """A database file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"sqlite:///{path}")
        self.path = path

    async def execute(self, statement: str, *values: Any) -> None:
        """Change the file behind the store's back; the statement must hit something."""
        await self.store.close()
        connection = sqlite3.connect(self.path)
        try:
            with connection:
                assert connection.execute(statement, values).rowcount >= 1
        finally:
            connection.close()
        await self.open()


class PostgresBackend(SqlBackend):
    """A database on a server."""

    async def execute(self, statement: str, *values: Any) -> None:
        """Change the database behind the store's back, while it is open; the statement must hit something."""
        numbers = count(1)
        connection = await asyncpg.connect(self.url)
        try:
            done = await connection.execute(re.sub(r"[?]", lambda _: f"${next(numbers)}", statement), *values)
        finally:
            await connection.close()
        assert int(done.split()[-1]) >= 1


BACKENDS = ("memory", "sqlite", "postgres")


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    """Each kind of store, empty."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("server")
        name = await server.database()
        postgres = PostgresBackend(server.url(name))
        await postgres.open()
        try:
            yield postgres
        finally:
            await postgres.store.close()
            server.give_back(name)
        return
    if request.param == "memory":
        memory = MemoryBackend()
        yield memory
        await memory.store.close()
        return
    sqlite = SqliteBackend(tmp_path / "buraco.db")
    await sqlite.open()
    try:
        yield sqlite
    finally:
        await sqlite.store.close()


@pytest.fixture
def store(backend: Backend) -> Store:
    """The store of the backend; tests that open it again take the backend itself."""
    return backend.store
