"""Answering who asks for a deal again: turn by turn, or as a file. Only of deals that are over, and in private."""

import asyncio
from typing import Final

from bot.bundles import bundle_name, record_name, write_bundle
from bot.history import records_of
from bot.keeper import Keeper
from bot.model import Person, Status, Table
from bot.presenter.replay import (
    Look,
    match_going_on_text,
    no_replay_text,
    record_text,
    replay_hidden_text,
    replay_index_screen,
    replay_screen,
)
from bot.records import write_record
from bot.replays import NoReplay, StillPlayed, ended_deals, moments_of
from bot.screens import Answer, File
from bot.store import Record
from bot.texts import Texts
from bot.tokens import Intent, TokenError, Verb, from_base36

REPLAY_VERBS: Final = frozenset({Verb.REPLAY, Verb.RECORD})
_MOST_DEALS: Final = 10_000


class ReplayDesk:
    """Shows deals again and hands out their records. Nothing is kept between two presses."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def press(self, t: Texts, person: Person, intent: Intent) -> Answer:
        """What a press leads to.

        Raises:
            TokenError: it makes no sense.
            Unknown: there is no such table.
            UnreadableSave: its save cannot be read.
        """
        record = await self._keeper.load(intent.table_id)
        if record.match is None or record.table.status not in (Status.PLAYING, Status.OVER):
            return Answer(no_replay_text(t), ok=False)
        try:
            if intent.verb is Verb.RECORD:
                return await self._record(t, record, intent.arguments)
            return await self._replay(t, person, record, intent.arguments)
        except StillPlayed:
            return Answer(replay_hidden_text(t), ok=False)
        except NoReplay:
            return Answer(no_replay_text(t), ok=False)

    async def _replay(self, t: Texts, person: Person, record: Record, arguments: tuple[str, ...]) -> Answer:
        table = record.table
        events = await self._keeper.store.events(table.id)
        if not arguments:
            deals = await asyncio.to_thread(ended_deals, table.rules, table.seating, events)
            if not deals:
                raise StillPlayed
            return Answer(screen=replay_index_screen(t, table, deals))
        number = _number(arguments[0])
        look = Look(arguments[2]) if len(arguments) > 2 and arguments[2] in set(Look) else Look.TABLE
        # Off the loop: a long match is folded anew for every turn that is looked at.
        moments = await asyncio.to_thread(moments_of, table.rules, table.seating, events, number)
        turn = min(_number(arguments[1]) if len(arguments) > 1 else 0, len(moments) - 1)
        return Answer(screen=replay_screen(t, table, person, moments, number, turn, look))

    async def _record(self, t: Texts, record: Record, arguments: tuple[str, ...]) -> Answer:
        table = record.table
        if not arguments and table.status is not Status.OVER:
            return Answer(match_going_on_text(t), ok=False)
        file = await self._file(table, None if not arguments else _number(arguments[0]))
        return Answer(record_text(t), file=file)

    async def _file(self, table: Table, number: int | None) -> File:
        """A deal's record, or all records of a match.

        Raises:
            NoReplay: the events are not kept any more, or there is no such deal.
            StillPlayed: the deal goes on.
        """
        events = await self._keeper.store.events(table.id)
        if number is not None:
            await asyncio.to_thread(moments_of, table.rules, table.seating, events, number)
        names = [chair.name for chair in table.chairs]
        records = await asyncio.to_thread(
            records_of, table.rules, table.seating, names, events, table.seals, table.code
        )
        if not records:
            raise NoReplay
        if number is None:
            return File(bundle_name(table.code), write_bundle(table.code, records))
        found = next((one for one in records if one.number == number), None)
        if found is None:
            raise NoReplay(number)
        return File(record_name(table.code, number), write_record(found).encode())


def _number(text: str) -> int:
    """A deal or a turn that a token names.

    Raises:
        TokenError: it is no number, or none that there could be.
    """
    try:
        number = from_base36(text)
    except ValueError:
        raise TokenError(text) from None
    if number >= _MOST_DEALS:
        raise TokenError(text)
    return number
