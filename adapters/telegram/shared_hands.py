"""Private hands where several processes may change the same message: one at a time, each knowing of the others.

What is known of a hand stands in its home: the message, what is picked in it, and which process wrote that last. A
process that finds another's writing there takes it over before it does anything, and writes only where nobody has
written since it looked. So one that has hung for a while, and no longer has the hand to itself, overwrites nothing:
taps that it has heard of meanwhile are applied to what the others have made of the hand.
"""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import structlog

from adapters.telegram.hand import Hand, Picked
from adapters.telegram.places import HAND_PLACE, PLATFORM
from bot.app import App
from bot.leases import hand_key, turn
from bot.model import Home
from bot.tokens import base36

log = structlog.get_logger()


class Kept(msgspec.Struct, frozen=True):
    """What is kept of a hand, as JSON."""

    message: int
    photo: bool = False
    deal: int = -1
    by: str = ""
    """The process that wrote it."""
    mark: int = 0
    mask: str = "0"
    """In base 36: JSON's numbers are too small."""
    page: int = 0
    taps: tuple[str, ...] = ()
    """The last that were taken into account."""


class SharedHands:
    """Keeps the processes' hands apart."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._me = secrets.token_hex(4)

    @asynccontextmanager
    async def turn(self, hand: Hand) -> AsyncIterator[None]:
        """Have a hand's message to oneself, and keep what has become of it."""
        async with turn(self._app.leases, hand_key(PLATFORM, f"{hand.user_id}", hand.table_id)):
            try:
                yield
            finally:
                async with hand.looking:
                    if not await self._keep(hand):
                        log.info("telegram.hand_overtaken", table=hand.table_id)

    async def settle(self, hand: Hand, mark: int, held: int) -> None:
        """Take over what others have made of a hand, and keep what the taps that were heard here make of it.

        It is kept before the message changes: whoever sees the change and presses may be heard by another process.

        Args:
            hand: a hand that this process has the turn for.
            mark: of the cards that it holds.
            held: their bits.
        """
        async with hand.looking:
            while True:
                await self._recall(hand)
                if await self._taken(hand, mark, held):
                    return

    async def _taken(self, hand: Hand, mark: int, held: int) -> bool:
        """Take the taps into account, if that can be kept; else they wait, and the hand is as it was."""
        before, taken = hand.picked, len(hand.picks)
        for pick in hand.picks:
            hand.take(pick)
        hand.keep_picked(mark, held)
        kept = False
        try:
            kept = await self._keep(hand)
        finally:
            if not kept:
                hand.picked = before
        if kept:
            del hand.picks[:taken]
        return kept

    async def recall(self, hand: Hand) -> None:
        """Forget what another process has overtaken, and learn what the message is by now."""
        async with hand.looking:
            await self._recall(hand)

    async def _recall(self, hand: Hand) -> None:
        home = await self._home(hand)
        if home is None or home.posted is None:
            hand.kept = None
            return
        if home.posted == hand.kept:
            return
        hand.kept, hand.shown = home.posted, None
        kept = _read(home.posted)
        if kept is None:
            hand.picked = Picked()
            return
        hand.message, hand.photo, hand.deal = kept.message or None, kept.photo, kept.deal
        hand.picked = Picked(kept.mark, int(kept.mask, 36), kept.page, kept.taps)

    async def _keep(self, hand: Hand) -> bool:
        """Keep a hand as it is by now; False where another process has written meanwhile."""
        text = self._text(hand)
        # Where there never was a message, there is nothing to keep.
        if text == hand.kept or (hand.message is None and hand.kept is None):
            return True
        home = Home(hand.table_id, PLATFORM, f"{HAND_PLACE}{hand.user_id}", text)
        if not await self._app.swap_posted(home, hand.kept):
            return False
        hand.kept = text
        return True

    def _text(self, hand: Hand) -> str:
        mark, mask, page, taps = hand.picked
        kept = Kept(hand.message or 0, hand.photo, hand.deal, self._me, mark, base36(mask), page, taps)
        return msgspec.json.encode(kept).decode()

    async def _home(self, hand: Hand) -> Home | None:
        place = f"{HAND_PLACE}{hand.user_id}"
        homes = await self._app.homes(hand.table_id)
        return next((home for home in homes if (home.platform, home.place) == (PLATFORM, place)), None)


def _read(text: str) -> Kept | None:
    """What is kept of a hand; None where it makes no sense."""
    try:
        kept = msgspec.json.decode(text, type=Kept)
        return kept if int(kept.mask, 36) >= 0 else None
    except (msgspec.DecodeError, ValueError):
        return None
