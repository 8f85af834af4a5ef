"""The numbers of the quick player, found by measuring many deals (docs/robots.md tells how)."""

from typing import Final

import msgspec


class Habits(msgspec.Struct, frozen=True):
    """How the quick player decides; points of the deal's score unless said otherwise."""

    # stock or pile
    pile_card: float = 10.0
    """What any card of the pile is worth."""
    pile_fit: float = 25.0
    """What a card is worth besides that goes on a meld of the own side."""
    pile_mate: float = 6.0
    """What a card is worth besides for each card of the hand that it has company in."""
    pile_wild: float = 60.0
    pile_least: float = 28.0
    """The pile is taken from so much worth on."""
    # wilds
    wild_from: int = 6
    """A wild goes on melds of so many cards."""
    wild_late: float = 2.0
    """With so few rounds left wilds go anywhere."""
    wild_small: int = 4
    """With so few cards in the hand wilds go anywhere they shorten the way."""
    wilds_meld: int = 3
    """Wild melds begin with so many wilds, where the rules know them."""
    # discards
    company: float = 6.0
    twin: float = 8.0
    """What a card of the hand is worth for each neighbour, and for each of its own kind."""
    feed: float = 25.0
    """What it costs to throw what the next opponent's melds take."""
    feed_pile: float = 1.5
    """And for each card of the pile."""
    points: float = 0.3
    """The part of a card's points by which it is thrown rather."""
    # closing
    close_lead: float = -150.0
    """A close is wanted from this lead on, as the deal lies."""


DEFAULT_HABITS: Final = Habits()
