"""The hunter: sends presses once to three times, stale ones and others' too, kills the bot, and checks the books.

All that was acknowledged is remembered here, outside of every victim. In the end the store must hold exactly that: as
many versions as presses that counted, every answer as it was given, every match as its events tell, and every screen
at the newest version.
"""

import asyncio
import os
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from bot.chaos.lives import PATIENCE_SECONDS, Lives
from bot.chaos.worker import PLATFORM
from bot.model import Status
from bot.store import OpenStore
from bot.tokens import Intent, Verb, write_token
from engine.evolve import evolve_all
from engine.state import new_match

DATABASE: Final = "BURACO_DATABASE_URL"
"""Where victims find the address of their database: in a command, everybody on the machine could read its password."""
LIFE_SECONDS: Final = (0.15, 1.2)
_OLD_KEPT: Final = 60


class Verdict(msgspec.Struct):
    """What came of a run."""

    kills: int = 0
    presses: int = 0
    deliveries: int = 0
    kept: int = 0
    refused: int = 0
    tables: int = 0
    shown: int = 0
    problems: list[str] = []

    @property
    def is_good(self) -> bool:
        """Whether nothing was found, and something was looked at."""
        return not self.problems and self.kept > 0


class Press(msgspec.Struct, frozen=True):
    """A press as it is delivered, however often."""

    person: str
    token: str
    press: str


class Hunter:
    """One run over one database."""

    def __init__(
        self, command: Sequence[str], open_store: OpenStore, url: str, seed: int, tables: int, workers: int = 1
    ) -> None:
        """``command`` starts the mother of victims over the database at ``url``, of as many as there are workers."""
        environment = {**os.environ, DATABASE: url}
        self._lives = [Lives(command, environment, partial(self._seen, number)) for number in range(workers)]
        self._open_store = open_store
        self._url = url
        self._dice = random.Random(seed)  # noqa: S311 - fixed by its seed on purpose
        self._tables = tables
        self._until = 0.0
        self._shown: dict[str, int] = {}
        self._rooms: dict[str, str] = {}
        self._answers: dict[Press, tuple[bool, str]] = {}
        self._of_table: dict[str, set[Press]] = {}
        self.verdict = Verdict()

    async def run(self, seconds: float, progress: Callable[[float, Verdict], None] = lambda _, __: None) -> Verdict:
        """Hunt for so long, then check everything."""
        try:
            await asyncio.gather(*(one.start() for one in self._lives))
            began = time.monotonic()
            self._until = began + seconds
            people = [asyncio.create_task(self._play(number)) for number in range(self._tables)]
            while not self._over() and not any(person.done() for person in people):
                left = self._until - time.monotonic()
                await asyncio.sleep(max(0.0, min(left, self._dice.uniform(*LIFE_SECONDS))))
                progress(min(time.monotonic() - began, seconds), self.verdict)
                if not self._over():
                    await self._kill_one()
            await asyncio.wait_for(asyncio.gather(*people), PATIENCE_SECONDS)
            await self._quiet()
            if any([await one.end() for one in self._lives]):
                self.verdict.problems.append("a last process did not end in order")
        finally:
            for one in self._lives:
                await one.stop()
        await self._check()
        return self.verdict

    def _over(self) -> bool:
        return time.monotonic() >= self._until

    # lives

    def _seen(self, number: int, told: dict[str, Any]) -> None:
        """A screen came up: in one life never an older one after a newer."""
        room, version = str(told["shown"]), int(told["version"])
        self.verdict.shown += 1
        shown = self._lives[number].shown
        if version < shown.get(room, -1):
            self.verdict.problems.append(f"{room}: version {version} was shown after {shown[room]}")
        shown[room] = version
        # What several processes tell arrives in any order.
        self._shown[room] = version if len(self._lives) == 1 else max(version, self._shown.get(room, -1))

    async def _kill_one(self) -> None:
        one = self._dice.choice(self._lives)
        await one.kill()
        self.verdict.kills += 1
        await one.bear()

    # people

    async def _ask(self, do: str, **facts: str) -> dict[str, Any]:
        """What the bot answers in the end, however many of its lives that takes: the same is asked again and again."""
        while True:
            try:
                return await self._dice.choice(self._lives).ask(do, **facts)
            except ConnectionError:
                await asyncio.sleep(0.01)

    async def _play(self, number: int) -> None:
        round_ = 0
        while not self._over():
            round_ += 1
            await self._match(f"{number}-{round_}", (f"p{number}a", f"p{number}b"))

    async def _match(self, room: str, people: tuple[str, str]) -> None:
        table = (await self._ask("open", person=people[0], press=room))["table"]
        self._rooms[room] = table
        self._of_table[table] = set()
        self.verdict.tables += 1
        await self._press(table, people[1], write_token(Intent(table, 0, Verb.JOIN)), f"{room}-join")
        await self._press(table, people[0], write_token(Intent(table, 0, Verb.START)), f"{room}-start")
        fresh: dict[str, list[str]] = {person: [] for person in people}
        old: list[str] = []
        presses = 0
        while not self._over():
            for person in people:
                seen = await self._ask("look", person=person, table=table)
                if seen["status"] != Status.PLAYING:
                    return
                fresh[person] = seen["tokens"]
                old = [*old, *seen["tokens"]][-_OLD_KEPT:]
            for person in self._dice.sample(people, 2):
                presses += 1
                token = self._chosen(fresh[person], fresh[people[person == people[0]]], old)
                told = await self._press(table, person, token, f"{room}-{presses}")
                if told["tokens"]:
                    fresh[person] = told["tokens"]

    def _chosen(self, own: list[str], others: list[str], old: list[str]) -> str:
        chance = self._dice.random()
        pool = own if chance < 0.8 else others if chance < 0.9 else old
        pool = pool or old
        return self._dice.choice(pool) if pool else "1:nothing:0:dr"

    async def _press(self, table: str, person: str, token: str, press: str) -> dict[str, Any]:
        """Deliver a press once to three times; all deliveries that count must agree."""
        what = Press(person, token, press)
        times = self._dice.choice((1, 1, 2, 3))
        self.verdict.presses += 1
        self.verdict.deliveries += times
        asked = (self._ask("press", person=person, token=token, press=press) for _ in range(times))
        told = await asyncio.gather(*asked)
        kept = [answer for answer in told if answer["kept"]]
        if not kept:
            self.verdict.refused += 1
            return told[-1]
        answers = {(bool(answer["ok"]), str(answer["text"])) for answer in kept}
        if len(answers) > 1:
            self.verdict.problems.append(f"{press}: one press was answered in {len(answers)} ways")
        self.verdict.kept += 1
        self._answers[what] = next(iter(answers))
        self._of_table[table].add(what)
        return kept[-1]

    # the books

    async def _quiet(self) -> None:
        """Wait until every screen shows the newest version."""
        newest = {
            room: int((await self._ask("look", person="nobody", table=table))["version"])
            for room, table in self._rooms.items()
        }
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(self._shown.get(room, -1) < version for room, version in newest.items()):
            if time.monotonic() > deadline:
                lag = [room for room, version in newest.items() if self._shown.get(room, -1) < version]
                self.verdict.problems.append(f"{len(lag)} screens stay behind: {', '.join(lag[:5])}")
                return
            await asyncio.sleep(0.05)

    async def _check(self) -> None:
        store = await self._open_store(self._url)
        problems = self.verdict.problems
        try:
            for table, presses in self._of_table.items():
                record = await store.load(table)
                if record is None:
                    problems.append(f"{table}: the table is lost")
                    continue
                if record.version != len(presses):
                    problems.append(f"{table}: {len(presses)} presses counted, but it has version {record.version}")
                events = await store.events(table)
                if record.match is not None:
                    begun = new_match(record.table.rules, record.table.seating, record.match.first_starter)
                    if evolve_all(begun, events) != record.match:
                        problems.append(f"{table}: the events and the snapshot disagree")
            people = {what.person: await store.person_by_key(f"{PLATFORM}:{what.person}") for what in self._answers}
            for what, (_, text) in self._answers.items():
                who = people[what.person]
                stored = None if who is None else await store.answer_to(f"{who.id}:{what.press}")
                if stored is None or msgspec.json.decode(stored).get("text", "") != text:
                    problems.append(f"{what.press}: acknowledged, but not kept so")
            problems += await store.audit()
            lagging = await store.lagging_homes()
            if lagging:
                problems.append(f"{len(lagging)} homes are behind in the store")
        finally:
            await store.close()
