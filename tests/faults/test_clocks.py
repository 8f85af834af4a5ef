"""Clocks in trouble: a wall clock that jumps, and time that runs out in the very moment of a press."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
import pytest

from bot.model import Pace
from bot.robots.registry import make_robot
from bot.tokens import Verb
from engine.events import CardDrawn
from engine.evolve import evolve_all
from engine.state import new_match
from tests.bot.rooms import House
from tests.bot.test_clocks import HandClock, opened


class JumpingClock(HandClock):
    """A clock whose wall time may jump; waiting goes on as if nothing were."""

    jump = 0

    def now_ms(self) -> int:
        """What the wall clock shows."""
        return self.ms + self.jump


@pytest.mark.parametrize("hours", [1, -1, 24, -24])
async def test_a_wall_clock_that_jumps_ends_nobody_s_turn_early_or_late(
    hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bot.rooms.FakeClock", JumpingClock)
    house = House({"normal": make_robot("random")})
    clock = house.clock
    assert isinstance(clock, JumpingClock)
    try:
        table_id, crowd = await opened(house, Pace.QUICK)
        mover = await house.mover(table_id, crowd)
        await clock.move(10)
        clock.jump = hours * 3600 * 1000
        await clock.move(45)
        assert await house.mover_is(table_id, mover), "five seconds are left"
        await clock.move(6)
        assert not await house.mover_is(table_id, mover)
    finally:
        await house.app.stop()


async def test_time_that_runs_out_in_the_moment_of_a_press_does_nothing_twice(
    monkeypatch: pytest.MonkeyPatch, long_run: bool
) -> None:
    monkeypatch.setattr("tests.bot.rooms.FakeClock", HandClock)
    house, dice = House({"normal": make_robot("random")}), random.Random(4)
    clocks = house.app._clocks
    try:
        for _ in range(1000 if long_run else 40):
            table_id, crowd = await opened(house, Pace.QUICK)
            mover, before = await house.mover(table_id, crowd), await house.record(table_id)
            key, press_id = clocks._deadlines[table_id].key, f"{table_id}-once"
            drawing = partial(house.press, mover, table_id, Verb.DRAW, version=before.version, press_id=press_id)
            running_out = partial(clocks.run_out, table_id, key)
            at_once: list[Callable[[], Coroutine[Any, Any, Any]]] = [drawing, drawing, running_out, running_out]
            dice.shuffle(at_once)
            await asyncio.gather(*(one() for one in at_once))
            after = await house.record(table_id)
            events = await house.store.events(table_id)
            assert sum(isinstance(event, CardDrawn) for event in events) == 1, "one turn, one card"
            assert after.match is not None
            assert not await house.mover_is(table_id, mover), "the turn is over"
            begun = new_match(after.table.rules, after.table.seating, after.match.first_starter)
            assert msgspec.json.encode(evolve_all(begun, events)) == msgspec.json.encode(after.match)
    finally:
        await house.app.stop()
