"""``/buraco bloquear``, ``desbloquear`` and ``bloqueados``: who may not sit down at the tables of a group."""

from collections.abc import Sequence
from typing import Final

from telegram import User

from adapters.telegram.people import People
from adapters.telegram.places import PLATFORM, is_group
from bot.app import App
from bot.model import Person
from bot.presenter.blocks import whom_text
from bot.presenter.commands import only_moderators_text
from bot.screens import Answer
from bot.texts import texts

QUIET: Final = frozenset({"blocked", "blocked_by_host"})
"""Refusals that are nobody else's business."""


async def blocked_here(
    app: App,
    people: People,
    command: str,
    words: Sequence[str],
    person: Person,
    user: User,
    chat_id: int,
    about: User | None,
) -> Answer:
    """What an administrator is answered who settles who may sit down; ``about`` is whoever they replied to."""
    t = texts(person.locale)
    if not is_group(f"{chat_id}") or not await people.keeps_order(chat_id, user.id):
        return Answer(only_moderators_text(t), ok=False)
    origin = f"{PLATFORM}:{chat_id}"
    if command == "bloqueados":
        return Answer(screen=await app.blocking.listed(person, origin))
    if about is not None and not about.is_bot:
        other = await people.meet(about)
        settle = app.blocking.block if command == "bloquear" else app.blocking.unblock
        return await settle(person, origin, other)
    if command == "desbloquear" and words:
        return await app.blocking.unblock_named(person, origin, " ".join(words))
    return Answer(whom_text(t), ok=False)
