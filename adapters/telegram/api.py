"""Calls to the Bot API: paced for each chat, patient with floods, and with failures that mean something."""

import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import structlog
from telegram import Bot, InlineKeyboardMarkup, InputMediaPhoto, LinkPreviewOptions, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError, TimedOut
from telegram.request import HTTPXRequest

from adapters.telegram.limits import CALL_SECONDS, FLOOD_SECONDS, FLOOD_TRIES, POLL_SECONDS, TOAST
from adapters.telegram.markup import cut
from adapters.telegram.pacing import Pacer
from bot.announcing import PlaceClosed

log = structlog.get_logger()

_T = TypeVar("_T")
TELEGRAM: Final = "https://api.telegram.org"
_UNCHANGED: Final = "message is not modified"
_GONE: Final = ("message to edit not found", "message can't be edited", "message_id_invalid", "message identifier")
_CLOSED: Final = (
    "chat not found",
    "thread not found",
    "topic_closed",
    "topic_deleted",
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "chat_write_forbidden",
    "chat_restricted",
    "group chat was deactivated",
    "user is deactivated",
    "peer_id_invalid",
)
_NO_PHOTO: Final = (
    "send photos to the chat",
    "chat_send_photos_forbidden",
    "image_process_failed",
    "photo_invalid_dimensions",
    "too big for a photo",
    "wrong file",
    "there is no photo",
)
_NO_LINKS: Final = LinkPreviewOptions(is_disabled=True)
_NOISY: Final = ("httpx", "httpcore", "telegram")


class Gone(Exception):
    """The message to be changed is not there any more."""


class PhotoRefused(Exception):
    """The chat takes no pictures, or not this one; words may go."""


class Flooded(Exception):
    """The chat takes nothing for a while; what is to be shown then is to be made anew."""


class Unreachable(PlaceClosed):
    """The bot may not write there: it was never started, was blocked or thrown out, or the place is gone."""


class Moved(PlaceClosed):
    """The group has another id now."""

    def __init__(self, chat_id: int, new_chat_id: int) -> None:
        super().__init__(f"{chat_id} is {new_chat_id} now")
        self.chat_id = chat_id
        self.new_chat_id = new_chat_id


class QuietBot(Bot):
    """A bot that does not tell its token when it is printed."""

    def __repr__(self) -> str:
        return "<Telegram bot>"

    async def raw_updates(self, offset: int, limit: int, seconds: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
        """Updates as they are, so that one which the library cannot read does not hold up the others for ever."""
        wanted = {"offset": offset, "limit": limit, "timeout": seconds, "allowed_updates": list(kinds)}
        found: Any = await self._post("getUpdates", wanted, read_timeout=seconds + CALL_SECONDS)
        return [update for update in found if isinstance(update, dict) and isinstance(update.get("update_id"), int)]


def make_bot(token: str, api: str | None) -> QuietBot:
    """A bot; ``api`` is the address of another Bot API server.

    Raises:
        InvalidToken: there is no token.
    """
    # The library's own logs, and those of what it sends with, hold addresses with the token in them.
    for name in _NOISY:
        logger = logging.getLogger(name)
        logger.setLevel(max(logging.WARNING, logger.level))
    # Durations in their new form: the old one is deprecated and warns.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    # Written with or without the library's own ending.
    server = (api or TELEGRAM).rstrip("/").removesuffix("/bot")
    return QuietBot(
        token,
        base_url=f"{server}/bot",
        base_file_url=f"{server}/file/bot",
        request=HTTPXRequest(
            connection_pool_size=64, read_timeout=CALL_SECONDS, write_timeout=CALL_SECONDS, pool_timeout=CALL_SECONDS
        ),
        get_updates_request=HTTPXRequest(connection_pool_size=2, read_timeout=POLL_SECONDS + CALL_SECONDS),
    )


class Api:
    """What the adapter asks of Telegram. Silent unless told to be loud; texts are HTML; links show no previews."""

    def __init__(self, bot: Bot, pacer: Pacer) -> None:
        self.bot = bot
        self._pacer = pacer

    @property
    def username(self) -> str:
        """The bot's name, without the sign before it."""
        return self.bot.username

    def deep_link(self, payload: str) -> str:
        """An address that opens the private chat with something to start with."""
        return f"https://t.me/{self.username}?start={payload}"

    # messages

    async def text(
        self,
        chat_id: int,
        body: str,
        markup: InlineKeyboardMarkup | None = None,
        *,
        thread: int | None = None,
        loud: bool = False,
        reply_to: int | None = None,
    ) -> int:
        """Send words; returns the message's id.

        Raises:
            Unreachable, Moved: nothing can be sent there.
            Flooded: nothing can be sent there for a while.
        """
        reply = None if reply_to is None else ReplyParameters(reply_to, allow_sending_without_reply=True)
        sent = await self._call(
            chat_id,
            lambda: self.bot.send_message(
                chat_id,
                body,
                parse_mode=ParseMode.HTML,
                reply_markup=markup,
                message_thread_id=thread,
                disable_notification=not loud,
                link_preview_options=_NO_LINKS,
                reply_parameters=reply,
            ),
        )
        return sent.message_id if sent is not None else 0

    async def photo(
        self,
        chat_id: int,
        png: bytes,
        caption: str,
        markup: InlineKeyboardMarkup | None = None,
        *,
        thread: int | None = None,
        loud: bool = False,
    ) -> int:
        """Send a picture with words under it; returns the message's id.

        Raises:
            Unreachable, Moved: nothing can be sent there.
            PhotoRefused: words can.
        """
        sent = await self._call(
            chat_id,
            lambda: self.bot.send_photo(
                chat_id,
                png,
                caption=caption,
                parse_mode=ParseMode.HTML,
                reply_markup=markup,
                message_thread_id=thread,
                disable_notification=not loud,
                filename="buraco.png",
            ),
        )
        return sent.message_id if sent is not None else 0

    async def document(self, chat_id: int, data: bytes, name: str, caption: str, *, thread: int | None = None) -> None:
        """Send a file. Raises as :meth:`text`."""
        await self._call(
            chat_id,
            lambda: self.bot.send_document(
                chat_id,
                data,
                filename=name,
                caption=caption,
                parse_mode=ParseMode.HTML,
                message_thread_id=thread,
                disable_notification=True,
            ),
        )

    async def edit_text(self, chat_id: int, message: int, body: str, markup: InlineKeyboardMarkup | None) -> None:
        """Change words.

        Raises:
            Gone: the message is not there any more.
            Unreachable, Moved: nothing can be changed there.
        """
        await self._call(
            chat_id,
            lambda: self.bot.edit_message_text(
                body,
                chat_id,
                message,
                parse_mode=ParseMode.HTML,
                reply_markup=markup,
                link_preview_options=_NO_LINKS,
            ),
        )

    async def edit_photo(
        self, chat_id: int, message: int, png: bytes, caption: str, markup: InlineKeyboardMarkup | None
    ) -> None:
        """Change the picture with everything under it. Raises as :meth:`edit_text` and :meth:`photo`."""
        media = InputMediaPhoto(png, caption=caption, parse_mode=ParseMode.HTML, filename="buraco.png")
        await self._call(chat_id, lambda: self.bot.edit_message_media(media, chat_id, message, reply_markup=markup))

    async def edit_caption(self, chat_id: int, message: int, caption: str, markup: InlineKeyboardMarkup | None) -> None:
        """Change what stands under a picture. Raises as :meth:`edit_text`."""
        await self._call(
            chat_id,
            lambda: self.bot.edit_message_caption(
                chat_id, message, caption=caption, parse_mode=ParseMode.HTML, reply_markup=markup
            ),
        )

    async def edit_markup(self, chat_id: int, message: int, markup: InlineKeyboardMarkup | None) -> None:
        """Change the buttons alone. Raises as :meth:`edit_text`."""
        await self._call(chat_id, lambda: self.bot.edit_message_reply_markup(chat_id, message, reply_markup=markup))

    async def strip(self, chat_id: int, message: int) -> None:
        """Take the buttons off an old message, if that is still possible."""
        try:
            await self.edit_markup(chat_id, message, None)
        except (Gone, Flooded, PlaceClosed, TelegramError):
            log.debug("telegram.strip", chat=chat_id)

    async def delete(self, chat_id: int, message: int) -> None:
        """Take a message away, if that is still possible; an old one loses its buttons at least."""
        try:
            await self.bot.delete_message(chat_id, message)
        except BadRequest:
            await self.strip(chat_id, message)
        except TelegramError as error:
            log.debug("telegram.delete", chat=chat_id, error=type(error).__name__)

    async def can_reach(self, user_id: int) -> bool | None:
        """Whether somebody can be written to; None where that cannot be found out now."""
        try:
            await self.bot.send_chat_action(user_id, "typing")
        except Forbidden:
            return False
        except BadRequest as error:
            return False if _says(error, _CLOSED) else None
        except TelegramError:
            return None
        return True

    # answers, which have no limit and wait for nothing

    async def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> None:
        """Answer a press. A press that is too old for an answer has had its effect all the same."""
        for _ in range(2):
            try:
                await self.bot.answer_callback_query(
                    query_id, text=cut(text, TOAST) or None, show_alert=alert or None, url=url
                )
                return
            except RetryAfter:
                return
            except NetworkError as error:
                if isinstance(error, BadRequest):
                    log.debug("telegram.answer", problem=error.message)
                    return
            except TelegramError as error:
                log.warning("telegram.answer", error=type(error).__name__)
                return

    # parts

    async def _call(self, chat_id: int, make: Callable[[], Awaitable[_T]]) -> _T | None:
        """Make a call when the chat's turn comes; None where it would have changed nothing."""
        for _ in range(FLOOD_TRIES):
            await self._pacer.slot(chat_id)
            try:
                return await make()
            except RetryAfter as error:
                seconds = _seconds(error)
                log.info("telegram.flood", chat=chat_id, seconds=seconds)
                self._pacer.hold(chat_id, seconds + 0.1)
                if seconds > FLOOD_SECONDS:
                    raise Flooded(f"{chat_id}, for {seconds:.0f} s") from None
            except ChatMigrated as error:
                raise Moved(chat_id, error.new_chat_id) from None
            except Forbidden as error:
                raise Unreachable(f"{chat_id}: {error.message}") from None
            except BadRequest as error:
                if _says(error, (_UNCHANGED,)):
                    log.debug("telegram.unchanged", chat=chat_id)
                    return None
                raise _meant(chat_id, error) from None
        raise Flooded(f"{chat_id}")


def _meant(chat_id: int, error: BadRequest) -> Exception:
    if _says(error, _GONE):
        return Gone(error.message)
    if _says(error, _NO_PHOTO):
        return PhotoRefused(error.message)
    if _says(error, _CLOSED):
        return Unreachable(f"{chat_id}: {error.message}")
    return error


def _says(error: TelegramError, parts: Sequence[str]) -> bool:
    told = error.message.lower()
    return any(part in told for part in parts)


def _seconds(error: RetryAfter) -> float:
    wait: Any = error.retry_after
    return float(wait if isinstance(wait, int | float) else wait.total_seconds())


def is_passing(error: TelegramError) -> bool:
    """Whether a failure is of the network and will pass."""
    return isinstance(error, TimedOut | RetryAfter) or (
        isinstance(error, NetworkError) and not isinstance(error, BadRequest)
    )
