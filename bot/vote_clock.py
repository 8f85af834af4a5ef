"""Deciding votes without a press: when their time is over, when people come and go, when a turn ends."""

import asyncio

import structlog

from bot.clock import Clock
from bot.keeper import Keeper, Unknown
from bot.model import Status
from bot.store import Record, StoreError, UnreadableSave
from bot.votes import settled

log = structlog.get_logger()

RETRY_SECONDS = 5.0


class VoteClock:
    """Watches the vote of every table that has one. What it waits for stands in the table, so that it outlives this."""

    def __init__(self, keeper: Keeper, clock: Clock) -> None:
        self._keeper = keeper
        self._clock = clock
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._running = False

    def start(self) -> None:
        """Begin; tables are looked at from now on."""
        self._running = True

    async def stop(self) -> None:
        """Stop; votes stand in their tables."""
        self._running = False
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()

    def look(self, record: Record) -> None:
        """A table has changed: decide its vote if that can be done now, else when its time is over. Returns at once."""
        table = record.table
        now = self._clock.now_ms()
        at_ms = vote_due_ms(record, now)
        known = self._tasks.pop(table.id, None)
        if known is not None and known is not asyncio.current_task():
            known.cancel()
        if at_ms is None or not self._running:
            return
        seconds = max(0.0, (at_ms - now) / 1000)
        task = asyncio.get_running_loop().create_task(self._wait(table.id, seconds), name=f"vote {table.id}")
        self._tasks[table.id] = task

    async def _wait(self, table_id: str, seconds: float) -> None:
        if seconds:
            await self._clock.sleep(seconds)
        while True:
            try:
                await self.decide(table_id)
            except (UnreadableSave, Unknown):
                return
            except StoreError as error:
                log.warning("vote.store", table=table_id, error=str(error))
                await self._clock.sleep(RETRY_SECONDS)
            except Exception:
                log.exception("vote.failed", table=table_id)
                return
            else:
                return

    async def decide(self, table_id: str) -> None:
        """Decide the vote of a table if that can be done now."""
        async with self._keeper.lock(table_id):
            record = await self._keeper.load(table_id)
            table = settled(record.table, record.match, self._clock.now_ms())
            if table != record.table:
                await self._keeper.commit(record, table=table)
            elif record.table.vote is not None:
                self.look(record)


def vote_due_ms(record: Record, now_ms: int) -> int | None:
    """When the vote at a table can be decided, in milliseconds since the epoch: now, or when its time is over.

    None where there is none, or where it waits for the end of a turn, which is a change of the table.
    """
    table = record.table
    if table.vote is None or table.status is not Status.PLAYING:
        return None
    if settled(table, record.match, now_ms) != table:
        return now_ms
    return None if table.vote.carried else table.vote.until_ms
