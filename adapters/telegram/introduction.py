"""What the bot tells Telegram about itself: its commands, by scope and language, and what it is."""

import hashlib

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


async def introduce(bot: Bot, app: App) -> None:
    """Set the lists of commands and the descriptions, where they are not what was set last.

    Nothing else depends on it: what fails is left for the next start.
    """
    scopes: tuple[tuple[BotCommandScope, bool, bool], ...] = (
        (BotCommandScopeAllPrivateChats(), False, False),
        (BotCommandScopeAllGroupChats(), True, False),
        (BotCommandScopeAllChatAdministrators(), True, True),
    )
    languages: list[tuple[str | None, str]] = [(None, SOURCE_LOCALE), *spoken().items()]
    mark = _mark(languages)
    note = f"{PLATFORM}:introduction:{bot.id}"
    if await app.note(note) == mark:
        return
    try:
        for language, locale in languages:
            t = texts(locale)
            for scope, group, admin in scopes:
                told = [BotCommand(name, text) for name, text in command_list(t, group=group, admin=admin)]
                await bot.set_my_commands(told, scope=scope, language_code=language)
            long, short = about_texts(t)
            await bot.set_my_description(long, language_code=language)
            await bot.set_my_short_description(short, language_code=language)
    except TelegramError as error:
        log.warning("telegram.introduction", error=type(error).__name__)
        return
    await app.write_note(note, mark)


def _mark(languages: list[tuple[str | None, str]]) -> str:
    """A short mark of everything that is set."""
    told = [
        (language, command_list(texts(locale), group=False, admin=True), about_texts(texts(locale)))
        for language, locale in languages
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]
