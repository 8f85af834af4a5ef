"""Names and descriptions of the commands in Discord's languages, from the catalogues; a missing one stays Spanish."""

import discord
from discord import app_commands

from bot.presenter.slash import command_texts
from bot.texts import SOURCE_LOCALE, language, texts


def said(key: str) -> app_commands.locale_str:
    """The source language's text of a key, to be translated when the commands are registered."""
    return app_commands.locale_str(command_texts(texts())[key], key=key)


class CommandTranslator(app_commands.Translator):
    """Translates what :func:`said` made."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext,  # type: ignore[type-arg]
    ) -> str | None:
        """The text in a language; None where it is not translated."""
        del context
        key = string.extras.get("key")
        name = language(str(locale))
        if key is None or (name == SOURCE_LOCALE and not str(locale).startswith(SOURCE_LOCALE)):
            return None
        told = command_texts(texts(name))[key]
        return None if told == string.message else told
