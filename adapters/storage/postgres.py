"""The store over a PostgreSQL server: opening it, and what it must be like.

Every way in which a server can refuse to serve ends in :class:`~bot.store.StoreUnusable` with what to do about it.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import asyncpg
import structlog
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.storage.postgres_address import Address
from adapters.storage.postgres_errors import Fault, complaint, fault_of, is_ours
from adapters.storage.postgres_leases import COMMAND_SECONDS, SETTINGS, PostgresLeases
from adapters.storage.postgres_pool import Pool
from adapters.storage.schema_version import SCRIPTS, newest_in, version_of
from adapters.storage.sql import SqlStore
from bot.store import StoreUnusable

OLDEST: Final = 14
"""The oldest PostgreSQL on which the contract has been run (14.3 and 14.23)."""
CONNECTIONS: Final = 8
"""Connections of one process, at most. A server takes 100 unless it is told otherwise."""
PATIENCE_SECONDS: Final = 5.0
"""How long a lock, a free connection or the server's return is waited for."""
STATEMENT_SECONDS: Final = 30.0
IDLE_SECONDS: Final = 10.0
"""A transaction of a process that is gone lets go of its locks after so long at the latest."""
_PAUSE: Final = 0.25
_DURABLE: Final = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
"""
"""Stricter settings of the server are left as they are."""
_ABOUT: Final = """
SELECT current_setting('server_version_num')::int / 10000, current_setting('server_version'),
       current_setting('server_encoding'), pg_is_in_recovery(), current_setting('fsync') = 'on'
"""

_log = structlog.get_logger(__name__)


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


class PostgresStore(SqlStore):
    """All that is kept, on a PostgreSQL server; see :class:`bot.store.Store`."""

    @classmethod
    async def open(
        cls,
        url: str,
        now_ms: Callable[[], int] = _wall_clock,
        *,
        connections: int = CONNECTIONS,
        patience_seconds: float = PATIENCE_SECONDS,
        scripts: Path = SCRIPTS,
    ) -> "PostgresStore":
        """Open a database, and bring it to the newest schema. Several processes may do so at once.

        Args:
            url: ``postgresql://user:password@host:port/database``, with whatever PostgreSQL's own tools take behind it.
            now_ms: the clock, in milliseconds since the epoch.
            connections: how many are open at most.
            patience_seconds: how long a lock, a free connection or the server's return is waited for.
            scripts: the migrations.

        Raises:
            StoreUnreachable: no server answers, or none that has room for us.
            StoreUnusable: it cannot be used; says why and what to do.
        """
        address = Address(url)
        engine = _engine(address, connections, patience_seconds)
        try:
            version, lasting = await _made_ready(engine, address, patience_seconds, scripts)
        except BaseException:
            await engine.dispose()
            raise
        _log.info("storage.opened", host=address.host, database=address.database, postgresql=version)
        if not lasting:
            _log.warning("storage.not_durable", setting="fsync=off", host=address.host)
        store = cls(Pool(engine, connections, patience_seconds), now_ms)
        store.leases = PostgresLeases(lambda: _connected(address, SETTINGS))
        return store

    async def close(self) -> None:
        """Let go of what this process has to itself, finish what is being written, and close all connections."""
        await self.leases.close()
        await super().close()


def _lifted(connection: Connection, database: str, scripts: Path) -> None:
    current = version_of(connection)
    connection.rollback()
    if current != newest_in(scripts):
        # Alembic is seldom wanted and takes long to load.
        from adapters.storage.migrate_postgres import migrate_postgres  # noqa: PLC0415

        migrate_postgres(connection, database, scripts)


async def _connected(address: Address, settings: dict[str, str]) -> asyncpg.Connection:
    return await asyncpg.connect(address.secret, timeout=COMMAND_SECONDS, server_settings=settings)


def _engine(address: Address, connections: int, patience_seconds: float) -> AsyncEngine:
    settings = {
        "application_name": "buraco",
        "lock_timeout": str(round(patience_seconds * 1000)),
        "statement_timeout": str(round(STATEMENT_SECONDS * 1000)),
        "idle_in_transaction_session_timeout": str(round(IDLE_SECONDS * 1000)),
    }

    async def connect(**_: Any) -> asyncpg.Connection:
        connection = await asyncpg.connect(address.secret, timeout=patience_seconds, server_settings=settings)
        try:
            await connection.execute(_DURABLE)
        except BaseException:
            connection.terminate()
            raise
        return connection

    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        isolation_level="READ COMMITTED",
        pool_size=connections,
        max_overflow=0,
        pool_timeout=patience_seconds,
        hide_parameters=True,  # hands are secret, and errors are logged
    )


async def _made_ready(
    engine: AsyncEngine, address: Address, patience_seconds: float, scripts: Path
) -> tuple[str, bool]:
    """The server's version and whether it flushes to the disk; a server that is just starting is waited for."""
    clock = asyncio.get_running_loop().time
    gives_up = clock() + patience_seconds
    while True:
        try:
            async with engine.connect() as connection:
                found = await connection.run_sync(_looked_at, address)
                await connection.run_sync(lambda core: _lifted(core, address.database, scripts))
                return found
        except Exception as error:
            if not is_ours(error) and not isinstance(error, ValueError | asyncpg.ClientConfigurationError):
                raise
            if fault_of(error) is Fault.FINAL or clock() >= gives_up:
                raise complaint(error, address) from None
        await asyncio.sleep(_PAUSE)


def _looked_at(connection: Connection, address: Address) -> tuple[str, bool]:
    major, version, encoding, is_standby, flushes = connection.exec_driver_sql(_ABOUT).one()
    connection.rollback()
    if major < OLDEST:
        raise StoreUnusable(f"PostgreSQL {version} is too old", f"use PostgreSQL {OLDEST} or newer")
    if encoding != "UTF8":
        raise StoreUnusable(
            f"the database {address.database} is encoded as {encoding}",
            "make one for Buraco alone: createdb --encoding=UTF8 --template=template0",
        )
    if is_standby:
        raise StoreUnusable(f"{address.host} is a standby, which takes no writes", "name the primary server")
    return version, flushes
