"""Notices: a short new message that pings those who are on turn, and nobody else. The one before goes."""

import hashlib

import discord
import structlog
from discord import ui

from adapters.discord.layout import button
from adapters.discord.limits import CONTENT
from adapters.discord.people import user_of
from adapters.discord.text import fit, plain
from bot.app import App
from bot.presenter.chat import called_text
from bot.screens import Call
from bot.texts import texts

log = structlog.get_logger(__name__)


class Notices:
    """Sends and removes notices."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def send(self, channel: discord.abc.Messageable, table_id: str, call: Call, locale: str) -> int:
        """Call those whom a screen calls, in its language; the notice's id, 0 where none of them is on Discord.

        Raises:
            discord.HTTPException: Discord refuses.
        """
        users = [user for person in call.people if (user := await self._user(person)) is not None]
        if not users:
            return 0
        mentions = [f"<@{user}>" for user in users]
        view = ui.View(timeout=None)
        view.add_item(button(call.choice))
        view.stop()
        nonce = hashlib.blake2s(f"{table_id}:{call.key}".encode(), digest_size=12).hexdigest()
        # Only the sentence may hold what people chose as names; the mentions are ours.
        content = called_text(texts(locale), mentions, plain(call.text))
        sent = await channel.send(
            fit(content, CONTENT),
            view=view,
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(user) for user in users]
            ),
        )
        return sent.id

    async def remove(self, channel: discord.PartialMessageable, notice: int) -> None:
        """Take a notice away that has served."""
        try:
            await channel.get_partial_message(notice).delete()
        except discord.HTTPException as error:
            if error.status != 404:
                log.info("discord.notice_stays", code=error.code)

    async def _user(self, person_id: str) -> int | None:
        keys = await self._app.keys_of(person_id)
        return next((user for key in keys if (user := user_of(key)) is not None), None)
