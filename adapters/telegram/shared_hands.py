"""Private hands where several processes may change the same message: one at a time, each knowing of the others.

What stands in the hand's home says which process changed the message last. Where that was another one, all that this
one remembers of it is worth nothing, and it is told anew what the message is.
"""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec

from adapters.telegram.places import HAND_PLACE, PLATFORM
from adapters.telegram.public import read_posted
from bot.app import App
from bot.leases import hand_key, turn
from bot.model import Home

if TYPE_CHECKING:
    from adapters.telegram.hands import Hand


class SharedHands:
    """Keeps the processes' hands apart."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._me = secrets.token_hex(4)

    @asynccontextmanager
    async def turn(self, hand: "Hand") -> AsyncIterator[None]:
        """Have a hand's message to oneself, and keep what has become of it."""
        async with turn(self._app.leases, hand_key(PLATFORM, f"{hand.user_id}", hand.table_id)):
            await self.recall(hand)
            # Before the message changes: whoever sees the change and presses may be heard by another process.
            await self._keep(hand)
            try:
                yield
            finally:
                await self._keep(hand)

    def text(self, hand: "Hand") -> str:
        """What is kept of a hand that this process has changed."""
        told = {"message": hand.message or 0, "photo": hand.photo, "deal": hand.deal, "by": self._me}
        return msgspec.json.encode(told).decode()

    async def recall(self, hand: "Hand") -> None:
        """Forget what another process has overtaken, and learn what the message is by now."""
        home = await self._home(hand)
        if home is None or home.posted is None or home.posted == hand.kept:
            return
        posted = read_posted(home.posted)
        hand.kept = home.posted
        if posted is not None:
            hand.message, hand.photo, hand.deal = posted.message or None, posted.photo, posted.deal
        hand.shown, hand.mark, hand.mask, hand.page = None, 0, 0, 0

    async def _keep(self, hand: "Hand") -> None:
        text = self.text(hand)
        if text == hand.kept or hand.message is None:
            return
        place = f"{HAND_PLACE}{hand.user_id}"
        home = await self._home(hand) or Home(hand.table_id, PLATFORM, place)
        await self._app.mark_shown(msgspec.structs.replace(home, posted=text))
        hand.kept = text

    async def _home(self, hand: "Hand") -> Home | None:
        place = f"{HAND_PLACE}{hand.user_id}"
        homes = await self._app.homes(hand.table_id)
        return next((home for home in homes if (home.platform, home.place) == (PLATFORM, place)), None)
