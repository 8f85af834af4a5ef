"""The numbers that the sensible robot weighs with, found by measuring duplicate deals (docs/adr/0003-robots.md)."""

from typing import Final

import msgspec


class Weights(msgspec.Struct, frozen=True):
    """Points of the deal's score unless said otherwise."""

    # how long the deal may last, in turns a seat
    draw_share: float = 0.65
    """The share of turns that draw from the stock."""
    pace: float = 1.8
    """Cards by which a hand shrinks a turn."""
    rounds_last: float = 2.5
    """Turns that the last cards of a hand take besides."""
    rounds_muerto: float = 6.0
    rounds_canasta: float = 3.0
    """Turns that a side needs longer to close that has had no muerto, or lacks the canasta."""
    caught_least: float = 0.25
    caught_rounds: float = 9.0
    """A card that is kept counts against the side with a chance that falls from 1 to the least over so many turns."""
    # the cards that may still come
    cards_a_turn: float = 1.8
    """Cards that come to a seat a turn, piles included."""
    muerto_share: float = 0.5
    partner_share: float = 0.6
    """The parts of a muerto and of the partner's hand that count as coming."""
    most_coming: float = 0.4
    """Of the unseen cards a side gets at most this part of its even share."""
    prospect_share: float = 1.0
    """The part of a bonus to come that is counted now."""
    wild_rivals: float = 6.0
    """How many melds compete for a wild."""
    wild_meld_share: float = 0.8
    """The part of the wilds to come that a wild meld gets."""
    canasta_rounds: float = 6.0
    """How soon a side without a canasta may hope for one with melds that it does not have yet."""
    # a hand
    wild_worth: float = 95.0
    wild_alone: float = 75.0
    """What a wild in the hand will bring, early in the deal: in pairs, and where everybody plays alone."""
    wild_rounds: float = 3.0
    """In how many turns a wild is as good as used."""
    kept: float = 0.85
    """What a meld in the hand is worth of the same meld on the table."""
    window_worth: float = 7.0
    """What a new meld brings beyond its cards and its expected bonus, for each card after the first."""
    fit_worth: float = 8.0
    fit_growing: float = 12.0
    """What a card brings beyond its points that goes on a meld of the own side, and more while that is no canasta."""
    # the muerto and the close
    muerto_worth: float = 150.0
    muerto_closing: float = 300.0
    """What a muerto is worth by itself, and as a step to the close."""
    muerto_at_once: float = 60.0
    """What it is worth besides to play on with it in the same turn."""
    muerto_cards: float = 10.0
    close_worth: float = 400.0
    close_cards: float = 8.0
    """A hand of so many cards has a third (1/e) of the worth of an empty one."""
    close_pull: float = 0.9
    """The part of the worth of a near close that is added when it is there."""
    ease_any: float = 0.5
    ease_ready: float = 0.8
    ease_clean: float = 0.0
    ease_clean_ready: float = 0.35
    """How much of the haste is left where closing wants a canasta, or a clean one, before and after there is one."""
    card_worth: float = 17.0
    """What a card of a hand brings in the course of a deal that goes on."""
    turn_worth: float = 22.0
    """What a turn brings besides."""
    # the pile
    covered_card: float = 10.0
    """What each unseen card of the pile is worth but one."""
    denied_card: float = 11.0
    denied_alone: float = 8.0
    """What a card of the pile is worth to the next opponent, in pairs and where everybody plays alone."""
    tempting_slope: float = 3.0
    tempting_pile: float = 3.5
    """Piles of so many cards are taken as often as not; the slope tells how sharply that changes."""
    # discards
    fed: float = 0.9
    """How likely the next opponent is to use a card that fits the opponents' melds."""
    feed_bonus: float = 1.0
    """The part of the bonus that such a card is blamed for, shared among the cards that the meld lacks."""
    pile_card: float = 6.0
    """What each card of the pile adds to a gift."""
    tempting: float = 0.35
    """How much of a card's worth a discard gives away that fits no meld in view."""


DEFAULT: Final = Weights()
