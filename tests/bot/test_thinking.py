"""Robots think away from the loop, in processes where they search; a worker that dies costs one decision."""

from concurrent.futures.process import BrokenProcessPool

import pytest

from bot import thinking
from bot.robots.registry import HARD, NORMAL, make_robot
from bot.thinking import Thinking
from engine.decide import decide
from engine.seating import Seating
from engine.views import seat_view
from tests.bot.tables import deal_of, dealt


async def test_a_worker_chooses() -> None:
    """In a process of its own, and legally."""
    match = dealt(Seating.ONE_ON_ONE, 3)
    seat = deal_of(match).turn.seat
    mind = Thinking({NORMAL: make_robot(NORMAL), HARD: make_robot(HARD)}, workers=1)
    assert mind.knows(HARD)
    assert not mind.knows("greedy")
    view = seat_view(match, seat)
    # Until the process is ready nobody waits for it.
    assert await mind.choose(HARD, view) == make_robot(NORMAL).choose(view)
    await mind.ready()
    action = await mind.choose(HARD, view)
    assert decide(match, seat, action)
    mind.stop()


async def test_a_worker_that_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sensible robot plays instead."""
    match = dealt(Seating.ONE_ON_ONE, 3)
    view = seat_view(match, deal_of(match).turn.seat)
    mind = Thinking({NORMAL: make_robot(NORMAL), HARD: make_robot(HARD)}, workers=1)

    def broken(*_: object, **__: object) -> object:
        raise BrokenProcessPool

    monkeypatch.setattr(thinking, "ProcessPoolExecutor", broken)
    assert await mind.choose(HARD, view) == make_robot(NORMAL).choose(view)
    mind.stop()
    with pytest.raises(LookupError):
        await mind.choose("greedy", view)
