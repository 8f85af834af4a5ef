"""Killed at any moment: nothing that was acknowledged is lost, and nothing is there by halves."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.storage.sqlite import open_sqlite
from engine.evolve import evolve_all
from engine.state import new_match
from tests.storage.conftest import at_noon, is_sound

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

# Imports cost a second: one process makes them and is the mother of all victims.
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        try:
            asyncio.run(main(int(line)))
        finally:
            os._exit(1)
    say("victim", pid)
    os.waitpid(pid, 0)
    say("dead", pid)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(path: Path, long_run: bool) -> None:
    dice = random.Random(20)
    acknowledged: dict[str, int] = {}
    presses: list[str] = []
    arguments = [sys.executable, "-c", WRITER, str(path), str(TABLES)]
    root = Path(__file__).parents[2]
    mother = await asyncio.create_subprocess_exec(*arguments, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert mother.stdin is not None
    assert mother.stdout is not None
    try:
        for number in range(KILLS * (20 if long_run else 1)):
            mother.stdin.write(f"{number}\n".encode())
            victim, until, dead = 0, dice.randrange(1, 60), False
            while not dead:
                words = (await asyncio.wait_for(mother.stdout.readline(), 30)).decode().split()
                if words[0] == "victim":
                    victim = int(words[1])
                elif words[0] == "ack":
                    acknowledged[words[1]] = max(acknowledged.get(words[1], 0), int(words[2]))
                    presses.append(words[3])
                    until -= 1
                elif words[0] == "dead":
                    dead = True
                if until <= 0 and victim:
                    await asyncio.sleep(dice.random() * 0.005)
                    os.kill(victim, signal.SIGKILL)
                    victim = 0
            assert is_sound(path)
            await check(path, acknowledged, presses)
    finally:
        mother.stdin.close()
        await mother.communicate()
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
