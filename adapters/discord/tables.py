"""Which table a command is about, and opening one: in the channel, in a thread, or for one person alone."""

from collections.abc import Sequence

import discord

from adapters.discord.limits import THREAD_NAME
from adapters.discord.people import PLATFORM
from bot.app import App
from bot.commands import WantedTable
from bot.keeper import Unknown
from bot.model import Home, Person, Status
from bot.store import Record
from bot.tokens import Intent, Verb, write_token


class Tables:
    """Finds and opens tables for commands."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def by_code(self, code: str) -> Record | None:
        """The table with a code; None where there is none."""
        try:
            found = await self._app.records_of([await self._app.find(code[:32])])
        except Unknown:
            return None
        return found[0] if found else None

    async def here(self, interaction: discord.Interaction, person: Person) -> list[Record]:
        """The open tables of the channel, those of the person first, else the newest first."""
        if interaction.channel_id is None:
            return []
        ids = await self._app.tables_at(PLATFORM, str(interaction.channel_id))
        records = await self._app.records_of(ids)
        return sorted(records, key=lambda record: record.table.seat_of(person.id) is None)

    async def of_person(self, person: Person) -> list[Record]:
        """The open tables at which a person sits, the longest unchanged first."""
        return await self._app.records_of(await self._app.tables_of(person.id))

    async def playing(self, interaction: discord.Interaction, person: Person) -> list[Record]:
        """The tables at which the person holds cards: those of the channel, or else all."""
        mine = [record for record in await self.of_person(person) if record.table.status is Status.PLAYING]
        here = {record.table.id for record in await self.here(interaction, person)}
        return [record for record in mine if record.table.id in here] or mine

    async def open(self, person: Person, wanted: WantedTable, home: Home | None, press_id: str, origin: str) -> Record:
        """Open a table as it was asked for."""
        return await self._app.open_table(
            person,
            ruleset_id=wanted.ruleset_id,
            seating=wanted.seating,
            options=wanted.options,
            pace=wanted.pace,
            stake=wanted.stake,
            private=wanted.private,
            name=wanted.name,
            home=home,
            origin=origin,
            press_id=press_id,
        )


def home_in(channel_id: int) -> Home:
    """A channel as a home; the table's id is filled in when it is opened."""
    return Home("", PLATFORM, str(channel_id))


async def new_thread(interaction: discord.Interaction, name: str) -> discord.Thread | None:
    """A public thread for a table; None where the channel has no threads.

    Raises:
        discord.HTTPException: Discord refuses.
    """
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        return None
    return await channel.create_thread(name=name[:THREAD_NAME] or "Buraco", type=discord.ChannelType.public_thread)


def token_for(record: Record, verb: Verb, *arguments: str) -> str:
    """The token of a verb at a table as it stands."""
    return write_token(Intent(record.table.id, record.version, verb, arguments))


def only(records: Sequence[Record]) -> Record | None:
    """The record, where there is exactly one."""
    return records[0] if len(records) == 1 else None
