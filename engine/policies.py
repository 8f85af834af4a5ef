"""The named policies of rule sets: what a rule set chooses where traditions differ (RULESETS.md, the matrix)."""

from enum import StrEnum


class MuertoCount(StrEnum):
    """How many extra hands are laid out."""

    ONE_A_SIDE = "one_a_side"
    THREE = "three"


class UpCard(StrEnum):
    """What starts the pile."""

    NONE = "none"
    TURNED = "turned"
    TURNED_NATURAL = "turned_natural"
    """Turned; a pack that turns a wild is reshuffled."""


class PileShown(StrEnum):
    """What of the pile everybody sees."""

    TOP = "top"
    ALL = "all"


class PileTaking(StrEnum):
    """The obligation that comes with taking the pile."""

    FREE = "free"
    TOP_THIS_TURN = "top_this_turn"
    TOP_AT_ONCE = "top_at_once"
    """On an own meld, or in a new meld with cards of the hand."""


class LonePileCard(StrEnum):
    """Whether the card of a one-card pile may go straight back."""

    FREE = "free"
    BARRED = "barred"


class SetsOfTwos(StrEnum):
    """Whether 2s make a set of their own rank."""

    NO = "no"
    NATURAL = "natural"
    """As naturals; one joker may join as the wild of the set."""


class WildLowest(StrEnum):
    """Whether a wild may be the lowest card of a run."""

    ANY = "any"
    ONLY_AS_ACE = "only_as_ace"


class WildPlace(StrEnum):
    """A place that a wild takes by itself, as listed in the rule set's order."""

    HOME = "home"
    HIGH = "high"
    LOW = "low"


class DisplacedWild(StrEnum):
    """Where a wild goes when its natural card arrives and it cannot go home."""

    STAYS = "stays"
    """It stays in the meld, at the place that the player names or that the order gives."""
    HAND = "hand"


class WildMove(StrEnum):
    """What a wild may do when no card is added."""

    NO = "no"
    TWO_HOME = "two_home"
    FREE = "free"


class WildDiscard(StrEnum):
    """When a wild may be discarded."""

    NEVER = "never"
    """Never, unless every card held was wild right after the draw."""
    NOT_CLOSING = "not_closing"
    FREE = "free"


class MuertoAfterDiscard(StrEnum):
    """When a muerto that was won by a discard is played."""

    NEXT_TURN = "next_turn"
    SAME_TURN = "same_turn"


class Closing(StrEnum):
    """What closing needs besides the muerto."""

    NONE = "none"
    ANY = "any"
    CLEAN = "clean"


class ClosingBy(StrEnum):
    """How the last card may leave the hand at the close."""

    DISCARD = "discard"
    MELD_OR_DISCARD = "meld_or_discard"


class StockEnd(StrEnum):
    """What happens when the stock runs out."""

    DEAL_ENDS = "deal_ends"
    THIRD_DECK = "third_deck"
    """The first time a third deck comes in; the second time the deal ends after that turn."""
    MUERTOS = "muertos"
    """Unclaimed muertos become stock at the next draw, one at a time."""
    WHILE_PILE = "while_pile"
    """Play goes on while the mover can take the pile."""


class UnusedMuerto(StrEnum):
    """What a muerto costs that was taken and of which no card was laid or discarded."""

    HAND_ONLY = "hand_only"
    PENALTY_AND_HAND = "penalty_and_hand"


class MuertoPenalty(StrEnum):
    """When a side that took no muerto pays for it."""

    ALWAYS = "always"
    UNLESS_NOBODY_DID = "unless_nobody_did"


class MeldsWithoutCanasta(StrEnum):
    """What the melds of a side without a canasta count."""

    COUNT = "count"
    NEGATIVE = "negative"


class Tie(StrEnum):
    """What a tie at the top, at or above the target, leads to."""

    ANOTHER_DEAL = "another_deal"
    FIRST_STARTER = "first_starter"
