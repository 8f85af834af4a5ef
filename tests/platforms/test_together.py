"""Both chats and the browser room in one process from one environment; what befalls one leaves the others up."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.discord.wire.player import board, boards
from tests.discord.wire.server import DiscordServer
from tests.telegram.fake import BotApi
from tests.telegram.room import until

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 40.0


class Program:
    """The program with both tokens."""

    def __init__(self, folder: Path, discord: DiscordServer, telegram: BotApi) -> None:
        self.output = folder / "output.txt"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BURACO_")},
            "DISCORD_TOKEN": discord.bot_token,
            "BURACO_DISCORD_API": discord.api,
            "TELEGRAM_TOKEN": telegram.token,
            "BURACO_TELEGRAM_API": f"http://127.0.0.1:{telegram.port}",
            "BURACO_WEB_PORT": "0",
            "BURACO_HEALTH": "off",
            "BURACO_DATABASE_URL": f"sqlite:///{folder / 'both.sqlite3'}",
            "BURACO_ROBOT_PAUSE": "0.2",
            "BURACO_LOG": "info",
            "PYTHONPATH": str(ROOT),
        }
        self.folder = folder
        self.process: asyncio.subprocess.Process | None = None

    @property
    def written(self) -> str:
        """All that it has written."""
        return self.output.read_text() if self.output.exists() else ""

    async def start(self) -> None:
        """Start it, and wait until it has told of every place."""
        with self.output.open("ab") as file:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "run"), cwd=self.folder, env=self.environment, stdout=file, stderr=file
            )
        await self.told("http://127.0.0.1:", "Buraco plays in Discord as", "Buraco plays in Telegram as @buraco_bot")

    async def told(self, *parts: str) -> None:
        """Wait until it has written all of these."""
        async with asyncio.timeout(SECONDS):
            while not all(part in self.written for part in parts):
                assert self.process is not None
                assert self.process.returncode is None, self.written
                await asyncio.sleep(0.05)

    async def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """End it; its status."""
        process, self.process = self.process, None
        if process is None:
            return 0
        if process.returncode is None:
            process.send_signal(sign)
        return await asyncio.wait_for(process.wait(), SECONDS)

    @property
    def address(self) -> str:
        """The room's address."""
        start = self.written.index("http://127.0.0.1:")
        return self.written[start:].split()[0].rstrip("/")


@pytest.fixture
async def discord() -> AsyncIterator[DiscordServer]:
    """A Discord."""
    async with DiscordServer() as server:
        server.patience = 20.0
        yield server
        server.check()


@pytest.fixture
async def telegram(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BotApi]:
    """A Telegram."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")
    async with BotApi() as server:
        yield server
        assert server.problems == []


async def test_one_place_down_leaves_the_others_up(tmp_path: Path, discord: DiscordServer, telegram: BotApi) -> None:
    program = Program(tmp_path, discord, telegram)
    try:
        await program.start()
        place = discord.channel(discord.guild("Casa"), "general")
        ana, beto = discord.user("Ana"), telegram.user("Beto")
        group = telegram.group("Amigos", beto)

        opened = await ana.slash(place, "buraco", "nueva", modo="1v1")
        assert "Mesa abierta" in opened.text()
        await beto.starts("")
        await beto.says(group, "/buraco new 1v1")
        await until(lambda: any("Empezar" in message.labels for message in group.messages), SECONDS)

        await telegram.stop()
        await discord.until(lambda: bool(boards(place)))
        started = await ana.press(board(place), "Empezar")
        # The table's own message is edited through the same press: that it is answered does not mean that the hand is
        # there, which takes as long as its picture.
        await discord.until(lambda: started.ephemeral is not None)
        assert "Ordenar por valor" in [button.label for button in started.buttons], "the private hand"
        async with aiohttp.ClientSession() as session, session.get(f"{program.address}/") as page:
            assert page.status == 200

        await telegram.start()
        discord.drop()
        await beto.says(group, "/mistandas")
        await until(
            lambda: any("Mis mesas" in (message.text or "") for message in beto.inbox + group.messages), SECONDS
        )
        assert await program.end() == 0
        for token in (discord.bot_token, telegram.token):
            assert token not in program.written
    finally:
        await program.end(signal.SIGKILL)
