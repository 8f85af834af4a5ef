"""A platform without a network: it draws and shows as a chat does, and every call takes as long as one to a server."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import msgspec

from bot.app import App
from bot.desk import PictureDesk, PictureFailed
from bot.model import Home, Person
from bot.pictures import HandPicture
from bot.screens import Capabilities, Screen

NAME: Final = "offline"
EDITS_A_MINUTE: Final = 40
"""As in a channel of Discord."""

Look = tuple[object, ...]


class Shown(msgspec.Struct):
    """What the players wait for, in seconds since each commit."""

    boards: list[float] = []
    """Until a public table showed the change."""
    turns: list[float] = []
    """The same, of changes that passed the turn on or ended the deal."""
    hands: int = 0
    """Hands drawn."""
    tables: int = 0
    """Public tables drawn."""
    without: int = 0
    """Screens that went out without their picture."""


class OfflinePlatform:
    """Public tables, and the private hands of everybody, in memory."""

    def __init__(self, desk: PictureDesk, latency: float, now: Callable[[], float] = time.perf_counter) -> None:
        """``latency`` is how long a call takes, in seconds."""
        self.capabilities = Capabilities(NAME, 64, 25, 25, 1024, pushes_hands=True, edits_a_minute=EDITS_A_MINUTE)
        self.shown = Shown()
        self.hands: dict[tuple[str, str], Screen] = {}
        """What each person has before them, by table and person."""
        self._desk = desk
        self._latency = latency
        self._now = now
        self._app: App | None = None
        self._seated: dict[str, tuple[Person, ...]] = {}
        self._looks: dict[tuple[str, str], Look] = {}
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}
        self._waiting: dict[str, list[tuple[int, float, bool]]] = {}

    def begin(self, app: App, seated: dict[str, tuple[Person, ...]]) -> None:
        """Serve an application whose tables have these people."""
        self._app = app
        self._seated = seated

    def forget_times(self) -> None:
        """Measure from now on."""
        self.shown = Shown()
        self._waiting.clear()

    def committed(self, table_id: str, version: int, *, turn_passed: bool) -> None:
        """A change is durable: from now on its table's public screen is behind."""
        self._waiting.setdefault(table_id, []).append((version, self._now(), turn_passed))

    @property
    def behind(self) -> int:
        """How many tables show less than was committed."""
        return sum(bool(waiting) for waiting in self._waiting.values())

    # what the application asks

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Draw a public table and send it."""
        try:
            await self._desk.table(screen)
            self.shown.tables += 1
        except PictureFailed:
            self.shown.without += 1
        await asyncio.sleep(self._latency)
        now = self._now()
        waiting = self._waiting.get(home.table_id, [])
        for version, since, turn_passed in waiting:
            if version <= screen.version:
                self.shown.boards.append(now - since)
                if turn_passed:
                    self.shown.turns.append(now - since)
        self._waiting[home.table_id] = [one for one in waiting if one[0] > screen.version]
        return home.place

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Send the hands that look different now, as a chat does that keeps private messages up to date."""
        for person in self._seated.get(table_id, ()):
            await self._bring((table_id, person.id), person, version)

    async def answer(self, table_id: str, person: Person, screen: Screen | None) -> None:
        """Send what a press was answered to the one who pressed: the hand, as it stands by then, or a sentence."""
        if screen is None or not isinstance(screen.picture, HandPicture):
            await asyncio.sleep(self._latency)
            return
        if not await self._bring((table_id, person.id), person, screen.version):
            await asyncio.sleep(self._latency)

    async def _bring(self, key: tuple[str, str], person: Person, version: int) -> bool:
        """Bring a hand's message to a version, one at a time; whether that took a call."""
        async with self._locks.setdefault(key, asyncio.Lock()):
            before = self.hands.get(key)
            if self._app is None or (before is not None and before.version >= version):
                return False
            screen = await self._app.hand_screen(key[0], person)
            if screen is None:
                return False
            look = _look_of(screen)
            if look != self._looks.get(key):
                if isinstance(screen.picture, HandPicture) and (before is None or before.picture != screen.picture):
                    await self._draw(screen.picture)
                await asyncio.sleep(self._latency)
                self._looks[key] = look
            self.hands[key] = screen
            return True

    async def _draw(self, picture: HandPicture) -> None:
        try:
            await self._desk.hand(picture)
            self.shown.hands += 1
        except PictureFailed:
            self.shown.without += 1


def _look_of(screen: Screen) -> Look:
    """What a hand looks like, apart from the versions in its tokens and the words about the others."""
    labels = tuple((choice.label, choice.enabled) for row in screen.rows for choice in row)
    verbs = () if screen.picker is None else tuple((verb.label, verb.enabled) for verb in screen.picker.verbs)
    return screen.picture, labels, verbs
