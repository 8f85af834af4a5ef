"""Who may not sit down where: those who keep order in a server or group decide for its tables, everybody for their own.

A block keeps somebody from sitting down, opening a table and taking a seat over, however they come: by button, by code,
from another place. Whoever sits there already stays.
"""

from bot.blocks import PERSONAL, Block, personal
from bot.clock import Clock
from bot.commands import CommandError, CommandProblem
from bot.lobby import LobbyError, LobbyProblem
from bot.model import Person, Table
from bot.presenter import blocks as words
from bot.screens import Answer, Screen
from bot.store import Store
from bot.texts import Texts, texts
from bot.tokens import Intent, TokenError, Verb


class Blocking:
    """Keeps block lists and refuses whom they name."""

    name = "blocks"

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    # refusing

    async def check_seat(self, table: Table, person: Person) -> None:
        """Refuse somebody a seat at a table.

        Raises:
            LobbyError: they are blocked where the table was opened, or by its host.
        """
        if table.seat_of(person.id) is not None:
            return
        if await self.is_blocked(table.origin, person):
            raise LobbyError(LobbyProblem.BLOCKED)
        if table.host is not None and await self._store.is_blocked(personal(table.host), person.id):
            raise LobbyError(LobbyProblem.BLOCKED_BY_HOST)

    async def check_opening(self, origin: str, person: Person) -> None:
        """Refuse somebody a table in a server or group.

        Raises:
            CommandError: they are blocked there.
        """
        if await self.is_blocked(origin, person):
            raise CommandError(CommandProblem.BLOCKED)

    async def is_blocked(self, origin: str, person: Person) -> bool:
        """Whether somebody may not sit down at the tables of a server or group."""
        return bool(origin) and await self._store.is_blocked(origin, person.id)

    # the lists of servers and groups; whether whoever asks may, the platform has judged

    async def block(self, asker: Person, origin: str, person: Person) -> Answer:
        """Keep a person from the tables of a server or group."""
        t = texts(asker.locale)
        if person.id == asker.id:
            return Answer(words.not_oneself_text(t), ok=False)
        await self._store.block(Block(origin, person.id, self._clock.now_ms()))
        return Answer(words.blocked_text(t, person.name))

    async def unblock(self, asker: Person, origin: str, person: Person) -> Answer:
        """Let a person sit down again."""
        t = texts(asker.locale)
        if not await self._store.unblock(origin, person.id):
            return Answer(words.not_blocked_text(t, person.name), ok=False)
        return Answer(words.unblocked_text(t, person.name))

    async def unblock_named(self, asker: Person, origin: str, typed: str) -> Answer:
        """Let the person sit down again who is on the list under a name or number."""
        listed = await self._people(origin)
        wanted = typed.strip().casefold()
        found = [person for number, person in enumerate(listed, 1) if wanted in (f"{number}", person.name.casefold())]
        if len(found) != 1:
            return Answer(screen=await self.listed(asker, origin), ok=False)
        return await self.unblock(asker, origin, found[0])

    async def listed(self, asker: Person, origin: str) -> Screen:
        """Who may not sit down in a server or group."""
        return words.blocked_screen(texts(asker.locale), [person.name for person in await self._people(origin)])

    async def renamed(self, origin: str, to: str) -> None:
        """A place is called otherwise from now on."""
        await self._store.copy_blocks(origin, to)

    async def _people(self, owner: str) -> list[Person]:
        found = [await self._store.person(block.person) for block in await self._store.blocked(owner)]
        return [person for person in found if person is not None]

    # one's own list

    async def press(self, t: Texts, person: Person, table: Table, version: int, intent: Intent) -> Answer:
        """Ask with whom somebody does not want to play at their own tables, or settle it.

        Raises:
            TokenError: the press makes no sense.
        """
        own = personal(person.id)
        shunned = {other.id: other.name for other in await self._people(own)}
        there = {chair.person: chair.name for chair in table.chairs if chair.person not in (None, person.id)}
        told = ""
        if intent.arguments:
            other, shun = _settled(intent)
            if shun and other in there:
                await self._store.block(Block(own, other, self._clock.now_ms()))
                shunned[other] = there[other]
                told = words.shunned_text(t, shunned[other])
            elif not shun and other in shunned:
                await self._store.unblock(own, other)
                told = words.welcome_text(t, shunned.pop(other))
        new = [(other, name) for other, name in there.items() if other not in shunned]
        screen = words.shunning_screen(t, table, version, new, list(shunned.items()))
        return Answer(told, screen=screen)

    # what is kept of a person; see :class:`bot.privacy.Part`

    async def export(self, person_id: str) -> object:
        """Where a person is blocked, and how many they block. It tells nothing of other people."""
        places = [block for block in await self._store.blocks_of(person_id) if not block.owner.startswith(PERSONAL)]
        return {
            "blocked_in": [{"place": block.owner, "since_ms": block.at_ms} for block in places],
            "people_you_block": len(await self._store.blocked(personal(person_id))),
        }

    async def erase(self, person_id: str) -> None:
        """Forget the lists that a person is on, and their own."""
        await self._store.forget_blocks(person_id)


def _settled(intent: Intent) -> tuple[str, bool]:
    match intent.arguments:
        case (other, "1" | "0" as shun):
            return other, shun == "1"
        case _:
            raise TokenError(Verb.SHUN)
