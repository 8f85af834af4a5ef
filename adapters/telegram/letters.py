"""Screens that come as messages of their own: rules, the last plays, questions, lists. Each can be put away."""

import structlog
from telegram import InlineKeyboardMarkup

from adapters.telegram import data
from adapters.telegram.api import Api, Gone, PhotoRefused
from adapters.telegram.data import Kind
from adapters.telegram.keyboard import Rows, button, choice_rows, keyboard
from adapters.telegram.limits import CAPTION, TEXT
from adapters.telegram.markup import escaped, pages, titled
from adapters.telegram.press import Press
from bot.desk import PictureDesk, PictureFailed
from bot.pictures import ReadPicture, SheetForm, SheetPicture
from bot.presenter.telegram import close_label, no_sheet_text
from bot.screens import Choice, File, Role, Screen
from bot.texts import Texts
from bot.tokens import Verb, read_token

log = structlog.get_logger()

_TO_READ = (Role.RULES, Role.READING)


class Letters:
    """Sends and changes such messages."""

    def __init__(self, api: Api, desk: PictureDesk) -> None:
        self._api = api
        self._desk = desk

    async def send(
        self,
        t: Texts,
        chat_id: int,
        screen: Screen,
        *,
        thread: int | None = None,
        reply_to: int | None = None,
        more: Rows | None = None,
    ) -> None:
        """Send a screen; ``more`` are further rows of buttons.

        Raises:
            PlaceClosed: nothing can be sent there.
        """
        markup = self._buttons(t, screen, more, in_group=chat_id < 0)
        lines = screen.lines or _told(screen)
        png = await self._png(screen)
        if png is not None:
            whole = pages(screen.title, lines, CAPTION)
            try:
                if len(whole) == 1:
                    await self._api.photo(chat_id, png, whole[0], markup, thread=thread)
                    return
                await self._api.photo(chat_id, png, "", thread=thread)
            except PhotoRefused:
                log.info("telegram.no_photos")
        *others, last = pages(screen.title, lines)
        for body in others:
            await self._api.text(chat_id, body, thread=thread, reply_to=reply_to)
            reply_to = None
        await self._api.text(chat_id, last, markup, thread=thread, reply_to=reply_to)

    async def change(self, t: Texts, press: Press, screen: Screen) -> None:
        """Show a screen in the message where it was asked for, words in words and a picture in a picture.

        What is too long, or of the other kind, comes anew.

        Raises:
            PlaceClosed: nothing can be shown there.
        """
        drawn = isinstance(screen.picture, ReadPicture)
        bodies = pages(screen.title, screen.lines or _told(screen), CAPTION if drawn else TEXT)
        if len(bodies) == 1 and press.photo is drawn:
            markup = self._buttons(t, screen, None, in_group=press.chat_id < 0)
            try:
                await self._edit(press, screen, bodies[0], markup)
                return
            except (Gone, PhotoRefused, PictureFailed):
                log.debug("telegram.not_edited")
        await self.send(t, press.chat_id, screen, thread=press.thread)
        await self._api.delete(press.chat_id, press.message)

    async def _edit(self, press: Press, screen: Screen, body: str, markup: InlineKeyboardMarkup | None) -> None:
        if not isinstance(screen.picture, ReadPicture):
            await self._api.edit_text(press.chat_id, press.message, body, markup)
            return
        png = await self._desk.read(screen.picture)
        await self._api.edit_photo(press.chat_id, press.message, png, body, markup)

    async def sheet(self, t: Texts, chat_id: int, sheet: SheetPicture, thread: int | None = None) -> None:
        """Send a page to print.

        Raises:
            PlaceClosed: nothing can be sent there.
        """
        try:
            pdf = await self._desk.sheet(sheet, SheetForm.PDF)
        except PictureFailed:
            await self.say(chat_id, no_sheet_text(t), thread=thread)
            return
        told = titled(sheet.title, (sheet.subtitle,), CAPTION)
        await self._api.document(chat_id, pdf, "buraco.pdf", told, thread=thread)

    async def file(self, chat_id: int, file: File, told: str) -> None:
        """Send a file.

        Raises:
            PlaceClosed: nothing can be sent there.
        """
        await self._api.document(chat_id, file.data, file.name, escaped(told))

    async def _png(self, screen: Screen) -> bytes | None:
        if not isinstance(screen.picture, ReadPicture):
            return None
        try:
            return await self._desk.read(screen.picture)
        except PictureFailed:
            return None

    async def say(self, chat_id: int, text: str, *, thread: int | None = None, reply_to: int | None = None) -> None:
        """Send a sentence.

        Raises:
            PlaceClosed: nothing can be sent there.
        """
        await self._api.text(chat_id, escaped(text), thread=thread, reply_to=reply_to)

    def _buttons(self, t: Texts, screen: Screen, more: Rows | None, *, in_group: bool) -> InlineKeyboardMarkup | None:
        away = [button(close_label(t), data.write(Kind.CLOSE))]
        if screen.role is Role.NOTE and not screen.table_id:
            # A list of tables: what is chosen is brought here, whatever its version is by then.
            listed = [
                [button(choice.label, _bring(choice.token), choice.style) for choice in row] for row in screen.rows
            ]
            return keyboard([*listed, *(more or ()), away])
        if in_group or screen.role in _TO_READ:
            # There is nothing behind it to go back to: it goes, and the table stays where it is.
            kept = [[choice for choice in row if not _is_back(choice)] for row in screen.rows]
            return keyboard([*choice_rows(kept), *(more or ()), away])
        return keyboard([*choice_rows(screen.rows), *(more or ())])


def _told(screen: Screen) -> tuple[str, ...]:
    return () if screen.alternative in ("", screen.title) else tuple(screen.alternative.split("\n"))


def _bring(token: str) -> str:
    intent = read_token(token)
    return data.write(Kind.BRING, intent.table_id, intent.verb)


def _is_back(choice: Choice) -> bool:
    return read_token(choice.token).verb in (Verb.SHOW_TABLE, Verb.SHOW_HAND)
