"""What systemd is told: that everything is up, that the loop comes round, that the end begins."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.storage.memory import MemoryStore
from bot.gate import Gate
from bot.supervising import SOCKET, WATCHDOG, Supervised
from bot.vitals import Health, Vitals
from tests.ops.test_process import Watched, _until


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """What systemd listens on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)
        yield listening


def vitals() -> Vitals:
    """The vital signs of a process that lives."""
    return Vitals(MemoryStore(lambda: 0), Gate())


async def heard(manager: socket.socket) -> str:
    """The next line."""
    return (await asyncio.to_thread(manager.recv, 100)).decode()


async def test_ready_alive_and_stopping(manager: socket.socket, tmp_path: Path) -> None:
    signs = vitals()
    supervised = Supervised(signs, {SOCKET: str(tmp_path / "notify"), WATCHDOG: "100000"})
    supervised.started()
    assert [await heard(manager) for _ in range(3)] == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]
    await supervised.stop()
    while (line := await heard(manager)) == "WATCHDOG=1":
        continue
    assert line == "STOPPING=1"


async def test_a_loop_that_does_not_come_round_is_not_called_alive(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs = vitals()
    supervised = Supervised(signs, {SOCKET: str(tmp_path / "notify"), WATCHDOG: "20000"})
    looked = asyncio.Event()

    def dead() -> Health:
        looked.set()
        return Health(live=False, loop_lag_seconds=9.0)

    monkeypatch.setattr(signs, "health", dead)
    supervised.started()
    await looked.wait()
    await supervised.stop()
    assert [await heard(manager) for _ in range(2)] == ["READY=1", "STOPPING=1"]


@pytest.mark.parametrize("environment", [{}, {SOCKET: "/nowhere/at/all"}, {SOCKET: "@nobody-listens-here"}])
async def test_without_systemd_nothing_is_told_and_nothing_fails(environment: dict[str, str]) -> None:
    supervised = Supervised(vitals(), environment)
    supervised.started()
    await supervised.stop()


async def test_the_program_s_own_check_of_its_health(tmp_path: Path) -> None:
    bot = Watched(tmp_path)
    async with bot:
        assert (await bot.command("health"))[0] == 1, "nobody is there"
        await bot.start()
        await _until(bot, 200)
        assert (await bot.command("health"))[:2] == (0, "alive\n")
        assert (await bot.command("health", "--ready"))[:2] == (0, "ready\n")
        await bot.command("drain")
        status, _, err = await bot.command("health", "--ready")
        assert status == 1
        assert '"draining":true' in err.replace(" ", "")
        assert (await bot.command("health"))[0] == 0
        await bot.stop()
    bot.environment["BURACO_HEALTH"] = "off"
    assert (await bot.command("health"))[0] == 78
