"""The client: what comes from Discord's gateway goes to the desk, the presses and the boards."""

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import Any

import discord
import structlog
from discord import app_commands

from adapters.discord.answers import Answers
from adapters.discord.boards import Boards
from adapters.discord.commands import add_commands
from adapters.discord.desk import FrontDesk
from adapters.discord.emojis import CardEmojis
from adapters.discord.notices import Notices
from adapters.discord.people import PLATFORM
from adapters.discord.pressing import Presses
from adapters.discord.refusals import Refusals
from adapters.discord.sessions import check_sessions
from adapters.discord.sync import sync_if_changed
from adapters.discord.translator import CommandTranslator
from bot.app import App
from bot.desk import PictureDesk
from bot.leases import turn
from bot.model import Home
from bot.presenter.chat import no_board_text
from bot.texts import Texts

log = structlog.get_logger(__name__)

RIGHTS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
    use_external_emojis=True,
)
"""What the invitation asks for: exactly what is used."""


class BuracoClient(discord.Client):
    """Connects, registers commands, and hands on what happens. It asks for no privileged intent."""

    def __init__(
        self,
        app: App,
        desk: PictureDesk,
        emojis: CardEmojis,
        *,
        on_ready_once: Callable[["BuracoClient"], None] = lambda _: None,
        knows_servers: bool = True,
        refusals: Refusals | None = None,
        **options: Any,
    ) -> None:
        """Prepare a client.

        Args:
            app: the application.
            desk: draws the pictures.
            emojis: the cards' emojis.
            on_ready_once: called when the first connection stands.
            knows_servers: whether the gateway tells which servers the bot is in.
            refusals: counts what Discord refuses, over all clients of the process.
            options: discord.Client's.
        """
        refusals = refusals or Refusals()
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            **{"http_trace": refusals.trace(), **options},
        )
        self._app = app
        self._emojis = emojis
        self._on_ready_once = on_ready_once
        self.knows_servers = knows_servers
        self._loading: asyncio.Task[None] | None = None
        self.answers = Answers(app, desk, emojis, self.place_name)
        self.boards = Boards(self, desk, emojis, Notices(app))
        self.presses = Presses(app, self.answers, self.boards.pressed)
        self.tree = app_commands.CommandTree(self)
        desk_of_commands = FrontDesk(app, self.answers, self.boards, self.invitation)
        add_commands(self.tree, desk_of_commands)
        self.tree.error(desk_of_commands.failed)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Before a session is begun, at first and whenever one is lost: only if there are some left today.

        Raises:
            SessionsSpent: there are none; the library tries again, ever more slowly.
        """
        await check_sessions(self.http)
        await super().before_identify_hook(shard_id, initial=initial)

    async def setup_hook(self) -> None:
        """Before the first connection: the commands."""
        translator = CommandTranslator()
        await self.tree.set_translator(translator)
        try:
            await sync_if_changed(self._app, self.tree, translator)
        except discord.HTTPException as error:
            # The commands of before are still there; the next start tries again.
            log.error("discord.commands_refused", status=error.status, code=error.code)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """A press: the component's id says everything, whatever its message holds by now.

        discord.py's own ``DynamicItem`` would do, but drops presses of components that have just been edited away.
        """
        if interaction.type is discord.InteractionType.component:
            data: Any = interaction.data or {}
            await self.presses.pressed(interaction, str(data.get("custom_id", "")))

    def take(self, data: Any) -> None:
        """Take in an interaction from elsewhere than the gateway; it is answered like any other."""
        self._connection.parse_interaction_create(data)

    async def on_ready(self) -> None:
        """The gateway's session stands; after a lost session this comes again."""
        log.info("discord.ready", guilds=len(self.guilds))
        self._app.reconnected(PLATFORM)
        if self._loading is None:
            self._loading = asyncio.create_task(self._load_emojis(), name="discord emojis")
            self._on_ready_once(self)

    async def _load_emojis(self) -> None:
        # Of several processes that start at once, one uploads what is missing, and the others find it there.
        async with turn(self._app.leases, f"{PLATFORM}:emojis"):
            await self._emojis.load(self)

    async def on_resumed(self) -> None:
        """The gateway's session goes on after an interruption, in which something may not have been shown."""
        self._app.reconnected(PLATFORM)

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote: the table's message goes up. What was written is neither read nor kept."""
        if self.user is None or message.author.id != self.user.id:
            self.boards.written(message.channel.id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message is gone; one that showed a table comes back once."""
        self._revive({payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many messages are gone at once."""
        self._revive(payload.message_ids)

    def _revive(self, message_ids: Iterable[int]) -> None:
        for message_id in message_ids:
            home = self.boards.deleted(message_id)
            if home is not None:
                log.info("discord.board_deleted", table=home.table_id)
                self._app.show_again(home)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """A channel has changed, perhaps what the bot may do in it."""
        del before
        await self._try_again(after.guild.id, str(after.id))

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread has changed, perhaps from closed to open."""
        await self._try_again(payload.guild_id, str(payload.thread_id))

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A role has changed, perhaps one of the bot's."""
        del before
        await self._try_again(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot's own roles have changed: of nobody else is it told."""
        del before
        await self._try_again(after.guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        await self._try_again(guild.id)

    async def _try_again(self, guild: int, place: str = "") -> None:
        """Show the tables in places that were closed and may not be any more."""
        for closed in self.boards.reopened(guild, place):
            for table_id in await self._app.tables_at(PLATFORM, closed):
                self._app.show_again(Home(table_id, PLATFORM, closed))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was sent away: its matches go on, from direct messages or other places."""
        log.info("discord.guild_left", guild=guild.id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """An error in an event: logged without what the event carries."""
        del args, kwargs
        log.error("discord.event_failed", name=event_method, exc_info=sys.exc_info())

    async def close(self) -> None:
        """Disconnect; what is being uploaded is left for the next start."""
        # The library forgets its own task that waits for the last servers; closed meanwhile, it would fail alone.
        readying: asyncio.Task[None] | None = getattr(self._connection, "_ready_task", None)
        tasks = [task for task in (self._loading, readying) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await super().close()

    def place_name(self, place: str, t: Texts) -> str:
        """The server and channel of a home's place, or that nothing can be shown there; empty where it is not known."""
        if self.boards.is_closed(place):
            return no_board_text(t)
        channel = self.get_channel(int(place)) if place.isdecimal() else None
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return ""
        return f"{channel.guild.name} · #{channel.name}"

    def invitation(self) -> str:
        """The address at which somebody brings the bot to a server; empty before the application is known."""
        if self.application_id is None:
            return ""
        return discord.utils.oauth_url(self.application_id, permissions=RIGHTS, scopes=("bot", "applications.commands"))
