"""What several processes share, over SQL: being up, and what is due. One process alone needs it as well."""

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, select, text, update

from adapters.storage.forgetting import Forgetting
from adapters.storage.schema import homes, notes, tables
from bot.leases import Alone, Leases
from bot.model import Status
from bot.store import ALIVE, Woken, moved_ms

_ALIVE: Final = select(notes.c.text).where(notes.c.key == ALIVE).with_for_update()
_STILL_ALIVE: Final = update(notes).where(notes.c.key == ALIVE).values(text=bindparam("at"))
_RUNNING: Final = update(tables).where(tables.c.status == Status.PLAYING.value, tables.c.deadline_ms.is_not(None))
_CLOCK: Final = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
_SHARED: Final = "postgresql"


class SqlSharing(Forgetting):
    """The part of the store that several processes meet in; see :class:`bot.store.Store`."""

    leases: Leases = Alone()

    async def wake(self, now_ms: int, quiet_ms: int, grace_ms: int) -> Woken:
        """Note that somebody is up, and move the clocks after a time without anybody."""
        return await self._writer.write(lambda c: _wake(c, now_ms, quiet_ms, grace_ms))

    async def versions(self, table_ids: Collection[str]) -> Mapping[str, int]:
        """The versions of tables."""
        if not table_ids:
            return {}
        query = select(tables.c.id, tables.c.version).where(tables.c.id.in_(table_ids))
        return await self._writer.read(lambda c: {row.id: row.version for row in c.execute(query)})

    async def set_due(self, table_id: str, version: int, due_ms: int | None) -> None:
        """Keep when something is due."""
        change = update(tables).where(tables.c.id == table_id, tables.c.version == version).values(due_ms=due_ms)
        await self._writer.write(lambda c: c.execute(change))

    async def show_anew(self, table_id: str) -> None:
        """Let all homes of a table lag behind."""
        behind = update(homes).where(homes.c.table_id == table_id).values(shown_version=-1)
        await self._writer.write(lambda c: c.execute(behind))


def _wake(connection: Connection, now_ms: int, quiet_ms: int, grace_ms: int) -> Woken:
    if connection.dialect.name == _SHARED:
        # The first of all times has no row that could be waited for.
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(ALIVE))))
    noted = connection.scalar(_ALIVE)
    if connection.dialect.name == _SHARED:
        # Looked at once it is this one's turn, so that it is never before what the one before wrote down.
        now_ms = int(connection.scalar(_CLOCK) or now_ms)
    by = moved_ms(noted, now_ms, quiet_ms, grace_ms)
    if noted is None:
        connection.execute(insert(notes), {"key": ALIVE, "text": str(now_ms)})
    else:
        connection.execute(_STILL_ALIVE, {"at": str(now_ms)})
    if by:
        connection.execute(_RUNNING.values(deadline_ms=tables.c.deadline_ms + by))
    return Woken(now_ms, by)
