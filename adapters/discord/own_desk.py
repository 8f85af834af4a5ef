"""What people ask about themselves: finished matches, coins, settings, what is kept of them."""

import discord

from adapters.discord.answering import Desk, answered
from adapters.discord.people import (
    PLATFORM,
    key_of,
    met,
    origin_of,
    texts_of,
)
from bot.presenter.profile import hidden_profile_text
from bot.tokens import NO_TABLE, Intent, Verb, write_token


class OwnDesk(Desk):
    """Answers the commands about people and their matches."""

    @answered
    async def profile(self, interaction: discord.Interaction, user_id: int | None) -> None:
        """A person's profile, to the one who asks alone."""
        person = await met(self._app, interaction)
        about = person if user_id is None else await self._app.person(key_of(user_id))
        if about is None:
            await self.answers.say(interaction, hidden_profile_text(texts_of(interaction)))
            return
        answer = await self._app.profile(person, about.id)
        await self.answers.give(interaction, person, answer, in_place=True)

    @answered
    async def ranking(self, interaction: discord.Interaction) -> None:
        """The server's ranking."""
        person = await met(self._app, interaction)
        answer = await self._app.ranking(person, origin_of(interaction))
        await self.answers.give(interaction, person, answer, in_place=True)

    @answered
    async def coins(self, interaction: discord.Interaction) -> None:
        """The coins that the person has in the server."""
        person = await met(self._app, interaction)
        answer = await self._app.purse(person, origin_of(interaction))
        await self.answers.give(interaction, person, answer, in_place=True)

    @answered
    async def history(self, interaction: discord.Interaction) -> None:
        """The finished matches of whoever asks."""
        person = await met(self._app, interaction)
        await self.answers.give(interaction, person, await self._app.history(person), in_place=True)

    # what is the person's own

    @answered
    async def own(self, interaction: discord.Interaction, verb: Verb) -> None:
        """The person's own settings, all that is kept of them as a file, or the question whether it shall go."""
        person = await met(self._app, interaction)
        answer = await self._app.press(
            person, write_token(Intent(NO_TABLE, 0, verb)), f"{verb}:{interaction.id}", via=PLATFORM
        )
        await self.answers.give(interaction, person, answer, in_place=True)
