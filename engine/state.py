"""The state of a match: immutable values, folded from events by :mod:`engine.evolve`."""

from enum import StrEnum

import msgspec

from engine.cards import Card
from engine.melds import Meld
from engine.ruleset import Ruleset
from engine.seating import Seating


class Phase(StrEnum):
    """What the seat on turn has to do."""

    DRAW = "draw"
    PLAY = "play"
    OVER = "over"


class Emptied(StrEnum):
    """How a hand was emptied for which a muerto comes."""

    BY_MELDING = "melding"
    BY_DISCARDING = "discarding"


class Ended(StrEnum):
    """Why a deal ended."""

    CLOSED = "closed"
    STOCK_OUT = "stock_out"
    NO_DRAWS = "no_draws"


class PlayKind(StrEnum):
    """What everybody saw a seat do."""

    DREW = "drew"
    TOOK_PILE = "took_pile"
    MELDED = "melded"
    ADDED = "added"
    MOVED_WILD = "moved_wild"
    TOOK_MUERTO = "took_muerto"
    DISCARDED = "discarded"
    CLOSED = "closed"
    THIRD_DECK = "third_deck"
    MUERTO_TO_STOCK = "muerto_to_stock"


class Play(msgspec.Struct, frozen=True, array_like=True):
    """One public line of what happened: nothing here is hidden from anybody.

    ``cards`` are the cards that everybody saw move (of a taken pile, those that were in view); ``meld`` is the index
    among the side's melds; ``count`` is how many cards a pile had, or the index of a muerto.
    """

    seat: int
    kind: PlayKind
    cards: tuple[Card, ...] = ()
    meld: int = -1
    count: int = 0


class Memory(msgspec.Struct, frozen=True):
    """What all have seen and an attentive player remembers; see :mod:`engine.memory`.

    Empty in deals that were begun before it was kept.
    """

    pile: tuple[Card, ...] = ()
    """Bottom first."""
    throwers: tuple[int, ...] = ()
    """The seat that threw each card of the pile; −1 for the card that was turned up."""
    hands: tuple[tuple[Card, ...], ...] = ()
    """A seat: the cards of its hand that lay open before."""


class Checkpoint(msgspec.Struct, frozen=True, array_like=True):
    """What an undo brings back: all that an action which shows no hidden card can change."""

    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    pile: tuple[Card, ...]
    muerto_cards: tuple[Card, ...]
    muerto_used: bool
    phase: Phase
    barred: Card | None
    owed: Card | None
    all_wild: bool
    new: tuple[Card, ...]
    plays: int
    """How many plays of this turn there were before."""
    memory: Memory = Memory()


class Turn(msgspec.Struct, frozen=True):
    """The turn in progress."""

    seat: int
    phase: Phase
    drew: bool = False
    """A card was drawn from the stock this turn."""
    choosing: Emptied | None = None
    """The hand is empty and a muerto must be picked first."""
    barred: Card | None = None
    """The card of a one-card pile, which may not go straight back."""
    owed: Card | None = None
    """The top of a taken pile, which must still be used this turn."""
    all_wild: bool = False
    """Every card held right after the draw (or a fresh muerto) was wild."""
    discarded: bool = False
    """The discard has been made and a muerto was taken at once: the player may meld on and then ends."""
    new: tuple[Card, ...] = ()
    """Cards that came into the hand this turn, for the hand's picture."""
    plays: tuple[Play, ...] = ()
    undo: tuple[Checkpoint, ...] = ()


class SideScore(msgspec.Struct, frozen=True):
    """What a side scored in a deal; all parts are signed and add up to ``total``."""

    cards: int
    bonuses: int
    hand: int
    muerto: int
    closing: int
    total: int


class Deal(msgspec.Struct, frozen=True):
    """One shuffle, up to its scoring. Tuples a seat (``hands``) or a side (``melds``, ``taken``, …)."""

    number: int
    """0 for the first of a match."""
    starter: int
    stock: tuple[Card, ...]
    """Bottom first."""
    pile: tuple[Card, ...]
    """Bottom first."""
    hands: tuple[tuple[Card, ...], ...]
    melds: tuple[tuple[Meld, ...], ...]
    numbers: tuple[tuple[int, ...], ...]
    """A side: the number of each meld on the table, from 1 in the order of laying, over all sides."""
    muertos: tuple[tuple[Card, ...], ...]
    """Those still on the table."""
    taken: tuple[int, ...]
    """How many muertos each side has taken."""
    muerto_cards: tuple[tuple[Card, ...], ...]
    """A side: the cards of its last muerto as they were taken, until one of them is used."""
    muerto_used: tuple[bool, ...]
    """A side: a card of its muerto was laid or discarded."""
    reserve: tuple[Card, ...]
    """The third deck, bottom first, while it is not yet in play."""
    turn: Turn
    decks: int = 2
    turns_without_draw: int = 0
    last_plays: tuple[Play, ...] = ()
    """The plays of the turn before this one."""
    ended: Ended | None = None
    closer: int | None = None
    """The seat that closed."""
    scores: tuple[SideScore, ...] | None = None
    memory: Memory = Memory()


class Match(msgspec.Struct, frozen=True):
    """A whole match: the resolved rule set, the seating, the totals and the deal in progress."""

    rules: Ruleset
    seating: Seating
    first_starter: int
    """The seat that starts the first deal, drawn by lot."""
    totals: tuple[int, ...]
    deals: int = 0
    """Deals begun."""
    deal: Deal | None = None
    """None before the first deal."""
    winner: int | None = None
    """The winning side, once the match is over."""

    @property
    def is_over(self) -> bool:
        """Whether a side has won."""
        return self.winner is not None

    @property
    def next_starter(self) -> int:
        """The seat that starts the next deal: the one to the right of who started the last (RULESETS.md)."""
        return (self.first_starter + self.deals) % self.seating.seats

    @property
    def in_play(self) -> bool:
        """Whether a deal is going on."""
        return self.deal is not None and self.deal.ended is None


def new_match(rules: Ruleset, seating: Seating, first_starter: int) -> Match:
    """A match before its first deal.

    Raises:
        ValueError: the rule set does not know the seating, or there is no such seat.
    """
    if seating not in rules.seatings:
        raise ValueError(f"{rules.id} has no seating {seating}")
    if not 0 <= first_starter < seating.seats:
        raise ValueError(f"no seat {first_starter}")
    return Match(rules=rules, seating=seating, first_starter=first_starter, totals=(0,) * seating.sides)
