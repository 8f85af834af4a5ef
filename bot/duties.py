"""What the program itself does at tables, where several processes share the store: robots' turns, votes, clocks.

When something is due next stands beside each table in the store, written with every change of it. Whoever makes a
change goes on at once, under the table's lease; what nobody does (because its process has died, or because it becomes
due only later) is found by all the others, who look every half second. See :mod:`bot.leases`.
"""

import asyncio
from typing import Final

import structlog

from bot.announcing import Announcer
from bot.clock import SharedClock
from bot.clocks import GRACE_SECONDS, HOLD_SECONDS, Clocks, warning_ms
from bot.keeper import Keeper, Unknown
from bot.leases import POLL_SECONDS, table_key
from bot.model import Status
from bot.outages import Outages
from bot.robot_turns import RobotTurns, robot_to_move
from bot.store import Record, StoreError, UnreadableSave
from bot.vote_clock import VoteClock, vote_due_ms

log = structlog.get_logger()

QUIET_SECONDS: Final = 5.0
"""After how long without any process the clocks are moved. Every process notes with each look that it is up."""
MOST: Final = 200
"""Tables at which one process is at work at the same time."""
_MOST_IDLE: Final = 10
"""Times in a row that what was due may have come to nothing, such as because somebody else was first."""
LATER_SECONDS: Final = 300.0
"""When a table at which something keeps failing is looked at again, unless it changes before."""


class Duties:
    """Does what is due at tables, each table in a task of its own."""

    def __init__(
        self,
        keeper: Keeper,
        clock: SharedClock,
        robots: RobotTurns,
        clocks: Clocks,
        votes: VoteClock,
        announcer: Announcer,
        outages: Outages,
    ) -> None:
        self._keeper = keeper
        self._leases = keeper.store.leases
        self._clock = clock
        self._robots = robots
        self._clocks = clocks
        self._votes = votes
        self._announcer = announcer
        self._outages = outages
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._watching: asyncio.Task[None] | None = None
        self._stopped = False
        keeper.due_of = self.due_ms
        keeper.listen(self.look)

    # what is due

    def due_ms(self, record: Record) -> int | None:
        """When something is due at a table, in milliseconds since the epoch; None for nothing."""
        if record.table.status is not Status.PLAYING:
            return None
        now = self._clock.now_ms()
        found: list[int] = []
        if robot_to_move(record) is not None:
            found.append(now + int(self._robots.pause_of(record) * 1000))
        vote = vote_due_ms(record, now)
        if vote is not None:
            found.append(vote)
        warning = warning_ms(record)
        if warning is not None and record.deadline_ms is not None:
            found.append(warning if warning > now else record.deadline_ms)
        return min(found, default=None)

    def look(self, record: Record) -> None:
        """A table has changed here: go on at once if that is for the program. Returns at once."""
        vote = vote_due_ms(record, self._clock.now_ms())
        if robot_to_move(record) is None and (vote is None or vote > self._clock.now_ms()):
            return
        table_id = record.table.id
        if table_id in self._tasks:
            self._again.add(table_id)
        else:
            self._begin(table_id, taken=False)

    # life

    async def start(self) -> None:
        """Begin to look for what is due.

        Raises:
            StoreError: the store cannot tell now.
        """
        if await self._beat():
            await self._survey()
        self._watching = asyncio.get_running_loop().create_task(self._watch(), name="duties")

    async def stop(self) -> None:
        """Stop; what is due stands in the store, for the others."""
        self._stopped = True
        tasks = [*self._tasks.values(), *([self._watching] if self._watching is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()

    async def _beat(self) -> bool:
        """Note that this process is up, and take over the store's time; whether nobody was up before."""
        woken = await self._keeper.wake(self._clock.now_ms(), int(QUIET_SECONDS * 1000), int(GRACE_SECONDS * 1000))
        self._clock.adopt(woken.now_ms)
        if woken.moved_ms:
            log.info("clocks.moved", seconds=round(woken.moved_ms / 1000))
        return bool(woken.moved_ms)

    async def _survey(self) -> None:
        """Write down what is due everywhere, in case a program did not that ran here alone."""
        store = self._keeper.store
        async for record in self._keeper.readable(await store.open_tables()):
            due = self.due_ms(record)
            if due is not None:
                await store.set_due(record.table.id, record.version, due)

    async def _watch(self) -> None:
        while True:
            try:
                # Clocks are moved, if they have to be, before anything that they say is done.
                await self._beat()
                await self._outages.tell()
                for table_id in await self._leases.take_due(MOST - len(self._tasks), self._lost):
                    self._begin(table_id, taken=True)
            except StoreError as error:
                log.warning("duties.store", error=str(error))
            except Exception:
                log.exception("duties.failed")
            await self._clock.sleep(POLL_SECONDS)

    # one table

    def _lost(self, table_id: str) -> None:
        """Somebody else is at work there by now, because this process did not renew its lease in time."""
        log.warning("duties.lease_lost", table=table_id)
        task = self._tasks.get(table_id)
        if task is not None:
            task.cancel()

    def _begin(self, table_id: str, *, taken: bool) -> None:
        if self._stopped or table_id in self._tasks:
            return
        work = self._do(table_id, taken=taken)
        self._tasks[table_id] = asyncio.get_running_loop().create_task(work, name=f"duty {table_id}")

    async def _do(self, table_id: str, *, taken: bool) -> None:
        key = table_key(table_id)
        try:
            if not taken and not await self._leases.take(key, lambda: self._lost(table_id)):
                return
            try:
                # What others have left has waited long enough.
                wait = not taken
                self._again.add(table_id)
                while table_id in self._again:
                    self._again.discard(table_id)
                    await self._serve(table_id, wait=wait)
                    wait = True
            except (UnreadableSave, Unknown):
                pass
            except StoreError as error:
                log.warning("duties.store", table=table_id, error=str(error))
            except Exception:
                log.exception("duties.failed", table=table_id)
                await self._later(table_id)
            finally:
                await self._leases.release(key)
        finally:
            self._again.discard(table_id)
            self._tasks.pop(table_id, None)

    async def _serve(self, table_id: str, *, wait: bool) -> None:
        """Do what is due at a table, until nothing is."""
        idle, before = 0, -1
        while True:
            record = await self._keeper.load(table_id)
            idle, before = (idle + 1 if record.version == before else 0), record.version
            if idle == _MOST_IDLE:
                log.error("duties.idle", table=table_id, version=before)
                await self._later(table_id)
                return
            now = self._clock.now_ms()
            vote = vote_due_ms(record, now)
            warning = warning_ms(record)
            if robot_to_move(record) is not None:
                pause = self._robots.pause_of(record)
                if not await self._robots.play(table_id, pause if wait else 0.0, pause):
                    await self._later(table_id)
                    return
            elif vote is not None and vote <= now:
                await self._votes.decide(table_id)
            elif warning is not None and record.deadline_ms is not None and record.deadline_ms <= now:
                if await self._clocks.is_held(table_id):
                    at_ms = now + int(HOLD_SECONDS * 1000)
                    await self._keeper.store.set_due(table_id, record.version, at_ms)
                    return
                await self._clocks.run_out(table_id)
            else:
                if warning is not None and warning <= now:
                    await self._keeper.store.show_anew(table_id)
                    self._announcer.changed(table_id)
                await self._keeper.store.set_due(table_id, record.version, self.due_ms(record))
                return
            wait = True

    async def _later(self, table_id: str) -> None:
        """Leave a table alone for a while."""
        try:
            version = (await self._keeper.load(table_id)).version
            at_ms = self._clock.now_ms() + int(LATER_SECONDS * 1000)
            await self._keeper.store.set_due(table_id, version, at_ms)
        except (StoreError, Unknown) as error:
            log.warning("duties.store", table=table_id, error=str(error))
