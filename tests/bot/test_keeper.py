"""Reading many tables: a few questions to the store, in the order that was asked for, and nothing outdated."""

from collections import Counter
from collections.abc import Collection, Mapping

import msgspec
import pytest

from bot import keeper as keeping
from bot.keeper import Keeper
from bot.store import Change, Committed, Record
from tests.bot.fakes import FakeClock, TroubledStore
from tests.contract.playing import lobby


class Asked(TroubledStore):
    """A store that counts what it is asked for, and may see a table change while another is mended."""

    def __init__(self) -> None:
        super().__init__(FakeClock())
        self.asked: Counter[str] = Counter()
        self.renamed = ""

    async def load(self, table_id: str) -> Record | None:
        """A table by id."""
        self.asked["load"] += 1
        if self.renamed:
            renamed, self.renamed = await self.load_one(self.renamed), ""
            table = msgspec.structs.replace(renamed.table, name="Otra")
            change = Change(msgspec.structs.replace(renamed, table=table, version=renamed.version + 1))
            assert await self.commit(change) == Committed()
        return await super().load(table_id)

    async def load_one(self, table_id: str) -> Record:
        """A table that must be there."""
        record = await super().load(table_id)
        assert record is not None
        return record

    async def load_whole(self, table_ids: Collection[str]) -> Mapping[str, Record]:
        """Some tables."""
        self.asked["load_whole"] += 1
        return await super().load_whole(table_ids)


@pytest.fixture
async def store() -> Asked:
    """A store with 25 tables."""
    store = Asked()
    for number in range(25):
        await store.create(Record(lobby(f"t{number}")), None)
    return store


async def test_many_tables_are_read_together_in_their_order(store: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "AT_ONCE", 10)
    wanted = [f"t{number}" for number in range(24, -1, -1)]
    read = [record.table.id async for record in Keeper(store).readable(iter(wanted))]
    assert read == wanted
    assert store.asked == {"load_whole": 3}


async def test_what_is_gone_or_unreadable_is_left_out_and_suspended(store: Asked) -> None:
    store.unreadable.add("t3")
    read = [record.table.id async for record in Keeper(store).readable(["t2", "t3", "nowhere", "t4"])]
    assert read == ["t2", "t4"]
    assert store.suspends == 1


async def test_after_a_mended_table_nothing_is_told_as_it_was_before(store: Asked) -> None:
    store.unreadable.add("t3")
    store.renamed = "t4"
    read = [record async for record in Keeper(store).readable(["t2", "t3", "t4"])]
    assert [(record.table.id, record.version) for record in read] == [("t2", 0), ("t4", 1)]
    assert read[1].table.name == "Otra"


async def test_without_tables_the_store_is_not_asked(store: Asked) -> None:
    assert [record async for record in Keeper(store).readable([])] == []
    assert not store.asked
