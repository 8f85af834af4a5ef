"""Killed at any moment: nothing that was acknowledged is lost, and nothing is there by halves."""

import os
import random
from pathlib import Path

import pytest

from adapters.storage.sqlite import open_sqlite
from engine.evolve import evolve_all
from engine.state import new_match
from tests.storage.conftest import at_noon, is_sound
from tests.storage.victims import kill_often

KILLS = 10
TABLES = 6

WRITER = """
import asyncio, os, random, sys
from pathlib import Path
from adapters.storage.sqlite import open_sqlite
from bot.store import Committed, Record
from tests.contract.playing import lobby, next_change, started

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

async def client(store, name, seed):
    dice = random.Random(seed)
    record = await store.load(name)
    if record is None:
        record = started(lobby(name))
        await store.create(record, None)
        say("ack", name, 0, "-")
    while not record.match.is_over:
        press = f"{name}:{seed}:{record.version}"
        change = next_change(record, dice, press, f"answer of {press}")
        assert await store.commit(change) == Committed()
        record = change.record
        say("ack", name, record.version, press)

async def main(seed):
    store = await open_sqlite(Path(sys.argv[1]), lambda: 1)
    try:
        await asyncio.gather(*(client(store, f"t{n}", seed * 100 + n) for n in range(int(sys.argv[2]))))
    finally:
        await store.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(path: Path, long_run: bool) -> None:
    dice = random.Random(20)
    acknowledged: dict[str, int] = {}
    presses: list[str] = []

    def heard(words: list[str]) -> None:
        acknowledged[words[0]] = max(acknowledged.get(words[0], 0), int(words[1]))
        presses.append(words[2])

    async def after() -> None:
        assert is_sound(path)
        await check(path, acknowledged, presses)

    await kill_often(
        WRITER,
        [str(path), str(TABLES)],
        dice,
        kills=KILLS * (20 if long_run else 1),
        acks=(1, 60),
        pause=0.005,
        patience=30,
        heard=heard,
        after=after,
    )
    assert len(presses) > KILLS * 10


async def check(path: Path, acknowledged: dict[str, int], presses: list[str]) -> None:
    """Everything acknowledged is there, and the snapshot is what the events tell."""
    store = await open_sqlite(path, at_noon)
    try:
        for table_id, version in acknowledged.items():
            record = await store.load(table_id)
            assert record is not None
            assert record.version >= version
            events = await store.events(table_id)
            assert len(events) == record.events
            assert record.match is not None
            before = new_match(record.table.rules, record.table.seating, record.match.first_starter)
            assert evolve_all(before, events) == record.match
        for press in presses[-200:]:
            if press != "-":
                assert await store.answer_to(press) == f"answer of {press}"
    finally:
        await store.close()
