"""How fast chats are written to, by a simulated clock: within Telegram's limits, and each chat for itself."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.telegram.pacing import Pacer
from tests.telegram.fake import BotApi
from tests.telegram.fake.budget import Budget
from tests.telegram.room import Room, SimClock, board, have_hands, until
from tests.telegram.test_deal import press_on


async def breathe() -> None:
    """Let everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_group_is_written_to_at_most_twenty_times_a_minute() -> None:
    clock = SimClock()
    pacer, budget = Pacer(clock), Budget(clock)
    done: list[float] = []

    async def write() -> None:
        await pacer.slot(-1)
        budget.check(-1)
        budget.spend(-1)
        done.append(clock.at)

    began = clock.at
    writing = asyncio.gather(*(write() for _ in range(80)))
    await clock.pass_time(400, breathe)
    await writing
    assert budget.exceeded == []
    assert len([at for at in done if at <= began + 60]) >= 15


async def test_a_private_chat_takes_one_a_second_and_a_few_at_once() -> None:
    clock = SimClock()
    pacer, budget = Pacer(clock), Budget(clock)

    async def write() -> None:
        await pacer.slot(7)
        budget.check(7)
        budget.spend(7)

    writing = asyncio.gather(*(write() for _ in range(30)))
    await clock.pass_time(60, breathe)
    await writing
    assert budget.exceeded == []


async def test_a_chat_that_has_to_wait_holds_up_no_other() -> None:
    clock = SimClock()
    pacer = Pacer(clock)
    await pacer.slot(-1)
    pacer.hold(-1, 30)
    waiting = asyncio.ensure_future(pacer.slot(-1))
    await asyncio.wait_for(pacer.slot(-2), 1)
    await clock.pass_time(29, breathe)
    assert not waiting.done()
    await clock.pass_time(2, breathe)
    assert waiting.done()


async def test_thousands_of_chats_are_forgotten_again() -> None:
    clock = SimClock()
    pacer = Pacer(clock)
    for chat in range(1, 4100):
        await pacer.slot(chat)
        clock.at += 0.01
    assert len(pacer._chats) <= 4096


@pytest.fixture
async def clocked() -> AsyncIterator[tuple[BotApi, SimClock]]:
    """A server whose limits are enforced, by the same clock as everything else."""
    clock = SimClock()
    async with BotApi(clock=clock, budget=True) as server:
        yield server, clock
        assert server.problems == []


@pytest.mark.parametrize("humans", [4, 1])
async def test_fast_players_and_robots_stay_within_the_limits(clocked: tuple[BotApi, SimClock], humans: int) -> None:
    api, clock = clocked
    people = [api.user(name) for name in ("Ana", "Beto", "Caro", "Dani")[:humans]]

    async def quiet() -> None:
        await asyncio.sleep(0.01)
        await api.quiet(15)

    async with Room(api, clock=clock, pause=0.9) as room:
        for person in people:
            await person.starts()
        group = api.group("Amigos", *people)
        await people[0].says(group, "/buraco nueva 2v2")
        await until(lambda: board(group))
        for person in people[1:]:
            await person.presses(board(group), "Sentarme", data=None)
        await people[0].presses(board(group), "Empezar")
        await clock.pass_time(30, quiet)
        table_id = await room.table(group)
        shown: set[str] = set()
        for _ in range(100):
            mover = await room.mover(table_id, people)
            if mover is not None:
                await until(lambda mover=mover: have_hands(mover))  # type: ignore[misc]
                await press_on(room, table_id, mover, few=6)
            shown.add(board(group).caption or "")
            await clock.pass_time(0.8, quiet)
        assert api.budget.exceeded == []
        # The newest is there soon after the last press, and not only at the end.
        assert len(shown) > 8
        for _ in range(30):
            await clock.pass_time(2, quiet)
            screen = await room.app.shared_screen(table_id)
            assert screen is not None
            if screen.alternative.split("\n")[0] in (board(group).caption or ""):
                break
        else:
            raise AssertionError("the newest state is not shown")
        assert api.budget.exceeded == []
