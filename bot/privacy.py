"""What is kept of a person: all of it in one document, forgetting it, and how long things are kept at all.

Erasure goes through the tables first, each under its lock and in the one transaction of every change: a seat that is
played goes to a robot, a seat in a lobby becomes free, a seat of the past gets a nameless chair. Events, scores and the
seats of others stay as they are. Then keys, name, settings and presses go in one transaction of the store.
"""

import asyncio
import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Protocol

import msgspec
import structlog

from bot import lobby
from bot.clock import Clock
from bot.dead_letters import KEPT_DAYS
from bot.failures import answered
from bot.keeper import Keeper, Unknown
from bot.model import PERSONAL_PLACE, Chair, Person, Status, Table
from bot.names import safe_name, unused_name
from bot.presenter.privacy import (
    FILE_NAME,
    erased_screen,
    erasing_screen,
    given_title,
    my_data_text,
    no_title,
    nobody_name,
)
from bot.screens import Answer, File, Screen
from bot.store import Erasure, Record, Store, StoreBusy, StoreError, UnreadableSave
from bot.texts import texts
from bot.tokens import Intent, TokenError, Verb, read_token
from bot.votes import without_person

log = structlog.get_logger()

FORMAT: Final = "buraco-person"
VERSION: Final = 1
DAY_SECONDS: Final = 24 * 3600.0
PRESS_DAYS: Final = 7
"""How long the answer of a press is kept: no platform delivers one again after so long."""
RETRY_SECONDS: Final = 300.0
_DAY_MS: Final = 24 * 3600 * 1000
_MOST_ROUNDS: Final = 5
_SETTINGS: Final = ("locale", "hand_order", "suit_colours", "notices", "cautions")
_SECRET_ACCOUNTS: Final = frozenset({"web"})
"""Platforms whose keys are made from a secret: they are not shown, not even to their owner."""
_DUTY: Final = "upkeep"
_TIDIED: Final = "tidied"


class Part(Protocol):
    """Another part of the application that keeps something of people, such as their results."""

    @property
    def name(self) -> str:
        """The name of its member in the document."""
        ...

    async def export(self, person_id: str) -> object:
        """All that it keeps of a person, ready to be written as JSON."""
        ...

    async def erase(self, person_id: str) -> None:
        """Forget a person; done again, it changes nothing more."""
        ...


class Privacy:
    """Answers what people ask about what is kept of them."""

    def __init__(self, keeper: Keeper, clock: Clock) -> None:
        self._keeper = keeper
        self._store = keeper.store
        self._clock = clock
        self._parts: list[Part] = []

    def add_part(self, part: Part) -> None:
        """Make known another part that keeps something of people."""
        self._parts.append(part)

    # asking

    async def press(self, person: Person, intent: Intent) -> Answer:
        """What is answered to somebody who asks for their data or wants them erased; never raises."""
        return await answered(texts(person.locale), self._asked(person, intent), verb=str(intent.verb))

    async def _asked(self, person: Person, intent: Intent) -> Answer:
        t = texts(person.locale)
        if intent.verb is Verb.MY_DATA:
            return Answer(my_data_text(t), file=File(FILE_NAME, await self.export(person)))
        if not intent.confirmed or intent.arguments != (mark_of(person.id),):
            return Answer(screen=await self._question(person))
        return Answer(screen=erased_screen(t, await self.erase(person)))

    async def _question(self, person: Person) -> Screen:
        stands = [record.table.status for record in await self._records(await self._store.seats_of(person.id))]
        playing, waiting = stands.count(Status.PLAYING), stands.count(Status.LOBBY)
        over = len(stands) - playing - waiting
        return erasing_screen(texts(person.locale), playing, waiting, over, Verb.ERASE, mark_of(person.id))

    async def _records(self, table_ids: Sequence[str]) -> list[Record]:
        """The tables that can be read."""
        return [record async for record in self._keeper.readable(table_ids)]

    # the document

    async def export(self, person: Person) -> bytes:
        """All that is kept of a person, as JSON. It tells no card and nothing of other people."""
        store = self._store
        kept = await store.person(person.id) or person
        keys = await store.keys_of(person.id)
        fields = msgspec.to_builtins(kept)
        presses = await store.presses_of(person.id)
        seats = await store.seats_of(person.id)
        records = await self._records(seats)
        readable = {record.table.id for record in records}
        places = {key: found for key in _own_places(keys) if (found := await store.place_settings(key)) is not None}
        document = {
            "format": FORMAT,
            "version": VERSION,
            "written": _time(self._clock.now_ms()),
            "profile": {name: value for name, value in fields.items() if name not in _SETTINGS},
            "settings": {name: fields[name] for name in _SETTINGS},
            "accounts": [_account(key) for key in keys],
            "places": places,
            "presses": {
                "count": presses.count,
                "first": _time(presses.first_ms),
                "last": _time(presses.last_ms),
            },
            "tables": [_seat(record, person.id) for record in records],
            "unreadable_tables": [table_id for table_id in seats if table_id not in readable],
            **{part.name: await part.export(person.id) for part in self._parts},
        }
        return msgspec.json.format(msgspec.json.encode(document), indent=2)

    # erasing

    async def erase(self, person: Person) -> int:
        """Forget a person; returns how many tables could not be read, and hence still tell of them."""
        keys = await self._store.keys_of(person.id)
        kept = await self._store.person(person.id) or person
        names = {kept.name, person.name} - {""}
        homes = tuple(place for key in keys for place in _own_homes(key))
        # First the places that are theirs alone, so that nothing is shown there any more. The keys go last: whatever
        # ends the process in between, the person can ask again.
        await self._store.erase_person(Erasure("", homes=homes))
        left = await self._leave_all(person, names, keys)
        for part in self._parts:
            await part.erase(person.id)
        for _ in range(_MOST_ROUNDS):
            await self._store.erase_person(Erasure(person.id, tuple(names), _own_places(keys), homes))
            # Somebody who sat down meanwhile with another device leaves once more.
            seats = await self._store.seats_of(person.id)
            if not seats:
                break
            left |= await self._leave_all(person, names, keys)
        # A match that has ended meanwhile may have been noted with them still among its players.
        for part in self._parts:
            await part.erase(person.id)
        log.info("privacy.erased", left=len(left))
        return len(left)

    async def _leave_all(self, person: Person, names: set[str], keys: Sequence[str]) -> set[str]:
        """Take a person away from all tables; returns those that could not be read."""
        left: set[str] = set()
        for _ in range(_MOST_ROUNDS):
            told = await self._told(person, names, keys)
            if not any([await self._leave(table_id, person, names, keys, left) for table_id in told]):
                break
        return left

    async def _told(self, person: Person, names: set[str], keys: Sequence[str]) -> list[str]:
        """The tables that may tell of a person."""
        titles = {safe_name(given_title(texts(person.locale), name)) for name in names}
        return list(await self._store.mentioning((person.id, *sorted(names), *sorted(titles), *keys)))

    async def _leave(self, table_id: str, person: Person, names: set[str], keys: Sequence[str], left: set[str]) -> bool:
        """Take a person away from a table; whether that changed it."""
        for _ in range(_MOST_ROUNDS):
            async with self._keeper.lock(table_id):
                try:
                    record = await self._keeper.load(table_id)
                except UnreadableSave:
                    if table_id in await self._store.mentioning((person.id, *keys)):
                        left.add(table_id)
                    return False
                except Unknown:
                    return False
                table = record.table
                names |= {chair.name for chair in table.chairs if chair.person == person.id}
                names |= {chair.left_name for chair in table.chairs if chair.left == person.id}
                after = without(table, person.id, names, keys)
                if after == table:
                    return False
                if table.status is Status.SUSPENDED:
                    left.add(table_id)
                    return False
                if await self._keeper.commit(record, table=after) is not None:
                    return True
        raise StoreBusy("the table keeps changing elsewhere")


def without(table: Table, person_id: str, names: set[str], keys: Sequence[str]) -> Table:
    """A table that does not tell of a person any more.

    Args:
        table: the table.
        person_id: who is forgotten.
        names: what they were called.
        keys: their accounts.
    """
    t = texts(table.locale)
    had_left = any(chair.left == person_id for chair in table.chairs)
    was_there = had_left or table.seat_of(person_id) is not None or table.host == person_id
    if table.seat_of(person_id) is not None and table.status is Status.LOBBY:
        table = lobby.leave(table, person_id)
    elif table.seat_of(person_id) is not None and table.status is Status.PLAYING:
        table = lobby.give_up(table, person_id, table.robot_level)
    chairs: list[Chair] = []
    for number, chair in enumerate(table.chairs):
        if chair.left == person_id:
            # A robot has their seat: whose it was is nobody's any more.
            chair = msgspec.structs.replace(chair, left=None, left_name="", left_how="")
        if chair.person != person_id:
            chairs.append(chair)
            continue
        others = (*chairs, *table.chairs[number + 1 :])
        chairs.append(Chair(unused_name(nobody_name(t), (other.name for other in others))))
    table = without_person(table, person_id)
    host = None if table.host == person_id else table.host
    own = any(table.origin == key or table.origin.startswith(f"{key}:") for key in keys)
    borne = {chair.name.casefold() for chair in chairs}
    gone = {name for name in names if name.casefold() not in borne}
    title = no_title(t) if any(_tells(table, given_title(t, name), name, was_there=was_there) for name in gone) else ""
    return msgspec.structs.replace(
        table,
        chairs=tuple(chairs),
        host=host,
        origin="" if own else table.origin,
        name=title or table.name,
    )


def _tells(table: Table, given: str, name: str, *, was_there: bool) -> bool:
    """Whether a table is called after somebody: by itself, or in words of those who sat there."""
    if table.name in (given, safe_name(given)):
        return True
    return was_there and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", table.name, re.IGNORECASE) is not None


def asked_of_data(token: str) -> Intent | None:
    """The intent of the presses that are about what is kept of the presser; None for all others."""
    try:
        intent = read_token(token)
    except TokenError:
        return None
    return intent if intent.verb in (Verb.MY_DATA, Verb.ERASE) else None


def mark_of(person_id: str) -> str:
    """What stands for a person in a button that only they may press."""
    return hashlib.sha256(f"erase:{person_id}".encode()).hexdigest()[:12]


def _account(key: str) -> dict[str, str]:
    platform, _, account = key.partition(":")
    return {"platform": platform} if platform in _SECRET_ACCOUNTS else {"platform": platform, "account": account}


def _own_places(keys: Sequence[str]) -> tuple[str, ...]:
    """The keys of settings that belong to nobody else: those of a private chat."""
    return tuple(place for key in keys for place in (key, f"{key}:alone"))


def _own_homes(key: str) -> tuple[tuple[str, str], ...]:
    """Where tables are shown to nobody else: in a private chat, as a private hand."""
    platform, _, account = key.partition(":")
    return (platform, account), (platform, f"{PERSONAL_PLACE}{account}")


def _seat(record: Record, person_id: str) -> dict[str, object]:
    table, match = record.table, record.match
    seat = table.seat_of(person_id)
    return {
        "code": table.code,
        "table": table.name,
        "status": table.status,
        "rules": table.rules.id,
        "seating": table.seating,
        "pace": table.pace,
        "opened": _time(table.created_ms),
        "started": _time(table.started_ms),
        "host": table.host == person_id,
        "seat": seat,
        "name": table.chairs[seat].name if seat is not None else "",
        "deals": 0 if match is None else match.deals,
        "totals": () if match is None else match.totals,
        "winner": None if match is None else match.winner,
    }


def _time(ms: int | None) -> str | None:
    return None if not ms else datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


class Upkeep:
    """Drops what need not be kept any longer: at the start, and once a day."""

    def __init__(self, store: Store, clock: Clock, keep_days: int) -> None:
        """``keep_days`` is how long closed matches keep their plays; 0 for ever."""
        self._store = store
        self._clock = clock
        self._keep_days = keep_days
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, beside everything else."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="upkeep")

    async def stop(self) -> None:
        """Stop; what is being dropped is dropped."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                if not await self._store.leases.only(_DUTY):
                    await self._clock.sleep(RETRY_SECONDS)
                    continue
                await self.once()
            except StoreError as error:
                log.warning("upkeep.store", error=str(error))
                await self._clock.sleep(RETRY_SECONDS)
            except Exception:
                log.exception("upkeep.failed")
                await self._clock.sleep(DAY_SECONDS)
            else:
                await self._clock.sleep(DAY_SECONDS)

    async def once(self) -> None:
        """Drop what is too old; the room that this leaves is given back."""
        now = self._clock.now_ms()
        presses = await self._store.forget_presses(now - PRESS_DAYS * _DAY_MS)
        letters = await self._store.forget_letters(now - KEPT_DAYS * _DAY_MS)
        matches = await self._store.forget_matches(now - self._keep_days * _DAY_MS) if self._keep_days else 0
        # Databases from before anything was overwritten on deletion still have the past in their free pages.
        first = await self._store.note(_TIDIED) is None
        if matches or first:
            await self._store.tidy()
        if first:
            await self._store.write_note(_TIDIED, str(now))
        log.info("upkeep.done", presses=presses, letters=letters, matches=matches)
