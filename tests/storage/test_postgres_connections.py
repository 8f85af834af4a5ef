"""Several processes, broken connections, a server that goes and comes back: nothing is lost, and nothing done twice."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.storage.postgres import PostgresStore
from bot.model import Home, Person
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Transfer, mint, wallet
from bot.stakes.rules import WELCOME, welcome
from bot.store import (
    Change,
    Committed,
    Conflict,
    OutcomeUnknown,
    Record,
    Repeated,
    StoreBusy,
)
from tests.contract.playing import lobby, next_change, started
from tests.postgres import make_server
from tests.storage.cutting import Cut, Way, way_to
from tests.storage.patience import BRIEF, opened, patiently, table

END_THE_OTHERS = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class TestSeveralProcesses:
    """Two stores stand for two processes: they share nothing but the database."""

    @pytest.fixture
    async def both(self, postgres: str) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
        async with opened(postgres) as one, opened(postgres) as other:
            yield one, other

    async def test_of_many_in_two_processes_exactly_one_wins_each_version(
        self, both: tuple[PostgresStore, PostgresStore]
    ) -> None:
        record, dice = await table(both[0]), random.Random(5)
        expected: list[object] = []
        for version in range(20):
            changes = [next_change(record, dice, f"{version}:{n}", f"answer {n}") for n in range(8)]
            outcomes = await asyncio.gather(*(both[n % 2].commit(change) for n, change in enumerate(changes)))
            winners = [change for change, outcome in zip(changes, outcomes, strict=True) if outcome == Committed()]
            assert len(winners) == 1
            assert outcomes.count(Conflict()) == 7
            record, expected = winners[0].record, [*expected, *winners[0].events]
            assert await both[0].load("t1") == await both[1].load("t1") == record
        assert list(await both[1].events("t1")) == expected

    async def test_a_press_delivered_to_two_processes_has_one_effect(
        self, both: tuple[PostgresStore, PostgresStore]
    ) -> None:
        records = [await table(both[0], f"t{n}") for n in range(4)]
        for number in range(15):
            changes = [next_change(record, random.Random(number), f"press {number}", "a") for record in records]
            outcomes = await asyncio.gather(*(both[n % 2].commit(changes[n // 2]) for n in range(8)))
            assert outcomes.count(Committed()) == 1, "a press counts for all tables"
            assert outcomes.count(Repeated("a")) == 7
            loaded = await asyncio.gather(*(both[0].load(f"t{n}") for n in range(4)))
            records = [record for record in loaded if record is not None]
        assert sum(record.version for record in records) == 15

    async def test_what_must_be_one_is_one(self, both: tuple[PostgresStore, PostgresStore]) -> None:
        for number in range(10):
            told = await asyncio.gather(*(both[n % 2].settle_note(f"s{number}", f"{n}") for n in range(8)))
            assert len(set(told)) == 1
            people = [Person(f"p{number}-{n}", "Ana") for n in range(8)]
            met = await asyncio.gather(*(both[n % 2].add_person(one, f"web:{number}") for n, one in enumerate(people)))
            assert len(set(met)) == 1
            tables = [Record(lobby(f"t{number}-{n}", code=f"C{number}")) for n in range(8)]
            made = await asyncio.gather(*(both[n % 2].create(one, None) for n, one in enumerate(tables)))
            assert sorted(map(repr, made)) == sorted(map(repr, [Committed(), *[Conflict()] * 7]))

    async def test_every_coin_is_accounted_for(self, both: tuple[PostgresStore, PostgresStore]) -> None:
        mark, dice = place_mark("chat:1"), random.Random(3)
        people = [wallet(mark, f"p{n}") for n in range(4)]
        welcomes = [welcome(mark, f"p{n}") for n in range(4)]
        told = await asyncio.gather(*(both[n % 2].post(welcomes[n // 2]) for n in range(8)))
        assert told.count(True) == 4
        spend = []
        for number in range(80):
            one, other = dice.sample(people, 2)
            amount = dice.randrange(1, WELCOME)
            spend.append(Transfer(f"{number}", Cause.STAKE, (Entry(one, -amount), Entry(other, amount))))
        await asyncio.gather(
            *(both[n % 2].post(one) for n, one in enumerate(spend)),
            *(both[n % 2].forget_wallets("p3") for n in range(2)),
            both[0].move_coins("chat:1", "chat:2"),
        )
        assert list(await both[1].audit()) == []

    async def test_shown_versions_only_grow(self, both: tuple[PostgresStore, PostgresStore]) -> None:
        await table(both[0])
        versions = list(range(40))
        random.Random(3).shuffle(versions)
        homes = [Home("t1", "web", "room", str(v), v) for v in versions]
        await asyncio.gather(*(both[n % 2].mark_shown(home) for n, home in enumerate(homes)))
        assert list(await both[0].homes("t1")) == [Home("t1", "web", "room", "39", 39)]


class TestBrokenConnections:
    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    @pytest.mark.parametrize("press", [True, False], ids=["with a press", "without"])
    async def test_a_connection_cut_in_the_commit_changes_nothing_twice(
        self, postgres: str, cut: Cut, press: bool
    ) -> None:
        async with way_to(postgres) as (way, url), opened(url) as store:
            record, dice, change = await table(store), random.Random(4), None
            for number in range(12):
                change = next_change(record, dice, f"press {number}" if press else None, "answer")
                way.cut, way.times = cut, number % 3
                assert await store.commit(change) == Committed()
                record = change.record
                assert await store.load("t1") == record
            assert way.cuts >= 8
            events = await store.events("t1")
            assert len(events) == record.events
            if press:
                assert change is not None
                assert await store.commit(change) == Repeated("answer")

    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    async def test_a_group_cut_in_the_commit_changes_nothing_twice(self, postgres: str, cut: Cut) -> None:
        async with way_to(postgres) as (way, url), opened(url) as store:
            records = [await table(store, f"t{n}") for n in range(20)]
            for number in range(4):
                changes = [next_change(one, random.Random(n), f"{number}:{n}", "a") for n, one in enumerate(records)]
                way.cut, way.times = cut, 2
                assert await asyncio.gather(*map(store.commit, changes)) == [Committed()] * 20
                records = [change.record for change in changes]
            assert way.cuts == 8
            for record in records:
                assert await store.load(record.table.id) == record
                assert len(await store.events(record.table.id)) == record.events

    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    async def test_everything_else_is_done_once_too(self, postgres: str, cut: Cut) -> None:
        mark = place_mark("chat:1")
        async with way_to(postgres) as (way, url), opened(url) as store:

            def cutting() -> Way:
                way.cut, way.times = cut, 1
                return way

            cutting()
            record = started(lobby())
            assert await store.create(record, Home("t1", "web", "room"), "open") == Committed()
            cutting()
            assert await store.create(started(lobby("t2")), None) == Committed()
            cutting()
            assert await store.settle_note("secret", "mine") == "mine"
            cutting()
            assert await store.add_person(Person("p1", "Ana"), "web:1") == Person("p1", "Ana")
            cutting()
            assert await store.post(welcome(mark, "ana")) in (True, False)
            assert await store.balance(wallet(mark, "ana")) == WELCOME
            cutting()
            coins = (Entry(wallet(mark, "ana"), -5), Entry(mint(mark), 5))
            paid = next_change(record, random.Random(1), "pay", "paid")
            paid = Change(paid.record, paid.events, "pay", "paid", transfers=(Transfer("t", Cause.STAKE, coins, "t1"),))
            assert await store.commit(paid) == Committed()
            assert await store.balance(wallet(mark, "ana")) == WELCOME - 5
            assert way.cuts == 6
            assert list(await store.audit()) == []

    @pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.BEHIND])
    async def test_while_the_server_stays_away_the_outcome_is_unknown_and_the_same_press_settles_it(
        self, postgres: str, cut: Cut
    ) -> None:
        async with way_to(postgres) as (way, url), opened(url, patience_seconds=BRIEF) as store:
            record = await table(store)
            change = next_change(record, random.Random(4), "press", "answer")
            way.cut, way.times, way.closes_after = cut, 1, True
            with pytest.raises(OutcomeUnknown):
                await store.commit(change)
            with pytest.raises(StoreBusy):
                await store.load("t1")
            way.closed = False
            expected = Committed() if cut is Cut.BEFORE else Repeated("answer")
            # The session that was cut off may still hold the row for a moment.
            assert await patiently(lambda: store.commit(change)) == expected
            assert await store.load("t1") == change.record
            assert await store.answer_to("press") == "answer"

    async def test_sessions_that_the_server_ends_are_made_anew(self, postgres: str, outside: Any) -> None:
        async with opened(postgres) as store:
            record, dice = await table(store), random.Random(4)
            for _ in range(10):
                ended = (
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
                )
                await outside.fetchval(f"{ended} AND pid <> pg_backend_pid()")
                assert await store.load("t1") == record
                change = next_change(record, dice)
                assert await store.commit(change) == Committed()
                record = change.record

    async def test_a_server_that_is_started_again_is_found_again(self) -> None:
        server = make_server()
        try:
            async with opened(server.url(await server.database()), patience_seconds=BRIEF) as store:
                record = await table(store)
                server.kill()
                change = next_change(record, random.Random(1), "press", "answer")
                for work in (store.commit(change), store.load("t1"), store.write_note("a", "b")):
                    with pytest.raises(StoreBusy):
                        await work
                await asyncio.to_thread(server.start)
                assert await store.load("t1") == record
                assert await store.commit(change) == Committed()
        finally:
            server.stop()
