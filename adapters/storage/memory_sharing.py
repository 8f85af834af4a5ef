"""What several processes would share, in memory: the reference of what :mod:`adapters.storage.sharing` does."""

from collections.abc import Callable, Collection, Mapping

import msgspec

from adapters.storage.memory_forgetting import MemoryForgetting
from bot.leases import Alone, Leases
from bot.model import Status
from bot.store import ALIVE, Woken, moved_ms


class MemorySharing(MemoryForgetting):
    """Being up, and what is due; see :class:`bot.store.Store`."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        MemoryForgetting.__init__(self, now_ms)
        self.leases: Leases = Alone()

    async def wake(self, now_ms: int, quiet_ms: int, grace_ms: int) -> Woken:
        """Note that somebody is up, and move the clocks after a time without anybody."""
        self._check_open()
        by = moved_ms(self._notes.get(ALIVE), now_ms, quiet_ms, grace_ms)
        self._notes[ALIVE] = str(now_ms)
        for kept in self.kept.values():
            if kept.deadline_ms is not None and kept.saved.status == Status.PLAYING:
                kept.deadline_ms += by
        return Woken(now_ms, by)

    async def versions(self, table_ids: Collection[str]) -> Mapping[str, int]:
        """The versions of tables."""
        self._check_open()
        return {table_id: self.kept[table_id].saved.version for table_id in table_ids if table_id in self.kept}

    async def set_due(self, table_id: str, version: int, due_ms: int | None) -> None:
        """Keep when something is due."""
        self._check_open()
        kept = self.kept.get(table_id)
        if kept is not None and kept.saved.version == version:
            kept.due_ms = due_ms

    async def show_anew(self, table_id: str) -> None:
        """Let all homes of a table lag behind."""
        self._check_open()
        for key, home in self._homes.items():
            if home.table_id == table_id:
                self._homes[key] = msgspec.structs.replace(home, shown_version=-1)
