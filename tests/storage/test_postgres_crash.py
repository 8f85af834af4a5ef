"""The server killed at any moment, with all its processes: nothing acknowledged is lost, and nothing is done twice."""

import asyncio
import random

from adapters.storage.postgres import PostgresStore
from bot.store import Change, CommitResult, Committed, Conflict, Record, Repeated, StoreBusy
from engine.evolve import evolve_all
from engine.state import new_match
from tests.contract.playing import lobby, next_change, started
from tests.postgres import make_server
from tests.storage.conftest import at_noon

TABLES = 6


class Player:
    """Presses at one table on and on, and presses again what was not answered, with the same key."""

    def __init__(self, store: PostgresStore, number: int) -> None:
        self.store = store
        self.dice = random.Random(number)
        self.name = f"t{number}"
        self.acknowledged: list[str] = []
        self.unsure = 0
        self.record = Record(lobby(self.name))
        self.stopping = False

    async def play(self) -> None:
        """Play until it is stopped or the match is over."""
        self.record = started(lobby(self.name))
        assert await self.store.create(self.record, None) == Committed()
        while not self.stopping and self.record.match is not None and not self.record.match.is_over:
            press = f"{self.name}:{self.record.version}"
            change = next_change(self.record, self.dice, press, f"answer of {press}")
            try:
                outcome = await self.store.commit(change)
            except StoreBusy:
                self.unsure += 1
                outcome = await self.again(change)
            assert outcome in (Committed(), Repeated(f"answer of {press}"))
            self.acknowledged.append(press)
            self.record = change.record

    async def again(self, change: Change) -> CommitResult:
        """What the same press is answered in the end."""
        while True:
            await asyncio.sleep(0.02)
            try:
                return await self.store.commit(change)
            except StoreBusy:
                continue


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(long_run: bool) -> None:
    server = make_server(quick=not long_run)
    try:
        url, dice = server.url(await server.database()), random.Random(20)
        store = await PostgresStore.open(url, at_noon, patience_seconds=1.0)
        try:
            players = [Player(store, number) for number in range(TABLES)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            for _ in range(50 if long_run else 3):
                before = sum(len(player.acknowledged) for player in players)
                async with asyncio.timeout(60):
                    while sum(len(player.acknowledged) for player in players) < before + dice.randrange(10, 60):
                        assert not any(task.done() and task.exception() for task in tasks)
                        if all(task.done() for task in tasks):
                            break
                        await asyncio.sleep(0.002)
                await asyncio.sleep(dice.random() * 0.01)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            for player in players:
                player.stopping = True
            async with asyncio.timeout(60):
                await asyncio.gather(*tasks)
            for player in players:
                await check(store, player)
            assert sum(len(player.acknowledged) for player in players) > 40
        finally:
            await store.close()
    finally:
        server.stop()


async def check(store: PostgresStore, player: Player) -> None:
    """Each press has had one effect, its answer is kept, and the match is what its events tell."""
    record = await store.load(player.name)
    assert record == player.record
    assert record is not None
    assert record.version == len(player.acknowledged)
    assert record.match is not None
    events = await store.events(player.name)
    assert len(events) == record.events
    begun = new_match(record.table.rules, record.table.seating, record.match.first_starter)
    assert evolve_all(begun, events) == record.match
    for press in player.acknowledged:
        assert await store.answer_to(press) == f"answer of {press}"
    late = next_change(player.record, random.Random(1), player.acknowledged[-1], "another")
    assert await store.commit(late) != Conflict()
