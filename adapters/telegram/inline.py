"""Inline mode: ``@bot reglas …`` in any chat gives rule sets in short, to be sent there."""

import structlog
from telegram import InlineQuery, InlineQueryResultArticle, InputTextMessageContent, LinkPreviewOptions
from telegram.constants import ParseMode
from telegram.error import TelegramError

from adapters.telegram.api import Api
from adapters.telegram.limits import INLINE_RESULTS, TEXT
from adapters.telegram.markup import cut, titled
from adapters.telegram.people import locale_of
from bot.commands import fold, matching_rulesets
from bot.presenter.commands import ruleset_label, ruleset_screen
from bot.presenter.telegram import command_words
from bot.texts import texts

log = structlog.get_logger()

_DESCRIPTION = 100


async def answer_inline(api: Api, query: InlineQuery) -> None:
    """Answer what is typed behind the bot's name."""
    t = texts(locale_of(query.from_user.language_code))
    words = query.query.split()
    if words and command_words().get(fold(words[0])) == "reglas":
        words = words[1:]
    results = []
    for rules in matching_rulesets(" ".join(words))[:INLINE_RESULTS]:
        screen = ruleset_screen(t, rules)
        content = InputTextMessageContent(
            titled(screen.title, screen.lines, TEXT),
            parse_mode=ParseMode.HTML,
            link_preview_options=LinkPreviewOptions(is_disabled=True),
        )
        described = cut(ruleset_label(t, rules), _DESCRIPTION)
        results.append(InlineQueryResultArticle(rules.id, rules.name, content, description=described))
    try:
        await api.bot.answer_inline_query(query.id, results, cache_time=300)
    except TelegramError as error:
        log.info("telegram.inline", error=type(error).__name__)
