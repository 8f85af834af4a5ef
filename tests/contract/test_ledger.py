"""What every store owes to whoever has coins: :class:`bot.stakes.storing.LedgerStore`, word for word."""

import asyncio
import random

import msgspec
import pytest

from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Short, Transfer, escrow, house, mint, wallet
from bot.stakes.rules import DAILY, WELCOME, daily, welcome
from bot.store import Change, Committed, Conflict, Record, Repeated, Store
from tests.contract.conftest import Backend
from tests.contract.playing import lobby

MARK = place_mark("chat:1")
ANA, BETO = wallet(MARK, "ana"), wallet(MARK, "beto")


def stake(amount: int = 6_000, name: str = "stake") -> Transfer:
    """Ana and Beto put up so much at the table t1."""
    entries = (Entry(ANA, -amount), Entry(BETO, -amount), Entry(escrow("t1"), 2 * amount))
    return Transfer(name, Cause.STAKE, entries, "t1")


async def rich(store: Store) -> Record:
    """A table, and two people with their first coins."""
    for person in ("ana", "beto"):
        assert await store.post(welcome(MARK, person)) is True
    record = Record(lobby())
    await store.create(record, None)
    return record


def changed(record: Record, *transfers: Transfer, press_id: str | None = None) -> Change:
    """A change of a table with which coins move."""
    after = msgspec.structs.replace(record, version=record.version + 1)
    return Change(after, press_id=press_id, transfers=transfers)


async def test_nothing_is_there_at_first(store: Store) -> None:
    assert await store.balance(ANA) is None
    assert list(await store.statement(ANA, 5)) == []
    assert list(await store.wallets_of("ana")) == []
    assert list(await store.audit()) == []


async def test_a_transfer_is_posted_once(backend: Backend) -> None:
    assert await backend.store.post(welcome(MARK, "ana")) is True
    assert await backend.store.post(welcome(MARK, "ana")) is False
    store = await backend.reopen()
    assert await store.is_posted(welcome(MARK, "ana").id)
    assert not await store.is_posted(welcome(MARK, "beto").id)
    assert await store.balance(ANA) == WELCOME
    assert await store.balance(mint(MARK)) == -WELCOME
    assert list(await store.audit()) == []


async def test_nobody_pays_what_they_do_not_have(store: Store) -> None:
    await rich(store)
    assert await store.post(stake(WELCOME + 1)) == Short(ANA)
    assert await store.balance(ANA) == WELCOME
    assert await store.balance(escrow("t1")) is None
    assert await store.post(stake(WELCOME)) is True
    assert await store.balance(ANA) == 0
    assert await store.post(stake(1, "again")) == Short(ANA)


async def test_coins_move_with_the_table_or_not_at_all(backend: Backend) -> None:
    store = backend.store
    record = await rich(store)
    assert await store.commit(changed(record, stake())) == Committed()
    assert await store.balance(escrow("t1")) == 12_000
    later = changed(record, Transfer("other", Cause.STAKE, stake().entries, "t1"))
    assert await store.commit(later) == Conflict(), "somebody else was first"
    assert await store.balance(ANA) == WELCOME - 6_000
    record = changed(record).record
    short = await store.commit(changed(record, stake(WELCOME, "too much"), press_id="p"))
    assert short == Short(ANA)
    found = await (await backend.reopen()).load("t1")
    assert found is not None
    assert found.version == 1, "nothing of the change was written"
    assert await backend.store.answer_to("p") is None
    assert list(await backend.store.audit()) == []


async def test_a_repeated_press_moves_nothing_again(store: Store) -> None:
    record = await rich(store)
    change = msgspec.structs.replace(changed(record, stake(), press_id="p"), answer="done")
    assert await store.commit(change) == Committed()
    assert await store.commit(change) == Repeated("done")
    assert await store.balance(escrow("t1")) == 12_000


async def test_a_transfer_in_two_changes_is_a_fault_that_harms_nobody_else(store: Store) -> None:
    record = await rich(store)
    await store.create(Record(lobby("t2")), None)
    assert await store.commit(changed(record, stake())) == Committed()
    other = await store.load("t2")
    assert other is not None
    again = changed(msgspec.structs.replace(record, version=1), stake())
    outcomes = await asyncio.gather(store.commit(again), store.commit(changed(other)), return_exceptions=True)
    assert isinstance(outcomes[0], ValueError)
    assert outcomes[1] == Committed()
    assert await store.balance(escrow("t1")) == 12_000


async def test_of_many_who_spend_at_once_only_those_succeed_who_can_pay(store: Store) -> None:
    await rich(store)
    spend = [Transfer(f"spend {n}", Cause.STAKE, (Entry(ANA, -7_000), Entry(house(MARK), 7_000))) for n in range(20)]
    outcomes = await asyncio.gather(*(store.post(one) for one in spend))
    assert outcomes.count(True) == WELCOME // 7_000
    assert outcomes.count(Short(ANA)) == 20 - WELCOME // 7_000
    assert await store.balance(ANA) == WELCOME % 7_000
    assert list(await store.audit()) == []


async def test_a_statement_tells_the_newest_first(backend: Backend) -> None:
    record = await rich(backend.store)
    backend.clock.now += 1_000
    await backend.store.post(daily(MARK, "ana", "2026-03-01"))
    backend.clock.now += 1_000
    await backend.store.commit(changed(record, stake()))
    lines = await backend.store.statement(ANA, 9)
    assert [(line.cause, line.amount, line.table_id) for line in lines] == [
        (Cause.STAKE, -6_000, "t1"),
        (Cause.DAILY, DAILY, ""),
        (Cause.WELCOME, WELCOME, ""),
    ]
    assert len(await backend.store.statement(ANA, 2)) == 2
    assert sum(line.amount for line in lines) == await backend.store.balance(ANA)


async def test_a_place_s_coins_go_along_to_its_new_name(store: Store) -> None:
    await rich(store)
    other = wallet(place_mark("chat:3"), "ana")
    await store.post(welcome(place_mark("chat:3"), "ana"))
    await store.post(welcome(place_mark("chat:2"), "ana"))
    for _ in range(2):
        await store.move_coins("chat:1", "chat:2")
    assert await store.balance(wallet(place_mark("chat:2"), "ana")) == 2 * WELCOME
    assert await store.balance(wallet(place_mark("chat:2"), "beto")) == WELCOME
    assert await store.balance(ANA) == 0
    assert await store.balance(other) == WELCOME
    assert list(await store.audit()) == []


async def test_whoever_is_forgotten_leaves_their_coins_to_the_house(backend: Backend) -> None:
    store = backend.store
    record = await rich(store)
    await store.commit(changed(record, stake()))
    for _ in range(2):
        await store.forget_wallets("ana")
    store = await backend.reopen()
    assert await store.balance(ANA) is None
    assert list(await store.wallets_of("ana")) == []
    assert list(await store.statement(ANA, 5)) == []
    assert await store.balance(house(MARK)) == WELCOME - 6_000
    assert await store.balance(escrow("t1")) == 12_000, "what was at stake stays there"
    assert await store.balance(BETO) == WELCOME - 6_000
    assert list(await store.audit()) == []


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_happens_every_coin_is_accounted_for(store: Store, seed: int) -> None:
    dice = random.Random(seed)
    people = [wallet(MARK, f"p{n}") for n in range(4)]
    for number in range(60):
        one, other = dice.sample([*people, house(MARK), escrow("t1")], 2)
        amount = dice.randrange(1, 20_000)
        source = mint(MARK) if dice.random() < 0.3 else one
        transfer = Transfer(f"{number}", Cause.STAKE, (Entry(source, -amount), Entry(other, amount)))
        before = await store.balance(source) or 0
        outcome = await store.post(transfer)
        assert (outcome is True) == (source == mint(MARK) or before >= amount)
        if dice.random() < 0.05:
            await store.forget_wallets(f"p{dice.randrange(4)}")
    assert list(await store.audit()) == []


def test_a_transfer_adds_up_to_nothing() -> None:
    for entries in (
        (),
        (Entry(ANA, 1),),
        (Entry(ANA, 1), Entry(BETO, -2)),
        (Entry(ANA, 0), Entry(BETO, 0)),
        (Entry(ANA, 1), Entry(ANA, -1)),
    ):
        with pytest.raises(ValueError, match="x: "):
            Transfer("x", Cause.STAKE, entries)
