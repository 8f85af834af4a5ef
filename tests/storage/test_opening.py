"""Opening a database: how it is set up, and each way in which it refuses with advice."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from adapters.storage import open_store
from adapters.storage.memory import MemoryStore
from adapters.storage.sql import SqlStore
from adapters.storage.sqlite import open_sqlite
from bot.store import Committed, Record, StoreUnusable
from tests.contract.playing import lobby
from tests.storage.conftest import allow, at_noon, link, modes_in, names_in, outside, read, write

ROOT = Path(__file__).parents[2]


async def refused(url: str | Path) -> StoreUnusable:
    """How opening is refused."""
    with pytest.raises(StoreUnusable) as caught:
        await open_store(str(url))
    assert caught.value.advice
    return caught.value


class TestAddresses:
    @pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+aiosqlite:///{}"])
    async def test_a_file_has_three_forms(self, path: Path, form: str) -> None:
        store = await open_store(form.format(path))
        await store.close()
        assert names_in(path.parent) == ["buraco.db", "buraco.db.lock"]

    async def test_a_relative_path_stays_relative(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        store = await open_store("sqlite:///data/my%20table.db")
        await store.close()
        assert names_in(tmp_path) == ["data"]
        assert len(names_in(tmp_path / "data")) == 2

    async def test_memory(self) -> None:
        store = await open_store("memory:")
        assert isinstance(store, MemoryStore)
        await store.close()

    @pytest.mark.parametrize(
        "url", ["", " ", ":memory:", "sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite://a.db"]
    )
    async def test_what_names_no_file_is_refused(self, url: str) -> None:
        await refused(url)

    async def test_other_databases_are_refused_without_showing_their_password(self) -> None:
        error = await refused("mysql://me:secret@host/buraco")
        assert "mysql" in str(error)
        assert "secret" not in str(error)


class TestSettings:
    async def test_every_setting_is_really_set(self, store: SqlStore) -> None:
        def ask(connection: Connection) -> dict[str, object]:
            names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "trusted_schema")
            return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

        assert await store._writer.read(ask) == {
            "journal_mode": "wal",
            "synchronous": 2,  # FULL
            "foreign_keys": 1,
            "busy_timeout": 60,
            "trusted_schema": 0,
        }

    async def test_the_defaults_wait_five_seconds(self, path: Path) -> None:
        store = await open_sqlite(path, at_noon)
        try:
            waits = await store._writer.read(lambda c: c.exec_driver_sql("PRAGMA busy_timeout").scalar())
            assert waits == 5000
        finally:
            await store.close()

    async def test_settings_hold_when_it_is_opened_again(self, path: Path) -> None:
        for _ in range(2):
            store = await open_sqlite(path, at_noon)
            try:
                keys = await store._writer.read(lambda c: c.exec_driver_sql("PRAGMA foreign_keys").scalar())
                assert keys == 1
            finally:
                await store.close()

    async def test_only_the_owner_can_read_it(self, store: SqlStore, path: Path) -> None:
        await store.create(Record(lobby()), None)
        assert names_in(path.parent) == ["buraco.db", "buraco.db-shm", "buraco.db-wal", "buraco.db.lock"]
        assert modes_in(path.parent) == {0o600}

    async def test_a_missing_folder_is_made(self, tmp_path: Path) -> None:
        path = tmp_path / "not" / "yet" / "there" / "buraco.db"
        store = await open_store(str(path))
        await store.close()
        assert "buraco.db" in names_in(path.parent)

    async def test_closing_leaves_one_file_and_its_lock(self, path: Path) -> None:
        store = await open_store(str(path))
        await store.create(Record(lobby()), None)
        await store.close()
        assert names_in(path.parent) == ["buraco.db", "buraco.db.lock"]

    async def test_the_version_of_sqlite_is_logged(self, path: Path) -> None:
        with capture_logs() as logs:
            store = await open_store(str(path))
            await store.close()
        opened = [entry for entry in logs if entry["event"] == "storage.opened"]
        assert [entry["sqlite"] for entry in opened] == [sqlite3.sqlite_version]
        assert opened[0]["log_level"] == "info"
        assert opened[0]["second_writer_is_safe"] is (sqlite3.sqlite_version_info >= (3, 51, 3))

    async def test_a_sqlite_without_strict_tables_is_refused(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("adapters.storage.sqlite.sqlite3.sqlite_version_info", (3, 36, 0))
        assert "too old" in (await refused(path)).problem


class TestRefusals:
    async def test_a_second_instance(self, path: Path, tmp_path: Path) -> None:
        store = await open_store(str(path))
        other_name = tmp_path / "other.db"
        link(other_name, path)
        try:
            assert "another instance" in (await refused(path)).problem
            assert "another instance" in (await refused(other_name)).problem
            assert await store.create(Record(lobby()), None) == Committed()
        finally:
            await store.close()
        again = await open_store(str(path))
        await again.close()

    @pytest.mark.skipif(sys.platform == "win32", reason="needs flock")
    async def test_an_instance_in_another_process(self, path: Path) -> None:
        arguments = [sys.executable, "-S", "-c", HOLDING, f"{path}.lock"]
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*arguments, stdin=pipe, stdout=pipe)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"1\n"
        assert "another instance" in (await refused(path)).problem
        await process.communicate(b"\n")
        await (await open_store(str(path))).close()

    async def test_a_file_that_is_no_database(self, path: Path) -> None:
        notes = b"These are the notes of my grandmother.\n" * 100
        write(path, notes)
        assert "is no database" in (await refused(path)).problem
        assert read(path) == notes

    async def test_a_database_cut_short(self, path: Path) -> None:
        store = await open_store(str(path))
        await store.create(Record(lobby()), None)
        await store.close()
        write(path, read(path)[:6000])
        error = await refused(path)
        assert "backup" in error.advice

    async def test_the_database_of_another_program(self, path: Path) -> None:
        with outside(path) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
        assert "other tables" in (await refused(path)).problem

    async def test_a_newer_schema(self, path: Path) -> None:
        store = await open_store(str(path))
        await store.close()
        with outside(path) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        error = await refused(path)
        assert "newer version" in error.problem
        assert "update" in error.advice
        assert names_in(path.parent) == ["buraco.db", "buraco.db.lock"]

    async def test_a_folder(self, tmp_path: Path) -> None:
        assert "is a folder" in (await refused(tmp_path)).problem

    async def test_a_folder_that_cannot_be_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            allow(folder, 0o555)
            with as_anybody():
                assert "cannot be written" in (await refused(f"{folder}/buraco.db")).problem
                assert "cannot be written" in (await refused(f"{folder}/new/buraco.db")).problem
            allow(folder, 0o755)

    async def test_a_file_that_cannot_be_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/buraco.db"
            await (await open_store(file)).close()
            allow(folder, 0o777)
            allow(file, 0o444)
            with as_anybody():
                error = await refused(file)
            assert "cannot be written" in error.problem
            assert "right to write" in error.advice

    async def test_a_folder_in_place_of_a_folder(self, tmp_path: Path) -> None:
        write(tmp_path / "file", b"")
        assert "cannot be written" in (await refused(tmp_path / "file" / "buraco.db")).problem

    async def test_a_database_that_another_program_holds(self, path: Path) -> None:
        store = await open_store(str(path))
        await store.close()
        with outside(path) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreUnusable, match="locked by another program"):
                await open_sqlite(path, at_noon, busy_ms=20)

    async def test_a_refused_database_is_let_go(self, path: Path) -> None:
        with outside(path) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
        await refused(path)
        with outside(path) as connection:
            connection.execute("DROP TABLE recipes")
        store = await open_store(str(path))
        await store.close()


@contextmanager
def as_anybody() -> Iterator[None]:
    """Without the rights of the superuser, where the tests have them."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


HOLDING = """
import fcntl, sys
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print(1, flush=True)
input()
"""

UNCLOSED = """
import asyncio, sys
from adapters.storage import open_store
from bot.store import Record
from tests.contract.playing import lobby

async def main():
    store = await open_store(sys.argv[1])
    await store.create(Record(lobby()), None)
    if sys.argv[2] == "closed":
        await store.close()
    elif sys.argv[2] == "raised":
        raise RuntimeError("in the middle")
    elif sys.argv[2] == "forgotten":
        asyncio.create_task(store.load("t1"))

asyncio.run(main())
"""


async def end(path: Path, how: str) -> tuple[int | None, bytes]:
    """How a process ends that opened a store: its code and its complaints. One that hangs is killed."""
    arguments = [sys.executable, "-W", "error", "-c", UNCLOSED, str(path), how]
    process = await asyncio.create_subprocess_exec(*arguments, cwd=ROOT, stderr=subprocess.PIPE)
    try:
        _, errors = await asyncio.wait_for(process.communicate(), 60)
    except TimeoutError:
        process.kill()
        raise
    return process.returncode, errors


async def test_nothing_keeps_the_process_alive(tmp_path: Path) -> None:
    expected = {"closed": 0, "raised": 1, "forgotten": 0}
    ends = await asyncio.gather(*(end(tmp_path / how, how) for how in expected))
    for (how, code), (returned, errors) in zip(expected.items(), ends, strict=True):
        assert returned == code, how
        assert b"ResourceWarning" not in errors
        assert b"never retrieved" not in errors
        store = await open_store(str(tmp_path / how))
        try:
            assert await store.load("t1") is not None
        finally:
            await store.close()
