"""The stores of :class:`bot.store.Store`: SQLite in a file, PostgreSQL on a server, and memory.

All SQL of the product is in this package.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from adapters.storage.memory import MemoryStore
from adapters.storage.postgres_address import is_postgres
from adapters.storage.sqlite import open_sqlite
from bot.store import Store, StoreUnusable

__all__ = ["open_store"]

_SCHEMES: Final = ("sqlite", "sqlite+aiosqlite")
_ADVICE: Final = (
    "use sqlite:///path/to/buraco.db, the path of a file, postgresql://user:password@host/database, or memory:"
)


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


async def open_store(url: str, *, now_ms: Callable[[], int] = _wall_clock) -> Store:
    """Open the store that an address names: ``sqlite:///path``, a plain path, ``postgresql://…``, or ``memory:``.

    Args:
        url: the address.
        now_ms: the clock, in milliseconds since the epoch.

    Raises:
        StoreUnusable: it cannot be opened; says why and what to do.
    """
    if is_postgres(url):
        return await _open_postgres(url, now_ms)
    if url == "memory:":
        return MemoryStore(now_ms)
    return await open_sqlite(_path_of(url), now_ms)


async def _open_postgres(url: str, now_ms: Callable[[], int]) -> Store:
    try:
        from adapters.storage.postgres import PostgresStore  # noqa: PLC0415 - its driver is there only where it is wanted
    except ImportError:
        raise StoreUnusable(
            "PostgreSQL needs its driver", "install it: uv sync --extra postgres (or pip install 'buraco[postgres]')"
        ) from None
    return await PostgresStore.open(url, now_ms)


def _path_of(url: str) -> Path:
    scheme, colon, rest = url.partition("://")
    if not colon:
        if not url.strip() or url.startswith(":"):
            raise StoreUnusable(f"{url!r} names no database", _ADVICE)
        return Path(url)
    if scheme not in _SCHEMES:
        # The rest of the address may hold a password.
        raise StoreUnusable(f"{scheme} is no kind of database that is known here", _ADVICE)
    try:
        database = make_url(url).database
    except ArgumentError:
        database = None
    if not database or database.startswith(":") or not rest.startswith("/"):
        raise StoreUnusable(f"{url!r} names no file", _ADVICE)
    return Path(database)
