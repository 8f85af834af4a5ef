"""A running bot in its own process, and a client that plays through its room as a page does."""

import asyncio
import os
import secrets
import signal
import socket
import sys
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

import aiohttp

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 120
"""How long a busy machine may take: a test that hangs ends then."""
TOO_MANY = 429


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Process:
    """``buraco`` in a process of its own, always on the same port and database."""

    def __init__(self, folder: Path, port: int, *, database: str | None = None, pause: str = "0.01") -> None:
        self.port = port
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BURACO_")},
            "BURACO_DATABASE_URL": database or f"sqlite:///{folder / 'room.sqlite3'}",
            "BURACO_WEB_PORT": str(port),
            "BURACO_ROBOT_PAUSE": pause,
            "BURACO_HEALTH": "off",
            "PYTHONPATH": str(ROOT),
        }
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> str:
        """Start it and wait for its address."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=self.folder,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), START_SECONDS)
        if b"http://" not in line:
            raise AssertionError((line + await self._rest()).decode())
        return f"http://127.0.0.1:{self.port}"

    async def _rest(self) -> bytes:
        assert self._process is not None
        out, err = await self._process.communicate()
        return out + err

    async def kill(self) -> None:
        """SIGKILL: no time to say goodbye."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> tuple[int, str]:
        """SIGTERM; the exit status and what was written to standard error."""
        return await self._end(signal.SIGTERM)

    async def _end(self, sign: signal.Signals) -> tuple[int, str]:
        process, self._process = self._process, None
        if process is None:
            return 0, ""
        if process.returncode is None:
            process.send_signal(sign)
        _, err = await asyncio.wait_for(process.communicate(), START_SECONDS)
        return process.returncode or 0, err.decode()

    async def run_to_end(self) -> tuple[int, str, str]:
        """Start it where it is expected to end by itself: status, standard output, standard error."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=self.folder,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), START_SECONDS)
        return process.returncode or 0, out.decode(), err.decode()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.kill()


class Client:
    """One browser: it keeps its cookie, and its page goes on through restarts of the server."""

    def __init__(self, base: str, seed: int) -> None:
        self.base = base
        self.chance = Random(seed)
        self.code = ""
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True), timeout=aiohttp.ClientTimeout(total=10)
        )

    async def close(self) -> None:
        """Close the browser."""
        await self._session.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def get(self, path: str) -> Any:
        """The JSON of an address."""
        return await self._ask("GET", path, None)

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON that a request of the page is answered."""
        return await self._ask("POST", path, body)

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        while True:
            asked = self._session.request(method, self.base + path, json=body, headers={"Origin": self.base})
            async with asked as response:
                if response.status != TOO_MANY:
                    return await response.json()
            await asyncio.sleep(0.1)  # this client is quicker than any person

    async def open_table(self, seating: str) -> None:
        """Open a table and start at once, robots on the empty seats."""
        await self.get("/api/inicio")
        opened = await self.post(
            "/api/mesas",
            {"name": "Ana", "ruleset": "clasico", "seating": seating, "press_id": new_press_id()},
        )
        self.code = opened["code"]
        state = await self.state()
        start = next(b for row in state["public"]["rows"] for b in row if b["style"] == "good")
        assert (await self.press(start["token"], new_press_id()))["ok"]

    async def state(self) -> Any:
        """What the page shows."""
        return await self.get(f"/api/mesas/{self.code}")

    async def press(self, token: str, press_id: str) -> Any:
        """What a press is answered."""
        return await self.post(f"/api/mesas/{self.code}/pulsar", {"token": token, "press_id": press_id})

    def choose(self, state: Any) -> str | None:
        """A token to press: a way on in the own turn, or the next round; None while others play."""
        if state["public"]["over"]:
            rows = state["public"]["rows"]
            return rows[0][0]["token"] if rows else None
        hand = state["hand"]
        if hand is None or not hand["active"]:
            return None
        buttons = [b for row in hand["rows"] for b in row if b["enabled"] and not b["slot"]]
        buttons = [b for b in buttons if not any(verb in b["token"] for verb in (":un", ":mv:", ":hn"))]
        if buttons and self.chance.random() < 0.8:
            return str(self.chance.choice(buttons)["token"])
        verbs = [verb for verb in hand["verbs"] if verb["enabled"] and verb["least"] == verb["most"] == 1]
        cards = [card for card in hand["cards"] if not card["keep"]]
        if verbs and cards:
            return f"{verbs[0]['token']}:{base36(1 << self.chance.choice(cards)['bit'])}"
        return str(buttons[0]["token"]) if buttons else None


def new_press_id() -> str:
    """As a page makes one."""
    return secrets.token_hex(16)


def base36(number: int) -> str:
    """A number in base 36, as tokens have it."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
        if not number:
            return text
