"""The goals that are times, measured: ``uv run pytest tests/benchmarks -o addopts= --benchmark-only -s -k whole``.

A cold start with a thousand live matches, bringing a large old database to this version's schema, and what one who
presses a thousand times a second costs everybody else. ``BURACO_BENCH_MB`` is the size of the old database.
"""

import asyncio
import logging
import os
import random
import resource
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog

from adapters.storage import open_store
from adapters.storage.sqlite import open_sqlite
from bot.app import App
from bot.clock import SystemClock
from bot.gate import limited_gate
from bot.model import Home, Person
from bot.robots.registry import make_robot
from bot.shuffling import secure_deal
from bot.store import Committed, Store
from bot.tokens import Intent, Verb, write_token
from engine.seating import Seating
from tests.contract.playing import lobby, next_change, started
from tests.e2e.room import Process, free_port


@pytest.fixture(autouse=True)
def _as_it_is_run() -> Iterator[None]:
    """Logs at the level at which the bot is run."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.reset_defaults()


Bench = Any
MATCHES = 1000
SAVES = Path(__file__).parents[1] / "saves"


async def live_matches(path: Path) -> None:
    """A database with so many matches in the middle of a deal."""
    store, dice = await open_store(str(path)), random.Random(1)
    try:
        for number in range(MATCHES):
            record = started(lobby(f"t{number}"))
            await store.create(record, Home(record.table.id, "web", record.table.code))
            for step in range(4):
                change = next_change(record, dice, f"{number}:{step}", "answer")
                assert await store.commit(change) == Committed()
                record = change.record
    finally:
        await store.close()


def test_a_cold_start_with_a_thousand_live_matches(benchmark: Bench, tmp_path: Path) -> None:
    """From the command to the room's address: every match has been looked at by then.

    With bytecode, as an installation has it after its first start: the first round here writes it. ``processor s`` is
    the least that a start and its end took of the processor, whatever else runs.
    """
    asyncio.run(live_matches(tmp_path / "room.sqlite3"))
    took: list[float] = []

    async def start() -> None:
        process = Process(tmp_path, free_port(), pause="60")
        process.environment |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
        async with process:
            await process.start()

    def one() -> None:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        asyncio.run(start())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    benchmark.pedantic(one, rounds=3, warmup_rounds=1)
    benchmark.extra_info["processor s"] = round(min(took), 2)
    print({"processor s": round(min(took), 2)})


def old_database(path: Path, megabytes: int) -> None:
    """A database of the first schema, made as large with events of a match that is over."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SAVES / "schema-0001.sql").read_text(encoding="utf-8"))
        columns = [row[1] for row in connection.execute("PRAGMA table_info(tables)")]
        first = dict(zip(columns, connection.execute("SELECT * FROM tables").fetchone(), strict=True))
        first |= {"id": "large", "code": "large", "status": "cancelled"}
        marks = ", ".join("?" * len(columns))
        connection.execute(f"INSERT INTO tables ({', '.join(columns)}) VALUES ({marks})", list(first.values()))  # noqa: S608
        payload = b"x" * 1000
        for block in range(megabytes):
            rows = (("large", block * 1000 + number + 1, payload, 1) for number in range(1000))
            connection.executemany("INSERT INTO events (table_id, seq, payload, at_ms) VALUES (?, ?, ?, ?)", rows)
        connection.commit()


def test_a_large_old_database_is_brought_to_this_schema(benchmark: Bench, tmp_path: Path) -> None:
    """With the copy that is made before."""
    megabytes = int(os.environ.get("BURACO_BENCH_MB", "1000"))

    def prepared() -> tuple[tuple[Path], dict[str, Any]]:
        path = tmp_path / "old.sqlite3"
        old_database(path, megabytes)
        benchmark.extra_info["MB"] = round(path.stat().st_size / 1e6)
        return (path,), {}

    async def opened(path: Path) -> None:
        store = await open_sqlite(path, lambda: 1)
        await store.close()

    benchmark.pedantic(lambda path: asyncio.run(opened(path)), setup=prepared, rounds=1)


class Crowd:
    """People who press at their own pace, and perhaps one who does not stop."""

    def __init__(self, store: Store) -> None:
        robots = {"normal": make_robot("random")}
        self.app = App(store, SystemClock(), secure_deal, robots, robot_pause=3600, gate=limited_gate())
        self._numbers = iter(range(10**9))

    async def table(self, name: str) -> tuple[Person, str]:
        """Somebody with a table in play."""
        person = await self.app.meet(f"test:{name}", name)
        record = await self.app.open_table(person, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
        await self.press(person, record.table.id, Verb.START)
        return person, record.table.id

    async def press(self, person: Person, table_id: str, verb: Verb) -> float:
        """Press; the seconds until the answer."""
        token = write_token(Intent(table_id, 1, verb))
        began = time.perf_counter()
        await self.app.press(person, token, f"press-{next(self._numbers)}", via="test")
        return time.perf_counter() - began

    async def times(self, seconds: float, spam: float) -> list[float]:
        """How long twenty people wait for their answers, while one presses ``spam`` times a second."""
        people = [await self.table(f"P{number}") for number in range(20)]
        spammer = await self.table("Spam")
        until = time.perf_counter() + seconds
        waits: list[float] = []

        async def calm(person: Person, table_id: str) -> None:
            while time.perf_counter() < until:
                waits.append(await self.press(person, table_id, Verb.SHOW_HAND))
                await asyncio.sleep(0.2)

        async def mad(person: Person, table_id: str) -> None:
            due = time.perf_counter()
            while time.perf_counter() < until:
                due += 1 / spam
                if due > time.perf_counter():
                    await asyncio.sleep(due - time.perf_counter())
                await self.press(person, table_id, Verb.SHOW_HAND)

        await asyncio.gather(*(calm(*one) for one in people), *([mad(*spammer)] if spam else []))
        return waits


@pytest.mark.parametrize("spam", [0.0, 1000.0], ids=["calm", "one a thousand times a second"])
def test_what_one_who_presses_without_end_costs_the_others(benchmark: Bench, tmp_path: Path, spam: float) -> None:
    """The 50th and the 99th of a hundred waits of twenty others."""
    waits: list[float] = []

    async def run() -> None:
        store = await open_store(str(tmp_path / f"{len(waits)}.sqlite3"))
        try:
            waits.extend(await Crowd(store).times(6.0, spam))
        finally:
            await store.close()

    benchmark.pedantic(lambda: asyncio.run(run()), rounds=3)
    cuts: Callable[[int], float] = lambda part: round(statistics.quantiles(waits, n=100)[part - 1] * 1000, 2)  # noqa: E731
    benchmark.extra_info |= {"p50 ms": cuts(50), "p99 ms": cuts(99), "presses": len(waits)}
    print({"spam": spam, "p50 ms": cuts(50), "p99 ms": cuts(99), "presses": len(waits)})
