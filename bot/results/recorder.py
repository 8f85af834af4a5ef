"""Keeping results: each finished match exactly once, also where the process ended between its last commit and this."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import structlog

from bot.clock import Clock
from bot.keeper import Keeper, Unknown
from bot.leases import turn
from bot.model import Status
from bot.results.making import result_of
from bot.results.model import Result, without_person
from bot.store import Record, StoreBusy, StoreError, UnreadableSave
from engine.events import Event

log = structlog.get_logger()

_DUTY = "results"
_ROUND_SECONDS = 60.0
"""How often it is looked for matches whose process ended before it had written them down."""
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 60.0


class Recorder:
    """Writes down results as matches end; one at a time, in the order in which they end."""

    def __init__(self, keeper: Keeper, clock: Clock) -> None:
        self._keeper = keeper
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._leases = keeper.store.leases
        self._stopped = False
        keeper.listen(self.look)

    def start(self) -> None:
        """Begin to write down what ended without a result, in the order in which it ended. Returns at once."""
        self._run(self._keep_up() if self._leases.is_shared else self._catch_up(), "results")

    async def _keep_up(self) -> None:
        """Write down what other processes left behind when they ended, for as long as this one has the duty to."""
        while True:
            if await self._leases.only(_DUTY):
                await self._catch_up()
            await self._clock.sleep(_ROUND_SECONDS)

    async def _catch_up(self) -> None:
        try:
            missing = await self._keeper.store.without_result()
        except StoreError as error:
            log.warning("results.store", error=str(error))
            return
        for table_id, at_ms in missing:
            await self._patiently(table_id, at_ms)

    async def stop(self) -> None:
        """Stop; what is not written down yet is at the next start."""
        self._stopped = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def look(self, record: Record) -> None:
        """A table has changed: its result is written down if its match is over. Returns at once."""
        if record.table.status is not Status.OVER or self._stopped:
            return
        self._run(self._patiently(record.table.id, self._clock.now_ms()), f"result {record.table.id}")

    def _run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settled(self) -> None:
        """Wait until everything that has ended so far is written down."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def erase(self, person_id: str) -> int:
        """Make a person nobody in all results; returns in how many they were."""
        async with self._turn, turn(self._leases, _DUTY):
            return await self._keeper.store.anonymise_results(person_id)

    async def _patiently(self, table_id: str, at_ms: int) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._note(table_id, at_ms)
            except StoreBusy as error:
                log.warning("results.store", table=table_id, error=str(error))
                await self._clock.sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 2)
                continue
            except (StoreError, Unknown) as error:
                # Tried again at the next start.
                log.warning("results.not_kept", table=table_id, error=str(error))
            except Exception:
                log.exception("results.failed", table=table_id)
            return

    async def _note(self, table_id: str, at_ms: int) -> None:
        store = self._keeper.store
        async with self._turn, turn(self._leases, _DUTY):
            if await store.result(table_id) is not None:
                return
            record = await self._keeper.load(table_id)
            result = result_of(record, await self._events(table_id), at_ms)
            if result is not None and await store.add_result(await self._without_the_gone(result)):
                log.info("results.kept", table=result.table_id, kind=str(result.kind), rated=result.rated)

    async def _without_the_gone(self, result: Result) -> Result:
        """The result without persons who were erased while the match went on."""
        for person_id in result.people:
            if await self._keeper.store.person(person_id) is None:
                result = without_person(result, person_id)
        return result

    async def _events(self, table_id: str) -> Sequence[Event]:
        """The match's events; none where they cannot be read: the result does without the single deals."""
        try:
            return await self._keeper.store.events(table_id)
        except UnreadableSave as error:
            log.warning("results.events_unreadable", table=table_id, problem=error.problem)
            return ()
