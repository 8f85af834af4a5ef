"""Running: everything comes up in order and goes down in order, whatever ends it."""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest

from bot import running
from bot.app import App
from bot.config import Settings
from bot.drawing.base import Draws
from bot.pictures import Renderer
from bot.store import Store, StoreUnusable
from tests.bot.fakes import FakeClock, FakePlatform, TroubledStore
from tests.drawing.test_desk import Place


class FakeRoom(FakePlatform):
    """A room that writes down what becomes of it."""

    def __init__(self, diary: list[str], name: str = "room") -> None:
        super().__init__(name)
        self.diary = diary
        self.name = name
        self.hangs = False
        self.broken = False
        self.is_connected = True
        self.is_slow = False
        self.opening = asyncio.Event()

    async def start(self) -> str:
        """Open."""
        self.diary.append(f"{self.name} opens")
        self.opening.set()
        if self.broken:
            raise OSError("the address is taken")
        if self.is_slow:
            await asyncio.Event().wait()
        return "http://127.0.0.1:1/"

    async def stop(self) -> None:
        """Close, or never come back."""
        self.diary.append(f"{self.name} closes")
        if self.hangs:
            await asyncio.Event().wait()


class DiaryStore(TroubledStore):
    """A store that writes down when it closes."""

    def __init__(self, diary: list[str]) -> None:
        super().__init__(FakeClock())
        self.diary = diary

    async def close(self) -> None:
        """Close."""
        self.diary.append("store closes")
        await super().close()


class Start:
    """One start of the bot with everything faked."""

    def __init__(self) -> None:
        self.diary: list[str] = []
        self.room = FakeRoom(self.diary)
        self.chat = FakeRoom(self.diary, "chat")
        self.told = asyncio.Event()

    async def open_store(self, url: str) -> Store:
        """The store."""
        self.diary.append(f"store {url}")
        return DiaryStore(self.diary)

    def make_room(self, app: App, draws: Draws, settings: Settings) -> FakeRoom:
        """The room."""
        assert isinstance(app, App)
        assert settings.database_url == "memory:"
        return self.room

    def make_chat(self, app: App, draws: Draws, settings: Settings) -> FakeRoom:
        """A chat."""
        return self.chat

    def announce(self, place: str, address: str) -> None:
        """Take down the address."""
        self.diary.append(f"{place} at {address}")
        self.told.set()

    async def run(self, draws: Draws | None = None) -> None:
        """Run."""
        settings = Settings.model_validate({"BURACO_DATABASE_URL": "memory:"})
        await running.run(
            settings, self.open_store, [self.make_room, self.make_chat], draws or Renderer(), self.announce
        )


class DiaryPlace(Place):
    """Draws for all, and writes down when it stops."""

    def __init__(self, diary: list[str], *, hangs: bool) -> None:
        super().__init__()
        self.diary = diary
        self.hangs = hangs

    async def stop(self) -> None:
        """Stop, or never come back."""
        self.diary.append("drawing stops")
        if self.hangs:
            await asyncio.Event().wait()


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {sign: signal.getsignal(sign) for sign in (signal.SIGINT, signal.SIGTERM)}
    yield
    for sign, handler in before.items():
        signal.signal(sign, handler)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_takes_everything_down_in_order(sign: signal.Signals) -> None:
    start = Start()
    task = asyncio.create_task(start.run())
    await start.told.wait()
    os.kill(os.getpid(), sign)
    await asyncio.wait_for(task, 60)
    assert start.diary == [
        "store memory:",
        "room opens",
        "chat opens",
        "room at http://127.0.0.1:1/",
        "chat at http://127.0.0.1:1/",
        "chat closes",
        "room closes",
        "store closes",
    ]


async def test_the_process_is_left_as_it_was_found() -> None:
    interval, start = sys.getswitchinterval(), Start()
    task = asyncio.create_task(start.run())
    await start.told.wait()
    assert sys.getswitchinterval() == pytest.approx(running.SWITCH_SECONDS)
    assert gc.get_freeze_count()
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)
    assert sys.getswitchinterval() == interval
    assert not gc.get_freeze_count()


@pytest.mark.parametrize("hangs", [False, True])
async def test_what_draws_for_all_stops_after_the_platforms(monkeypatch: pytest.MonkeyPatch, hangs: bool) -> None:
    monkeypatch.setattr(running, "STOP_SECONDS", 0.05 if hangs else running.STOP_SECONDS)
    start = Start()
    task = asyncio.create_task(start.run(DiaryPlace(start.diary, hangs=hangs)))
    await start.told.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)
    assert start.diary[-4:] == ["chat closes", "room closes", "drawing stops", "store closes"]


async def test_a_room_that_cannot_open_leaves_nothing_behind() -> None:
    start = Start()
    start.room.broken = True
    with pytest.raises(OSError, match="taken"):
        await start.run()
    assert start.diary[-2:] == ["room closes", "store closes"]


async def test_a_part_that_hangs_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "STOP_SECONDS", 0.05)
    start = Start()
    start.room.hangs = True
    task = asyncio.create_task(start.run())
    await start.told.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)
    assert start.diary[-1] == "store closes"


async def test_a_signal_ends_a_start_that_hangs() -> None:
    start = Start()
    start.chat.is_slow = True
    task = asyncio.create_task(start.run())
    async with asyncio.timeout(60):
        await start.chat.opening.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        await task
    assert start.diary[-3:] == ["chat closes", "room closes", "store closes"]


async def test_a_store_that_cannot_be_opened_ends_the_start() -> None:
    start = Start()

    async def refuse(url: str) -> Store:
        raise StoreUnusable("the database is of a newer version", "use a newer Buraco")

    start.open_store = refuse  # type: ignore[method-assign]
    with pytest.raises(StoreUnusable):
        await start.run()
    assert start.diary == []
