"""The running bot and the process that draws for it: one comes with the first picture, and none outlives the bot."""

import asyncio
import os
import signal
from pathlib import Path

import aiohttp
import pytest

from tests.drawing.test_pool import is_alive, until
from tests.e2e.room import Client
from tests.ops.test_process import Watched

PNG = b"\x89PNG\r\n\x1a\n"


class Drawing(Watched):
    """A bot with a process that draws."""

    def __init__(self, folder: Path, workers: int | None = 1) -> None:
        super().__init__(folder)
        if workers is not None:
            self.environment["BURACO_PICTURE_WORKERS"] = str(workers)

    @property
    def pid(self) -> int:
        """The bot itself."""
        assert self._process is not None
        return self._process.pid

    def workers(self) -> list[int]:
        """Its processes that draw."""
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        return [int(pid) for pid in found if b"render.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    async def picture(self, code: str) -> bytes:
        """The table's picture; asked for again where a busy machine has none in time."""
        address = f"http://127.0.0.1:{self.port}/mesa/{code}/tabla.png"
        async with asyncio.timeout(60), aiohttp.ClientSession() as session:
            while True:
                async with session.get(address) as answer:
                    if answer.status == 200:
                        return await answer.read()
                await asyncio.sleep(0.1)


async def test_a_worker_that_is_killed_is_replaced_and_sigterm_leaves_none(tmp_path: Path) -> None:
    bot = Drawing(tmp_path)
    async with bot, Client(await bot.start(), seed=1) as client:
        await client.open_table("1v1")
        assert bot.workers() == [], "nothing has been drawn"
        assert (await bot.picture(client.code)).startswith(PNG)
        (first,) = bot.workers()
        os.kill(first, signal.SIGKILL)
        await until(lambda: not is_alive(first))
        await _play_on(client)
        assert (await bot.picture(client.code)).startswith(PNG)
        (second,) = bot.workers()
        async with asyncio.timeout(10):
            status, err = await bot.stop()
        assert status == 0
        assert err.count("picture.worker_lost") == 1
        assert len(err.strip().splitlines()) == 1, err
        assert not is_alive(second)


async def test_a_bot_that_is_killed_leaves_no_worker(tmp_path: Path) -> None:
    bot = Drawing(tmp_path)
    async with bot, Client(await bot.start(), seed=1) as client:
        await client.open_table("1v1")
        assert (await bot.picture(client.code)).startswith(PNG)
        (worker,) = bot.workers()
        await bot.kill()
        await until(lambda: not is_alive(worker))


@pytest.mark.parametrize("workers", [0, None])
async def test_a_room_alone_draws_by_itself(tmp_path: Path, workers: int | None) -> None:
    """Where nobody wants it otherwise, or wants just that."""
    bot = Drawing(tmp_path, workers)
    async with bot, Client(await bot.start(), seed=1) as client:
        await client.open_table("1v1")
        assert (await bot.picture(client.code)).startswith(PNG)
        assert bot.workers() == []


async def _play_on(client: Client) -> None:
    """To another version, whose picture is not there yet."""
    state = await client.state()
    before = state["version"]
    async with asyncio.timeout(60):
        while state["version"] == before:
            token = client.choose(state)
            if token is None:
                await asyncio.sleep(0.01)
            else:
                await client.press(token, f"press-{before:08d}")
            state = await client.state()
