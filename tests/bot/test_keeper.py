"""Reading tables: few questions to the store, in the order that was asked for, and nothing outdated."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping

import msgspec
import pytest

from bot import keeper as keeping
from bot.keeper import Keeper, Unknown
from bot.leases import Alone
from bot.store import Change, Committed, Record, UnreadableSave
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


class Shared(Alone):
    """Other processes may be at work on the same store."""

    is_shared = True


async def renamed_here(keeper: Keeper, record: Record, name: str) -> Record:
    """The table with another name, committed by this process."""
    result = await keeper.commit(record, table=msgspec.structs.replace(record.table, name=name))
    assert isinstance(result, Record)
    return result


async def test_what_this_process_committed_is_shown_without_being_read(store: Asked) -> None:
    keeper = Keeper(store)
    first = await keeper.newest("t1")
    record = await renamed_here(keeper, first, "Otra")
    assert await keeper.newest("t1") is record
    assert store.asked == {"load": 1}
    with pytest.raises(Unknown):
        await keeper.newest("none")


async def test_what_another_process_may_have_changed_is_read(store: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "leases", Shared())
    mine, theirs = Keeper(store), Keeper(store)
    record = await renamed_here(mine, await mine.load("t1"), "Mine")
    await renamed_here(theirs, record, "Theirs")
    assert (await mine.newest("t1")).table.name == "Theirs"


async def test_a_read_that_a_commit_overtakes_is_not_kept(store: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(store)
    before = await keeper.load("t1")
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def slowly(table_id: str) -> Record:
        begun.set()
        await goes_on.wait()
        return before

    monkeypatch.setattr(store, "load", slowly)
    late = asyncio.create_task(keeper.load("t1"))
    await begun.wait()
    record = await renamed_here(keeper, before, "Otra")
    goes_on.set()
    assert await late is before
    assert await keeper.newest("t1") is record


async def test_what_cannot_be_read_is_not_shown_from_memory(store: Asked) -> None:
    keeper = Keeper(store)
    await renamed_here(keeper, await keeper.load("t1"), "Otra")
    store.unreadable.add("t1")
    for _ in range(2):
        with pytest.raises(UnreadableSave):
            await keeper.load_for_press("t1", "press")
    with pytest.raises(UnreadableSave):
        await keeper.newest("t1")
    assert store.suspends > 0


async def test_so_many_tables_are_at_hand(store: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RECENT", 10)
    keeper = Keeper(store)
    for number in range(25):
        await keeper.load(f"t{number}")
    store.asked.clear()
    for number in range(25):
        await keeper.newest(f"t{number}")
    assert store.asked == {"load": 25}, "each puts out the one that was read longest ago"
    await keeper.newest("t24")
    keeper.forget_recent()
    await keeper.newest("t24")
    assert store.asked == {"load": 26}
