"""Taking the pile: what of it was seen, what it obliges to, and when it must be taken."""

from collections.abc import Sequence

from engine.cards import IS_WILD, Card
from engine.policies import LonePileCard, PileShown, PileTaking
from engine.ruleset import Ruleset


def takes_top_at_once(rules: Ruleset) -> bool:
    """Whether taking the pile names the meld or add that uses its top."""
    return rules.pile_taking is PileTaking.TOP_AT_ONCE


def seen_of_pile(rules: Ruleset, count: int) -> int:
    """How many of the pile's cards, from the top, everybody sees."""
    return count if rules.pile_shown is PileShown.ALL else min(count, 1)


def barred_card(rules: Ruleset, pile: Sequence[Card]) -> Card | None:
    """The card of a one-card pile that may not go straight back."""
    lone = len(pile) == 1 and rules.lone_pile_card is LonePileCard.BARRED
    return pile[0] if lone else None


def must_take_pile(rules: Ruleset, hand: Sequence[Card], pile_count: int, *, stock_is_out: bool) -> bool:
    """Whether a draw is refused because the pile has to be taken.

    A hand of wilds only must take it where the rule set says so, and so must everybody once the stock is out.
    """
    if not pile_count:
        return False
    return stock_is_out or (rules.all_wild_hand_must_take_pile and all(IS_WILD[card] for card in hand))
