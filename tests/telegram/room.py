"""A bot at play: the application over a store in memory, and the real platform against the simulated Bot API."""

import asyncio
import heapq
import itertools
import re
import zlib
from collections.abc import Callable
from random import Random
from typing import Self

from adapters.storage.memory import MemoryStore
from adapters.telegram import TelegramPlatform, WebhookSettings
from bot.app import App
from bot.clock import Clock
from bot.model import Person as Player
from bot.pictures import CardsPicture, HandPicture, ProfilePicture, Renderer, SheetForm, SheetPicture, TablePicture
from bot.robots.robot import Robot
from bot.screens import Screen
from bot.shuffling import seeded_deal
from bot.tokens import base36
from engine.actions import StartDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from tests.bot.fakes import FakeRobot
from tests.bot.rooms import plain
from tests.telegram.fake import BotApi, Group, Message, Person
from tests.telegram.fake.samples import png

CODE = re.compile(r"[Cc]ódigo(?: de la mesa)?: ([A-Z2-9]{6})")


class FlatRenderer(Renderer):
    """Draws nothing, at once; each picture has a size of its own for its contents, and says what it was made of."""

    def __init__(self) -> None:
        self.tables: list[TablePicture] = []
        self.hands: list[HandPicture] = []
        self.fails = False

    def table(self, picture: TablePicture) -> bytes:
        """A picture."""
        if self.fails:
            raise RuntimeError("no paint")
        self.tables.append(picture)
        return _flat(repr(picture))

    def hand(self, picture: HandPicture) -> bytes:
        """A picture."""
        if self.fails:
            raise RuntimeError("no paint")
        self.hands.append(picture)
        return _flat(repr(picture))

    def cards(self, picture: CardsPicture) -> bytes:
        """A picture."""
        return _flat(repr(picture))

    def profile(self, picture: ProfilePicture) -> bytes:
        """A picture."""
        return _flat(repr(picture))

    def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """A page."""
        return b"%PDF-1.7 " + picture.title.encode()


def _flat(text: str) -> bytes:
    return png(20 + zlib.crc32(text.encode()) % 1000, 300)


LONG_SECONDS = 300.0
"""Whoever sleeps longer makes rounds: they would close the tables of a test as left for hours, in a moment."""


class QuickClock:
    """Time that passes in short sleeps, and then nearly at once; long ones do not end."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return int(self.at * 1000)

    async def sleep(self, seconds: float) -> None:
        """Let the others run."""
        if seconds > LONG_SECONDS:
            await asyncio.get_running_loop().create_future()
        await asyncio.sleep(0.005)
        self.at += seconds


class SimClock:
    """Time that stands still until :meth:`pass_time`; then everything that waits happens in order."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def __call__(self) -> float:
        return self.at

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return int(self.at * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self.at + seconds, next(self._numbers), woken))
        await woken

    async def pass_time(self, seconds: float, quiet: Callable[[], object]) -> None:
        """Let time pass; between two wakings all that can be done at once is done."""
        end = self.at + seconds
        while True:
            await quiet()  # type: ignore[misc]
            if not self._waiting or self._waiting[0][0] > end:
                break
            at, _, woken = heapq.heappop(self._waiting)
            self.at = max(self.at, at)
            if not woken.done():
                woken.set_result(None)
        self.at = end


class Room:
    """Everything together; ``again`` is the next process over the same store."""

    def __init__(
        self,
        server: BotApi,
        *,
        store: MemoryStore | None = None,
        clock: Clock | None = None,
        renderer: Renderer | None = None,
        robot: Robot | None = None,
        pause: float = 0.0,
        webhook: WebhookSettings | None = None,
        deals: int = 0,
    ) -> None:
        self.server = server
        self.clock = clock or QuickClock()
        self.store = store or MemoryStore(self.clock.now_ms)
        self.renderer = renderer or FlatRenderer()
        self._deals = itertools.count(deals)
        robots = {"normal": robot or FakeRobot(plain)}
        self.app = App(self.store, self.clock, self.deal, robots, robot_pause=pause, lot=Random(5))
        self.platform = TelegramPlatform(
            self.app,
            self.renderer,
            server.token,
            api=f"http://127.0.0.1:{server.port}",
            clock=self.clock,
            webhook=webhook,
        )

    def deal(self, rules: Ruleset, seating: Seating) -> StartDeal:
        """Seeded deals, one after the other."""
        return seeded_deal(rules, seating, next(self._deals))

    async def __aenter__(self) -> Self:
        self.app.add_platform(self.platform)
        await self.platform.start()
        await self.app.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        # In the program's order: what is being shown would go on over connections that are closed already.
        await self.app.stop()
        await self.platform.stop()

    # looking

    async def player(self, person: Person) -> Player:
        """The person behind an account."""
        found = await self.app.person(f"telegram:{person.id}")
        assert found is not None
        return found

    async def table(self, group: Group | Person) -> str:
        """The newest table in a chat."""
        return (await self.app.tables_at("telegram", f"{group.id}"))[0]

    async def hand(self, table_id: str, person: Person) -> Screen:
        """A hand as the application gives it."""
        screen = await self.app.hand_screen(table_id, await self.player(person))
        assert screen is not None
        return screen

    async def mover(self, table_id: str, people: list[Person]) -> Person | None:
        """Whoever of these is on turn."""
        record = await self.app.record(table_id)
        assert record.match is not None
        assert record.match.deal is not None
        chair = record.table.chairs[record.match.deal.turn.seat]
        for person in people:
            if (await self.player(person)).id == chair.person:
                return person
        return None


def board(group: Group | Person) -> Message:
    """The newest message of a chat that shows a table as a picture, or its lobby."""
    messages = group.messages if isinstance(group, Group) else group.inbox
    shown = [message for message in messages if message.photo or "Empezar" in message.labels]
    return shown[-1]


def hand_of(person: Person) -> Message:
    """The newest private hand of somebody."""
    found = hands_of(person)
    assert found, f"{person.name} has no hand"
    return found[-1]


def have_hands(*people: Person) -> bool:
    """Whether each of them has been sent a hand."""
    return all(hands_of(person) for person in people)


def hands_of(person: Person) -> list[Message]:
    """All messages with hands."""
    return [message for message in person.inbox if message.photo and _is_hand(message)]


def _is_hand(message: Message) -> bool:
    return "Tu mano" in (message.caption or "") or any("Descartar" in label for label in message.labels)


def card_buttons(message: Message) -> list[str]:
    """The callback data of the cards."""
    return [button.data for button in message.buttons if button.data is not None and button.data.startswith("s:")]


async def until(done: Callable[[], object], seconds: float = 25) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                if done():
                    return
            except (StopIteration, IndexError, AssertionError):
                pass
            await asyncio.sleep(0.01)


def bit36(bit: int) -> str:
    """A mask of one card."""
    return base36(1 << bit)
