"""Killed with SIGKILL at any moment and started again, a match stands at its last committed action."""

import asyncio
import contextlib
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import msgspec
import pytest

from adapters.storage import open_store
from engine.events import DealStarted
from engine.evolve import evolve_all
from engine.state import new_match
from tests.e2e.room import Client, Process, free_port, new_press_id

Sent = list[tuple[str, str]]
PATIENCE = 80
NETWORK = (aiohttp.ClientError, TimeoutError, ConnectionError)


class Player:
    """Plays on and on, remembers what was acknowledged, and repeats what was not."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.acknowledged: dict[str, int] = {}
        self.open: tuple[str, str] | None = None
        self.seen = 0
        self.actions = 0

    async def play(self) -> None:
        """Play until the connection breaks."""
        while True:
            state = await self.client.state()
            self._look(state)
            if self.open is None:
                token = self.client.choose(state)
                if token is None:
                    await asyncio.sleep(0.01)
                    continue
                self.open = (token, new_press_id())
            answer = await self.client.press(*self.open)
            self._look(answer["state"])
            if answer["question"] is not None:
                self.open = (answer["question"]["rows"][0][0]["token"], new_press_id())
                continue
            if answer["ok"]:
                self.acknowledged[self.open[1]] = answer["state"]["version"]
                self.actions += 1
            self.open = None

    def _look(self, state: Any) -> None:
        """What has been shown once is never taken back."""
        assert state["version"] >= self.seen
        self.seen = state["version"]


async def _play_and_kill(process: Process, player: Player, chance: Random, kills: int) -> None:
    for _ in range(kills):
        await process.start()
        playing = asyncio.create_task(player.play())
        before = player.actions
        await asyncio.wait([playing], timeout=chance.uniform(0.2, 1.2))
        for _ in range(PATIENCE):  # on a busy machine, until something has been played at all
            if player.actions > before or playing.done():
                break
            await asyncio.wait([playing], timeout=0.1)
        await process.kill()
        with contextlib.suppress(*NETWORK):
            await playing


@pytest.mark.parametrize("seating", ["1v1", "2v2"])
async def test_nothing_acknowledged_is_lost_and_nothing_is_applied_twice(tmp_path: Path, seating: str) -> None:
    chance = Random(7)
    process = Process(tmp_path, free_port())
    async with process, Client(await process.start(), seed=11) as client:
        await client.open_table(seating)
        await process.kill()
        player = Player(client)
        await _play_and_kill(process, player, chance, kills=5)

        await process.start()
        state = await client.state()
        assert state["version"] >= player.seen
        assert state["hand"] is not None
        status, err = await process.stop()
        assert (status, err) == (0, "")

    assert player.actions >= 5
    await _check_store(process, client.code, player)


async def _check_store(process: Process, code: str, player: Player) -> None:
    store = await open_store(process.environment["BURACO_DATABASE_URL"])
    try:
        table_id = await store.find(code)
        assert table_id is not None
        record = await store.load(table_id)
        assert record is not None
        assert record.match is not None
        events = await store.events(table_id)
        assert len(events) == record.events
        first = events[0]
        assert isinstance(first, DealStarted)
        replayed = evolve_all(new_match(record.table.rules, record.table.seating, first.starter), events)
        assert msgspec.json.encode(replayed) == msgspec.json.encode(record.match)
        person = next(iter(record.table.people))
        for press_id in player.acknowledged:
            assert await store.answer_to(f"{person}:web:{person}:{press_id}") is not None
    finally:
        await store.close()


async def test_a_repeated_press_after_a_crash_gets_its_first_answer(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port(), pause="30")
    async with process, Client(await process.start(), seed=3) as client:
        await client.open_table("1v1")
        state = await client.state()
        for _ in range(3):
            token = client.choose(state)
            if token is None:  # the robot was drawn to start, and waits for long
                return
            press_id = new_press_id()
            first = await client.press(token, press_id)
            await process.kill()
            await process.start()
            again = await client.press(token, press_id)
            assert again["ok"] == first["ok"]
            assert again["text"] == first["text"]
            assert again["state"]["version"] == first["state"]["version"]
            assert again["state"]["hand"]["cards"] == first["state"]["hand"]["cards"]
            state = again["state"]
