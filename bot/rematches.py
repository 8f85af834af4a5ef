"""Another match of the same table: same rules and places, a new lobby in which the former players find their sides."""

from collections.abc import Awaitable, Callable

import msgspec

from bot.keeper import Keeper
from bot.model import Person, Status, Table
from bot.presenter.notices import not_over_text, rematch_text
from bot.screens import Answer
from bot.store import Record
from bot.texts import Texts
from bot.tokens import ANY_SIDE, Intent, Verb, write_token

OpenAgain = Callable[[Person, Table, str], Awaitable[Record]]
"""Opens a table like another one, with a person as its host, for a press."""
Press = Callable[[Person, str, str], Awaitable[Answer]]


class Rematches:
    """Opens one rematch a table, however many press for it; the others sit down at it."""

    def __init__(self, keeper: Keeper, open_again: OpenAgain, press: Press) -> None:
        self._keeper = keeper
        self._open_again = open_again
        self._press = press

    async def press(self, t: Texts, person: Person, table_id: str, press_id: str) -> Answer:
        """What pressing for a rematch leads to: a seat at the new table.

        Raises:
            Unknown: there is no such table.
            StoreBusy: nothing could be kept.
        """
        async with self._keeper.lock(table_id):
            record = await self._keeper.load(table_id)
            table = record.table
            if table.status is not Status.OVER:
                return Answer(not_over_text(t), ok=False)
            if table.rematch:
                record_id = table.rematch
                opened = None
            else:
                opened = await self._open_again(person, table, press_id)
                record_id = opened.table.id
                await self._keeper.commit(record, table=msgspec.structs.replace(table, rematch=record_id))
        seat = table.seat_of(person.id)
        side = (str(table.seating.side_of(seat)),) if seat is not None and table.seating.in_pairs else ()
        if opened is not None and not side:
            intent = Intent(record_id, 0, Verb.SHOW_TABLE)
        else:
            # Whoever has played here may sit down at the next one, also where it is private.
            code = (await self._keeper.load(record_id)).table.code if table.private else ""
            intent = Intent(record_id, 0, Verb.JOIN, (*(side or (ANY_SIDE,)), code) if code else side)
        answer = await self._press(person, write_token(intent), f"{press_id}:rematch")
        return msgspec.structs.replace(answer, text=rematch_text(t, table), ok=True) if opened is not None else answer
