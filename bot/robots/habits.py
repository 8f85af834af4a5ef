"""The numbers of the quick player, found by measuring many deals (docs/robots.md tells how)."""

from typing import Final

import msgspec


class Habits(msgspec.Struct, frozen=True):
    """How the quick player decides; points of the deal's score unless said otherwise."""

    # stock or pile
    pile_card: float = -2.0
    """What a card of the pile is worth that fits nothing."""
    pile_mate: float = 6.0
    """One that has company in the hand or in the pile."""
    pile_meld: float = 28.0
    """One that makes a new meld."""
    pile_fit: float = 36.0
    """One that goes on a meld of the own side."""
    pile_wild: float = 60.0
    pile_least: float = 21.0
    """What a card from the stock is worth: the pile is taken for more."""
    pile_deny: float = 0.0
    """A card of the pile that the next opponent's melds take."""
    pile_hand: float = 0.0
    """What each card of the own hand adds to what the pile must be worth."""
    pile_race: float = 0.0
    """And a hand of at most four cards that a muerto or a close awaits."""
    pile_untaken: float = 0.0
    """And a side that has had no muerto."""
    pile_threat: float = 0.0
    """And an opponent with at most three cards who may close."""
    # wilds
    wild_from: float = 6
    """A wild goes on melds of so many cards."""
    wild_first: float = 3
    """Or of so many, while the side needs a canasta and has none."""
    wild_late: float = 2.0
    """With so few rounds left wilds go anywhere."""
    wild_small: float = 9
    """With so few cards in the hand wilds go anywhere they shorten the way to the muerto."""
    wild_close: float = 9
    """And so few on the way to a close."""
    wild_pair: float = 9
    """And with so few of them they make new melds of two naturals."""
    wilds_meld: float = 3
    """Wild melds begin with so many wilds, where the rules know them."""
    # discards
    company: float = 6.0
    beyond: float = 6.0
    mate: float = 6.0
    twin: float = 9.0
    """What a card of the hand is worth for each neighbour in its suit, each one place further, each of its rank, and
    for each of its own kind."""
    own_fit: float = 40.0
    """What a card is worth that goes on the own side's melds, and could not be laid."""
    feed: float = 10.0
    """What it costs to throw what the next opponent's melds take."""
    feed_pile: float = 1.5
    """And for each card of the pile."""
    points: float = 0.0
    """The part of a card's points by which it is thrown rather."""
    # closing
    close_lead: float = -450.0
    """A close is wanted from this lead on, as the deal lies."""
    close_time: float = 0.0
    """And so much more for each round that is left."""


DEFAULT_HABITS: Final = Habits()
