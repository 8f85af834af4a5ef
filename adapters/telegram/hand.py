"""What a process knows of one private hand: its message, what that shows, and what is picked in it."""

import asyncio
from typing import Final, NamedTuple

import msgspec

from bot.pictures import HandPicture
from bot.screens import Choice, Screen

_MOST_PICKS: Final = 256
"""Taps that wait, at most: nobody is that quick."""
_TAPS: Final = 16
"""Taps that are known by name after they have been taken into account."""


class Shown(msgspec.Struct, frozen=True):
    """What a hand's message shows: what is equal need not be sent again."""

    picture: HandPicture | None
    caption: str
    labels: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]
    """What the buttons carry, where it matters: out of turn nothing that carries a version does anything."""


class Pick(NamedTuple):
    """A tap on a card, or on another page."""

    tap: str
    """What tells it apart from all others, however often it is heard of."""
    message: int
    mark: int
    """Of the cards that the mask stands for."""
    mask: int
    """What was picked when the keyboard was sent that was tapped on."""
    bits: int
    """What the tap picks or lets go; 0 for a page."""
    page: int


class Picked(NamedTuple):
    """What is picked in a hand, and how that came about."""

    mark: int = 0
    """Of the cards that the mask stands for."""
    mask: int = 0
    page: int = 0
    taps: tuple[str, ...] = ()
    """The last that were taken into account."""


class Hand:
    """The message of one player's hand at one table, and what is picked in it."""

    def __init__(self, user_id: int, table_id: str) -> None:
        self.user_id = user_id
        self.table_id = table_id
        self.message: int | None = None
        self.photo = False
        self.deal = -1
        self.shown: Shown | None = None
        self.picked = Picked()
        self.picks: list[Pick] = []
        """Taps that have not been taken into account yet, in their order."""
        self.question: Screen | None = None
        """Asked in place of the hand, until the table has another version or it is answered."""
        self.more: tuple[int, Choice] | None = None
        """Where to read on after a refusal, with the version that was refused."""
        self.below = False
        """To be posted anew, at the end of the chat."""
        self.loud = False
        self.on_turn = False
        self.failures = 0
        """Pictures in a row that there were none of."""
        self.known = False
        """Whether it has been looked up what was posted before."""
        self.kept: str | None = None
        """What is kept of it as far as this process knows, where others may change it too."""
        self.looking = asyncio.Lock()
        """Held while what is kept is compared with what is known."""
        self.task: asyncio.Task[None] | None = None
        self.again = False

    def tapped(self, pick: Pick) -> None:
        """Somebody has tapped; it is taken into account as the hand is brought up to date."""
        if len(self.picks) < _MOST_PICKS:
            self.picks.append(pick)

    def take(self, pick: Pick) -> None:
        """Take a tap into account, once.

        It changes what is picked by now, not what was when its keyboard was sent: quick taps overtake that.
        """
        mark, mask, _, taps = self.picked
        if pick.tap in taps:
            return
        known = mark == pick.mark and self.message == pick.message
        mask = (mask if known else pick.mask) ^ pick.bits
        self.picked = Picked(pick.mark, mask, pick.page, (*taps, pick.tap)[-_TAPS:])

    def keep_picked(self, mark: int, held: int) -> None:
        """Let go of all that is picked and is not held any more: ``held`` are the bits of the cards with that mark."""
        mask = self.picked.mask if self.picked.mark == mark else 0
        self.picked = self.picked._replace(mark=mark, mask=mask & held)
