"""A cut over every store: what waits for it is found again, and a second process cuts what the first has sealed."""

import msgspec

from bot.cutting import dealt, offered
from bot.fairness import Sealer, seal_of
from bot.model import Status
from bot.store import Change, Committed, Conflict, Record
from engine.evolve import evolve_all
from engine.seating import Seating
from tests.contract.conftest import Backend
from tests.contract.playing import lobby


async def test_what_waits_for_a_cut_is_found_again_and_cut_by_another_process(backend: Backend) -> None:
    store = backend.store
    table = lobby(seating=Seating.ONE_ON_ONE)
    await store.create(Record(table), None)
    playing = msgspec.structs.replace(table, status=Status.PLAYING, cutting=True)
    waiting = Record(await offered(Sealer(store), playing, 0, 1), version=1, deadline_ms=9_000)
    assert isinstance(await store.commit(Change(waiting, deadline_ms=9_000)), Committed)
    store = await backend.reopen()
    assert await store.load(table.id) == waiting
    assert list(await store.deadlines()) == [(table.id, 9_000)]
    assert list(await store.events(table.id)) == []
    # The salt is found again from what the database keeps, not from what the first process knew.
    done = await dealt(Sealer(store), waiting.table, waiting.match, "375", 1)
    again = await dealt(Sealer(store), waiting.table, waiting.match, "375", 1)
    assert done == again
    match = evolve_all(done.match, done.events)
    after = Record(done.table, version=2, match=match, events=len(done.events), deadline_ms=12_000)
    change = Change(after, done.events, "ana:the cut", "{}", 12_000)
    assert isinstance(await store.commit(change), Committed)
    # Whoever was late deals nothing over it.
    other = await dealt(Sealer(store), waiting.table, waiting.match, "000", None)
    late = Change(msgspec.structs.replace(after, table=other.table), other.events, "beto:the cut", "{}")
    assert isinstance(await store.commit(late), Conflict)
    store = await backend.reopen()
    assert await store.load(table.id) == after
    assert list(await store.events(table.id)) == list(done.events)
    seal = seal_of(after.table.seals, 0)
    assert seal is not None
    assert (seal.cut, seal.cutter, seal.salt) == ("375", 1, "")
