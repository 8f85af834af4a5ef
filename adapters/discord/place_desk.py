"""What a server settles: its settings, and who may not sit down at its tables."""

from collections.abc import Mapping
from typing import Any

import discord
import msgspec

from adapters.discord.answering import Desk, answered
from adapters.discord.people import (
    channel_name,
    is_manager,
    key_of,
    met,
    place_key,
    texts_of,
)
from bot.commands import CommandError, CommandProblem, find_ruleset, nearest
from bot.presenter import commands as words


class PlaceDesk(Desk):
    """Answers the commands of those who keep order."""

    @answered
    async def settings(
        self,
        interaction: discord.Interaction,
        *,
        hand_order: str | None,
        suit_colours: str | None,
        rules: str | None,
        place: Mapping[str, Any],
    ) -> None:
        """Change settings where some are named, and show them.

        ``place`` are fields of :class:`bot.model.PlaceSettings`; None leaves one as it is.
        """
        t = texts_of(interaction)
        person = await met(self._app, interaction)
        if hand_order or suit_colours:
            person = await self._app.prefer(person, hand_order=hand_order, suit_colours=suit_colours)
        key = place_key(interaction)
        settled = await self._app.place_settings(key)
        wanted = dict(place)
        if rules is not None:
            found = find_ruleset(rules)
            if found is None:
                raise CommandError(CommandProblem.UNKNOWN_WORD, word=rules[:40], near=nearest(rules))
            wanted["ruleset_id"] = found.id
        changes = {name: value for name, value in wanted.items() if value is not None}
        if changes and interaction.guild_id is not None and not is_manager(interaction):
            await self.answers.say(interaction, words.only_moderators_text(t))
            return
        if changes:
            settled = msgspec.structs.replace(settled, **changes)
            await self._app.save_place_settings(key, settled)
        note = words.saved_text(t) if changes or hand_order or suit_colours else ""
        channel = channel_name(interaction, settled.channel)
        in_server = interaction.guild_id is not None
        screen = words.settings_screen(t, person, settled, has_threads=in_server, channel=channel)
        await self.answers.show(interaction, person, screen, note=note, in_place=True)

    # who may not sit down

    @answered
    async def block(self, interaction: discord.Interaction, user: discord.User | discord.Member, *, yes: bool) -> None:
        """Keep somebody from the server's tables, or let them sit down again."""
        person = await met(self._app, interaction)
        if not is_manager(interaction):
            await self.answers.say(interaction, words.only_moderators_text(texts_of(interaction)))
            return
        other = await self._app.meet(key_of(user.id), user.display_name)
        settle = self._app.blocking.block if yes else self._app.blocking.unblock
        answer = await settle(person, place_key(interaction), other)
        await self.answers.say(interaction, answer.text)

    @answered
    async def blocked(self, interaction: discord.Interaction) -> None:
        """Who may not sit down at the server's tables."""
        person = await met(self._app, interaction)
        if not is_manager(interaction):
            await self.answers.say(interaction, words.only_moderators_text(texts_of(interaction)))
            return
        screen = await self._app.blocking.listed(person, place_key(interaction))
        await self.answers.show(interaction, person, screen, in_place=True)
