"""The whole program in a process of its own: killed in the middle of a deal and started again, the game goes on."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.wire.looks import buttons
from tests.discord.wire.player import Company, board, boards, labels, notices, version
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 40.0
READY = "Buraco plays in Discord as buraco"


class Process:
    """``python -m bot`` with a token, always over the same database; what it writes is kept in a file."""

    def __init__(self, folder: Path, server: DiscordServer) -> None:
        self.server = server
        self.output = folder / "output.txt"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BURACO_")},
            "DISCORD_TOKEN": server.bot_token,
            "BURACO_DISCORD_API": server.api,
            "BURACO_WEB_PORT": "0",
            "BURACO_HEALTH": "off",
            "BURACO_DATABASE_URL": f"sqlite:///{folder / 'wire.sqlite3'}",
            "BURACO_ROBOT_PAUSE": "0",
            "BURACO_LOG": "info",
            "PYTHONPATH": str(ROOT),
        }
        self.folder = folder
        self._process: asyncio.subprocess.Process | None = None

    @property
    def written(self) -> str:
        """All that it has written so far."""
        return self.output.read_text() if self.output.exists() else ""

    async def start(self) -> None:
        """Start it and wait until it plays."""
        before = self.written.count(READY)
        with self.output.open("ab") as file:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "run"), cwd=self.folder, env=self.environment, stdout=file, stderr=file
            )
        async with asyncio.timeout(START_SECONDS):
            while self.written.count(READY) == before:
                assert self._process.returncode is None, self.written
                await asyncio.sleep(0.05)

    async def end(self, sign: signal.Signals) -> int:
        """End it with a signal; its status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        if process.returncode is None:
            process.send_signal(sign)
        return await asyncio.wait_for(process.wait(), START_SECONDS)


@pytest.fixture
async def process(tmp_path: Path, server: DiscordServer) -> AsyncIterator[Process]:
    """Return the program, not started."""
    process = Process(tmp_path, server)
    yield process
    await process.end(signal.SIGKILL)


async def test_killed_in_the_middle_of_a_deal(process: Process, server: DiscordServer, place: Channel) -> None:
    server.patience = 20.0
    await process.start()
    company = Company(place, *(server.user(name) for name in ("Ana", "Beto", "Caro", "Dani")))
    await company.open()
    await server.until(lambda: bool(boards(place)))
    lobby = board(place)
    for player in company.players[1:]:
        await player.press(lobby, "Sentarme")
    await company.players[0].press(lobby, "Empezar")
    await company.take_up()
    await company.play(4)
    middle = await company.on_turn()
    assert middle is not None
    await middle.step()
    old_board, old_hand = await company.shown(), middle.hand
    assert old_hand is not None
    shown, held = version(old_board), version(old_hand)
    await process.end(signal.SIGKILL)
    await server.until(lambda: not server.gateway.connected)

    await process.start()
    await middle.look(old_board)
    assert middle.hand is not old_hand
    assert version(middle.hand or old_board) == held >= shown
    await middle.step()
    if middle.on_turn:
        told = await middle.press(old_hand, labels(old_hand)[0])
        assert told.message is old_hand, "it does what it says, or shows the hand as it is now"
    for player in company.players:
        await player.mano()
    await company.play(200)
    over = await company.shown()
    assert "Siguiente ronda" in labels(over)
    # The notice goes after the table has been shown.
    await server.until(lambda: notices(place) == [])
    assert boards(place) == [over]
    assert [message for message in place.messages.values() if buttons(message)] == [over]

    await company.players[0].press(over, "Siguiente ronda")
    await company.up_to_date("Robar")
    assert board(place) is not over
    assert "failed" not in process.written
    assert await process.end(signal.SIGTERM) == 0
    assert server.bot_token not in process.written
    assert "Traceback" not in process.written
    assert len(server.calls_to("PUT", "/applications/{application_id}/commands")) == 1
    assert len(server.calls_to("POST", "/applications/{application_id}/emojis")) == len(server.emojis)
    assert not [call for call in server.refused if call.status not in (0, 404)]
    server.check()


async def test_a_refused_token_ends_the_program(process: Process, server: DiscordServer) -> None:
    process.environment["DISCORD_TOKEN"] = "another-token"
    with pytest.raises(AssertionError, match="DISCORD_TOKEN is not accepted by Discord"):
        await process.start()
    assert "another-token" not in process.written
    assert "Traceback" not in process.written
    server.check()
