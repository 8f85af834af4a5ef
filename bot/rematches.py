"""Another match of the same people: a new lobby in which they find their sides.

The same again, with other partners, or by other rules. There is one rematch a table, of the kind that was pressed
first; whoever presses after that sits down at it.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from bot.keeper import Keeper
from bot.model import Person, Status, Table
from bot.presenter.notices import not_over_text, rematch_text
from bot.presenter.rematches import other_rules_screen, other_seating_screen
from bot.reading import rules_of_mark
from bot.rotation import can_turn, side_of, turned
from bot.screens import Answer, Screen
from bot.store import Record
from bot.texts import Texts
from bot.tokens import ANY_SIDE, Intent, TokenError, Verb, write_token
from engine.seating import Seating


class Again(msgspec.Struct, frozen=True):
    """The table that is to be opened after another one."""

    ruleset_id: str
    seating: Seating
    options: Mapping[str, Any]
    circle: tuple[str, ...] = ()
    """Where partners change: see :class:`bot.model.Table`."""
    round: int = 0


OpenAgain = Callable[[Person, Table, Again, str], Awaitable[Record]]
"""Opens a table after another one, with a person as its host, for a press."""
Press = Callable[[Person, str, str], Awaitable[Answer]]


class Rematches:
    """Opens one rematch a table, however many press for it; the others sit down at it."""

    def __init__(self, keeper: Keeper, open_again: OpenAgain, press: Press) -> None:
        self._keeper = keeper
        self._open_again = open_again
        self._press = press

    async def press(self, t: Texts, person: Person, intent: Intent, press_id: str) -> Answer:
        """What pressing for a rematch leads to: a seat at the new table, or the question by which rules.

        Raises:
            Unknown: there is no such table.
            TokenError: the press makes no sense.
            CommandError: they may not open a table there.
            StoreBusy: nothing could be kept.
        """
        opened: Record | None = None
        async with self._keeper.lock(intent.table_id):
            record = await self._keeper.load(intent.table_id)
            table = record.table
            if table.status is not Status.OVER:
                return Answer(not_over_text(t), ok=False)
            record_id = table.rematch
            if not record_id:
                wanted = _wanted(t, record, intent)
                if isinstance(wanted, Screen):
                    return Answer(screen=wanted)
                opened = await self._open_again(person, table, wanted, press_id)
                record_id = opened.table.id
                await self._keeper.commit(record, table=msgspec.structs.replace(table, rematch=record_id))
        new = opened or await self._keeper.load(record_id)
        side = _side(table, new.table, person)
        if opened is not None and not side:
            following = Intent(record_id, 0, Verb.SHOW_TABLE)
        else:
            # Whoever has played here may sit down at the next one, also where it is private.
            code = new.table.code
            following = Intent(record_id, 0, Verb.JOIN, (*(side or (ANY_SIDE,)), code) if new.table.private else side)
        answer = await self._press(person, write_token(following), f"{press_id}:rematch")
        return msgspec.structs.replace(answer, text=rematch_text(t, table), ok=True) if opened is not None else answer


def _wanted(t: Texts, record: Record, intent: Intent) -> Again | Screen:
    table = record.table
    same = Again(table.rules.id, table.seating, table.options)
    match intent.arguments:
        case ():
            return same
        case ("r",) if can_turn(table.seating):
            circle, turns = turned(table)
            return msgspec.structs.replace(same, circle=circle, round=turns)
        case ("o",):
            return other_rules_screen(t, table, record.version)
        case ("o", mark):
            rules = rules_of_mark(mark)
            if len(rules.seatings) > 1:
                return other_seating_screen(t, table, record.version, rules)
            return Again(rules.id, rules.seatings[0], {})
        case ("o", mark, seating):
            rules = rules_of_mark(mark)
            found = next((known for known in rules.seatings if known == seating), None)
            if found is not None:
                return Again(rules.id, found, {})
    raise TokenError(intent.verb)


def _side(old: Table, new: Table, person: Person) -> tuple[str, ...]:
    """The side on which somebody sits down at the next table, as an argument; empty where the lot gives it."""
    if new.circle:
        side = side_of(new.circle, new.round, person.id)
        return () if side is None else (str(side),)
    seat = old.seat_of(person.id)
    if seat is None or new.seating is not old.seating or not new.seating.in_pairs:
        return ()
    return (str(old.seating.side_of(seat)),)
