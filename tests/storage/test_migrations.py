"""Migrations: they make what the code expects, as a whole or not at all, with a copy first."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from adapters.storage.migrate import config_for
from adapters.storage.schema import metadata
from adapters.storage.schema_version import SCRIPTS, newest_in, version_of
from adapters.storage.sql import SqlStore
from adapters.storage.sqlite import open_sqlite
from bot.store import Record, StoreUnusable
from tests.contract.playing import with_a_match
from tests.storage.conftest import at_noon, is_sound, make_folder, modes_in, outside

NEWEST = newest_in(SCRIPTS)
AFTER = f"{int(NEWEST) + 1:04}"
NEXT = '''
"""A migration as a later version may bring it."""

import sqlalchemy as sa
from alembic import op

revision = "AFTER"
down_revision = "NEWEST"


def upgrade() -> None:
    op.create_table("medals", sa.Column("id", sa.Text, primary_key=True), sqlite_strict=True)
    op.execute("INSERT INTO medals VALUES ('gold')")
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("colour", sa.Text, nullable=False, server_default="green"))
        batch.alter_column("status", new_column_name="state")
    op.execute("UPDATE tables SET colour = 'red'")
'''.replace("AFTER", AFTER).replace("NEWEST", NEWEST)
BROKEN = NEXT.replace("UPDATE tables SET", "UPDATE not_there SET")
ASTRAY = NEXT.replace("UPDATE tables SET colour = 'red'", "DELETE FROM tables")


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """The product's migrations and one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(SCRIPTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / f"v{AFTER}_next.py").write_text(NEXT)
    return folder


async def filled(path: Path) -> Record:
    """A database of today with a match in it."""
    store = await open_sqlite(path, at_noon)
    try:
        return await with_a_match(store)
    finally:
        await store.close()


def schema_of(path: Path) -> tuple[str | None, list[str]]:
    """The revision and the names of what is in a database."""
    with outside(path) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema ORDER BY name")]
        if "alembic_version" not in names:
            return None, names
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0], names


ONLY_SHARED = {"ix_tables_due_ms", "ix_tables_updated_ms", "ix_homes_unshown"}
"""Indexes of PostgreSQL alone."""


async def test_the_migrations_make_what_the_code_expects(store: SqlStore) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        found = list(compare_metadata(context, metadata))
        return [one for one in found if one[0] != "add_index" or one[1].name not in ONLY_SHARED]

    assert await store._writer.read(differences) == []


async def test_the_schema_is_known_without_alembic(store: SqlStore) -> None:
    head = ScriptDirectory.from_config(config_for(SCRIPTS)).get_current_head()
    assert newest_in(SCRIPTS) == head

    def versions(connection: Connection) -> tuple[str | None, str | None]:
        return version_of(connection), MigrationContext.configure(connection).get_current_revision()

    assert await store._writer.read(versions) == (head, head)


async def test_every_table_is_strict_and_keys_are_foreign(store: SqlStore, path: Path) -> None:
    with outside(path) as connection:
        strict = {row[1]: row[5] for row in connection.execute("PRAGMA table_list") if row[0] == "main"}
        keys = {name: bool(connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()) for name in strict}
        plan = connection.execute("EXPLAIN QUERY PLAN SELECT id FROM tables WHERE status = 'x' AND deadline_ms < 1")
        assert "ix_tables_status_deadline_ms" in str(plan.fetchall())
    ours = {name for name in strict if name not in ("alembic_version", "sqlite_schema")}
    assert ours == set(metadata.tables)
    assert all(strict[name] for name in ours)
    assert {name for name in ours if not keys[name]} == {
        *("tables", "people", "places", "notes", "ratings"),
        *("accounts", "transfers", "blocks", "leases", "dead_letters"),
    }


async def test_an_older_database_is_copied_and_lifted(path: Path, scripts: Path) -> None:
    record = await filled(path)
    store = await open_sqlite(path, at_noon, scripts=scripts)
    try:
        keys = await store._writer.read(lambda c: c.exec_driver_sql("PRAGMA foreign_keys").scalar())
        assert keys == 1
    finally:
        await store.close()
    assert is_sound(path)
    with outside(path) as connection:
        assert connection.execute("SELECT state, colour FROM tables").fetchall() == [("playing", "red")]
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (record.events,)
    copy = path.with_name(f"buraco.db.before-{AFTER}")
    assert modes_in(path.parent) >= {0o600}
    assert is_sound(copy)
    assert schema_of(copy)[0] == NEWEST
    restored = await open_sqlite(copy, at_noon)
    try:
        assert await restored.load("t1") == record
    finally:
        await restored.close()


async def test_an_older_program_refuses_the_newer_database(path: Path, scripts: Path) -> None:
    await filled(path)
    await (await open_sqlite(path, at_noon, scripts=scripts)).close()
    with pytest.raises(StoreUnusable, match="newer version"):
        await open_sqlite(path, at_noon)


@pytest.mark.parametrize(("script", "problem"), [(BROKEN, "no such table"), (ASTRAY, "without their table")])
async def test_a_migration_that_fails_leaves_everything_as_it_was(
    path: Path, scripts: Path, script: str, problem: str
) -> None:
    record = await filled(path)
    before = schema_of(path)
    (scripts / "versions" / f"v{AFTER}_next.py").write_text(script)
    for _ in range(2):
        with pytest.raises(StoreUnusable, match=problem):
            await open_sqlite(path, at_noon, scripts=scripts)
    assert schema_of(path) == before
    store = await open_sqlite(path, at_noon)
    try:
        assert await store.load("t1") == record
    finally:
        await store.close()


async def test_no_room_for_the_copy_stops_before_the_migration(path: Path, scripts: Path) -> None:
    await filled(path)
    make_folder(path.with_name(f"buraco.db.before-{AFTER}.unfinished"))
    with pytest.raises(StoreUnusable, match="copy"):
        await open_sqlite(path, at_noon, scripts=scripts)
    assert schema_of(path)[0] == NEWEST


KILLED = """
import asyncio, os, shutil, signal, sys
from pathlib import Path
from sqlalchemy import Engine, event
from adapters.storage.sqlite import open_sqlite

original, scripts, folder = map(Path, sys.argv[1:4])

async def main(path):
    await (await open_sqlite(path, lambda: 1, scripts=scripts)).close()

def child(path, at):
    seen = [0]
    def kill(*_):
        seen[0] += 1
        if seen[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)
    for kind in ("do_execute", "do_executemany", "do_execute_no_params"):
        event.listen(Engine, kind, kill)
    asyncio.run(main(path))

at, status, step, deaths = 1, 1, int(sys.argv[4]), []
while status:
    path = folder / f"killed-{at}.db"
    if original.exists():
        shutil.copy(original, path)
    pid = os.fork()
    if not pid:
        try:
            child(path, at)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    if status not in (0, signal.SIGKILL):
        sys.exit(f"died of {status}")
    if status:
        deaths.append(at)
    at += step
print()
print(*deaths)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("older", [True, False], ids=["older", "new"])
async def test_a_migration_killed_at_any_statement_is_done_wholly_or_not_at_all(
    path: Path, scripts: Path, tmp_path: Path, older: bool, long_run: bool
) -> None:
    record = await filled(path) if older else None
    folder = tmp_path / "killed"
    make_folder(folder)
    deaths = _killed(path, scripts, folder, step=1 if long_run else 7)
    assert deaths[-1] > 15
    known = _known_schemas(tmp_path)
    for number in deaths:
        killed = folder / f"killed-{number}.db"
        assert is_sound(killed)
        assert schema_of(killed) in known
        await (await open_sqlite(killed, at_noon, scripts=scripts)).close()
        assert schema_of(killed) == known[2]
        with outside(killed) as connection:
            rows = connection.execute("SELECT count(*) FROM events").fetchone()[0]
        assert rows == (0 if record is None else record.events)


def _killed(path: Path, scripts: Path, folder: Path, step: int) -> list[int]:
    arguments = [sys.executable, "-c", KILLED, str(path), str(scripts), str(folder), str(step)]
    root = Path(__file__).parents[2]
    done = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=True, timeout=300)  # noqa: S603
    return [int(number) for number in done.stdout.splitlines()[-1].split()]


def _known_schemas(folder: Path) -> list[tuple[str | None, list[str]]]:
    """Nothing, the first schema, the next one."""
    return [(None, []), *(_migrated(folder / f"{name}.db", folder / "migrations", name) for name in (NEWEST, AFTER))]


def _migrated(path: Path, scripts: Path, revision: str) -> tuple[str | None, list[str]]:
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    with engine.begin() as connection:
        command.upgrade(config_for(scripts, connection), revision)
    engine.dispose()
    return schema_of(path)
