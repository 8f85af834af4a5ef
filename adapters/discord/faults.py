"""What Discord's refusals mean for us."""

from typing import Final

import aiohttp
import discord

FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""What a request may end in: Discord refuses, or there is no telling whether it got through."""

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
OLD_MESSAGE_EDITS: Final = 30046
TOO_LARGE: Final = 40005
ALREADY_ACKNOWLEDGED: Final = 40060
MISSING_ACCESS: Final = 50001
FOREIGN_MESSAGE: Final = 50005
MISSING_PERMISSIONS: Final = 50013
INVALID_WEBHOOK_TOKEN: Final = 50027
THREAD_ARCHIVED: Final = 50083
THREAD_LOCKED: Final = 160005
BLOCKED_BY_AUTOMOD: Final = 200000

LATE: Final = frozenset({UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED, UNKNOWN_WEBHOOK, INVALID_WEBHOOK_TOKEN})
"""Too late for an answer, or answered already: nothing is left to do."""
POST_ANEW: Final = frozenset({UNKNOWN_MESSAGE, OLD_MESSAGE_EDITS, THREAD_ARCHIVED, FOREIGN_MESSAGE})
"""The message that is there cannot be edited, but another one can be posted."""
CLOSED: Final = frozenset({UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS, THREAD_LOCKED, BLOCKED_BY_AUTOMOD})
"""Nothing can be posted in the place now."""


def is_late(error: discord.HTTPException) -> bool:
    """Whether an interaction can no more be answered."""
    return error.code in LATE or error.status == 401


def is_gone(error: Exception) -> bool:
    """Whether there is nothing left to answer or to edit, whatever would be shown."""
    return isinstance(error, discord.HTTPException) and (is_late(error) or error.status == 404)


def must_post_anew(error: discord.HTTPException) -> bool:
    """Whether a message has to be replaced by another."""
    return error.code in POST_ANEW


def is_too_large(error: discord.HTTPException) -> bool:
    """Whether what was uploaded is more than is taken."""
    return error.status == 413 or error.code == TOO_LARGE


def is_closed(error: discord.HTTPException) -> bool:
    """Whether a place takes no message now."""
    return error.code in CLOSED or (error.code == 0 and error.status in (403, 404))


def takes_no_message(error: discord.HTTPException) -> bool:
    """Whether posting failed since the place takes no message: an archived thread that is locked opens for nobody."""
    return is_closed(error) or error.code == THREAD_ARCHIVED


def is_filtered(error: discord.HTTPException) -> bool:
    """Whether the server's word filter takes offence at something in a message."""
    return error.code == BLOCKED_BY_AUTOMOD


def lacks_right(error: discord.HTTPException) -> bool:
    """Whether a right is missing for some of what a message has."""
    return error.code == MISSING_PERMISSIONS
