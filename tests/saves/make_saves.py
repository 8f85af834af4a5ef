"""Make the stored saves of the current schema: ``python -m tests.saves.make_saves``.

A save that has been released is never made anew: players have such files, and they must load for ever. So the script
writes only the files of a schema that has none yet.
"""

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from adapters.storage import open_store
from bot.dead_letters import DeadLetter
from bot.model import Home, Person
from bot.results.places import place_mark
from bot.stakes.rules import welcome
from bot.store import Committed, Record, Store
from engine.ruleset import with_options
from engine.seating import Seating
from tests.contract.playing import lobby, next_change, rules_of, started

FOLDER: Final = Path(__file__).parent
PRESSES: Final = 3
"""Presses that are kept of each table: one is as good as a thousand."""


class _Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


async def fill(store: Store) -> dict[str, Any]:
    """Play the three tables; gives what they must load as."""
    for name in ("ana", "beto", "caro", "dora"):
        await store.add_person(Person(name, name.title(), hand_order="rank"), f"web:{name}")
    waiting = Record(lobby("lobby", code="WAIT", people=("ana", "beto", "caro")))
    await store.create(waiting, Home("lobby", "web", "room"), "create:lobby")
    playing = started(lobby("playing", code="PLAY", people=("ana", "beto", "caro", "dora")), first_starter=1)
    await store.create(playing, Home("playing", "discord", "42", "message 7", 0))
    quick = with_options(rules_of(), {"target": 300})
    over = started(lobby("over", code="OVER", people=("ana", "beto"), seating=Seating.ONE_ON_ONE, rules=quick))
    await store.create(over, Home("over", "telegram", "-100", "9", 0))
    await store.post(welcome(place_mark("discord:1"), "ana"))
    await store.keep_letter(DeadLetter("telegram", "7", "ValueError in x:1", "a1b2c3d4", 3, 1_700_000_000_000, "{}"))
    playing = await play(store, playing, seed=7, actions=97)
    over = await play(store, over, seed=4, actions=5_000)
    assert over.match is not None
    assert over.match.is_over
    return {record.table.id: expectation(record) for record in (waiting, playing, over)}


async def play(store: Store, record: Record, seed: int, actions: int) -> Record:
    """Commit random actions."""
    dice = random.Random(seed)
    for number in range(actions):
        assert record.match is not None
        if record.match.is_over:
            break
        press = f"press:{record.table.id}:{number}" if number < PRESSES else None
        change = next_change(record, dice, press, f"answer {number}")
        assert await store.commit(change) == Committed()
        record = change.record
    return record


def expectation(record: Record) -> dict[str, Any]:
    """What a save must load as, in the plainest words."""
    match = record.match
    table = record.table
    facts: dict[str, Any] = {
        "version": record.version,
        "events": record.events,
        "status": table.status,
        "people": list(table.people),
        "chairs": [chair.name for chair in table.chairs],
        "seating": table.seating,
        "target": table.rules.target,
    }
    if match is not None and match.deal is not None:
        deal = match.deal
        facts |= {
            "totals": match.totals,
            "deals": match.deals,
            "winner": match.winner,
            "hands": deal.hands,
            "stock": deal.stock,
            "pile": deal.pile,
            "muertos": deal.muertos,
            "melds": [[meld.cards for meld in melds] for melds in deal.melds],
            "mover": deal.turn.seat,
            "phase": deal.turn.phase,
        }
    plain: dict[str, Any] = json.loads(msgspec.json.encode(facts))
    return plain


def dump(path: Path) -> Iterator[str]:
    """A database as SQL that a person can read: JSON stands as text."""
    with closing(sqlite3.connect(path)) as connection:
        made = connection.execute(
            "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rootpage, name"
        ).fetchall()
        for _, _, statement in made:
            yield " ".join(statement.split()) + ";"
        for name, kind, _ in made:
            if kind != "table":
                continue
            for row in connection.execute(f'SELECT * FROM "{name}"'):  # noqa: S608 - the names are our own
                yield f'INSERT INTO "{name}" VALUES({",".join(map(_literal, row))});'


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        try:
            text = value.decode()
        except UnicodeDecodeError:
            return f"X'{value.hex()}'"
        return f"CAST({_literal(text)} AS BLOB)" if text.isprintable() else f"X'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


async def _fill_new(path: Path) -> dict[str, Any]:
    store = await open_store(str(path), now_ms=_Clock())
    try:
        return await fill(store)
    finally:
        await store.close()


def main() -> None:
    """Write the files of the current schema."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "buraco.db"
        expected = asyncio.run(_fill_new(path))
        with closing(sqlite3.connect(path)) as connection:
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        script = FOLDER / f"schema-{revision}.sql"
        if script.exists():
            sys.exit(f"{script.name} is there already and stays as it is")
        script.write_text("\n".join(dump(path)) + "\n", encoding="utf-8")
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(facts)}" for name, facts in expected.items())
        script.with_suffix(".json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
