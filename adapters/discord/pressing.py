"""Presses: acknowledged first, judged by the application, answered in the message or in a private one beside it."""

import secrets
from collections.abc import Callable
from typing import Any

import discord
import structlog

from adapters.discord.answers import Answers
from adapters.discord.hand_layout import DISCARD, PICK
from adapters.discord.people import PLATFORM, met, moderated, texts_of
from adapters.discord.picks import Picks
from bot.app import App
from bot.model import Person
from bot.presenter import notices
from bot.screens import Answer, Role
from bot.tokens import Verb, base36, from_base36

log = structlog.get_logger(__name__)

_PUBLIC = frozenset({Role.LOBBY, Role.TABLE, Role.NOTE})
_TO_READ = frozenset({Role.RULES, Role.READING})


class Presses:
    """What happens when somebody presses a button or picks from a list."""

    def __init__(self, app: App, answers: Answers, on_public: Callable[[discord.Interaction], None]) -> None:
        """``on_public`` is told of every press under a public message: its interaction may edit that message."""
        self._app = app
        self._answers = answers
        self._on_public = on_public
        self._picks = Picks()

    async def pressed(self, interaction: discord.Interaction, custom_id: str) -> None:
        """Answer a press of whatever component; never raises."""
        try:
            await self._pressed(interaction, custom_id)
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("discord.press_failed", error_id=error_id)
            await self._apologise(interaction, error_id)

    async def _pressed(self, interaction: discord.Interaction, custom_id: str) -> None:
        await self._answers.acknowledge(interaction)
        message = interaction.message
        private = message is not None and message.flags.ephemeral
        if message is not None and not private:
            self._on_public(interaction)
        data: Any = interaction.data or {}
        values = [str(value) for value in data.get("values", ())]
        kind, _, rest = custom_id.partition(":")
        if kind == PICK and message is not None:
            await self._picked(interaction, message, custom_id, values)
            return
        if message is not None:
            # Whatever comes of it, the hand is drawn anew with nothing picked.
            self._picks.forget(message.id)
        token = custom_id
        if kind == DISCARD and len(values) == 1 and values[0].isdecimal() and len(values[0]) < 4:
            token = f"{rest}:{base36(1 << int(values[0]))}"
        person = await met(self._app, interaction)
        async with self._answers.answering(person):
            await self._answer(interaction, person, token, private=private)

    async def _answer(self, interaction: discord.Interaction, person: Person, token: str, *, private: bool) -> None:
        message, moderates = interaction.message, moderated(interaction)
        answer = await self._app.press(person, token, str(interaction.id), moderates=moderates, via=PLATFORM)
        screen = answer.screen
        seen = (
            screen is not None and screen.role in _PUBLIC and (screen.role is Role.LOBBY or _is_about(message, answer))
        )
        if not private and seen:
            # What everybody sees changes by itself, and a rematch is posted: only the sentence is for the presser.
            if answer.text:
                await self._answers.say(interaction, answer.text)
            return
        if screen is None and not answer.text and answer.document is None:
            return
        # What is to be read comes beside a hand, never in its place.
        beside = screen is not None and screen.role in _TO_READ and message is not None and _is_hand(message)
        await self._answers.give(interaction, person, answer, in_place=private and not beside)

    async def _picked(
        self, interaction: discord.Interaction, message: discord.Message, custom_id: str, values: list[str]
    ) -> None:
        parts = custom_id.split(":")
        person = await met(self._app, interaction)
        screen = await self._app.hand_screen(parts[2], person) if len(parts) == 4 and parts[1].isdecimal() else None
        if screen is None:
            await self._answers.say(interaction, notices.unknown_button_text(texts_of(interaction)))
            return
        if _version(parts[3]) != screen.version:
            told = notices.stale_text(texts_of(interaction))
            await self._answers.show_picked(interaction, person, screen, frozenset(), note=told)
            return
        picked = self._picks.change(message, custom_id, values)
        await self._answers.show_picked(interaction, person, screen, picked)

    async def _apologise(self, interaction: discord.Interaction, error_id: str) -> None:
        try:
            await self._answers.say(interaction, notices.failed_text(texts_of(interaction), error_id))
        except discord.HTTPException as error:
            log.warning("discord.no_apology", code=error.code)


def _is_about(message: discord.Message | None, answer: Answer) -> bool:
    """Whether the pressed message is that of the table in the answer."""
    table_id = answer.screen.table_id if answer.screen is not None else ""
    return message is not None and any(f":{table_id}:" in custom_id for custom_id in _custom_ids(message))


def _is_hand(message: discord.Message) -> bool:
    """Whether a message shows a hand: only a hand can be sorted."""
    return any(f":{Verb.SORT}:" in custom_id for custom_id in _custom_ids(message))


def _custom_ids(message: discord.Message) -> list[str]:
    found: list[str] = []
    waiting = list(message.components)
    while waiting:
        component = waiting.pop()
        custom_id = getattr(component, "custom_id", None)
        if custom_id:
            found.append(custom_id)
        waiting += getattr(component, "children", ())
    return found


def _version(text: str) -> int:
    try:
        return from_base36(text)
    except ValueError:
        return -1
