"""``buraco export``: the records of a table's finished deals."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bot.bundles import record_name
from bot.history import records_of
from bot.keeper import Unknown
from bot.model import Table
from bot.records import write_record
from bot.store import OpenStore
from engine.events import Event


def export_deals(open_store: OpenStore, url: str, code: str, out: Path) -> list[Path]:
    """Write a file for each finished deal of a table into ``out``; returns the paths.

    A deal that goes on is never written: its record would show every hidden card.

    Raises:
        Unknown: there is no table of this code.
        StoreError: the database cannot be used.
        OSError: a file cannot be written.
    """
    table, events = asyncio.run(_read(open_store, url, code))
    out.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    names = [chair.name for chair in table.chairs]
    for deal in records_of(table.rules, table.seating, names, events, table.seals, table.code):
        path = out / record_name(table.code, deal.number)
        path.write_text(write_record(deal), encoding="utf-8")
        written.append(path)
    return written


async def _read(open_store: OpenStore, url: str, code: str) -> tuple[Table, Sequence[Event]]:
    store = await open_store(url)
    try:
        table_id = await store.find(code.strip().upper())
        record = None if table_id is None else await store.load(table_id)
        if table_id is None or record is None:
            raise Unknown(f"there is no table {code!r}")
        return record.table, await store.events(table_id)
    finally:
        await store.close()
