"""Tables that nobody comes back to: lobbies that never start, matches that nobody plays on."""

import asyncio
from typing import Final

import msgspec
import structlog

from bot.clock import Clock
from bot.keeper import Keeper, Unknown
from bot.model import Pace, Status
from bot.store import StoreError, UnreadableSave

log = structlog.get_logger()

LOBBY_HOURS: Final = 6
"""A lobby in which nothing has happened for so long is closed."""
MATCH_DAYS: Final = 30
"""A match that nobody has played on for so long is closed."""
ROUND_SECONDS: Final = 600.0
_DUTY: Final = "housekeeping"
_HOUR_MS: Final = 3600 * 1000


class Housekeeping:
    """Closes what has been left, every now and then."""

    def __init__(self, keeper: Keeper, clock: Clock) -> None:
        self._keeper = keeper
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin the rounds."""
        self._task = asyncio.get_running_loop().create_task(self._rounds(), name="housekeeping")

    async def stop(self) -> None:
        """End the rounds."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _rounds(self) -> None:
        while True:
            try:
                if await self._keeper.store.leases.only(_DUTY):
                    await self.close_left_tables()
            except StoreError as error:
                log.warning("housekeeping.store", error=str(error))
            except Exception:
                log.exception("housekeeping.failed")
            await self._clock.sleep(ROUND_SECONDS)

    async def close_left_tables(self) -> None:
        """Close every lobby and match that has been left for too long.

        Raises:
            StoreError: the store cannot tell or keep it now.
        """
        now = self._clock.now_ms()
        for status, hours in ((Status.LOBBY, LOBBY_HOURS), (Status.PLAYING, MATCH_DAYS * 24)):
            for table_id in await self._keeper.store.idle_tables(status, now - hours * _HOUR_MS):
                await self._close(table_id, status)

    async def _close(self, table_id: str, status: Status) -> None:
        async with self._keeper.lock(table_id):
            try:
                record = await self._keeper.load(table_id)
            except (UnreadableSave, Unknown):
                return
            table = record.table
            if table.status is not status or (table.pace is Pace.MAIL and status is Status.LOBBY):
                # A match by mail may gather its players for days.
                return
            log.info("table.left", table=table_id, status=str(status))
            await self._keeper.commit(record, table=msgspec.structs.replace(table, status=Status.CANCELLED))
