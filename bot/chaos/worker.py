"""The victim: the whole application over a real store, with a platform that tells the hunter what it shows.

It speaks one JSON object a line over a local connection. A mother process imports everything once and forks a victim
for every life, so that a life costs milliseconds.
"""

import asyncio
import contextlib
import os
import random
import select
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from bot.app import App
from bot.clock import SystemClock
from bot.cutting import FIGURES
from bot.intents import TURN_VERBS
from bot.model import Home, Person
from bot.robots.robot import Robot
from bot.screens import Capabilities, Screen
from bot.shuffling import secure_deal
from bot.store import OpenStore, Store
from bot.tokens import Verb, base36, read_token
from engine.seating import Seating

PLATFORM: Final = "chaos"
_PRESSED: Final = TURN_VERBS | {Verb.NEXT_DEAL, Verb.START, Verb.SORT, Verb.SHOW_HAND, Verb.CUT}
_MOST_CARDS: Final = 4
_LINE: Final = 1 << 20
_LOOK_SECONDS: Final = 0.5


class _Board:
    """A platform whose messages are in the hunter's memory, which no kill reaches."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self.capabilities = Capabilities(PLATFORM, 64, 25, 25, 1024, pushes_hands=False, edits_a_minute=0)

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Tell the hunter."""
        self._tell({"shown": home.place, "version": screen.version})
        return home.place

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Hands are asked for."""


class Victim:
    """One life of the application."""

    def __init__(self, store: Store, robots: Mapping[str, Robot] | None = None, robot_pause: float = 0.0) -> None:
        """``robots`` play where seats are left; the hunter's people need none."""
        self._store = store
        self._writer: asyncio.StreamWriter | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._dice = random.Random(os.getpid())  # noqa: S311 - it only picks among buttons
        self.app = App(store, SystemClock(), secure_deal, robots or {}, robot_pause=robot_pause)
        self.app.add_platform(_Board(self._tell))
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the hunter until it goes."""
        self._writer = writer
        try:
            await self.app.start()
            with contextlib.suppress(ConnectionError):
                while line := await reader.readline():
                    task = asyncio.create_task(self._answer(msgspec.json.decode(line)))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
        finally:  # also where the hunter has been killed itself
            self.ended.set()

    def _tell(self, told: dict[str, Any]) -> None:
        if self._writer is not None:
            self._writer.write(msgspec.json.encode(told) + b"\n")

    async def _answer(self, asked: dict[str, Any]) -> None:
        told = await self._done(**asked)
        self._tell({"n": asked["n"], **told})

    async def _done(
        self, *, n: int, do: str, person: str = "", table: str = "", token: str = "", press: str = ""
    ) -> dict[str, Any]:
        del n
        who = await self.app.meet(f"{PLATFORM}:{person}", person)
        if do == "open":
            home = Home("", PLATFORM, press)
            record = await self.app.open_table(
                who,
                ruleset_id="clasico",
                seating=Seating.ONE_ON_ONE,
                home=home,
                # At every other table somebody cuts before each deal.
                cutting=sum(press.encode()) % 2 == 0,
                press_id=press,
            )
            return {"table": record.table.id}
        if do == "press":
            answer = await self.app.press(who, token, press, via=PLATFORM)
            kept = await self._store.answer_to(f"{who.id}:{press}") is not None
            told = {"ok": answer.ok, "text": answer.text, "reason": answer.reason, "kept": kept}
            return {**told, "tokens": self._tokens(answer.screen)}
        return await self._seen(table, who)

    async def _seen(self, table: str, who: Person) -> dict[str, Any]:
        record = await self.app.record(table)
        hand = await self.app.hand_screen(table, who)
        public = await self.app.public_screen(table, who.id)
        tokens = [*self._tokens(hand), *self._tokens(public)]
        return {"version": record.version, "status": str(record.table.status), "tokens": tokens}

    def _tokens(self, screen: Screen | None) -> list[str]:
        """What somebody who has this screen before them could press."""
        if screen is None:
            return []
        found = [self._cut_whole(choice.token) for row in screen.rows for choice in row if choice.enabled]
        if screen.picker is not None:
            bits = [card.bit for card in screen.picker.cards if not card.keep]
            for verb in screen.picker.verbs:
                if verb.enabled and len(bits) >= verb.least:
                    for _ in range(_MOST_CARDS):
                        count = self._dice.randint(verb.least, min(verb.most, len(bits), verb.least + 2))
                        found.append(f"{verb.token}:{base36(sum(1 << bit for bit in self._dice.sample(bits, count)))}")
        return [token for token in found if len(token) <= 64 and read_token(token).verb in _PRESSED]

    def _cut_whole(self, token: str) -> str:
        """A figure of a cut with those that follow, as of somebody quick: nothing is written before the last one."""
        intent = read_token(token)
        if intent.verb is not Verb.CUT:
            return token
        return token + "".join(str(self._dice.randrange(10)) for _ in range(FIGURES - len(intent.arguments[1])))


async def live(open_store: OpenStore, url: str, make: Callable[[Store], "Victim"] = Victim) -> None:
    """One life: open the store, tell the port, serve until the hunter goes, and close in order."""
    store = await open_store(url)
    try:
        victim = make(store)
        server = await asyncio.start_server(victim.serve, "127.0.0.1", 0, limit=_LINE)
        port = server.sockets[0].getsockname()[1]
        say("port", port)
        async with server, asyncio.TaskGroup() as watch:
            forsaken = watch.create_task(_forsaken(victim.ended))
            await victim.ended.wait()
            forsaken.cancel()
        await victim.app.stop()
    finally:
        await store.close()


async def _forsaken(ended: asyncio.Event) -> None:
    """End a life whose hunter has gone, also one that it never spoke to: nobody writes to the mother any more."""
    watched = select.poll()
    watched.register(sys.stdin.fileno(), 0)
    while not watched.poll(0):  # noqa: ASYNC110 - a pipe that is shared with the mother wakes nobody
        await asyncio.sleep(_LOOK_SECONDS)
    ended.set()


def say(*words: object) -> None:
    """A line to the hunter, whole or not at all."""
    os.write(sys.stdout.fileno(), (" ".join(map(str, words)) + "\n").encode())


def bear(open_store: OpenStore, url: str, make: Callable[[Store], Victim] = Victim) -> None:
    """Be the mother of all victims: a life for each line that comes in."""
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            status = 1
            try:
                with contextlib.suppress(KeyboardInterrupt):
                    asyncio.run(live(open_store, url, make))
                    status = 0
            finally:
                os._exit(status)
        say("born", child)
        _, ended = os.waitpid(child, 0)
        say("dead", os.waitstatus_to_exitcode(ended))
