"""What an action costs the store depends on nothing but the action: not on how many tables there are, nor on their age.

Counted, not timed: statements, how they find their rows, and bytes.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from adapters.storage import codec
from adapters.storage.changes import draft
from adapters.storage.connection import SqliteConnection
from adapters.storage.sql import SqlStore
from adapters.storage.writer import Writer
from bot.model import Home
from bot.store import Change, Committed, Record
from tests.contract.playing import lobby, next_change, rules_of, started

GROWING = ("tables", "events", "presses", "homes", "table_data", "people", "seats")
YOUNG, OLD = 30, 900
"""Actions that a match has behind it."""
SAME_GROUP = 40
SHOWING = ("select homes", "update homes")


@asynccontextmanager
async def traced(store: SqlStore, *, frame: bool = False) -> AsyncIterator[list[str]]:
    """The statements that the store's connection executes, apart from the frame of the transaction, or with it."""
    found: list[str] = []

    def note(statement: str) -> None:
        if frame or not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")):
            found.append(statement)

    writer = store._writer
    assert isinstance(writer, Writer)
    connection = writer._database
    assert isinstance(connection, SqliteConnection)
    await connection.set_trace_callback(note)
    try:
        yield found
    finally:
        await connection.set_trace_callback(lambda _: None)


async def filled(store: SqlStore, tables: int) -> None:
    """So many tables in play, each shown in a place."""
    await asyncio.gather(*(_one_more(store, f"other{number}") for number in range(tables)))


async def _one_more(store: SqlStore, table_id: str) -> None:
    record = started(lobby(table_id, people=(f"{table_id}a", f"{table_id}b")))
    await store.create(record, Home(table_id, "web", table_id))
    assert await store.commit(next_change(record, random.Random(table_id), f"{table_id}:1", "told")) == Committed()


async def grown(store: SqlStore, actions: int) -> tuple[Record, random.Random]:
    """A table at which so many actions have been played, deal after deal."""
    rules = msgspec.structs.replace(rules_of(), target=10**6)
    record, dice = started(lobby(rules=rules)), random.Random(3)
    await store.create(record, Home("t1", "web", "here"))
    changes: list[Change] = []
    for number in range(actions):
        changes.append(next_change(record, dice, f"p{number}", "told"))
        record = changes[-1].record
    for start in range(0, actions, SAME_GROUP):
        results = await asyncio.gather(*(store.commit(change) for change in changes[start : start + SAME_GROUP]))
        assert set(results) == {Committed()}
    return record, dice


async def one_action(store: SqlStore, record: Record, dice: random.Random, press: str) -> Change:
    """All that an action asks of the store, from the press to the place that shows it."""
    assert await store.load_for_press("t1", press) == (record, None)
    change = next_change(record, dice, press, "told")
    assert await store.commit(change) == Committed()
    (home,) = await store.homes("t1")
    await store.mark_shown(msgspec.structs.replace(home, shown_version=change.record.version))
    return change


def shapes(statements: list[str]) -> list[str]:
    """The statements without their values: kind and table, in order."""
    return [_shape(statement.split()) for statement in statements]


def _shape(words: list[str]) -> str:
    if words[0] == "UPDATE":
        table = words[1]
    elif words[0] == "INSERT":
        table = words[words.index("INTO") + 1]
    else:
        # The last one: a part that is asked for along with it stands before.
        table = words[len(words) - words[::-1].index("FROM")]
    return f"{words[0].lower()} {table}"


def expected(change: Change) -> list[str]:
    """What an action takes: read, with the press's answer, write, and show."""
    events = ["insert events"] * len(change.events)
    before = ["select tables"]
    write = ["select tables", "select presses", *events, "insert presses", "update tables"]
    return [*before, *write, "select homes", *SHOWING]


@pytest.mark.parametrize("others", [1, 120])
async def test_other_tables_cost_an_action_nothing(store: SqlStore, others: int) -> None:
    await filled(store, others)
    record, dice = await grown(store, YOUNG)
    async with traced(store) as statements:
        change = await one_action(store, record, dice, "press")
    assert shapes(statements) == expected(change)


async def test_a_change_costs_no_savepoint(store: SqlStore) -> None:
    record, dice = await grown(store, YOUNG)
    async with traced(store, frame=True) as statements:
        assert await store.commit(next_change(record, dice, "press", "told")) == Committed()
    assert [statement for statement in statements if statement.split()[0] not in ("SELECT", "INSERT", "UPDATE")] == [
        "BEGIN IMMEDIATE",
        "COMMIT",
    ]


async def test_what_was_written_is_not_decoded(store: SqlStore) -> None:
    """The bytes are read each time; as long as they are those that were written, their value is known."""
    record, dice = await grown(store, YOUNG)
    change = next_change(record, dice, "press", "told")
    assert await store.commit(change) == Committed()
    assert await store.load("t1") is change.record
    other = msgspec.structs.replace(change.record.table, name="Otra")
    renamed = codec.encode_record(msgspec.structs.replace(change.record, table=other))
    await store._writer.write(
        lambda c: c.exec_driver_sql(
            "UPDATE table_data SET data = ?, digest = ? WHERE table_id = 't1'", (renamed.data, renamed.data_digest)
        )
    )
    changed = await store.load("t1")
    assert changed is not None
    assert changed.table == other, "other bytes are another value, at the same version too"
    again = next_change(changed, dice, "again", "told")
    assert await store.commit(msgspec.structs.replace(again, deadline_ms=7)) == Committed()
    assert await store.load("t1") == msgspec.structs.replace(again.record, deadline_ms=7), "the change's own deadline"


async def test_age_costs_an_action_nothing(store: SqlStore) -> None:
    record, dice = await grown(store, OLD)
    assert record.match is not None
    assert record.match.deals > 3, "several deals have been played"
    async with traced(store) as statements:
        change = await one_action(store, record, dice, "press")
    assert shapes(statements) == expected(change)


async def test_the_bytes_of_an_action_do_not_grow_with_age(store: SqlStore) -> None:
    """The snapshot holds the deal in progress and nothing of those before it."""
    rules = msgspec.structs.replace(rules_of(), target=10**6)
    record, dice = started(lobby(rules=rules)), random.Random(3)
    written: dict[int, list[int]] = {}
    for number in range(OLD):
        change = next_change(record, dice, f"p{number}", "told")
        record = change.record
        assert record.match is not None
        saved = draft(change, 0)
        written.setdefault(record.match.deals, []).append(
            len(saved.saved.snapshot or b"") + sum(len(payload) for payload in saved.payloads)
        )
    whole = [max(sizes) for _, sizes in sorted(written.items())][:-1]
    assert len(whole) > 3
    # Deals differ in how long they last and what lies on the table; a trend would show in the later ones.
    assert max(whole[len(whole) // 2 :]) <= 1.3 * max(whole[: len(whole) // 2])
    assert max(whole) < 20_000


Ask = Callable[[SqlStore], Awaitable[object]]


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.load("other1"),
        lambda store: store.load_for_press("other1", "other1:1"),
        lambda store: store.answer_to("other1:1"),
        lambda store: store.homes("other1"),
        lambda store: store.mark_shown(Home("other1", "web", "other1", "1", 1)),
        lambda store: store.person("other1a"),
        lambda store: store.person_by_key("web:1"),
        lambda store: store.events("other1"),
    ],
    ids=["load", "press", "answer", "homes", "shown", "person", "key", "events"],
)
async def test_rows_are_found_by_an_index(store: SqlStore, ask: Ask) -> None:
    await filled(store, 3)
    async with traced(store) as statements:
        await ask(store)
    assert statements
    await _check_plans(store, statements)


async def test_a_change_finds_its_rows_by_an_index(store: SqlStore) -> None:
    record, dice = await grown(store, YOUNG)
    async with traced(store) as statements:
        await one_action(store, record, dice, "press")
    await _check_plans(store, statements)


async def _check_plans(store: SqlStore, statements: list[str]) -> None:
    for statement in statements:
        plan = await store._writer.read(
            lambda connection, statement=statement: [  # type: ignore[misc]
                str(row[-1]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
            ]
        )
        scans = [step for step in plan if step.startswith("SCAN") and any(name in step.split() for name in GROWING)]
        assert not scans, f"{statement}: {scans}"
