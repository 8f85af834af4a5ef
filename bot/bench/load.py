"""The whole program under load: so many matches at once, four people at each, over a real store and a real renderer.

People are simulated in the same process, which makes the figures worse and never better. Each match has about one
action in six seconds: two hundred actions in a deal of twenty minutes.
"""

import asyncio
import contextlib
import gc
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from bot import rulesets
from bot.app import App
from bot.bench.deals import Dealt, random_deal
from bot.bench.offline import NAME, OfflinePlatform
from bot.bench.people import chosen
from bot.bench.stores import changes_of, playing
from bot.bench.timing import load_average, memory_mb, spread
from bot.clock import SystemClock
from bot.desk import PictureDesk
from bot.drawing.base import Draws
from bot.drawing.pool import Pool
from bot.effort import Effort
from bot.model import Home, Person
from bot.running import serving, settle_memory
from bot.screens import Role
from bot.shuffling import secure_deal
from bot.store import Change, CommitResult, Committed, OpenStore, Record, Store
from bot.turns import seat_on_turn
from engine.seating import Seating

LATENCY: Final = 0.05
SECONDS_AN_ACTION: Final = 6.0
_BEAT: Final = 0.01
_PATTERNS: Final = 8
_AT_ONCE: Final = 64
_PATIENCE: Final = 30.0


class _Metered:
    """A store that tells of every commit."""

    def __init__(self, store: Store, told: Callable[[Change], None]) -> None:
        self._store = store
        self._told = told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, change: Change) -> CommitResult:
        result = await self._store.commit(change)
        if isinstance(result, Committed):
            self._told(change)
        return result


class LoadRun:
    """One run with so many matches."""

    def __init__(self, draws: Draws, matches: int, seconds: float, seed: int = 1) -> None:
        self._draws = draws
        self._pool = draws if isinstance(draws, Pool) else None
        self._matches = matches
        self._seconds = seconds
        self._dice = random.Random(seed)  # noqa: S311 - it only picks among buttons
        self._pressed: dict[str, float] = {}
        self._movers: dict[str, int | None] = {}
        self._to_commit: list[float] = []
        self._to_answer: list[float] = []
        self._lag: list[float] = []
        self._presses = 0
        self._refused = 0
        self._platform: OfflinePlatform | None = None

    async def run(self, open_store: OpenStore, database_url: str | None = None) -> dict[str, Any]:
        """Set the tables up, start the application over them, let people play, and tell what it took."""
        with TemporaryDirectory(prefix="buraco-load-") as folder:
            store = await open_store(database_url or f"sqlite:///{Path(folder) / 'load.sqlite3'}")
            try:
                with serving():
                    return await self._over(store)
            finally:
                await store.close()

    async def _over(self, store: Store) -> dict[str, Any]:
        seated = await _set_up(store, self._matches)
        app = App(cast(Store, _Metered(store, self._committed)), SystemClock(), secure_deal, {}, effort=self._effort())
        desk = PictureDesk(self._draws)
        platform = self._platform = OfflinePlatform(desk, LATENCY)
        platform.begin(app, seated)
        app.add_platform(platform)
        began = time.perf_counter()
        await app.start()
        settle_memory()
        started = time.perf_counter() - began
        try:
            for table_id, people in seated.items():
                for person in people:
                    screen = await app.hand_screen(table_id, person)
                    if screen is not None:
                        platform.hands[(table_id, person.id)] = screen
            # What was not shown before the start is shown now, before anything is measured.
            resynced = await self._resynced(store, began)
            return {"start_seconds": round(started, 2), "boards_seconds": resynced, **await self._measure(app, seated)}
        finally:
            await app.stop()
            await desk.close()
            if self._pool is not None:
                await self._pool.stop()

    async def _resynced(self, store: Store, began: float) -> float | None:
        """How long it took until every table was shown as it stands; None where that takes too long to wait for."""
        while time.perf_counter() - began < _PATIENCE + self._matches / 20:
            if not await store.lagging_homes():
                return round(time.perf_counter() - began, 2)
            await asyncio.sleep(0.1)
        return None

    async def _measure(self, app: App, seated: dict[str, tuple[Person, ...]]) -> dict[str, Any]:
        platform = self._platform
        if platform is None:
            raise AssertionError("the platform is there before anybody plays")
        stop = asyncio.Event()
        tasks = [asyncio.create_task(self._play(app, table, people, stop)) for table, people in seated.items()]
        # The first moments go to caches that a program which runs for days has long filled.
        await asyncio.sleep(min(SECONDS_AN_ACTION, self._seconds / 4))
        for row in (self._to_commit, self._to_answer):
            row.clear()
        self._presses = self._refused = 0
        platform.forget_times()
        watch = asyncio.create_task(self._watch())
        cpu, drawing, began, before = time.process_time(), self._drawing_cpu(), time.perf_counter(), load_average()
        memory = memory_mb()
        await asyncio.sleep(self._seconds)
        used, drawn, passed = time.process_time() - cpu, self._drawing_cpu() - drawing, time.perf_counter() - began
        workers = () if self._pool is None else tuple(memory_mb(pid) for pid in self._pool.pids)
        behind = platform.behind
        watch.cancel()
        stop.set()
        await asyncio.gather(watch, *tasks, return_exceptions=True)
        shown, cores = platform.shown, os.cpu_count() or 1
        return {
            "matches": self._matches,
            "seconds": round(passed, 1),
            "actions": len(self._to_commit),
            "actions_a_second": round(len(self._to_commit) / passed, 1),
            "refused": self._refused,
            "press_to_commit_ms": spread(self._to_commit)._asdict(),
            "press_to_answer_ms": spread(self._to_answer)._asdict(),
            "board_ms": spread(shown.boards)._asdict(),
            "turn_board_ms": spread(shown.turns)._asdict(),
            "loop_lag_ms": spread(self._lag)._asdict(),
            "cpu_share": round((used + drawn) / passed / cores, 4),
            "cpu_ms_an_action": round(1000 * (used + drawn) / max(1, len(self._to_commit)), 2),
            "cpu_of_workers": round(drawn / passed / cores, 4),
            "memory_mb": round(memory_mb() + sum(workers), 1),
            "memory_of_workers_mb": round(sum(workers), 1),
            "memory_growth_mb": round(memory_mb() - memory, 1),
            "tables_drawn": shown.tables,
            "hands_drawn": shown.hands,
            "without_picture": shown.without,
            "boards_behind": behind,
            "load_average": [before, load_average()],
        }

    def _effort(self) -> Effort:
        pool = self._pool
        return Effort(drawn=None if pool is None else lambda: pool.busy_seconds)

    def _drawing_cpu(self) -> float:
        return 0.0 if self._pool is None else self._pool.cpu_seconds

    def _committed(self, change: Change) -> None:
        table_id, now = change.record.table.id, time.perf_counter()
        since = self._pressed.pop(table_id, None)
        if since is not None:
            self._to_commit.append(now - since)
        mover = seat_on_turn(change.record.match)
        if self._platform is not None:
            passed = self._movers.get(table_id, mover) != mover
            self._platform.committed(table_id, change.record.version, turn_passed=passed)
        self._movers[table_id] = mover

    async def _watch(self) -> None:
        """How much later than asked for the event loop comes round."""
        with contextlib.suppress(asyncio.CancelledError):
            while True:
                began = time.perf_counter()
                await asyncio.sleep(_BEAT)
                self._lag.append(max(0.0, time.perf_counter() - began - _BEAT))

    async def _play(self, app: App, table_id: str, people: Sequence[Person], stop: asyncio.Event) -> None:
        dice = random.Random(self._dice.random())  # noqa: S311 - it only picks among buttons
        pause = dice.uniform(0.0, SECONDS_AN_ACTION)
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
                return
            began = time.perf_counter()
            await self._one(app, table_id, people, dice)
            pause = max(0.0, dice.uniform(0.5, 1.5) * SECONDS_AN_ACTION - (time.perf_counter() - began))

    async def _one(self, app: App, table_id: str, people: Sequence[Person], dice: random.Random) -> None:
        """One press of whoever can do something, with what they have before them, and the answer to a question."""
        platform = self._platform
        if platform is None:
            return
        for person in people:
            screen = platform.hands.get((table_id, person.id))
            token = None if screen is None else chosen(screen, dice)
            if token is not None:
                break
        else:
            await self._look_again(app, platform, table_id, people, dice)
            return
        for _ in range(2):
            screen = await self._press(app, platform, table_id, person, token)
            if screen is None or screen.role is not Role.QUESTION:
                return
            token = chosen(screen, dice)
            if token is None:
                return

    async def _press(self, app: App, platform: OfflinePlatform, table_id: str, person: Person, token: str) -> Any:
        self._presses += 1
        self._pressed[table_id] = began = time.perf_counter()
        answer = await app.press(person, token, f"{table_id}-{self._presses}-{began}", via=NAME)
        self._pressed.pop(table_id, None)
        self._refused += not answer.ok
        await platform.answer(table_id, person, answer.screen)
        self._to_answer.append(time.perf_counter() - began)
        return answer.screen

    async def _look_again(
        self, app: App, platform: OfflinePlatform, table_id: str, people: Sequence[Person], dice: random.Random
    ) -> None:
        """Nobody has anything to press: the deal is over, or a hand has not come yet."""
        public = await app.public_screen(table_id, people[0].id)
        token = None if public is None else chosen(public, dice, further=True)
        if token is not None:
            await self._press(app, platform, table_id, people[0], token)
        for person in people:
            screen = await app.hand_screen(table_id, person)
            if screen is not None:
                platform.hands[(table_id, person.id)] = screen


async def _set_up(store: Store, matches: int) -> dict[str, tuple[Person, ...]]:
    """Matches in every stage of a deal, each shown in a place of its own."""
    rules = rulesets.load("clasico")
    patterns = [random_deal(rules, Seating.TWO_PAIRS, seed) for seed in range(_PATTERNS)]
    seated: dict[str, tuple[Person, ...]] = {}
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int) -> None:
        async with gate:
            table_id = f"load{number}"
            people = tuple(Person(id=f"{table_id}p{seat}", name=f"P{seat}") for seat in range(4))
            await asyncio.gather(*(store.add_person(person, f"{NAME}:{person.id}") for person in people))
            await _seat(store, table_id, people, patterns[number % _PATTERNS], (number // _PATTERNS) % 10)
            seated[table_id] = people

    await asyncio.gather(*(one(number) for number in range(matches)))
    gc.collect()
    return dict(sorted(seated.items()))


async def _seat(store: Store, table_id: str, people: Sequence[Person], deal: Dealt, tenth: int) -> None:
    """A table at which a deal has been played to so many tenths."""
    table = playing(table_id, deal.before.rules, [person.id for person in people])
    await store.create(Record(table), Home(table_id, NAME, table_id))
    steps = 1 + len(deal.steps) * tenth // 10
    changes = changes_of(table_id, deal, steps)
    events = tuple(event for change in changes for event in change.events)
    last = changes[-1].record
    await store.commit(Change(Record(table, 1, last.match, last.events), events))


async def load_row(
    open_store: OpenStore, draws: Draws, matches: int, seconds: float, database_url: str | None
) -> dict[str, Any]:
    """What a run with so many matches came to."""
    return await LoadRun(draws, matches, seconds).run(open_store, database_url)
