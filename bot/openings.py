"""Tables that a press opens: the guided first deal, and the next match of a table that has ended."""

from bot.commands import DEFAULT_RULESET
from bot.failures import answered
from bot.founding import Founding
from bot.keeper import Keeper
from bot.model import PERSONAL_PLACE, Home, Person, Table
from bot.rematches import Again, Press, Rematches
from bot.screens import Answer
from bot.store import Record
from bot.texts import texts
from bot.tokens import Intent, TokenError, Verb, read_token, write_token
from engine.seating import Seating

_BY_CODE = "web"
"""The platform whose places are called by the tables' codes."""
_OPENING = frozenset({Verb.LESSON, Verb.REMATCH})


class Openings:
    """Opens tables for presses."""

    def __init__(self, keeper: Keeper, founding: Founding, press: Press) -> None:
        self._store = keeper.store
        self._founding = founding
        self._press = press
        self._rematches = Rematches(keeper, self._open_again, press)

    async def press(self, person: Person, intent: Intent, press_id: str) -> Answer:
        """What a press that opens a table comes to; never raises."""
        work = self._opened(person, intent, press_id)
        return await answered(texts(person.locale), work, verb=str(intent.verb))

    async def _opened(self, person: Person, intent: Intent, press_id: str) -> Answer:
        if intent.verb is Verb.LESSON:
            return await self.begin_lesson(person, press_id)
        return await self._rematches.press(texts(person.locale), person, intent, press_id)

    async def begin_lesson(self, person: Person, press_id: str, home: Home | None = None) -> Answer:
        """A guided first deal against a robot, begun at once; the answer's screen is the hand."""
        record = await self._founding.open_table(
            person,
            ruleset_id=DEFAULT_RULESET,
            seating=Seating.ONE_ON_ONE,
            home=home,
            name=texts(person.locale).gettext("Primera partida"),
            lesson=True,
            press_id=press_id,
        )
        token = write_token(Intent(record.table.id, record.version, Verb.START))
        return await self._press(person, token, f"{press_id}:start")

    async def _open_again(self, person: Person, table: Table, again: Again, press_id: str) -> Record:
        """A table after another one, shown in the same places."""
        homes = await self._store.homes(table.id)
        record = await self._founding.open_table(
            person,
            ruleset_id=again.ruleset_id,
            seating=again.seating,
            name=table.name,
            options=again.options,
            pace=table.pace,
            origin=table.origin,
            stake=table.stake,
            private=table.private,
            cutting=table.cutting,
            circle=again.circle,
            turns=again.round,
            press_id=f"rematch:{press_id}",
        )
        for home in (home for home in homes if not home.place.startswith(PERSONAL_PLACE)):
            place = record.table.code if home.platform == _BY_CODE else home.place
            await self._founding.add_home(Home(record.table.id, home.platform, place))
        return record


def opening(token: str) -> Intent | None:
    """The intent of the presses that open a table; None for all others."""
    try:
        intent = read_token(token)
    except TokenError:
        return None
    return intent if intent.verb in _OPENING else None
