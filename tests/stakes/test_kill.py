"""Killed at any moment while people play for coins: every coin is somewhere, and no table is paid out twice."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.sqlite import open_sqlite
from tests.storage.victims import kill_often

KILLS = 8
CLIENTS = 5

PLAYERS = """
import asyncio, os, random, sys
from pathlib import Path
import msgspec
from adapters.storage.sqlite import open_sqlite
from bot import lobby
from bot.keeper import CannotPay, Keeper
from bot.model import Person, Status
from bot.results.places import place_mark
from bot.stakes.rules import daily, welcome
from bot.store import Record
from engine.ruleset import with_options
from engine.seating import Seating
from engine.state import new_match
from tests.contract import playing

MARK = place_mark("chat:1")
RULES = with_options(playing.rules_of(), {"target": 0})

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

async def client(keeper, dice, name):
    store = keeper.store
    for round_ in range(10_000):
        people = tuple(dice.sample([f"p{n}" for n in range(6)], 2))
        for person in people:
            await store.post(welcome(MARK, person))
            await store.post(daily(MARK, person, f"{name}-{round_}"))
        table = playing.lobby(f"{name}x{round_}", people=people, seating=Seating.ONE_ON_ONE, rules=RULES)
        table = msgspec.structs.replace(table, stake=6_000, origin="chat:1")
        record = Record(table)
        await store.create(record, None)
        begun = lobby.start(table, people[0], "normal", dice, 1)
        match = new_match(RULES, Seating.ONE_ON_ONE, 0)
        try:
            record = await keeper.commit(record, table=begun, match=match, events=playing.step(match, dice))
        except CannotPay:
            say("ack", "poor")
            continue
        say("ack", "staked")
        ends = dice.randrange(4)
        for _ in range(dice.randrange(40) if ends else 4_000):
            if record.match.is_over:
                break
            record = await keeper.commit(record, events=playing.step(record.match, dice))
        if record.table.status is Status.PLAYING and ends:
            after = lobby.give_up(record.table, dice.choice(people), "normal") if ends < 3 else record.table
            record = await keeper.commit(record, table=after)
            if ends > 1:
                over = msgspec.structs.replace(after, status=Status.CANCELLED)
                record = await keeper.commit(record, table=over)
        say("ack", record.table.status)

async def main(seed):
    store = await open_sqlite(Path(sys.argv[1]), lambda: 1)
    try:
        keeper = Keeper(store)
        names = [f"s{seed}c{n}" for n in range(int(sys.argv[2]))]
        await asyncio.gather(*(client(keeper, random.Random(name), name) for name in names))
    finally:
        await store.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
async def test_every_coin_is_accounted_for_whatever_crashes_when(tmp_path: Path, long_run: bool) -> None:
    path = tmp_path / "buraco.db"
    await (await open_sqlite(path, lambda: 1)).close()
    seen: set[str] = set()
    await kill_often(
        PLAYERS,
        [str(path), str(CLIENTS)],
        random.Random(7),
        kills=KILLS * (20 if long_run else 1),
        acks=(3, 40),
        pause=0.02,
        patience=60,
        heard=seen.update,
        after=lambda: check(path),
    )
    assert seen >= {"staked", "over", "cancelled"}


async def check(path: Path) -> None:
    """The books are right, and what lies at each table is what its status says."""
    store = await open_sqlite(path, lambda: 1)
    try:
        assert list(await store.audit()) == []
    finally:
        await store.close()
    with closing(sqlite3.connect(path)) as connection:
        held = dict(connection.execute("SELECT name, balance FROM accounts").fetchall())
        causes: dict[str, list[str]] = {}
        for table_id, cause in connection.execute("SELECT table_id, cause FROM transfers WHERE table_id <> ''"):
            causes.setdefault(table_id, []).append(cause)
        for table_id, status in connection.execute("SELECT id, status FROM tables"):
            pot, moved = held.get(f"table/{table_id}", 0), sorted(causes.get(table_id, []))
            expected = {
                "lobby": (0, []),
                "playing": (12_000, ["stake"]),
                "over": (0, ["settled", "stake"]),
                "cancelled": (0, ["returned", "stake"]),
            }[status]
            assert (pot, moved) == expected, (table_id, status)
    assert sum(held.values()) == 0
