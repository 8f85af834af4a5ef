"""Updates, whatever brings them: those of one table in order, those of different ones at the same time."""

import asyncio
from typing import Any, Final

import structlog
from telegram import Bot, ChatMember, ChatMemberUpdated, Message, Update

from adapters.telegram.commands import Commands
from adapters.telegram.data import table_of
from adapters.telegram.inline import answer_inline
from adapters.telegram.lanes import Background, Lanes, Seen
from adapters.telegram.limits import DONE_SECONDS
from adapters.telegram.moving import Moving
from adapters.telegram.parts import Parts
from adapters.telegram.people import locale_of
from adapters.telegram.places import PLATFORM, place_of
from adapters.telegram.presses import Presses
from bot.announcing import PlaceClosed
from bot.presenter.notices import busy_text, failed_text
from bot.store import StoreBusy
from bot.texts import Texts, texts

log = structlog.get_logger()

ALLOWED = ["message", "callback_query", "inline_query", "my_chat_member"]
"""The kinds of updates that are asked for."""
DYING_PAUSE = 0.3
DYING_TRIES = 5
"""Together longer than a lease."""
TRY_PAUSES: Final = (0.1, 0.5)
"""Seconds before an update that failed is tried again: what was a moment's trouble is over then."""
_IN = (ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER, ChatMember.RESTRICTED)


class Unreadable(Exception):
    """The library makes nothing of an update; the cause says why."""


class Updates:
    """Takes updates in."""

    def __init__(self, parts: Parts, presses: Presses, commands: Commands, moving: Moving) -> None:
        self._parts = parts
        self._presses = presses
        self._commands = commands
        self._moving = moving
        self._lanes = Lanes()
        self._seen = Seen()

    async def take(self, batch: list[dict[str, Any]], bot: Bot, background: Background, seconds: float) -> None:
        """Take updates in, in their order. Returns when all is done, or the slow ones have had their time."""
        tasks = []
        for raw in batch:
            try:
                update = read(raw, bot)
            except Unreadable as error:
                tasks.append(background.run(self._bury(raw, error), "unreadable update"))
                continue
            if self._seen.first(update.update_id):
                tasks.append(background.run(self._once(update, raw, bot.id), f"update {update.update_id}"))
        running = [task for task in tasks if task is not None]
        if running:
            await asyncio.wait(running, timeout=seconds)

    async def _bury(self, raw: dict[str, Any], error: Unreadable) -> None:
        """Keep what cannot be read; read again, it would be no more readable."""
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        number = raw.get("update_id")
        error_id = await self._parts.app.dead_letters.keep(PLATFORM, number, cause, raw)
        log.warning("telegram.unreadable", update=number, error_id=error_id, error=type(cause).__name__)

    async def _once(self, update: Update, raw: dict[str, Any], bot_id: int) -> None:
        """Deal with an update unless another process has, or is just doing so."""
        leases = self._parts.app.leases
        key = f"{PLATFORM}:update:{bot_id}:{update.update_id}"
        tries = DYING_TRIES if leases.is_shared else 1
        while not await leases.take(key):
            # Telegram delivers again where a process has died: the lease that it held is about to fall free.
            tries -= 1
            if not tries:
                return
            await asyncio.sleep(DYING_PAUSE)
        try:
            await self._in_turn(update, raw)
        finally:
            await leases.release(key, kept_seconds=DONE_SECONDS)

    async def _in_turn(self, update: Update, raw: dict[str, Any]) -> None:
        try:
            async with self._lanes.of(_lane(update)):
                await self._try(update)
        except PlaceClosed:
            raise
        except StoreBusy as error:
            log.warning("telegram.store_busy", error=str(error))
            await self._apologise(update, busy_text(_texts_of(update)))
        except Exception as error:
            # Whatever it was, nobody waits in vain, and the next one is heard.
            tries = len(TRY_PAUSES) + 1
            error_id = await self._parts.app.dead_letters.keep(PLATFORM, update.update_id, error, raw, tries=tries)
            log.error("telegram.dead_letter", update=update.update_id, error_id=error_id, exc_info=error)
            await self._apologise(update, failed_text(_texts_of(update), error_id))

    async def _try(self, update: Update) -> None:
        """Deal with an update, again after a failure: presses and commands have their effect once however they come."""
        for pause in TRY_PAUSES:
            try:
                await self._handle(update)
            except (PlaceClosed, StoreBusy):
                raise
            except Exception as error:  # noqa: BLE001 - whatever it was, it may be over
                log.info("telegram.tried_again", update=update.update_id, error=type(error).__name__)
                await asyncio.sleep(pause)
            else:
                return
        await self._handle(update)

    async def _apologise(self, update: Update, told: str) -> None:
        """Answer a press or a command of which nothing came."""
        query, message = update.callback_query, update.message
        if query is not None:
            await self._parts.api.answer(query.id, told, alert=True)
        elif message is not None and (message.chat.id > 0 or str(message.text).startswith("/")):
            thread = message.message_thread_id if message.is_topic_message else None
            await self._parts.letters.say(message.chat.id, told, thread=thread, reply_to=message.message_id)

    async def _handle(self, update: Update) -> None:
        await self._greet(update)
        if update.callback_query is not None:
            await self._presses.pressed(update.callback_query)
        elif update.inline_query is not None:
            await answer_inline(self._parts.api, update.inline_query)
        elif update.my_chat_member is not None:
            await self._membership(update.my_chat_member)
        elif update.message is not None:
            await self._message(update.message, update.update_id)

    async def _message(self, message: Message, update_id: int) -> None:
        if message.migrate_to_chat_id is not None:
            await self._moving.moved(message.chat.id, message.migrate_to_chat_id)
        elif message.migrate_from_chat_id is not None:
            await self._moving.moved(message.migrate_from_chat_id, message.chat.id)
        elif message.forum_topic_reopened is not None:
            await self._show_again_at(place_of(message.chat.id, message.message_thread_id))
        elif message.text:
            await self._commands.typed(message, update_id)

    async def _greet(self, update: Update) -> None:
        """Whoever is heard from in a private chat can be written to, perhaps again."""
        query, message = update.callback_query, update.message
        chat = message.chat if message is not None else None
        if query is not None and query.message is not None:
            chat = query.message.chat
        if chat is not None and chat.id > 0:
            await self._reached(chat.id, yes=True)

    async def _membership(self, change: ChatMemberUpdated) -> None:
        inside = change.new_chat_member.status in _IN
        if change.chat.id > 0:
            await self._reached(change.chat.id, yes=inside)
        elif inside:
            # Let in again, or with other rights: what could not be shown may be now.
            await self._show_again_at(f"{change.chat.id}")

    async def _show_again_at(self, place: str) -> None:
        for table_id in await self._parts.app.tables_at(PLATFORM, place):
            home = await self._parts.home(table_id, place)
            if home is not None:
                self._parts.app.show_again(home)

    async def _reached(self, user_id: int, *, yes: bool) -> None:
        """Somebody can be written to, or not any more: their tables show it, and their hands come."""
        parts = self._parts
        if not parts.people.reached(user_id, yes):
            return
        person = await parts.people.person(user_id)
        if person is None:
            return
        for table_id in await parts.app.tables_of(person.id):
            if yes:
                parts.hands.wake(parts.hands.hand(user_id, table_id))
                home = await parts.home(table_id, f"{user_id}")
                if home is not None:
                    parts.app.show_again(home)
            await self._presses.show_homes(table_id)


def read(raw: dict[str, Any], bot: Bot) -> Update:
    """An update.

    Raises:
        Unreadable: the library makes nothing of it.
    """
    try:
        return Update.de_json(raw, bot)
    except Exception as error:  # whatever is wrong with it: the next ones must come through
        raise Unreadable from error


def _texts_of(update: Update) -> Texts:
    user = update.effective_user
    return texts(locale_of(None if user is None else user.language_code))


def _lane(update: Update) -> str:
    query = update.callback_query
    if query is not None:
        return table_of(query.data or "") or f"user {query.from_user.id}"
    if update.message is not None:
        return f"chat {update.message.chat.id}"
    return f"update {update.update_id}"
