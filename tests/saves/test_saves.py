"""Saves of every schema that there ever was load as what they are, and play on."""

import json
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters.storage import open_store
from bot.model import Home, Person, Status
from bot.results.places import place_mark
from bot.stakes.ledger import wallet
from bot.stakes.rules import WELCOME, welcome
from bot.store import Change, Committed, Record, Repeated, Store
from engine.events import DealStarted
from engine.state import new_match
from tests.contract.playing import next_change
from tests.saves.make_saves import expectation

SAVES = sorted(Path(__file__).parent.glob("schema-*.sql"))


def test_the_current_schema_has_its_saves() -> None:
    migrations = Path(__file__).parents[2] / "adapters" / "storage" / "migrations" / "versions"
    revisions = {file.name[1:5] for file in migrations.glob("v*.py")}
    assert {file.stem.removeprefix("schema-") for file in SAVES} == revisions


def restore(script: Path, path: Path) -> None:
    """Make the database that a script describes."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.executescript(f"BEGIN;\n{script.read_text(encoding='utf-8')}COMMIT;")


def damage(path: Path) -> None:
    """Make every snapshot unreadable."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE tables SET snapshot = CAST('?' AS BLOB) WHERE snapshot IS NOT NULL")


@pytest.fixture(params=SAVES, ids=lambda path: path.stem)
def script(request: pytest.FixtureRequest) -> Path:
    """Each stored save."""
    found: Path = request.param
    return found


@pytest.fixture
def expected(script: Path) -> dict[str, Any]:
    """What it must load as."""
    facts: dict[str, Any] = json.loads(script.with_suffix(".json").read_text(encoding="utf-8"))
    return facts


@pytest.fixture(params=[False, True], ids=["whole", "damaged"])
async def store(request: pytest.FixtureRequest, script: Path, tmp_path: Path) -> AsyncIterator[Store]:
    """The save as the program of today opens it: with its snapshots, and with nothing but its events."""
    path = tmp_path / "buraco.db"
    restore(script, path)
    if request.param:
        damage(path)
    opened = await open_store(str(path))
    try:
        yield opened
    finally:
        await opened.close()


async def loaded(store: Store, table_id: str) -> Record:
    """A table that must be there."""
    record = await store.load(table_id)
    assert record is not None
    return record


async def test_every_table_loads_as_what_it_was(store: Store, expected: dict[str, Any]) -> None:
    for table_id, facts in expected.items():
        assert expectation(await loaded(store, table_id)) == facts
    assert list(await store.open_tables()) == ["lobby", "playing"]
    assert set(await store.tables_of("caro")) == {"lobby", "playing"}
    assert await store.find("over") == "over"


async def test_coins_are_what_they_were(store: Store, script: Path) -> None:
    mark = place_mark("discord:1")
    assert await store.balance(wallet(mark, "ana")) == (None if script.stem < "schema-0004" else WELCOME)
    assert await store.post(welcome(mark, "ana")) is (script.stem < "schema-0004")
    assert list(await store.audit()) == []


async def test_people_homes_and_presses_are_there(store: Store, expected: dict[str, Any]) -> None:
    assert await store.person_by_key("web:ana") == Person("ana", "Ana", hand_order="rank")
    assert list(await store.homes("lobby")) == [Home("lobby", "web", "room")]
    assert [home.table_id for home in await store.lagging_homes()] == ["lobby", "over", "playing"]
    assert await store.answer_to("press:playing:0") == "answer 0"
    playing = await loaded(store, "playing")
    repeated = next_change(playing, random.Random(1), "press:playing:2")
    assert await store.commit(repeated) == Repeated("answer 2")


async def test_the_match_in_progress_plays_on(store: Store) -> None:
    record = await loaded(store, "playing")
    assert record.match is not None
    deals, dice = record.match.deals, random.Random(5)
    for _ in range(2_000):
        change = next_change(record, dice)
        assert await store.commit(change) == Committed()
        record = change.record
        if any(isinstance(event, DealStarted) for event in change.events):
            break
    assert record.match is not None
    assert record.match.deals == deals + 1
    assert await loaded(store, "playing") == record
    assert len(await store.events("playing")) == record.events


async def test_the_lobby_starts_its_match(store: Store) -> None:
    record = await loaded(store, "lobby")
    table = msgspec.structs.replace(record.table, status=Status.PLAYING)
    match = new_match(table.rules, table.seating, 2)
    record = msgspec.structs.replace(record, table=table, match=match, version=record.version + 1)
    assert await store.commit(Change(record)) == Committed()
    change = next_change(record, random.Random(6))
    assert await store.commit(change) == Committed()
    assert await loaded(store, "lobby") == change.record


async def test_the_finished_match_stays_finished(store: Store) -> None:
    record = await loaded(store, "over")
    assert record.table.status is Status.OVER
    assert record.match is not None
    assert record.match.is_over
