"""Clocks of turns: a deadline that is stored with each action, a warning before it, and a turn that plays itself.

Nobody is punished for an outage: when the bot comes up, every deadline is moved by as long as it was away, and a grace;
and while a platform is away that shows the table, no turn runs out at it.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
import structlog

from bot.clock import Clock
from bot.cutting import NO_CUT, cutter_of, dealt
from bot.keeper import Keeper, Unknown
from bot.lobby import handed_over
from bot.model import Chair, Pace, Status, Table
from bot.outages import Outages
from bot.store import ALIVE, Record, StoreError, UnreadableSave
from bot.turns import seat_on_turn, turn_key
from engine import legal
from engine.actions import Action, Discard, DrawStock, EndTurn, TakeMuerto
from engine.cards import FACE, IS_WILD
from engine.decide import Events, decide
from engine.evolve import evolve_all
from engine.reasons import IllegalAction
from engine.state import Match
from engine.views import SeatView, public_view, seat_view

log = structlog.get_logger()

SECONDS: Final = {Pace.QUICK: 60, Pace.NORMAL: 180, Pace.MAIL: 24 * 3600}
"""How long a turn may take; a pace that is not here has no limit."""
CUT_SECONDS: Final = 180
"""How long somebody may take to cut where turns have no limit; elsewhere as long as a turn."""
LAST_PART: Final = 5
"""In the last fifth of a turn's time whoever is on turn is called once more."""
GRACE_SECONDS: Final = 60.0
ALIVE_SECONDS: Final = 30.0
"""How often it is noted that the bot is up."""
STRIKES: Final = 2
"""Turns in a row that may run out before a robot takes the seat."""
HOLD_SECONDS: Final = 5.0
"""How often it is looked whether a platform that is away has come back."""
ALWAYS: Final = -1
"""A process that starts alone moves the clocks however short it was away."""
_MOST_ACTIONS: Final = 60


class _Deadline(msgspec.Struct, frozen=True):
    key: str
    at_ms: int


class Clocks:
    """Keeps the deadline of the turn at every table that has a clock."""

    def __init__(self, keeper: Keeper, clock: Clock, warn: Callable[[str], None], outages: Outages) -> None:
        """``warn`` is told of a table whose turn is running out, so that it is shown again."""
        self._outages = outages
        self._keeper = keeper
        self._clock = clock
        self._warn = warn
        self._deadlines: dict[str, _Deadline] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._alive: asyncio.Task[None] | None = None
        self._stopped = False
        keeper.deadline_of = self.stored_deadline

    # what others ask

    def stored_deadline(self, before: Record, after: Record) -> int | None:
        """The deadline to store with a record: the one that the turn has, or a new one for a new turn.

        It stands in the store and nowhere else, so that whoever makes the next move, in whatever process, gives nobody
        any time and takes none.
        """
        key = _clocked(after)
        if key is None:
            return None
        if before.deadline_ms is not None and _clocked(before) == key:
            return before.deadline_ms
        return self._clock.now_ms() + _seconds(after) * 1000

    def is_late(self, record: Record) -> bool:
        """Whether the turn's time is almost over."""
        warns_ms = warning_ms(record)
        return warns_ms is not None and warns_ms <= self._clock.now_ms()

    # life

    async def start(self) -> None:
        """Take up the stored deadlines, moved by as long as the bot was away."""
        await self._keeper.wake(self._clock.now_ms(), ALWAYS, int(GRACE_SECONDS * 1000))
        running = [table_id for table_id, _ in await self._keeper.store.deadlines()]
        async for record in self._keeper.readable(running):
            self.look(record)
        self._alive = asyncio.get_running_loop().create_task(self._note_alive(), name="alive")

    async def stop(self) -> None:
        """Stop; deadlines stand in the store."""
        self._stopped = True
        tasks = [*self._tasks.values(), *([self._alive] if self._alive is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        if self._alive is not None:
            await self._write_alive()

    def look(self, record: Record) -> None:
        """A table has changed: set its clock for the turn that it is now."""
        key = _clocked(record)
        if key is None:
            self._deadlines.pop(record.table.id, None)
            self._cancel(record.table.id)
            return
        known = self._deadlines.get(record.table.id)
        if known is None or known.key != key:
            at_ms = record.deadline_ms
            if at_ms is None:
                at_ms = self._clock.now_ms() + _seconds(record) * 1000
            self._set(record, _Deadline(key, at_ms))

    def _set(self, record: Record, deadline: _Deadline) -> None:
        table_id = record.table.id
        self._cancel(table_id)
        self._deadlines[table_id] = deadline
        if not self._stopped:
            watching = self._watch(table_id, deadline, _seconds(record))
            self._tasks[table_id] = asyncio.get_running_loop().create_task(watching, name=f"clock {table_id}")

    def _cancel(self, table_id: str) -> None:
        task = self._tasks.pop(table_id, None)
        # A clock that has run out commits a turn itself, and is told of it like everybody.
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def _watch(self, table_id: str, deadline: _Deadline, seconds: int) -> None:
        # The wall clock is asked once: what it jumps to afterwards neither takes time from anybody nor gives any.
        left = max(0.0, (deadline.at_ms - self._clock.now_ms()) / 1000)
        last = min(left, seconds / LAST_PART)
        await self._clock.sleep(left - last)
        self._warn(table_id)
        await self._clock.sleep(last)
        pause = 1.0
        while True:
            try:
                while await self.is_held(table_id):
                    await self._clock.sleep(HOLD_SECONDS)
                await self.run_out(table_id, deadline.key)
            except (UnreadableSave, Unknown):
                return
            except StoreError as error:
                log.warning("clock.store", table=table_id, error=str(error))
                await self._clock.sleep(pause)
                pause = min(60.0, pause * 2)
            except Exception:
                log.exception("clock.failed", table=table_id)
                return
            else:
                return

    async def is_held(self, table_id: str) -> bool:
        """Whether no time runs out at a table now, because a platform that shows it is away.

        Raises:
            StoreError: the store cannot tell.
        """
        return await self._outages.hold({home.platform for home in await self._keeper.store.homes(table_id)})

    async def run_out(self, table_id: str, key: str | None = None) -> None:
        """Play the turn to its end for whoever let the time run out, unless they have just done so themselves.

        Where a cut is awaited, the cards are dealt without one. ``key`` is the turn whose time is over; without one it
        is looked up whether that of the present one is.
        """
        async with self._keeper.lock(table_id):
            record = await self._keeper.load(table_id)
            seat = seat_on_turn(record.match)
            if key is None:
                key = _clocked(record) if _is_over(record, self._clock.now_ms()) else ""
            if _clocked(record) != key:
                return
            if record.table.awaited_cut is not None:
                log.info("clock.no_cut", table=table_id)
                done = await dealt(self._keeper.sealer, record.table, record.match, NO_CUT, None)
                await self._keeper.commit(record, table=done.table, match=done.match, events=done.events)
                return
            if seat is None or record.match is None:
                return
            chair = record.table.chairs[seat]
            missed = chair.missed + 1
            absent = missed >= STRIKES
            table = with_chair(record.table, seat, _missed(chair, missed, self._clock.now_ms()))
            if absent and table.host == chair.person and table.present:
                # Somebody who is there has to be able to decide.
                table = handed_over(table)
            log.info("clock.ran_out", table=table_id, seat=seat, missed=missed)
            await self._keeper.commit(record, table=table, events=safe_turn(record.match, seat))

    # being up

    async def _note_alive(self) -> None:
        while True:
            self._outages.look()
            await self._write_alive()
            await self._clock.sleep(ALIVE_SECONDS)

    async def _write_alive(self) -> None:
        try:
            await self._keeper.store.write_note(ALIVE, str(self._clock.now_ms()))
        except StoreError as error:
            log.warning("clock.not_noted", error=str(error))


def _clocked(record: Record) -> str | None:
    """The key of the turn, or the cut, that a clock runs for; None where none does.

    That is so where a turn has no limit, and where nobody is present on turn.
    """
    table, seat, cut = record.table, seat_on_turn(record.match), record.table.awaited_cut
    if cut is not None:
        cutter = cutter_of(table, cut.starter)
        return None if cutter is None else f"{table.pace}:cut:{cut.deal}:{cutter}"
    if table.status is not Status.PLAYING or table.pace not in SECONDS or seat is None or record.match is None:
        return None
    chair = table.chairs[seat]
    if chair.person is None or chair.absent:
        return None
    # Another pace is another clock.
    return f"{table.pace}:{turn_key(public_view(record.match))}"


def _seconds(record: Record) -> int:
    """How long what is awaited at a table with a clock may take."""
    return SECONDS.get(record.table.pace, CUT_SECONDS)


def _is_over(record: Record, now_ms: int) -> bool:
    return record.deadline_ms is not None and record.deadline_ms <= now_ms


def warning_ms(record: Record) -> int | None:
    """When whoever is on turn is called once more, in milliseconds since the epoch; None where no clock runs."""
    if record.deadline_ms is None or _clocked(record) is None:
        return None
    return record.deadline_ms - _seconds(record) * 1000 // LAST_PART


def _missed(chair: Chair, missed: int, now_ms: int) -> Chair:
    """The chair of somebody who has let so many turns in a row run out."""
    chair = msgspec.structs.replace(chair, missed=missed)
    if missed < STRIKES:
        return chair
    since = chair.absent_ms if chair.absent else now_ms
    return msgspec.structs.replace(chair, absent=True, stood_in=True, absent_ms=since)


def with_chair(table: Table, seat: int, chair: Chair) -> Table:
    """The table with another chair at a seat."""
    chairs = (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])
    return msgspec.structs.replace(table, chairs=chairs)


def came_back(table: Table, seat: int) -> Table:
    """The table after somebody has acted themselves: their missed turns are forgotten."""
    chair = table.chairs[seat]
    if not chair.missed and not chair.absent:
        return table
    return with_chair(table, seat, msgspec.structs.replace(chair, missed=0, absent=False, absent_ms=None))


def safe_turn(match: Match, seat: int) -> Events:
    """The rest of a turn as it hurts least: draw, lay nothing, discard what is worth little and no wild."""
    events: Events = ()
    for _ in range(_MOST_ACTIONS):
        if seat_on_turn(match) != seat:
            return events
        done = _first_that_goes(match, seat, _safest(seat_view(match, seat)))
        events = (*events, *done)
        match = evolve_all(match, done)
    raise RuntimeError("the turn does not end")


def _safest(view: SeatView) -> list[Action]:
    """The legal actions, the safest first."""
    rules = view.table.rules

    def rank(action: Action) -> tuple[int, bool, int]:
        if isinstance(action, DrawStock):
            return (0, False, 0)
        if isinstance(action, TakeMuerto):
            return (1, False, 0)
        if isinstance(action, Discard):
            thrown = next(card for card in view.hand if FACE[card] == action.card)
            return (2, IS_WILD[thrown], rules.card_points[thrown])
        return (3, False, 0) if isinstance(action, EndTurn) else (4, False, 0)

    return sorted(legal.actions(view), key=rank)


def _first_that_goes(match: Match, seat: int, actions: list[Action]) -> Events:
    for action in actions:
        try:
            return decide(match, seat, action)
        except IllegalAction:
            continue
    raise RuntimeError(f"seat {seat} has no legal action")
