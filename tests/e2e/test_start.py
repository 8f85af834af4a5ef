"""What a newcomer meets: a start that works, and every mistake ending in one clear line."""

import asyncio
import socket
import sqlite3
from pathlib import Path

import pytest

from tests.e2e.room import Client, Process, free_port

CONFIG = 78
TEMPORARY = 75


def _one_line(status: int, err: str, code: int, *words: str) -> None:
    assert status == code, err
    assert len(err.strip().splitlines()) == 1, err
    assert err.startswith("buraco: ")
    for word in words:
        assert word in err, err


async def test_starts_plays_and_stops_with_nothing_set_up(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port(), database=f"sqlite:///{tmp_path / 'deep' / 'er' / 'room.sqlite3'}")
    async with process, Client(await process.start(), seed=1) as client:
        await client.open_table("2v2")
        assert (await client.state())["hand"] is not None
        assert await process.stop() == (0, "")
    assert (tmp_path / "deep" / "er" / "room.sqlite3").exists()


async def test_stops_in_time_while_robots_play(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port(), pause="0")
    async with process, Client(await process.start(), seed=1) as client:
        await client.open_table("2v2v2")
        async with asyncio.timeout(8):
            assert await process.stop() == (0, "")


async def test_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        status, out, err = await Process(tmp_path, port).run_to_end()
    _one_line(status, err, TEMPORARY, str(port), "BURACO_WEB_PORT")
    assert out == ""


async def test_second_instance_on_one_database(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port())
    async with process:
        await process.start()
        status, _, err = await Process(tmp_path, free_port()).run_to_end()
    _one_line(status, err, CONFIG, "room.sqlite3")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("BURACO_WEB_PORT=eighty\n", "BURACO_WEB_PORT"),
        ("BURACO_WEB_PROT=8000\n", "BURACO_WEB_PORT"),
        ("this is no setting\nBURACO_LOG=info\n", "line 1"),
        ("BURACO_LOG=loud\n", "BURACO_LOG"),
    ],
)
async def test_broken_env_file(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    process = Process(tmp_path, free_port())
    del process.environment["BURACO_WEB_PORT"]
    status, _, err = await process.run_to_end()
    _one_line(status, err, CONFIG, word)


async def test_env_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00BURACO")
    status, _, err = await Process(tmp_path, free_port()).run_to_end()
    _one_line(status, err, CONFIG, ".env")


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "room.sqlite3").write_text("this is a letter to my aunt\n" * 200, encoding="utf-8")
    status, _, err = await Process(tmp_path, free_port()).run_to_end()
    _one_line(status, err, CONFIG, "room.sqlite3")


async def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port())
    async with process:
        await process.start()
        await process.stop()
    with sqlite3.connect(tmp_path / "room.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    status, _, err = await process.run_to_end()
    _one_line(status, err, CONFIG, "newer")


async def test_an_unknown_kind_of_database(tmp_path: Path) -> None:
    status, _, err = await Process(tmp_path, free_port(), database="mongodb://localhost/x").run_to_end()
    _one_line(status, err, CONFIG, "mongodb")
