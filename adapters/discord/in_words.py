"""What is told with pictures is told in words where the pictures are not taken: nobody is left without their cards."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord
import structlog

from adapters.discord.faults import FAILURES, is_gone, must_post_anew
from adapters.discord.pictures import Pictures

log = structlog.get_logger(__name__)

_T = TypeVar("_T")

Words = Callable[[], discord.ui.LayoutView]
"""Makes the layout that says in words what another says with pictures."""


async def in_words_at_least(
    show: Callable[[discord.ui.LayoutView, Pictures], Awaitable[_T]],
    view: discord.ui.LayoutView,
    pictures: Pictures,
    words: Words | None,
) -> _T:
    """Show a layout with its pictures; if that fails, once more in words. The next version has its pictures again.

    Raises:
        discord.HTTPException: Discord refuses the words too, or it is too late for anything.
        aiohttp.ClientError, OSError, TimeoutError: Discord is not reached.
    """
    try:
        return await show(view, pictures)
    except FAILURES as error:
        if words is None or not pictures or is_gone(error) or _is_another_matter(error):
            raise
        tell_refused(pictures, error)
    return await show(words(), ())


def tell_refused(pictures: Pictures, error: Exception) -> None:
    """Log that pictures were not taken."""
    log.warning("discord.picture_refused", error=repr(error), size=sum(len(one.png) for one in pictures))


def _is_another_matter(error: Exception) -> bool:
    """Whether the message itself cannot be edited, with or without pictures."""
    return isinstance(error, discord.HTTPException) and must_post_anew(error)
