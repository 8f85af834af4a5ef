"""Tables that wait for players: the list of a server or group. Private ones stand in none."""

from typing import Final

from bot.clock import Clock
from bot.keeper import Keeper
from bot.model import Person, Status
from bot.presenter.waiting import waiting_screen
from bot.screens import Answer
from bot.store import Record
from bot.texts import Texts

MOST_SHOWN: Final = 10
_MOST_READ: Final = 300


class WaitingTables:
    """Finds the tables at which somebody can sit down."""

    def __init__(self, keeper: Keeper, clock: Clock) -> None:
        self._keeper = keeper
        self._clock = clock

    async def at(self, origin: str) -> list[Record]:
        """The public tables of a place that have not begun and have a seat free, the newest first."""
        if not origin:
            return []
        # Lobbies are few: whoever leaves one alone finds it closed some hours later.
        ids = await self._keeper.store.idle_tables(Status.LOBBY, self._clock.now_ms() + 1)
        found: list[Record] = []
        async for record in self._keeper.readable(ids[: -_MOST_READ - 1 : -1]):
            table = record.table
            if not table.private and not table.is_full and table.origin == origin:
                found.append(record)
            if len(found) >= MOST_SHOWN:
                break
        return found

    async def listed(self, t: Texts, person: Person, origin: str) -> Answer:
        """The list for somebody, as a screen; ``origin`` is the key of a server or group, empty for none."""
        return Answer(screen=waiting_screen(t, await self.at(origin), person))
