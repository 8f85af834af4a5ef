"""Leases and duties on a PostgreSQL server, over one connection that belongs to them alone.

A lease is a row with an owner and an end, by the server's clock; a duty is an advisory lock of the session. The rows
outlive a connection that breaks, and end by themselves; the locks end with it, and are asked for anew.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import asyncpg
import structlog

from bot.leases import LEASE_SECONDS, RENEW_SECONDS, table_key

COMMAND_SECONDS: Final = 2.0
"""How long a statement may take before the connection is given up."""
RECONNECT_SECONDS: Final = 0.5
"""How long a server that does not answer is left alone."""
TIDY_SECONDS: Final = 60.0
SETTINGS: Final = {
    "application_name": "buraco leases",
    "statement_timeout": "2000",
    # Whoever has lost its machine, and not only its process, loses its duties too.
    "tcp_keepalives_idle": "2",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
}
# Not the clock itself: only a time that stands still during a statement can be looked up in an index.
_NOW: Final = "CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)"
_TAKEN: Final = f"""
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until_ms = excluded.until_ms
WHERE leases.until_ms < {_NOW} RETURNING key
"""
# Nothing of what these are put together from comes from anybody.
_TAKE: Final = f"INSERT INTO leases (key, owner, until_ms) VALUES ($1, $2, {_NOW} + $3) {_TAKEN}"  # noqa: S608
_TABLE: Final = table_key("")
# Rows that are being changed this very moment are passed over: whoever changes them goes on with them.
_TAKE_DUE: Final = f"""
WITH due AS (
    SELECT tables.id FROM tables
    WHERE tables.due_ms <= {_NOW} AND tables.status = 'playing' AND NOT EXISTS (
        SELECT FROM leases WHERE leases.key = '{_TABLE}' || tables.id AND leases.until_ms >= {_NOW}
    )
    ORDER BY tables.due_ms LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
)
INSERT INTO leases (key, owner, until_ms) SELECT '{_TABLE}' || id, $2, {_NOW} + $3 FROM due {_TAKEN}
"""  # noqa: S608
_RENEW: Final = f"UPDATE leases SET until_ms = {_NOW} + $3 WHERE key = ANY($1) AND owner = $2 RETURNING key"  # noqa: S608
_RELEASE: Final = "DELETE FROM leases WHERE key = $1 AND owner = $2"
_KEEP: Final = f"UPDATE leases SET owner = '', until_ms = {_NOW} + $3 WHERE key = $1 AND owner = $2"  # noqa: S608
_TIDY: Final = f"DELETE FROM leases WHERE until_ms < {_NOW} - 60000"  # noqa: S608
_ONLY: Final = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))"
_GIVE_UP: Final = "SELECT pg_advisory_unlock(hashtextextended($1, 0))"
_ERRORS: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)

_log = structlog.get_logger(__name__)

Connect = Callable[[], Awaitable[Any]]
"""Opens a connection (:class:`asyncpg.Connection`, which has no types)."""


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _nothing() -> None:
    """Nobody wants to know."""


class PostgresLeases:
    """The leases and duties of one process; see :class:`bot.leases.Leases`."""

    is_shared: bool = True

    def __init__(self, connect: Connect, owner: str = "") -> None:
        """Know how to connect; ``owner`` tells processes apart, and is made up if none is given."""
        self._connect = connect
        self.owner = owner or secrets.token_hex(8)
        self._connection: Any = None
        self._using = asyncio.Lock()
        self._held: dict[str, Callable[[], None]] = {}
        self._duties: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None
        self._closed = False
        self._again_at = 0.0

    # leases

    async def take(self, key: str, lost: Callable[[], None] = _nothing) -> bool:
        """Take a lease unless somebody has it."""
        if key in self._held:
            return False
        rows = await self._fetch(_TAKE, key, self.owner, _ms(LEASE_SECONDS))
        if not rows:
            return False
        self._hold(key, lost)
        return True

    async def take_due(self, most: int, lost: Callable[[str], None]) -> Sequence[str]:
        """Take the leases of tables at which something is due."""
        if most <= 0:
            return ()
        rows = await self._fetch(_TAKE_DUE, most, self.owner, _ms(LEASE_SECONDS))
        found = [str(row["key"]).removeprefix(_TABLE) for row in rows or ()]
        for table_id in found:
            self._hold(table_key(table_id), lambda table_id=table_id: lost(table_id))  # type: ignore[misc]
        return found

    async def release(self, key: str, *, kept_seconds: float = 0.0) -> None:
        """Let a lease go; what cannot be let go ends by itself."""
        if self._held.pop(key, None) is None:
            return
        if kept_seconds:
            await self._fetch(_KEEP, key, self.owner, _ms(kept_seconds))
        else:
            await self._fetch(_RELEASE, key, self.owner)

    def _hold(self, key: str, lost: Callable[[], None]) -> None:
        self._held[key] = lost
        self._keep_renewing()

    def _keep_renewing(self) -> None:
        if self._renewing is None and not self._closed:
            self._renewing = asyncio.get_running_loop().create_task(self._renew_on(), name="leases")

    async def _renew_on(self) -> None:
        tidied = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await self._renew()
            now = asyncio.get_running_loop().time()
            if now - tidied > TIDY_SECONDS:
                tidied = now
                await self._fetch(_TIDY)

    async def _renew(self) -> None:
        keys = list(self._held)
        # Asked also where nothing is held: a connection that is dead, and its duties with it, is noticed so.
        rows = await self._fetch(_RENEW, keys, self.owner, _ms(LEASE_SECONDS))
        if rows is None:
            return
        kept = {row["key"] for row in rows}
        for key in keys:
            lost = self._held.get(key)
            if key not in kept and lost is not None:
                del self._held[key]
                lost()

    # duties

    async def only(self, name: str) -> bool:
        """Whether this process alone has a duty."""
        if name in self._duties:
            return True
        rows = await self._fetch(_ONLY, name)
        if not rows or not rows[0][0]:
            return False
        self._duties.add(name)
        self._keep_renewing()
        return True

    async def give_up(self, name: str) -> None:
        """Leave a duty to others."""
        if name in self._duties:
            self._duties.discard(name)
            await self._fetch(_GIVE_UP, name)

    # the connection

    async def close(self) -> None:
        """Let everything go."""
        self._closed = True
        task, self._renewing = self._renewing, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        async with self._using:
            connection, self._connection = self._connection, None
            keys = list(self._held)
            self._held.clear()
            self._duties.clear()
            if connection is None or connection.is_closed():
                return
            with suppress(*_ERRORS):
                if keys:
                    await connection.execute("DELETE FROM leases WHERE key = ANY($1) AND owner = $2", keys, self.owner)
                await connection.close(timeout=COMMAND_SECONDS)
                return
            connection.terminate()

    async def _fetch(self, statement: str, *values: object) -> list[Any] | None:
        """The rows of a statement; None where the server does not answer."""
        async with self._using:
            if self._closed:
                return None
            clock = asyncio.get_running_loop().time
            if self._connection is None and clock() < self._again_at:
                return None
            try:
                if self._connection is None or self._connection.is_closed():
                    self._lose()
                    self._connection = await self._connect()
                rows: list[Any] = await self._connection.fetch(statement, *values, timeout=COMMAND_SECONDS)
            except _ERRORS as error:
                # Values never get into it.
                _log.warning("leases.failed", error=type(error).__name__)
                self._lose()
                self._again_at = clock() + RECONNECT_SECONDS
                return None
            return rows

    def _lose(self) -> None:
        """The session is gone, and its duties with it; the leases are renewed over the next one, or end."""
        connection, self._connection = self._connection, None
        self._duties.clear()
        if connection is not None:
            connection.terminate()
