"""A store in memory, a clock that never waits, platforms and robots that fail on demand."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence

from adapters.storage.memory import MemoryStore
from bot.announcing import PlaceClosed
from bot.model import Home, Person
from bot.screens import Capabilities, Screen
from bot.store import Change, CommitResult, Committed, Conflict, Record, StoreBusy, UnreadableSave
from engine.actions import Action
from engine.views import SeatView


class FakeClock:
    """Time that passes only in sleep, and then at once."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.ms = 1_700_000_000_000

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self.ms

    async def sleep(self, seconds: float) -> None:
        """Let the others run."""
        self.slept.append(seconds)
        self.ms += int(seconds * 1000)
        await asyncio.sleep(0)


class TroubledStore(MemoryStore):
    """The store in memory with switches for every kind of trouble; every call lets the others run first."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock.now_ms)
        self.unreadable: set[str] = set()
        self.busy = 0
        """How many of the next calls raise StoreBusy."""
        self.faults: list[Exception] = []
        """Raised by the next commits, one each."""
        self.conflicts = 0
        """How many of the next commits find that somebody else was first."""
        self.commits = 0
        self.suspends = 0
        self.marked: list[Home] = []
        self.fault_on_homes: Exception | None = None

    async def _call(self) -> None:
        await asyncio.sleep(0)
        if self.busy:
            self.busy -= 1
            raise StoreBusy("locked")

    async def load(self, table_id: str) -> Record | None:
        """A table by id."""
        await self._call()
        if table_id in self.unreadable:
            raise UnreadableSave(table_id, "the bytes make no sense")
        return await super().load(table_id)

    async def load_whole(self, table_ids: Collection[str]) -> Mapping[str, Record]:
        """Some tables."""
        await self._call()
        whole = await super().load_whole(table_ids)
        return {table_id: record for table_id, record in whole.items() if table_id not in self.unreadable}

    async def save_person(self, person: Person) -> None:
        """Replace a person."""
        await self._call()
        await super().save_person(person)

    async def commit(self, change: Change) -> CommitResult:
        """Write a change."""
        await self._call()
        if self.faults:
            raise self.faults.pop(0)
        if self.conflicts:
            self.conflicts -= 1
            return Conflict()
        result = await super().commit(change)
        self.commits += isinstance(result, Committed)
        return result

    async def suspend(self, table_id: str) -> None:
        """Mark a table that cannot be read."""
        await self._call()
        self.suspends += 1
        await super().suspend(table_id)

    async def homes(self, table_id: str) -> Sequence[Home]:
        """Where a table is shown."""
        await self._call()
        if self.fault_on_homes is not None:
            fault, self.fault_on_homes = self.fault_on_homes, None
            raise fault
        return await super().homes(table_id)

    async def mark_shown(self, home: Home) -> None:
        """Keep what a home shows."""
        await self._call()
        self.marked.append(home)
        await super().mark_shown(home)

    def version(self, table_id: str) -> int:
        """The version of a table."""
        return self.kept[table_id].saved.version


class FakePlatform:
    """A platform that keeps what it was asked to show, and fails or hangs on demand."""

    def __init__(self, name: str = "chat", *, edits_a_minute: int = 0) -> None:
        self.capabilities = Capabilities(name, 64, 25, 25, 1024, pushes_hands=False, edits_a_minute=edits_a_minute)
        self.screens: dict[str, list[Screen]] = {}
        self.hands: list[tuple[str, int]] = []
        self.failures: dict[str, int] = {}
        """How many of the next shows at a place fail."""
        self.closed: set[str] = set()
        """Places where nothing can be shown."""
        self.hands_fail = False
        self.gates: dict[str, asyncio.Event] = {}
        """Places where showing waits."""

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Keep the screen."""
        if home.place in self.gates:
            await self.gates[home.place].wait()
        await asyncio.sleep(0)
        if home.place in self.closed:
            raise PlaceClosed(home.place)
        if self.failures.get(home.place, 0):
            self.failures[home.place] -= 1
            raise ConnectionError("the platform is away")
        self.screens.setdefault(home.place, []).append(screen)
        return f"message-{home.place}"

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Keep that it was asked."""
        if self.hands_fail:
            raise ConnectionError("the platform is away")
        self.hands.append((table_id, version))

    def versions(self, place: str) -> list[int]:
        """The versions that a place has shown, in order."""
        return [screen.version for screen in self.screens.get(place, [])]


class FakeRobot:
    """A robot that does what it is told."""

    def __init__(self, choose: Callable[[SeatView], Action]) -> None:
        self._choose = choose
        self.asked = 0

    @property
    def name(self) -> str:
        """Its id."""
        return "normal"

    def choose(self, view: SeatView) -> Action:
        """What it was told to do."""
        self.asked += 1
        return self._choose(view)


async def settled(rounds: int = 200) -> None:
    """Let all tasks do what they can."""
    for _ in range(rounds):
        await asyncio.sleep(0)
