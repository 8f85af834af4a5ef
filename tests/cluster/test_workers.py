"""Three processes, one database, many matches: one is killed, and the others go on with everything it had."""

import asyncio
import os
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest

from adapters.storage import open_store
from bot.chaos.hunter import DATABASE
from bot.chaos.lives import Lives
from bot.chaos.worker import PLATFORM
from bot.leases import LEASE_SECONDS, POLL_SECONDS
from bot.model import Pace, Status
from bot.robot_turns import robot_to_move
from bot.store import Record, Store
from bot.tokens import Intent, Verb, write_token
from engine.events import CardDiscarded
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import new_match

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 3
ROBOT_TABLES = 12
CLOCK_TABLES = 6
BEFORE_SECONDS = 4.0
AFTER_SECONDS = 5.0
PATIENCE_SECONDS = 120.0
STRIKES = 2

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


class Cluster:
    """Some processes over one database, and the people who press whatever reaches one of them."""

    def __init__(self, url: str) -> None:
        self.url = url
        command = (sys.executable, "-m", "tests.cluster.worker")
        environment = {**os.environ, DATABASE: url}
        self.workers = [Lives(command, environment, self._seen) for _ in range(WORKERS)]
        self.shown: dict[str, int] = {}
        self.answers: dict[tuple[str, str], str] = {}
        """What was acknowledged, by person and press."""
        self.dice = random.Random(7)
        self._presses = 0

    def _seen(self, told: dict[str, Any]) -> None:
        self.shown[told["shown"]] = max(int(told["version"]), self.shown.get(told["shown"], -1))

    async def ask(self, do: str, **facts: str) -> dict[str, Any]:
        """What any process answers; the same is asked of another where one has died."""
        while True:
            try:
                return await self.dice.choice(self.workers).ask(do, **facts)
            except ConnectionError:
                await asyncio.sleep(0.01)

    async def press(self, table: str, person: str, token: str) -> dict[str, Any]:
        """Press; what is acknowledged is remembered."""
        self._presses += 1
        press = f"{table}-{self._presses}"
        told = await self.ask("press", person=person, table=table, token=token, press=press)
        if told["kept"]:
            self.answers[person, press] = told["text"]
        return told

    async def open(self, room: str, people: tuple[str, ...], seating: Seating, pace: Pace) -> str:
        """A table in play."""
        table = str((await self.ask("room", person=people[0], press=room, seating=seating, pace=pace))["table"])
        for person in people[1:]:
            assert (await self.press(table, person, write_token(Intent(table, 0, Verb.JOIN))))["ok"]
        told = await self.press(table, people[0], write_token(Intent(table, 0, Verb.START)))
        assert told["ok"], told
        return table

    async def play(self, table: str, person: str) -> None:
        """Press for a person, who is always there, whenever they can do something."""
        while True:
            seen = await self.ask("look", person=person, table=table)
            if seen["status"] != Status.PLAYING:
                return
            tokens = [token for token in seen["tokens"] if f":{Verb.SORT}" not in token and ":sh" not in token]
            if tokens:
                await self.press(table, person, self.dice.choice(tokens))
            await asyncio.sleep(0.1)


@pytest.fixture
async def cluster(postgres: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cluster]:
    """Three processes."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made = Cluster(postgres)
    try:
        await asyncio.gather(*(worker.start() for worker in made.workers))
        yield made
    finally:
        for worker in made.workers:
            await worker.stop()


@asynccontextmanager
async def playing(cluster: Cluster, tables: dict[str, str]) -> AsyncIterator[None]:
    """Everybody plays meanwhile."""
    tasks = [asyncio.create_task(cluster.play(table, person)) for table, person in tables.items()]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome


async def stalls(cluster: Cluster, tables: list[str], since_ms: float, until_ms: float) -> list[float]:
    """The longest time at each table in which robots were due to move and nothing came, in seconds."""
    store = await open_store(cluster.url)
    connection = await asyncpg.connect(cluster.url)
    try:
        rows = await connection.fetch("SELECT table_id, at_ms FROM events ORDER BY table_id, seq")
        found = []
        for table in tables:
            record = await _loaded(store, table)
            assert record.match is not None
            times = [row["at_ms"] for row in rows if row["table_id"] == table]
            longest, match = 0.0, new_match(record.table.rules, record.table.seating, record.match.first_starter)
            for event, at_ms, next_ms in zip(await store.events(table), times, [*times[1:], until_ms], strict=False):
                match = evolve_all(match, (event,))
                due = robot_to_move(msgspec.structs.replace(record, match=match)) is not None
                if due and next_ms > since_ms and at_ms < until_ms:
                    longest = max(longest, min(next_ms, until_ms) - at_ms)
            found.append(longest / 1000)
        return found
    finally:
        await connection.close()
        await store.close()


async def test_one_of_three_is_killed_and_no_match_waits_for_it(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    robots = [f"r{number}" for number in range(ROBOT_TABLES)]
    opened = [await cluster.open(room, (room,), Seating.TWO_PAIRS, Pace.FREE) for room in robots]
    people = dict(zip(opened, robots, strict=True))
    clocks = [
        await cluster.open(f"c{number}", (f"c{number}a", f"c{number}b"), Seating.ONE_ON_ONE, Pace.QUICK)
        for number in range(CLOCK_TABLES)
    ]
    async with playing(cluster, people):
        await asyncio.sleep(BEFORE_SECONDS)
        calm_ms = time.time() * 1000
        before_kill = await _versions(cluster, opened)
        await cluster.workers[0].kill()
        await asyncio.sleep(AFTER_SECONDS)
        # On a busy machine it may take longer until everybody has moved; how long is measured, not demanded.
        async with asyncio.timeout(PATIENCE_SECONDS):
            while any(now <= then for then, now in zip(before_kill, await _versions(cluster, opened), strict=True)):  # noqa: ASYNC110 - other processes play
                await asyncio.sleep(0.1)
        end_ms = time.time() * 1000
    before = await stalls(cluster, opened, calm_ms - (BEFORE_SECONDS - 1) * 1000, calm_ms)
    around = await stalls(cluster, opened, calm_ms, end_ms)
    with capsys.disabled():
        print(
            f"\n{WORKERS} workers, one killed: the longest a match due to move stood still {max(around):.2f} s"
            f" (median {statistics.median(around):.2f} s); before the kill {max(before):.2f} s"
            f" (median {statistics.median(before):.2f} s)"
        )
    assert LEASE_SECONDS + POLL_SECONDS < 2.0, "what was left behind is taken up within that"

    await _run_out(cluster, clocks)
    assert not any([await worker.end() for worker in cluster.workers[1:]]), "the others end in order"
    store = await open_store(cluster.url)
    try:
        for table in opened:
            await _check_match(store, table)
        for table in clocks:
            await _check_clocks(store, await _check_match(store, table))
        for (person, press), text in cluster.answers.items():
            who = await store.person_by_key(f"{PLATFORM}:{person}")
            assert who is not None
            kept = await store.answer_to(f"{who.id}:{press}")
            assert kept is not None, "acknowledged, so kept"
            assert msgspec.json.decode(kept).get("text", "") == text
        assert await store.audit() == ()
    finally:
        await store.close()


async def _versions(cluster: Cluster, tables: list[str]) -> list[int]:
    store = await open_store(cluster.url)
    try:
        found = await store.versions(tables)
        return [found[table] for table in tables]
    finally:
        await store.close()


async def _run_out(cluster: Cluster, clocks: list[str]) -> None:
    """Wait until everybody's clock has run out as often as it may, and all is shown."""
    store = await open_store(cluster.url)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            for table in clocks:
                while any(not chair.absent for chair in (await _loaded(store, table)).table.chairs):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            while await store.lagging_homes():  # noqa: ASYNC110 - it is shown by other processes
                await asyncio.sleep(0.1)
    finally:
        await store.close()


async def _loaded(store: Store, table: str) -> Record:
    record = await store.load(table)
    assert record is not None
    return record


async def _check_match(store: Store, table: str) -> Record:
    """A match is what its events tell: nothing was applied twice."""
    record = await _loaded(store, table)
    assert record.match is not None
    begun = new_match(record.table.rules, record.table.seating, record.match.first_starter)
    assert evolve_all(begun, await store.events(table)) == record.match
    return record


async def _check_clocks(store: Store, record: Record) -> None:
    """Nobody pressed anything: each turn that was played is one deadline that ran out, and each ran out once."""
    missed = [chair.missed for chair in record.table.chairs]
    assert missed == [STRIKES] * len(missed)
    discards = [event for event in await store.events(record.table.id) if isinstance(event, CardDiscarded)]
    assert len(discards) == sum(missed)
