"""What ``buraco doctor`` asks the database."""

import asyncio

from bot.config import load_settings
from bot.doctor import letters_told
from bot.store import OpenStore, StoreError, StoreInUse


def probe_store(open_store: OpenStore) -> str:
    """Whether the database opens, takes a write and has this version's schema.

    Raises:
        Exception: whatever is wrong with it.
    """

    async def probe() -> str:
        try:
            store = await open_store(load_settings().database_url)
        except StoreInUse:
            return "in use: Buraco is running"
        try:
            await store.write_note("probe", "doctor")
            told = f"opens, writes, has this version's schema; {len(await store.open_tables())} open tables"
            return told + letters_told(await store.letters())
        finally:
            await store.close()

    return asyncio.run(probe())


def probe_books(open_store: OpenStore) -> str:
    """Whether every coin is accounted for.

    Raises:
        StoreError: one is not, or the database cannot be used.
    """

    async def probe() -> str:
        try:
            store = await open_store(load_settings().database_url)
        except StoreInUse:
            return "not looked at while Buraco is running; buraco backup looks at its copy"
        try:
            wrong = await store.audit()
        finally:
            await store.close()
        if wrong:
            raise StoreError(f"the books of the coins are wrong: {'; '.join(wrong[:3])}")
        return "every coin is accounted for"

    return asyncio.run(probe())
