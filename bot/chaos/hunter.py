"""The hunter: sends presses once to three times, stale ones and others' too, kills the bot, and checks the books.

All that was acknowledged is remembered here, outside of every victim. In the end the store must hold exactly that: as
many versions as presses that counted, every answer as it was given, every match as its events tell, and every screen
at the newest version.
"""

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from bot.chaos.worker import PLATFORM, OpenStore
from bot.model import Status
from bot.tokens import Intent, Verb, write_token
from engine.evolve import evolve_all
from engine.state import new_match

DATABASE: Final = "BURACO_DATABASE_URL"
"""Where victims find the address of their database: in a command, everybody on the machine could read its password."""
LIFE_SECONDS: Final = (0.15, 1.2)
PATIENCE_SECONDS: Final = 60.0
_OLD_KEPT: Final = 60
_LINE: Final = 1 << 20


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


class _Line:
    """The connection to one victim."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: Callable[[Any], None]) -> None:
        self._reader = reader
        self._writer = writer
        self._seen = seen
        self._numbers = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._task = asyncio.create_task(self._listen())

    async def ask(self, do: str, **facts: str) -> dict[str, Any]:
        """What the victim answers.

        Raises:
            ConnectionError: it is dead; what it did last is not known.
        """
        if self._task.done():
            raise ConnectionError("dead")
        self._numbers += 1
        number = self._numbers
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._writer.write(msgspec.json.encode({"n": number, "do": do, **facts}) + b"\n")
        return await asyncio.wait_for(future, PATIENCE_SECONDS)

    async def _listen(self) -> None:
        try:
            while line := await self._reader.readline():
                if not line.endswith(b"\n"):
                    break  # cut short by the kill
                told = msgspec.json.decode(line)
                if "n" in told:
                    future = self._waiting.pop(told.pop("n"))
                    if not future.done():
                        future.set_result(told)
                else:
                    self._seen(told)
        except (ConnectionError, OSError):
            pass
        finally:
            self._writer.close()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionError("dead"))
                    future.exception()

    def leave(self) -> None:
        """Go; the victim ends in order then."""
        self._writer.close()

    async def closed(self) -> None:
        """Wait until it is dead and all that it had told is known."""
        await asyncio.wait([self._task])


class Hunter:
    """One run over one database."""

    def __init__(self, command: Sequence[str], open_store: OpenStore, url: str, seed: int, tables: int) -> None:
        """``command`` starts the mother of victims over the database at ``url``."""
        self._command = command
        self._open_store = open_store
        self._url = url
        self._dice = random.Random(seed)  # noqa: S311 - fixed by its seed on purpose
        self._tables = tables
        self._line: _Line | None = None
        self._alive = asyncio.Event()
        self._victim = 0
        self._mother: asyncio.subprocess.Process | None = None
        self._until = 0.0
        self._shown: dict[str, int] = {}
        self._shown_now: dict[str, int] = {}
        self._rooms: dict[str, str] = {}
        self._answers: dict[Press, tuple[bool, str]] = {}
        self._of_table: dict[str, set[Press]] = {}
        self.verdict = Verdict()

    async def run(self, seconds: float, progress: Callable[[float, Verdict], None] = lambda _, __: None) -> Verdict:
        """Hunt for so long, then check everything."""
        self._mother = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, DATABASE: self._url},
        )
        try:
            await self._bear()
            began = time.monotonic()
            self._until = began + seconds
            people = [asyncio.create_task(self._play(number)) for number in range(self._tables)]
            while not self._over() and not any(person.done() for person in people):
                left = self._until - time.monotonic()
                await asyncio.sleep(max(0.0, min(left, self._dice.uniform(*LIFE_SECONDS))))
                progress(min(time.monotonic() - began, seconds), self.verdict)
                if not self._over():
                    await self._kill()
                    await self._bear()
            await asyncio.wait_for(asyncio.gather(*people), PATIENCE_SECONDS)
            await self._quiet()
            await self._end()
        finally:
            await self._stop_mother()
        await self._check()
        return self.verdict

    def _over(self) -> bool:
        return time.monotonic() >= self._until

    # lives

    async def _bear(self) -> None:
        mother = self._mother
        if mother is None or mother.stdin is None:
            raise RuntimeError("there is no mother")
        mother.stdin.write(b"life\n")
        port = 0
        while not (port and self._victim):
            word, number = await self._heard()
            if word == "born":
                self._victim = number
            elif word == "port":
                port = number
            elif word == "dead":
                raise RuntimeError(f"the bot does not start again: exit status {number}")
        self._shown_now = {}
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LINE)
        self._line = _Line(reader, writer, self._seen)
        self._alive.set()

    async def _heard(self) -> tuple[str, int]:
        if self._mother is None or self._mother.stdout is None:
            raise RuntimeError("there is no mother")
        line = await asyncio.wait_for(self._mother.stdout.readline(), PATIENCE_SECONDS)
        word, _, number = line.decode().strip().partition(" ")
        if not word:
            raise RuntimeError("the mother of victims has gone")
        return word, int(number)

    async def _kill(self) -> None:
        self._alive.clear()
        os.kill(self._victim, signal.SIGKILL)
        await self._dead()
        self.verdict.kills += 1

    async def _dead(self) -> int:
        while True:
            word, status = await self._heard()
            if word == "dead":
                break
        self._victim = 0
        if self._line is not None:
            await self._line.closed()
        return status

    async def _end(self) -> None:
        """The last victim goes in order."""
        if self._line is not None:
            self._line.leave()
        if await self._dead():
            self.verdict.problems.append("the last process did not end in order")

    async def _stop_mother(self) -> None:
        mother, self._mother = self._mother, None
        if mother is None:
            return
        if self._victim:
            os.kill(self._victim, signal.SIGKILL)
        if mother.stdin is not None:
            mother.stdin.close()
        await mother.wait()

    def _seen(self, told: dict[str, Any]) -> None:
        """A screen came up: in one life never an older one after a newer."""
        room, version = str(told["shown"]), int(told["version"])
        self.verdict.shown += 1
        if version < self._shown_now.get(room, -1):
            self.verdict.problems.append(f"{room}: version {version} was shown after {self._shown_now[room]}")
        self._shown_now[room] = self._shown[room] = version

    # people

    async def _ask(self, do: str, **facts: str) -> dict[str, Any]:
        """What the bot answers in the end, however many of its lives that takes: the same is asked again and again."""
        while True:
            await self._alive.wait()
            line = self._line
            try:
                if line is None:
                    raise ConnectionError("not born yet")
                return await line.ask(do, **facts)
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
