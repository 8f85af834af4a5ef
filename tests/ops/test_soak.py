"""Match after match in one process: memory stays where it was, nothing is left open, and nothing holds the loop up."""

import asyncio
import functools
import gc
import itertools
import random
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.discord.layout import public_layout
from adapters.storage import open_store
from adapters.storage.codec import forget_decoded
from adapters.storage.memory import MemoryStore
from adapters.web import WebRoom
from bot.app import App
from bot.clock import SystemClock
from bot.desk import PictureDesk
from bot.model import Home, Person
from bot.robots.registry import make_robot
from bot.screens import Capabilities, Screen
from bot.shuffling import seeded_deal
from bot.store import Store
from bot.tokens import Intent, Verb, write_token
from engine.seating import Seating
from render import PillowRenderer
from tests.bot.rooms import play_on
from tests.web.conftest import FlatRenderer

CPU_SECONDS = 0.25
"""What one callback of the loop may take of its processor: as long as one that stands still is told of."""
SHORT_ROUND, LONG_ROUND = 6, 400
NOISE_BYTES, A_MATCH_BYTES = 120_000, 750
"""What may be left behind at all (what is remembered with a bound still fills in a short run; one match that stayed
would be as much), and by each match: of ten thousand, a twentieth of what the process takes."""


class Board:
    """A platform that draws each table and lays it out, and keeps nothing."""

    def __init__(self, desk: PictureDesk) -> None:
        self.capabilities = Capabilities("discord", 100, 25, 125, 1024, pushes_hands=False, edits_a_minute=0)
        self._desk = desk
        self.shown = 0

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Draw it and lay it out."""
        if screen.picture is not None:
            await self._desk.table(screen)
        public_layout(screen, picture=screen.picture is not None)
        self.shown += 1
        return "1"

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Hands are asked for."""


class Salon:
    """An application over a store, with a board and the browser room, in which matches are played one after another."""

    def __init__(self, store: Store, desk: PictureDesk, robot: str = "normal") -> None:
        deals = itertools.count()
        self.app = App(
            store,
            SystemClock(),
            lambda rules, seating: seeded_deal(rules, seating, next(deals)),
            {"normal": make_robot(robot)},
            robot_pause=0,
            lot=random.Random(1),
        )
        self.board = Board(desk)
        self.room = WebRoom(self.app, FlatRenderer(), "127.0.0.1", 0)
        self.app.add_platform(self.board)
        self.app.add_platform(self.room)
        self._ids = itertools.count()

    async def match(self, deals: int, presses: int = 10_000) -> None:
        """Two people and two robots play some deals, of each so many presses; then they leave and the table closes."""
        number = next(self._ids)
        people = [await self.app.meet(f"test:{name}{number % 7}", name) for name in ("Ana", "Beto")]
        home = Home("", "discord", f"{number % 5}")
        record = await self.app.open_table(people[0], ruleset_id="clasico", seating=Seating.TWO_PAIRS, home=home)
        table_id = record.table.id
        await self._press(people[1], table_id, Verb.JOIN)
        await self._press(people[0], table_id, Verb.START)
        for deal in range(deals):
            await self._deal(table_id, people, presses)
            if deal + 1 < deals:
                await self._press(people[0], table_id, Verb.NEXT_DEAL)
        for person in people:
            # A robot may play in between: then the button was of an older screen.
            while person.id in (await self.app.record(table_id)).table.people:
                await self._press(person, table_id, Verb.LEAVE, confirmed=True)

    async def _deal(self, table_id: str, people: list[Person], presses: int) -> None:
        while presses:
            record = await self.app.record(table_id)
            match = record.match
            assert match is not None
            if not match.in_play:
                return
            assert match.deal is not None
            chair = record.table.chairs[match.deal.turn.seat]
            mover = next((person for person in people if person.id == chair.person), None)
            if mover is None:
                await asyncio.sleep(0.001)  # a robot's turn
                continue
            await play_on(self.app, table_id, mover, lambda: f"press-{next(self._ids)}")
            presses -= 1

    async def _press(self, person: Person, table_id: str, verb: Verb, *, confirmed: bool = False) -> None:
        version = (await self.app.record(table_id)).version
        token = write_token(Intent(table_id, version, verb, confirmed=confirmed))
        answer = await self.app.press(person, token, f"press-{next(self._ids)}")
        assert answer.ok or answer.reason == "stale", answer.text


async def settled(app: App) -> None:
    """Wait until everything that was to be shown has been."""
    while app._announcer._tasks:  # noqa: ASYNC110 - what is waited for sets no event
        await asyncio.sleep(0.005)


def held(app: App) -> int:
    """Bytes that are held, caches left out: those have their bounds, and fill slowly."""
    app._keeper.forget_recent()
    forget_decoded()
    gc.collect()
    assert not gc.get_freeze_count(), "what is frozen is neither collected nor seen here"
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):
            found.cache_clear()
    return tracemalloc.get_traced_memory()[0]


async def test_memory_stays_where_it_was_match_after_match(tmp_path: Path, long_run: bool) -> None:
    size = LONG_ROUND if long_run else SHORT_ROUND
    store, desk = await open_store(str(tmp_path / "soak.sqlite3")), PictureDesk(FlatRenderer(), most=2)
    salon = Salon(store, desk, "random")
    await salon.app.start()
    tracemalloc.start()
    told: list[int] = []
    tasks = 0
    try:
        for _ in range(3):
            for _ in range(size):
                await salon.match(1, presses=4)
            await settled(salon.app)
            told.append(held(salon.app))
            tasks = tasks or len(asyncio.all_tasks())
    finally:
        tracemalloc.stop()
    print(f"{3 * size} matches; held after each round: {[f'{one / 1e6:.3f} MB' for one in told]}")
    assert len(asyncio.all_tasks()) <= tasks, "no task is left behind"
    assert salon.board.shown >= 3 * size
    assert not list(await store.open_tables())
    assert told[2] - told[1] < NOISE_BYTES + A_MATCH_BYTES * size
    await salon.app.stop()
    await desk.close()
    await store.close()


@contextmanager
def watched_loop(longest: list[float]) -> Iterator[None]:
    """Note the processor time of the loop's thread that its longest callback takes: other load does not count."""
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest[0] = max(longest[0], time.thread_time() - began)

    asyncio.Handle._run = timed  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]


async def test_a_scripted_match_never_holds_the_loop_up() -> None:
    """With real pictures, searching left out: no step of the loop takes a quarter of a second of its processor."""
    longest, desk = [0.0], PictureDesk(PillowRenderer())
    salon = Salon(MemoryStore(SystemClock().now_ms), desk)
    await salon.app.start()
    with watched_loop(longest):
        await salon.match(4)
        await settled(salon.app)
    print(f"longest step: {longest[0] * 1000:.1f} ms of processor time")
    assert salon.board.shown >= 5
    assert longest[0] < CPU_SECONDS
    await salon.app.stop()
    await desk.close()


async def test_the_watch_would_notice() -> None:
    longest = [0.0]

    def busy() -> None:
        began = time.thread_time()
        while time.thread_time() - began < CPU_SECONDS:
            pass

    with watched_loop(longest):
        asyncio.get_running_loop().call_soon(busy)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert longest[0] >= CPU_SECONDS
