"""Putting results into a store, with tables that are made for them."""

import msgspec

from bot.model import Status
from bot.results.model import Result
from bot.store import Change, Record, Store
from tests.contract.playing import lobby


async def over(store: Store, table_id: str, code: str | None = None) -> None:
    """A table whose match is over, as far as its status goes."""
    record = Record(lobby(table_id, code=code))
    await store.create(record, None)
    table = msgspec.structs.replace(record.table, status=Status.OVER)
    await store.commit(Change(Record(table, version=1)))


async def keep(store: Store, *results: Result) -> list[Result]:
    """Keep results of tables that are made for them, with the ratings that they lead to."""
    kept = []
    for one in results:
        await over(store, one.table_id)
        assert await store.add_result(one)
        new = await store.result(one.table_id)
        assert new is not None
        kept.append(new)
    return kept
