"""The whole program: signals, readiness to the end, copies while it runs, all wrong settings at once."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.room import Client, Process, free_port


class Watched(Process):
    """A bot whose health can be asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, free_port())
        self.health = free_port()
        self.environment["BURACO_HEALTH"] = f"127.0.0.1:{self.health}"

    async def status(self, path: str) -> int:
        """The status of an address; 0 where nobody answers."""
        try:
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"http://127.0.0.1:{self.health}{path}") as answer,
            ):
                return answer.status
        except aiohttp.ClientError:
            return 0

    async def command(self, *arguments: str) -> tuple[int, str, str]:
        """Another command with the same settings."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", *arguments, cwd=self.folder, env=self.environment,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await asyncio.wait_for(process.communicate(), 60)
        return process.returncode or 0, out.decode(), err.decode()

    def signal(self, sign: signal.Signals) -> None:
        """Send a signal."""
        assert self._process is not None
        os.kill(self._process.pid, sign)


async def _until(bot: Watched, status: int) -> None:
    async with asyncio.timeout(60):
        while await bot.status("/readyz") != status:  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.05)


async def test_health_drain_and_backup_of_a_running_bot(tmp_path: Path) -> None:
    bot = Watched(tmp_path)
    async with bot, Client(await bot.start(), seed=1) as client:
        await _until(bot, 200)
        assert await bot.status("/healthz") == 200
        await client.open_table("1v1")
        status, out, err = await bot.command("backup", "--out", "copies")
        assert status == 0, err
        assert "1 open tables" in out
        assert len(list((tmp_path / "copies").iterdir())) == 1
        status, out, err = await bot.command("restore", str(next((tmp_path / "copies").iterdir())))
        assert status == 75, "not under a running bot"
        assert "stop the bot" in err

        status, out, _ = await bot.command("drain")
        assert (status, out) == (0, "No new tables; matches that have begun go on.\n")
        await _until(bot, 503)
        body = {"name": "Ana", "ruleset": "clasico", "seating": "1v1", "press_id": "another-table"}
        assert "Las partidas empezadas siguen" in (await client.post("/api/mesas", body))["text"]
        bot.signal(signal.SIGUSR1)
        await _until(bot, 200)
        assert (await client.post("/api/mesas", body))["ok"]
        status, err = await bot.stop()
        assert status == 0
        assert err.count("gate.draining") == err.count("gate.open") == 1
        assert len(err.strip().splitlines()) == 2, err
    status, out, _ = await bot.command("restore", str(next((tmp_path / "copies").iterdir())))
    assert status == 0
    assert "Restored" in out
    status, out, _ = await bot.command("migrate")
    assert (status, out) == (0, "The database has this version's schema; 1 open tables\n")
    status, _, err = await bot.command("drain")
    assert status == 75
    assert "no bot answers" in err


@pytest.mark.parametrize("round_", range(3))
async def test_sigterm_under_load_ends_in_time_and_loses_nothing(tmp_path: Path, round_: int) -> None:
    bot = Watched(tmp_path)
    bot.environment["BURACO_ROBOT_PAUSE"] = "0"
    async with bot, Client(await bot.start(), seed=round_) as client:
        await client.open_table("2v2")
        kept: list[int] = []

        async def play() -> None:
            while True:
                state = await client.state()
                kept.append(state["version"])
                token = client.choose(state)
                if token is None:
                    await asyncio.sleep(0.01)
                    continue
                answer = await client.press(token, f"press-{len(kept):08d}")
                kept.append(answer["state"]["version"])

        playing = asyncio.create_task(play())
        await asyncio.sleep(0.3 + round_ * 0.2)
        async with asyncio.timeout(10):
            assert await bot.stop() == (0, "")
        await asyncio.wait([playing], timeout=5)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await bot.start()
        assert (await client.state())["version"] >= max(kept)


async def test_all_wrong_settings_are_told_at_once(tmp_path: Path) -> None:
    wrong = ("BURACO_LOGG=1", "BURACO_WEB_PORT=x", "BURACO_HEALTH=here", "BURACO_DISCORD_INTERACTIONS=here:1", "=?")
    (tmp_path / ".env").write_text("\n".join(wrong), encoding="utf-8")
    bot = Process(tmp_path, free_port())
    for name in ("BURACO_WEB_PORT", "BURACO_HEALTH"):
        del bot.environment[name]
    status, _, err = await bot.run_to_end()
    assert status == 78
    for word in ("BURACO_LOG?", "BURACO_WEB_PORT", "BURACO_HEALTH", "BURACO_DISCORD_PUBLIC_KEY", "line 5"):
        assert word in err, err
    assert len(err.strip().splitlines()) == 5
