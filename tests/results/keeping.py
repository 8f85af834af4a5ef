"""Putting results into a store, with tables that are made for them."""

import msgspec

from bot.model import Status
from bot.results.model import Result
from bot.results.rating import rated, ratings_after
from bot.store import Change, Record, Store
from tests.contract.playing import lobby


async def over(store: Store, table_id: str, code: str | None = None) -> None:
    """A table whose match is over, as far as its status goes."""
    record = Record(lobby(table_id, code=code))
    await store.create(record, None)
    table = msgspec.structs.replace(record.table, status=Status.OVER)
    await store.commit(Change(Record(table, version=1)))


async def keep(store: Store, *results: Result) -> list[Result]:
    """Keep results of tables that are made for them, with their ratings."""
    kept = []
    for one in results:
        await over(store, one.table_id)
        before = {rating.person: rating for rating in await store.ratings(one.people, one.seating)}
        new = rated(one, {person: rating.skill for person, rating in before.items()})
        assert await store.add_result(new, ratings_after(new, before))
        kept.append(new)
    return kept
