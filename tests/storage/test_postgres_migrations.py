"""Migrations on PostgreSQL: from nothing and from every schema, by several at once, as a whole or not at all."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from structlog.testing import capture_logs

from adapters.storage import postgres
from adapters.storage.migrate import config_for
from adapters.storage.postgres import PostgresStore
from adapters.storage.postgres_address import Address
from adapters.storage.schema import metadata
from adapters.storage.schema_version import SCRIPTS
from bot.store import Committed, Record, StoreUnusable
from tests.contract.playing import lobby, with_a_match
from tests.postgres import Server
from tests.storage.conftest import at_noon
from tests.storage.patience import opened
from tests.storage.test_migrations import AFTER, BROKEN, NEWEST, scripts

__all__ = ["scripts"]

ROOT = Path(__file__).parents[2]
REVISIONS = sorted(file.name[1:5] for file in (SCRIPTS / "versions").glob("v*.py"))
CREATED = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
VERSION = "SELECT version_num FROM alembic_version"


def differences(connection: Connection) -> list[object]:
    """What the database has otherwise than the code."""
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, metadata))


async def new(server: Server) -> str:
    """The name of a database with nothing in it."""
    return await server.empty("ENCODING 'UTF8' TEMPLATE template0")


async def filled(url: str) -> Record:
    """A match in a database of today."""
    async with opened(url) as store:
        return await with_a_match(store)


async def upgraded(url: str, revision: str) -> None:
    """Bring a database to a schema of former times."""
    engine = postgres._engine(Address(url), 1, 5.0)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(lambda core: command.upgrade(config_for(SCRIPTS, core), revision))
    finally:
        await engine.dispose()


@pytest.mark.parametrize("revision", ["base", *REVISIONS])
async def test_from_every_schema_the_migrations_make_what_the_code_expects(server: Server, revision: str) -> None:
    name = await new(server)
    if revision != "base":
        await upgraded(server.url(name), revision)
        assert await server.value(VERSION, database=name) == revision
    store = await PostgresStore.open(server.url(name), at_noon)
    try:
        assert await store._writer.read(differences) == []
        assert await server.value(VERSION, database=name) == NEWEST
    finally:
        await store.close()


async def test_texts_are_ordered_by_code_points(postgres: str) -> None:
    collated = """
        SELECT count(*) FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
    """
    store = await PostgresStore.open(postgres, at_noon)
    try:
        assert await store._writer.read(lambda c: c.exec_driver_sql(collated).scalar()) == 0
    finally:
        await store.close()


async def test_several_that_start_at_once_migrate_once(server: Server) -> None:
    url = server.url(await new(server))
    with capture_logs() as logs:
        stores = await asyncio.gather(*(PostgresStore.open(url, at_noon) for _ in range(5)))
    try:
        assert await stores[0].create(Record(lobby()), None) == Committed()
        for store in stores:
            assert await store.load("t1") == Record(lobby())
        migrated = [entry for entry in logs if entry["event"] == "storage.migrated"]
        assert [entry["before"] for entry in migrated].count(None) == 1
    finally:
        for store in stores:
            await store.close()


async def test_an_older_database_is_lifted_with_what_is_in_it(server: Server, scripts: Path) -> None:
    name = await new(server)
    record = await filled(server.url(name))
    await (await PostgresStore.open(server.url(name), at_noon, scripts=scripts)).close()
    assert await server.value("SELECT state || colour FROM tables", database=name) == "playingred"
    assert await server.value("SELECT count(*) FROM events", database=name) == record.events
    with pytest.raises(StoreUnusable, match="newer version"):
        await PostgresStore.open(server.url(name), at_noon)


async def test_a_migration_that_fails_leaves_everything_as_it_was(server: Server, scripts: Path) -> None:
    name = await new(server)
    record = await filled(server.url(name))
    before = await server.value(CREATED, database=name)
    (scripts / "versions" / f"v{AFTER}_next.py").write_text(BROKEN)
    for _ in range(2):
        with pytest.raises(StoreUnusable, match="not_there"):
            await PostgresStore.open(server.url(name), at_noon, scripts=scripts)
    assert await server.value(CREATED, database=name) == before
    store = await PostgresStore.open(server.url(name), at_noon)
    try:
        assert await store.load("t1") == record
    finally:
        await store.close()


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from sqlalchemy import Engine, event
from adapters.storage.postgres import PostgresStore

url, scripts, at = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
seen = 0

def kill(*_):
    global seen
    seen += 1
    if seen == at:
        os.kill(os.getpid(), signal.SIGKILL)

for kind in ("do_execute", "do_executemany", "do_execute_no_params"):
    event.listen(Engine, kind, kill)

async def main():
    await (await PostgresStore.open(url, lambda: 1, scripts=scripts)).close()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
async def test_a_migration_killed_at_any_statement_is_done_wholly_or_not_at_all(
    server: Server, scripts: Path, long_run: bool
) -> None:
    status, at, deaths = -signal.SIGKILL, 3, 0
    name = await new(server)
    await upgraded(server.url(name), REVISIONS[1])
    tables = await server.value(CREATED, database=name)
    while status == -signal.SIGKILL:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", KILLED, server.url(name), str(scripts), str(at), cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        status = await process.wait()
        if status:
            deaths += 1
            assert await server.value(VERSION, database=name) == REVISIONS[1]
            assert await server.value(CREATED, database=name) == tables
        at += 2 if long_run else 23
    assert status == 0
    assert deaths >= 2
    assert await server.value(VERSION, database=name) == AFTER


def test_this_reads_the_same_scripts(scripts: Any) -> None:
    assert (scripts / "versions" / f"v{AFTER}_next.py").is_file()
