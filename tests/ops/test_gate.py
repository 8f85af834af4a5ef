"""The gate: who is too fast waits outside and costs the store nothing; nobody else feels it."""

import asyncio
import json

import pytest
import structlog
from structlog.testing import capture_logs

from bot.buckets import Buckets
from bot.commands import CommandError, CommandProblem
from bot.gate import Gate
from bot.metrics import REGISTRY
from bot.model import Person
from bot.screens import Answer
from bot.tokens import Verb
from tests.bot.rooms import House

ANA = Person(id="ana", name="Ana")
EVA = Person(id="eva", name="Eva")


async def _well() -> Answer:
    return Answer("Hecho.")


def _count(result: str) -> float:
    return REGISTRY.get_sample_value("buraco_presses_total", {"platform": "web", "result": result}) or 0.0


async def test_one_who_presses_without_end_is_turned_away_and_nobody_else() -> None:
    now = [0.0]
    gate = Gate(Buckets(5.0, 10, now=lambda: now[0]))
    done = 0

    async def work() -> Answer:
        nonlocal done
        done += 1
        return Answer("Hecho.")

    before = _count("too_fast")
    answers = [await gate.press(ANA, "1:t:0:dr", "web", work) for _ in range(1000)]
    assert done == 10
    assert {answer.text for answer in answers[10:]} == {"Vas muy rápido. Espera un momento y prueba otra vez."}
    assert _count("too_fast") - before == 990
    assert (await gate.press(EVA, "1:t:0:dr", "web", work)).ok
    now[0] += 1.0
    assert (await gate.press(ANA, "1:t:0:dr", "web", work)).ok


async def test_a_press_that_is_turned_away_never_reaches_the_store() -> None:
    house = House()
    table_id, people = await house.started()
    house.app.gate = Gate(Buckets(0.001, 1, now=lambda: 0.0))
    await house.press(people[0], table_id, Verb.SHOW_HAND)
    house.store.busy = 10**9  # whatever asks the store now is told that it is busy
    commits = house.store.commits
    answer = await house.press(people[0], table_id, Verb.DRAW)
    assert answer.reason == "too_fast"
    assert house.store.commits == commits
    assert house.store.busy == 10**9


async def test_drain_opens_no_table_and_leaves_matches_alone() -> None:
    house = House()
    table_id, people = await house.started()
    house.app.gate.drain()
    with pytest.raises(CommandError) as refused:
        await house.open(people[0])
    assert refused.value.problem is CommandProblem.NO_NEW_TABLES
    lesson = await house.app.press(people[0], "1:x:0:ls", "lesson")
    assert not lesson.ok
    assert "Las partidas empezadas siguen" in lesson.text
    mover = (await house.record(table_id)).match
    assert mover is not None
    answers = [await house.press(person, table_id, Verb.DRAW) for person in people]
    assert any(answer.ok for answer in answers), "a match that has begun goes on"
    house.app.gate.drain(on=False)
    assert await house.open(people[0])


async def test_somebody_who_opens_table_after_table_waits() -> None:
    gate = Gate(openings=Buckets(0.01, 3, now=lambda: 0.0))
    for _ in range(3):
        gate.check_opening(ANA)
    with pytest.raises(CommandError, match="too_many_tables"):
        gate.check_opening(ANA)
    gate.check_opening(EVA)


async def test_the_end_waits_for_presses_under_way_and_lets_no_more_in() -> None:
    gate = Gate()
    go_on = asyncio.Event()

    async def slow() -> Answer:
        await go_on.wait()
        return Answer("Hecho.")

    under_way = asyncio.create_task(gate.press(ANA, "1:t:0:dr", "web", slow))
    await asyncio.sleep(0)
    gate.close()
    late = await gate.press(EVA, "1:t:0:dr", "web", _well)
    assert (late.ok, late.reason) == (False, "restarting")
    settled = asyncio.create_task(gate.settled())
    await asyncio.sleep(0)
    assert not settled.done()
    go_on.set()
    await asyncio.wait_for(settled, 1)
    assert (await under_way).ok


async def test_one_line_tells_of_a_press_and_of_nobody() -> None:
    house = House()
    table_id, people = await house.started()
    with capture_logs() as logs:
        for person in people:
            await house.app.press(person, f"1:{table_id}:1:dr", f"press-{person.id}", via="discord")
        await house.app.press(people[0], "\U0001f0cf" * 50, "odd", via="<script>")
    lines = [line for line in logs if line["event"] == "press"]
    assert len(lines) == 3
    assert {line["via"] for line in lines} == {"discord", "other"}
    assert {line["table"] for line in lines} == {table_id, ""}
    for line in lines:
        assert set(line) == {"event", "log_level", "table", "version", "verb", "via", "ms", "result", "reason"}
        text = json.dumps(line)
        assert not any(person.name in text or person.id in text for person in people)
    structlog.reset_defaults()
