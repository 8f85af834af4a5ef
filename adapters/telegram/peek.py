"""A look at one's hand in the group itself, as a message that only its reader sees (Bot API 10.3, ephemeral messages).

Never more than a convenience: it is tried only where the private chat is closed, and wherever anything is not as it
should be, the private chat is opened instead. A server that does not know ephemeral messages would ignore what asks
for one and post the message for all to read; so a message without any secret goes first, and only if that one came out
as ephemeral does a hand follow.
"""

import asyncio
from typing import Any, Final

import structlog
from telegram import Message
from telegram.constants import ParseMode
from telegram.error import TelegramError

from adapters.telegram.api import Api
from adapters.telegram.keyboard import keyboard, link
from adapters.telegram.limits import CAPTION
from adapters.telegram.markup import escaped, titled
from adapters.telegram.press import Press
from bot.desk import PictureDesk, PictureFailed
from bot.pictures import HandPicture
from bot.presenter.telegram import open_chat_label, start_me_text
from bot.screens import Screen
from bot.texts import texts

log = structlog.get_logger()

_SECONDS: Final = 6.0
"""Telegram takes such messages for 15 seconds after the press."""


class Peek:
    """Shows hands so, where that is wanted and works."""

    def __init__(self, api: Api, desk: PictureDesk, *, wanted: bool) -> None:
        self._api = api
        self._desk = desk
        self._works = wanted

    async def show(self, press: Press, screen: Screen) -> bool:
        """Show a hand to whoever pressed; tells whether it was shown."""
        if not self._works or not isinstance(screen.picture, HandPicture):
            return False
        try:
            async with asyncio.timeout(_SECONDS):
                return await self._probe(press, screen.table_id) and await self._send(press, screen, screen.picture)
        except (TelegramError, TimeoutError, PictureFailed) as error:
            log.info("telegram.peek", error=type(error).__name__)
            return False

    async def _probe(self, press: Press, table_id: str) -> bool:
        """Say what to do, so that only the presser reads it; tells whether that is so."""
        t = texts(press.person.locale)
        sent = await self._api.bot.send_message(
            press.chat_id,
            escaped(start_me_text(t)),
            parse_mode=ParseMode.HTML,
            message_thread_id=press.thread,
            disable_notification=True,
            reply_markup=keyboard([[link(open_chat_label(t), self._api.deep_link(f"h_{table_id}"))]]),
            api_kwargs=_only_for(press),
        )
        if _is_ephemeral(sent):
            return True
        self._works = False
        log.info("telegram.peek", problem="this server has no ephemeral messages")
        await self._api.delete(press.chat_id, sent.message_id)
        return False

    async def _send(self, press: Press, screen: Screen, picture: HandPicture) -> bool:
        png = await self._desk.hand(picture)
        sent = await self._api.bot.send_photo(
            press.chat_id,
            png,
            caption=titled(screen.title, (*screen.lines, screen.alternative), CAPTION),
            parse_mode=ParseMode.HTML,
            message_thread_id=press.thread,
            disable_notification=True,
            filename="buraco.png",
            api_kwargs=_only_for(press),
        )
        if _is_ephemeral(sent):
            return True
        # Never seen, and never to be seen for long.
        self._works = False
        log.error("telegram.peek", problem="a hand came out in the open and was taken away")
        await self._api.delete(press.chat_id, sent.message_id)
        return False


def _only_for(press: Press) -> dict[str, Any]:
    return {"ephemeral_message_parameters": {"receiver_user_id": press.user.id, "callback_query_id": press.id}}


def _is_ephemeral(message: Message) -> bool:
    return bool(message.api_kwargs.get("ephemeral_message_id"))
