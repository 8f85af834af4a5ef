"""The front desk: what each command does, told in terms of the application."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import discord
import msgspec
import structlog
from discord import app_commands

from adapters.discord.answering import answered
from adapters.discord.answers import Answers
from adapters.discord.boards import Boards
from adapters.discord.own_desk import OwnDesk
from adapters.discord.people import (
    PLATFORM,
    channels_of,
    is_group_place,
    met,
    missing_rights,
    moderated,
    origin_of,
    place_key,
    texts_of,
)
from adapters.discord.place_desk import PlaceDesk
from adapters.discord.tables import Tables, home_in, new_thread, only, token_for
from adapters.discord.text import plain
from bot.app import App
from bot.commands import CommandError, CommandProblem, WantedTable, default_rules, find_ruleset, nearest, wanted_table
from bot.model import Home, Person
from bot.presenter import commands as words
from bot.presenter import notices
from bot.presenter.chat import in_thread_text, only_here_text, rights_missing_text
from bot.store import Record
from bot.tokens import ANY_SIDE, Verb

log = structlog.get_logger(__name__)


class FrontDesk(PlaceDesk, OwnDesk):
    """Answers the commands."""

    def __init__(self, app: App, answers: Answers, boards: Boards, invite: Callable[[], str]) -> None:
        """``invite`` gives the address that brings the bot to a server; empty while it is not known."""
        super().__init__(app, answers)
        self._boards = boards
        self._tables = Tables(app)
        self._invite = invite

    async def failed(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        """A command that did not even get here: one that is not known any more, or options that make no sense."""
        error_id = secrets.token_hex(4)
        log.error("discord.command_unknown", error_id=error_id, error=repr(error))
        await self.answers.acknowledge(interaction)
        try:
            await self.answers.say(interaction, notices.failed_text(texts_of(interaction), error_id))
        except discord.HTTPException as late:
            log.warning("discord.no_apology", code=late.code)

    # opening and joining

    @answered
    async def open(
        self,
        interaction: discord.Interaction,
        typed: Sequence[str],
        asked: Mapping[str, Any],
        *,
        thread: bool | None,
    ) -> None:
        """Open a table: here, in a thread of its own, or for one person alone.

        ``asked`` are fields of :class:`bot.commands.WantedTable` that were chosen apart from the words.
        """
        settings = await self._app.place_settings(place_key(interaction))
        wanted = wanted_table(typed, settings)
        wanted = msgspec.structs.replace(wanted, **{name: value for name, value in asked.items() if value is not None})
        person = await met(self._app, interaction)
        if not is_group_place(interaction):
            await self._open_alone(interaction, person, wanted)
            return
        await self._app.blocking.check_opening(place_key(interaction), person)
        t = texts_of(interaction)
        if settings.channel and settings.channel not in channels_of(interaction):
            await self.answers.say_marked(interaction, words.elsewhere_text(t, f"<#{settings.channel}>"))
            return
        in_thread = (settings.threads if thread is None else thread) and isinstance(
            interaction.channel, discord.TextChannel
        )
        lacking = missing_rights(interaction, thread=in_thread)
        if lacking or interaction.channel_id is None:
            await self.answers.say(interaction, rights_missing_text(t, lacking))
            return
        channel_id = interaction.channel_id
        if in_thread:
            opened = await new_thread(interaction, person.name)
            if opened is not None:
                channel_id = opened.id
        record = await self._tables.open(
            person, wanted, home_in(channel_id), str(interaction.id), place_key(interaction)
        )
        if record.table.private or channel_id == interaction.channel_id:
            await self.answers.say(interaction, words.opened_text(t, record.table))
        else:
            told = in_thread_text(t, plain(record.table.name), f"<#{channel_id}>")
            await self.answers.say_marked(interaction, told)

    async def _open_alone(self, interaction: discord.Interaction, person: Person, wanted: WantedTable) -> None:
        """A table against robots, begun at once, where nobody else could sit down."""
        record = await self._tables.open(person, wanted, None, str(interaction.id), "")
        answer = await self._app.press(person, token_for(record, Verb.START), f"start:{interaction.id}", via=PLATFORM)
        t = texts_of(interaction)
        if answer.screen is None or not answer.ok:
            await self.answers.say(interaction, answer.text)
            return
        await self.answers.show(interaction, person, answer.screen, in_place=True)
        told = only_here_text(t) if interaction.guild_id is not None else words.solo_text(t)
        await self.answers.invite(interaction, told, words.invite_label(t), self._invite())

    @answered
    async def join(self, interaction: discord.Interaction, code: str) -> None:
        """Sit down at the table with a code."""
        person = await met(self._app, interaction)
        record = await self._tables.by_code(code)
        if record is None:
            await self.answers.say(interaction, notices.unknown_table_text(texts_of(interaction)))
            return
        await self._press(interaction, person, record, Verb.JOIN, ANY_SIDE, record.table.code)

    # looking

    @answered
    async def hand(self, interaction: discord.Interaction) -> None:
        """Show the person's cards."""
        person = await met(self._app, interaction)
        t = texts_of(interaction)
        records = await self._tables.playing(interaction, person)
        record = only(records)
        if record is not None:
            await self._press(interaction, person, record, Verb.SHOW_HAND)
        elif records:
            await self.answers.show(interaction, person, words.tables_screen(t, records, person), in_place=True)
        else:
            await self.answers.say(interaction, words.no_hand_text(t))

    @answered
    async def mine(self, interaction: discord.Interaction) -> None:
        """List the person's tables."""
        person = await met(self._app, interaction)
        records = await self._tables.of_person(person)
        screen = words.tables_screen(texts_of(interaction), records, person)
        await self.answers.show(interaction, person, screen, in_place=True)

    @answered
    async def waiting(self, interaction: discord.Interaction) -> None:
        """List the server's tables at which somebody can sit down."""
        person = await met(self._app, interaction)
        await self.answers.give(
            interaction, person, await self._app.waiting(person, origin_of(interaction)), in_place=True
        )

    @answered
    async def board(self, interaction: discord.Interaction, code: str | None) -> None:
        """Show the table anew, at the bottom of the channel; to one person alone where the bot may not write."""
        person = await met(self._app, interaction)
        record = await self._about(interaction, person, code, Verb.SHOW_TABLE)
        if record is None:
            return
        t = texts_of(interaction)
        if not is_group_place(interaction) or interaction.channel_id is None:
            await self._press(interaction, person, record, Verb.SHOW_TABLE)
            return
        lacking = missing_rights(interaction)
        if lacking:
            screen = await self._app.public_screen(record.table.id, person.id)
            note = rights_missing_text(t, lacking)
            if screen is not None:
                await self.answers.show(interaction, person, screen, note=note, in_place=True)
            return
        home = Home(record.table.id, PLATFORM, str(interaction.channel_id))
        await self._app.add_home(home)
        self._boards.post_anew(home)
        self._app.show_again(home)
        await self.answers.say(interaction, words.shown_here_text(t))

    @answered
    async def table_rules(self, interaction: discord.Interaction, code: str | None) -> None:
        """All rules of a table."""
        person = await met(self._app, interaction)
        record = await self._about(interaction, person, code, Verb.RULES)
        if record is not None:
            await self._press(interaction, person, record, Verb.RULES)

    @answered
    async def rules(self, interaction: discord.Interaction, asked: str | None, typed: str | None) -> None:
        """The rule book: by the named rule set, else by the rules of the channel's table, else by the server's."""
        person = await met(self._app, interaction)
        here = await self._tables.here(interaction, person)
        table_id = here[0].table.id if here and not typed else ""
        rules = default_rules(await self._app.place_settings(place_key(interaction)))
        if typed:
            found = find_ruleset(typed)
            if found is None:
                raise CommandError(CommandProblem.UNKNOWN_WORD, word=typed[:40], near=nearest(typed))
            rules = found
        answer = await self._app.look_up(person, asked or "", table_id=table_id, ruleset_id=rules.id)
        await self.answers.give(interaction, person, answer, in_place=True)

    # leaving and ending

    @answered
    async def leave(self, interaction: discord.Interaction, code: str | None) -> None:
        """Leave a table, after a question where the match goes on."""
        person = await met(self._app, interaction)
        t = texts_of(interaction)
        if code is None:
            records = await self._tables.of_person(person)
            here = {record.table.id for record in await self._tables.here(interaction, person)}
            records = [record for record in records if record.table.id in here] or records
            record = only(records)
            if record is None:
                screen = (
                    words.choose_table_screen(t, records, Verb.LEAVE)
                    if records
                    else words.tables_screen(t, records, person)
                )
                await self.answers.show(interaction, person, screen, in_place=True)
                return
        else:
            record = await self._tables.by_code(code)
            if record is None:
                await self.answers.say(interaction, notices.unknown_table_text(t))
                return
        await self._press(interaction, person, record, Verb.LEAVE)

    @answered
    async def end(self, interaction: discord.Interaction, code: str | None) -> None:
        """End a table for everybody, after a question."""
        person = await met(self._app, interaction)
        record = await self._about(interaction, person, code, Verb.END_TABLE)
        if record is None:
            return
        await self._press(interaction, person, record, Verb.END_TABLE)

    # helpers

    async def _press(
        self, interaction: discord.Interaction, person: Person, record: Record, verb: Verb, *arguments: str
    ) -> None:
        """Do what a button of the table would do, and show its answer."""
        token = token_for(record, verb, *arguments)
        press_id, moderates = f"{verb}:{interaction.id}", moderated(interaction)
        answer = await self._app.press(person, token, press_id, moderates=moderates, via=PLATFORM)
        await self.answers.give(interaction, person, answer, in_place=True)

    async def _about(
        self, interaction: discord.Interaction, person: Person, code: str | None, verb: Verb
    ) -> Record | None:
        """The table that a command is about; None where the question which one has been answered with."""
        t = texts_of(interaction)
        if code is not None:
            record = await self._tables.by_code(code)
            if record is None:
                await self.answers.say(interaction, notices.unknown_table_text(t))
            return record
        records = await self._tables.here(interaction, person) or await self._tables.of_person(person)
        mine = [record for record in records if record.table.seat_of(person.id) is not None]
        record = only(mine) or only(records)
        if record is None and records:
            await self.answers.show(
                interaction, person, words.choose_table_screen(t, records[:20], verb), in_place=True
            )
        elif record is None:
            await self.answers.say(interaction, words.no_table_here_text(t))
        return record
