"""The whole program over PostgreSQL: its commands, readiness, and a room that is killed and goes on."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adapters.storage import open_store
from bot import __main__ as wired
from bot.cli import app as commands
from bot.cli.exits import CONFIG, TEMPORARY
from bot.gate import Gate
from bot.vitals import Vitals
from tests.e2e.room import Client, Process, free_port
from tests.postgres import make_server


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("BURACO_") or name.endswith("_TOKEN")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BURACO_WEB_PORT", "0")


def buraco(*arguments: str) -> Result:
    """A command and what came of it."""
    assert wired.migrate in [command.callback for command in commands.registered_commands]
    return CliRunner().invoke(commands, list(arguments))


def test_doctor_and_migrate_take_it_like_a_file(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURACO_DATABASE_URL", postgres)
    result = buraco("doctor")
    assert result.exit_code == 0, result.output
    assert "ok   database: opens, writes, has this version's schema; 0 open tables" in result.stdout
    assert "ok   coins: every coin is accounted for" in result.stdout
    assert buraco("migrate").stdout == "The database has this version's schema; 0 open tables\n"


def test_backup_and_restore_name_the_server_s_own_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURACO_DATABASE_URL", "postgresql://ana:open%20sesame@host:1/buraco")
    for command in (["backup"], ["restore", "copy.sqlite3"]):
        result = buraco(*command)
        assert result.exit_code == CONFIG
        assert "pg_dump --format=custom --file=buraco.dump postgresql://ana@host:1/buraco" in result.stderr
        assert "pg_restore" in result.stderr
        assert "sesame" not in result.output


def test_no_password_is_in_what_the_doctor_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURACO_DATABASE_URL", "postgresql://ana:1/open%20sesame@host/b")
    result = buraco("doctor")
    assert result.exit_code == 1
    assert "FAIL database: the address" in result.stdout
    assert "sesame" not in result.output


async def test_a_server_that_is_away_may_come_back_later(tmp_path: Path) -> None:
    room = Process(tmp_path, free_port(), database=f"postgresql://ana:open%20sesame@/b?host={tmp_path}")
    status, _, errors = await room.run_to_end()
    assert status == TEMPORARY
    assert "no PostgreSQL server takes us in" in errors
    assert "Traceback" not in errors
    assert "sesame" not in errors


async def test_readiness_follows_the_server() -> None:
    server = make_server()
    try:
        store = await open_store(server.url(await server.database()))
        try:
            vitals = Vitals(store, Gate(), [])
            vitals.is_started = True
            assert (await vitals.readiness()).ready
            server.kill()
            async with asyncio.timeout(60):
                while (await vitals.readiness()).store:  # noqa: ASYNC110 - asked at most once a second
                    await asyncio.sleep(0.1)
                await asyncio.to_thread(server.start)
                while not (await vitals.readiness()).ready:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
        finally:
            await store.close()
    finally:
        server.stop()


async def test_a_room_that_is_killed_stands_where_it_stood(postgres: str, tmp_path: Path) -> None:
    room = Process(tmp_path, free_port(), database=postgres)
    async with room, Client(await room.start(), seed=1) as client:
        await client.open_table("1v1")
        before = await client.state()
        await room.kill()
        await room.start()
        after = await client.state()
        assert after["version"] >= before["version"]
        status, errors = await room.stop()
        assert status == 0
        assert "Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
async def test_a_second_process_may_look_while_the_bot_runs(postgres: str, tmp_path: Path) -> None:
    room = Process(tmp_path, free_port(), database=postgres)
    async with room, Client(await room.start(), seed=1) as client:
        await client.open_table("1v1")
        store = await open_store(postgres)
        try:
            assert len(await store.open_tables()) == 1
        finally:
            await store.close()
