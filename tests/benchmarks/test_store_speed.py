"""How many actions a second the store takes: ``pytest tests/benchmarks/test_store_speed.py --benchmark-only``."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from adapters.storage import open_store
from bot.store import Change, Committed, Store
from tests.contract.playing import lobby, play, started

COMMITS = 640


async def _commit(store: Store, changes: list[Change]) -> None:
    for change in changes:
        assert await store.commit(change) == Committed()


async def _load_and_commit(store: Store, changes: list[Change]) -> None:
    for change in changes:
        assert await store.load(change.record.table.id) is not None
        assert await store.commit(change) == Committed()


@pytest.mark.parametrize("client", [_commit, _load_and_commit], ids=["commit", "load-commit"])
@pytest.mark.parametrize("clients", [1, 32])
def test_commits(
    benchmark: BenchmarkFixture,
    tmp_path: Path,
    clients: int,
    client: Callable[[Store, list[Change]], Coroutine[Any, Any, None]],
) -> None:
    """Durable commits of real actions, each client at its own table."""
    records = [started(lobby(f"t{n}")) for n in range(clients)]
    work = [list(play(record, seed=n, actions=COMMITS // clients)) for n, record in enumerate(records)]
    count = sum(map(len, work))
    with asyncio.Runner() as runner:
        stores: list[Store] = []

        async def fresh() -> Store:
            store = await open_store(str(tmp_path / f"{len(stores)}.db"))
            stores.append(store)
            for record in records:
                await store.create(record, None)
            return store

        async def run(store: Store) -> None:
            await asyncio.gather(*(client(store, changes) for changes in work))

        def setup() -> tuple[tuple[Store], dict[str, Any]]:
            return (runner.run(fresh()),), {}

        benchmark.pedantic(lambda store: runner.run(run(store)), setup=setup, rounds=5)  # type: ignore[no-untyped-call]
        for store in stores:
            runner.run(store.close())
    if benchmark.stats is not None:
        benchmark.extra_info["commits"] = count
        benchmark.extra_info["commits a second"] = round(count / benchmark.stats.stats.median)
