"""What the store in memory holds, and the part of it that finds and forgets what is kept of people."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from adapters.storage.changes import CLOSED, FORGOTTEN
from adapters.storage.codec import Saved, json_text
from adapters.storage.memory_part import MemoryPart
from bot.model import Home
from bot.store import Erasure, PressCount, press_marks

HomeKey = tuple[str, str, str]


class Kept(msgspec.Struct):
    """What the store has of a table."""

    saved: Saved
    code: str
    people: tuple[str, ...]
    created_ms: int
    updated_ms: int
    deadline_ms: int | None = None
    due_ms: int | None = None
    payloads: list[bytes] = []


class KeptPress(msgspec.Struct, frozen=True):
    """A press that has been answered."""

    table_id: str
    answer: str
    at_ms: int


class MemoryForgetting(MemoryPart):
    """People, tables and homes in dictionaries, and forgetting them; see :class:`bot.store.Store`."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._people: dict[str, bytes] = {}
        self._keys: dict[str, str] = {}
        self._presses: dict[str, KeptPress] = {}
        self._homes: dict[HomeKey, Home] = {}
        self._places: dict[str, bytes] = {}
        self._notes: dict[str, str] = {}
        self.kept: dict[str, Kept] = {}

    async def seats_of(self, person_id: str) -> Sequence[str]:
        """All tables of a person, oldest first."""
        self._check_open()
        return self._by_age(kept for kept in self.kept.values() if person_id in kept.people)

    async def mentioning(self, texts: Sequence[str]) -> Sequence[str]:
        """The tables that mention something, oldest first."""
        self._check_open()
        wanted = [json_text(text).encode() for text in texts]
        return self._by_age(kept for kept in self.kept.values() if any(text in kept.saved.data for text in wanted))

    @staticmethod
    def _by_age(found: Iterable[Kept]) -> Sequence[str]:
        return ids_of(sorted(found, key=lambda kept: (kept.created_ms, kept.saved.table_id)))

    async def presses_of(self, person_id: str) -> PressCount:
        """What is kept of a person's presses."""
        self._check_open()
        marks = press_marks(person_id)
        times = [press.at_ms for key, press in self._presses.items() if key.startswith(marks)]
        return PressCount(len(times), min(times), max(times)) if times else PressCount()

    async def erase_person(self, erasure: Erasure) -> None:
        """Forget a person."""
        self._check_open()
        person_id, marks = erasure.person_id, press_marks(erasure.person_id)
        self._people.pop(person_id, None)
        self._keys = {key: known for key, known in self._keys.items() if known != person_id}
        for kept in self.kept.values():
            kept.people = tuple(person for person in kept.people if person != person_id)
        self._presses = {key: press for key, press in self._presses.items() if not key.startswith(marks)}
        names = [json_text(name) for name in erasure.names]
        for key, press in self._presses.items():
            if press.answer.startswith("{") and any(name in press.answer for name in names):
                self._presses[key] = msgspec.structs.replace(press, answer=FORGOTTEN)
        for place in erasure.places:
            self._places.pop(place, None)
        alone = [(platform, place, f"{place}:") for platform, place in erasure.homes]
        self._homes = {
            key: home
            for key, home in self._homes.items()
            if not any(
                home.platform == platform and (home.place == place or home.place.startswith(within))
                for platform, place, within in alone
            )
        }

    async def forget_matches(self, before_ms: int) -> int:
        """Drop the play of tables that were closed long ago."""
        self._check_open()
        forgotten = 0
        for table_id, kept in self.kept.items():
            if kept.saved.status not in CLOSED or kept.updated_ms >= before_ms:
                continue
            pressed = {key for key, press in self._presses.items() if press.table_id == table_id}
            forgotten += bool(pressed or kept.payloads)
            kept.payloads = []
            self._presses = {key: press for key, press in self._presses.items() if key not in pressed}
        return forgotten

    async def forget_presses(self, before_ms: int) -> int:
        """Drop presses of long ago."""
        self._check_open()
        left = {key: press for key, press in self._presses.items() if press.at_ms >= before_ms}
        forgotten = len(self._presses) - len(left)
        self._presses = left
        return forgotten

    async def tidy(self) -> None:
        """There is nothing to give back."""
        self._check_open()


def ids_of(found: Sequence[Kept]) -> tuple[str, ...]:
    """The ids of tables, in their order."""
    return tuple(kept.saved.table_id for kept in found)
