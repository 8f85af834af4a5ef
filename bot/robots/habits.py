"""How a robot inclines to the pile before it reckons, found by measuring many deals (docs/robots.md tells how)."""

import msgspec


class Habits(msgspec.Struct, frozen=True):
    """What speaks for and against the pile, in points of the deal's score unless said otherwise."""

    card: float = -2.0
    """A card of the pile that fits nothing."""
    mate: float = 6.0
    """One that has company in the hand or in the pile."""
    meld: float = 28.0
    """One that makes a new meld."""
    fit: float = 36.0
    """One that goes on a meld of the own side."""
    wild: float = 60.0
    least: float = 21.0
    """What a card from the stock is worth: the pile is taken for more."""
    deny: float = 0.0
    """A card of the pile that the next opponent's melds take."""
    hand: float = 0.0
    """What each card of the own hand adds to what the pile must be worth."""
    race: float = 0.0
    """And a hand of at most four cards that a muerto or a close awaits."""
    untaken: float = 0.0
    """And a side that has had no muerto."""
    threat: float = 0.0
    """And an opponent with at most three cards who may close."""
    plan: float = 1.0
    """How much it counts what a turn with the pile is worth over a turn with a card of the stock; no points."""
    habit: float = 0.0
    """How much all of the above counts; no points."""
    idle: float = 15.0
    """What the pile must be worth more for each round in which nobody drew, squared: else nobody might ever draw."""
