"""What the bot tells Telegram about itself: its commands, by scope and language, and what it is."""

import hashlib
from collections.abc import Sequence

import structlog
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)
from telegram.error import TelegramError

from adapters.telegram.people import spoken
from adapters.telegram.places import PLATFORM
from bot.app import App
from bot.presenter.telegram import about_texts, command_list
from bot.texts import SOURCE_LOCALE, texts

log = structlog.get_logger()

_SCOPES: tuple[tuple[BotCommandScope, bool, bool], ...] = (
    (BotCommandScopeAllPrivateChats(), False, False),
    (BotCommandScopeAllGroupChats(), True, False),
    (BotCommandScopeAllChatAdministrators(), True, True),
)
"""Where commands are listed, and whether that is in groups, and for those who keep order there."""


async def introduce(bot: Bot, app: App) -> None:
    """Set the lists of commands and the descriptions, where they are not what was set last.

    Nothing else depends on it: what fails is left for the next start. Of several processes one does it.
    """
    languages: list[tuple[str | None, str]] = [(None, SOURCE_LOCALE), *spoken().items()]
    mark = _mark(languages)
    note = f"{PLATFORM}:introduction:{bot.id}"
    if await app.note(note) == mark or not await app.leases.only(note):
        return
    try:
        await _introduce(bot, languages)
    except TelegramError as error:
        log.warning("telegram.introduction", error=type(error).__name__)
    else:
        await app.write_note(note, mark)
    finally:
        await app.leases.give_up(note)


async def _introduce(bot: Bot, languages: Sequence[tuple[str | None, str]]) -> None:
    for language, locale in languages:
        t = texts(locale)
        for scope, group, admin in _SCOPES:
            told = [BotCommand(name, text) for name, text in command_list(t, group=group, admin=admin)]
            await bot.set_my_commands(told, scope=scope, language_code=language)
        long, short = about_texts(t)
        await bot.set_my_description(long, language_code=language)
        await bot.set_my_short_description(short, language_code=language)


def _mark(languages: list[tuple[str | None, str]]) -> str:
    """A short mark of everything that is set."""
    told = [
        (language, command_list(texts(locale), group=False, admin=True), about_texts(texts(locale)))
        for language, locale in languages
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]
