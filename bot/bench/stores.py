"""Stores: durable changes a second and how long each takes, by one client and by many at their own tables."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot import rulesets
from bot.bench.deals import Dealt, random_deal
from bot.bench.timing import spread
from bot.model import Chair, Status, Table
from bot.store import Change, Committed, OpenStore, Record, Store
from engine.ruleset import Ruleset
from engine.seating import Seating

CLIENTS: Final = (1, 32)


def urls_of(database_url: str | None, folder: Path) -> dict[str, str]:
    """The stores to measure: memory, SQLite on the disk, and the one that is named."""
    urls = {"memory": "memory:", "sqlite": f"sqlite:///{folder / 'store.sqlite3'}"}
    if database_url is not None:
        urls[database_url.partition(":")[0]] = database_url
    return urls


def store_rows(
    open_store: OpenStore, database_url: str | None, commits: int, rounds: int, done: Callable[[], None]
) -> list[dict[str, Any]]:
    """A row for each store and number of clients; ``done`` is called after each.

    A named database is filled with tables of its own kind and not tidied afterwards: name one that is there for this.
    """
    rules = rulesets.load("clasico")
    deals = [random_deal(rules, Seating.TWO_PAIRS, seed) for seed in range(4)]
    rows: list[dict[str, Any]] = []
    with TemporaryDirectory(prefix="buraco-bench-") as folder:
        for name, url in urls_of(database_url, Path(folder)).items():
            for clients in CLIENTS:
                rows.append(
                    {"store": name, "clients": clients, **_measured(open_store, url, deals, clients, commits, rounds)}
                )
                done()
    return rows


def _measured(
    open_store: OpenStore, url: str, deals: Sequence[Dealt], clients: int, commits: int, rounds: int
) -> dict[str, Any]:
    return asyncio.run(_rounds(open_store, url, deals, clients, commits, rounds))


async def _rounds(
    open_store: OpenStore, url: str, deals: Sequence[Dealt], clients: int, commits: int, rounds: int
) -> dict[str, Any]:
    times: list[float] = []
    speeds: list[float] = []
    used: list[float] = []
    async with _opened(open_store, url) as store:
        for number in range(rounds):
            mark = f"{time.time_ns():x}"
            work = [
                changes_of(f"b{mark}{number}x{client}", deals[client % len(deals)], max(1, commits // clients))
                for client in range(clients)
            ]
            for changes in work:
                await store.create(_lobby_of(changes[0]), None)
            cpu, began = time.process_time(), time.perf_counter()
            await asyncio.gather(*(_client(store, changes, times) for changes in work))
            count = sum(map(len, work))
            speeds.append(count / (time.perf_counter() - began))
            used.append((time.process_time() - cpu) / count)
    told = spread(times)
    return {
        "changes_a_second": round(sorted(speeds)[len(speeds) // 2]),
        "p50_ms": told.p50,
        "p99_ms": told.p99,
        "cpu_us_a_change": round(1e6 * min(used)),
        "changes": told.number,
    }


@contextlib.asynccontextmanager
async def _opened(open_store: OpenStore, url: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    try:
        yield store
    finally:
        await store.close()


async def _client(store: Store, changes: Sequence[Change], times: list[float]) -> None:
    for change in changes:
        began = time.perf_counter()
        if await store.commit(change) != Committed():
            raise RuntimeError("a change was not taken")
        times.append(time.perf_counter() - began)


def playing(table_id: str, rules: Ruleset, people: Sequence[str]) -> Table:
    """A table in play at which these persons sit."""
    return Table(
        id=table_id,
        code=table_id.upper(),
        name="Table",
        host=people[0],
        rules=rules,
        seating=Seating.TWO_PAIRS,
        status=Status.PLAYING,
        chairs=tuple(Chair(name=f"P{person}", person=person) for person in people),
        created_ms=1,
        started_ms=2,
    )


def _lobby_of(first: Change) -> Record:
    return Record(first.record.table)


def changes_of(table_id: str, deal: Dealt, most: int) -> list[Change]:
    """The changes of a table at which a deal is played, at most so many: one for the deal, one for each action."""
    table = playing(table_id, deal.before.rules, [f"{table_id}-{seat}" for seat in range(deal.before.seating.seats)])
    count = len(deal.opening)
    changes = [Change(Record(table, 1, deal.dealt, count), deal.opening, f"{table_id}:0", '{"text":""}')]
    for number, step in enumerate(deal.steps[: most - 1], 2):
        count += len(step.events)
        record = Record(table, number, step.after, count)
        changes.append(Change(record, step.events, f"{table_id}:{number}", '{"text":"Robaste."}'))
    return changes
