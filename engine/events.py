"""What happened: outcomes, so that replay folds them without judging again.

Events are stored. A field may be added with a default, but none may change its meaning: old matches must load for ever.
"""

import msgspec

from engine.cards import Card
from engine.melds import Meld
from engine.state import Emptied, Ended, SideScore


class DealStarted(msgspec.Struct, frozen=True, tag="deal_started"):
    """A deal was shuffled and dealt. Hands a seat; stock, pile and reserve bottom first."""

    number: int
    starter: int
    hands: tuple[tuple[Card, ...], ...]
    muertos: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    reserve: tuple[Card, ...]


class CardDrawn(msgspec.Struct, frozen=True, tag="card_drawn"):
    """The top of the stock went into a hand."""

    seat: int
    card: Card


class ThirdDeckAdded(msgspec.Struct, frozen=True, tag="third_deck_added"):
    """The stock ran out for the first time and the reserve became the stock."""


class MuertoBecameStock(msgspec.Struct, frozen=True, tag="muerto_became_stock"):
    """The first unclaimed muerto became the stock."""


class PileTaken(msgspec.Struct, frozen=True, tag="pile_taken"):
    """The whole pile went into a hand."""

    seat: int
    cards: tuple[Card, ...]
    seen: int
    """How many of the cards, from the top, everybody could see."""
    barred: Card | None = None
    """The card that may not go straight back."""
    owed: Card | None = None
    """The card that must still be used this turn."""


class MeldLaid(msgspec.Struct, frozen=True, tag="meld_laid"):
    """A new meld lies on the table."""

    seat: int
    meld: Meld
    with_pile: bool = False
    """Laid in the action that took the pile: one undo takes both back."""


class MeldChanged(msgspec.Struct, frozen=True, tag="meld_changed"):
    """Cards were added to a meld, or its wild moved (``added`` empty). ``returned`` went back to the hand."""

    seat: int
    index: int
    meld: Meld
    added: tuple[Card, ...] = ()
    returned: tuple[Card, ...] = ()
    with_pile: bool = False


class CardDiscarded(msgspec.Struct, frozen=True, tag="card_discarded"):
    """A card went on the pile."""

    seat: int
    card: Card


class MuertoOffered(msgspec.Struct, frozen=True, tag="muerto_offered"):
    """A hand is empty and its player must pick one of several muertos."""

    seat: int
    by: Emptied


class MuertoTaken(msgspec.Struct, frozen=True, tag="muerto_taken"):
    """A muerto became a hand. ``plays_on``: it was won by the discard and is played at once."""

    seat: int
    index: int
    plays_on: bool = False


class TurnEnded(msgspec.Struct, frozen=True, tag="turn_ended"):
    """The turn passed to another seat."""

    seat: int
    next_seat: int


class ActionUndone(msgspec.Struct, frozen=True, tag="action_undone"):
    """The last action of the turn was taken back."""

    seat: int


class DealEnded(msgspec.Struct, frozen=True, tag="deal_ended"):
    """The deal is over and scored: ``scores`` of this deal and match ``totals``, a side each."""

    seat: int
    how: Ended
    scores: tuple[SideScore, ...]
    totals: tuple[int, ...]


class MatchWon(msgspec.Struct, frozen=True, tag="match_won"):
    """A side won the match."""

    side: int


Event = (
    DealStarted
    | CardDrawn
    | ThirdDeckAdded
    | MuertoBecameStock
    | PileTaken
    | MeldLaid
    | MeldChanged
    | CardDiscarded
    | MuertoOffered
    | MuertoTaken
    | TurnEnded
    | ActionUndone
    | DealEnded
    | MatchWon
)
