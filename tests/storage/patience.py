"""PostgreSQL stores for a while, and waiting for what happens in other processes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from adapters.storage.postgres import PostgresStore
from bot.store import Committed, Record, StoreBusy
from tests.contract.playing import lobby, started
from tests.storage.conftest import at_noon

BRIEF = 0.3


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[PostgresStore]:
    """A store for a while."""
    store = await PostgresStore.open(url, at_noon, **{"patience_seconds": 5.0, **options})
    try:
        yield store
    finally:
        await store.close()


async def table(store: PostgresStore, table_id: str = "t1") -> Record:
    """A new table with its match."""
    record = started(lobby(table_id))
    assert await store.create(record, None) == Committed()
    return record


async def until(ask: Any) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(30):
        while not await ask():  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.01)


async def patiently(ask: Any) -> Any:
    """What comes of something that is tried until the store is not busy any more."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await ask()
            except StoreBusy:
                await asyncio.sleep(0.05)
