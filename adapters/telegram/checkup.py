"""Looking at the bot without taking its updates: for ``buraco doctor``."""

from typing import Final

from telegram import User
from telegram.error import InvalidToken, TelegramError

from adapters.telegram.api import make_bot
from adapters.telegram.platform import TelegramUnavailable, refused

_LATE: Final = 1000
"""Updates that wait for a bot that does not ask for them."""


async def check(token: str, api: str | None = None, *, webhook: bool = False) -> str:
    """Who the bot is, and that nothing keeps updates from it; ``webhook`` says whether they are to be sent.

    Raises:
        TelegramUnavailable: the token is refused, or Telegram cannot be reached.
    """
    try:
        bot = make_bot(token, api)
    except InvalidToken:
        raise refused() from None
    try:
        await bot.initialize()
        me = await bot.get_me()
        hook = await bot.get_webhook_info()
    except InvalidToken:
        raise refused() from None
    except TelegramError as error:
        raise TelegramUnavailable(
            f"Telegram cannot be reached ({type(error).__name__})", "look at the network and at BURACO_TELEGRAM_API"
        ) from None
    finally:
        await bot.shutdown()
    notes = [*_lacking(me)]
    if hook.url and not webhook:
        notes.append("its webhook is taken off at the next start")
    if hook.pending_update_count >= _LATE:
        notes.append(f"{hook.pending_update_count} updates wait")
    return "; ".join([f"@{me.username}", *notes])


def _lacking(me: User) -> list[str]:
    """What can be switched on with @BotFather."""
    found = []
    if not me.can_join_groups:
        found.append("it may not join groups: /setjoingroups with @BotFather")
    if not me.supports_inline_queries:
        found.append("inline mode is off: /setinline with @BotFather")
    return found
