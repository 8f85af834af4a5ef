"""Private hands that are open on somebody's screen: kept up to date as long as Discord lets us."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

import discord
import msgspec
import structlog

from adapters.discord.faults import is_late
from adapters.discord.limits import HANDS_OPEN, TOKEN_SECONDS
from adapters.discord.pictures import Pictures, uploads
from bot.model import Person
from bot.screens import Screen

log = structlog.get_logger(__name__)


class OpenHand(msgspec.Struct):
    """A private message with a hand, and the interaction through which it can be edited."""

    interaction: discord.Interaction
    person: Person
    since: float
    version: int
    look: bytes
    message_id: int
    followup: bool
    """Whether the message is a follow-up and not the interaction's own."""
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)
    """Held while it is brought up to date, so that an older state never overtakes a newer one."""

    async def edit(self, view: discord.ui.LayoutView, pictures: Pictures) -> None:
        """Show something else in the message.

        Raises:
            discord.HTTPException: Discord refuses, mostly because it is too late.
        """
        if self.followup:
            await self.interaction.followup.edit_message(self.message_id, view=view, attachments=uploads(pictures))
        else:
            await self.interaction.edit_original_response(view=view, attachments=uploads(pictures))

    async def delete(self) -> None:
        """Take the message away.

        Raises:
            discord.HTTPException: Discord refuses.
        """
        if self.followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


def look_of(screen: Screen) -> bytes:
    """What a hand looks like, apart from the words about the others' turns and from the version in its tokens."""
    labels = [(choice.label, choice.enabled) for row in screen.rows for choice in row]
    verbs = () if screen.picker is None else [(verb.label, verb.enabled) for verb in screen.picker.verbs]
    # Out of turn the lines only tell who plays: not worth a message each time.
    active = any(enabled for _, enabled in verbs) or any(enabled for _, enabled in labels[:-2])
    return msgspec.msgpack.encode((screen.picture, labels, verbs, screen.lines if active else ()))


class OpenHands:
    """The newest open hand of each person at each table. In memory only: it is a courtesy, not a duty."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._hands: OrderedDict[tuple[str, str], OpenHand] = OrderedDict()

    async def opened(
        self, screen: Screen, person: Person, interaction: discord.Interaction, message_id: int, *, followup: bool
    ) -> OpenHand:
        """A hand is shown in an answer; an older message with the same hand goes."""
        key = (screen.table_id, person.id)
        before = self._hands.pop(key, None)
        hand = self._hands[key] = OpenHand(
            interaction, person, self._now(), screen.version, look_of(screen), message_id, followup
        )
        while len(self._hands) > HANDS_OPEN:
            self._hands.popitem(last=False)
        if before is not None and before.message_id != message_id:
            await self._remove(before)
        return hand

    def of_table(self, table_id: str) -> list[OpenHand]:
        """The hands of a table that can still be edited."""
        fresh = self._now() - TOKEN_SECONDS
        for key in [key for key, hand in self._hands.items() if hand.since < fresh]:
            del self._hands[key]
        return [hand for (table, _), hand in self._hands.items() if table == table_id]

    def tables(self) -> set[str]:
        """The tables of which somebody has a hand open here."""
        fresh = self._now() - TOKEN_SECONDS
        return {table_id for (table_id, _), hand in self._hands.items() if hand.since >= fresh}

    def forget(self, table_id: str, person_id: str) -> None:
        """Somebody holds no hand any more, or their message is gone."""
        self._hands.pop((table_id, person_id), None)

    async def _remove(self, hand: OpenHand) -> None:
        if self._now() - hand.since > TOKEN_SECONDS:
            return
        try:
            await hand.delete()
        except discord.HTTPException as error:
            if not is_late(error) and error.status != 404:
                log.info("discord.hand_stays", code=error.code)
