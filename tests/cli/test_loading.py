"""What a start leaves alone: libraries that take long to load and that it does not want."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from adapters.storage import open_store
from tests.e2e.room import ROOT

_START = """
import asyncio, sys
import bot.__main__
from adapters.storage import open_store

async def start():
    store = await open_store(sys.argv[1])
    await store.close()

asyncio.run(start())
print(sorted(set(sys.argv[2:]) & set(sys.modules)))
"""


async def _made(url: str) -> None:
    store = await open_store(url)
    await store.close()


def loaded(url: str, *names: str) -> str:
    """Which of some modules a start loads over a database."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", _START, url, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    return done.stdout.splitlines()[-1]


def test_without_a_chat_and_with_nothing_to_migrate_neither_their_libraries_nor_alembic_nor_a_compiler_is_loaded(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'room.sqlite3'}"
    asyncio.run(_made(url))
    heavy = ("alembic", "discord", "telegram", "httpx", "numba", "numpy", "sqlalchemy")
    assert loaded(url, *heavy) == "['sqlalchemy']"


def test_a_new_database_needs_alembic(tmp_path: Path) -> None:
    assert loaded(f"sqlite:///{tmp_path / 'new.sqlite3'}", "alembic") == "['alembic']"
