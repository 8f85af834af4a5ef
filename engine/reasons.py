"""Why an action is refused: the closed list of reasons, and the errors that carry them.

No sentence is written here. The presenter has one for every :class:`Reason`; the ``facts`` of an
:class:`IllegalAction` give it what it needs to name names.
"""

from collections.abc import Mapping
from enum import StrEnum


class Reason(StrEnum):
    """Every reason for which the engine refuses an action.

    Where several hold, the first in the order of judging is given: turn and phase, cards named, what a meld is,
    obligations, look-ahead and closing.
    """

    MUERTO_CHOICE_NEEDED = "muerto_choice_needed"
    BAD_NOTATION = "bad_notation"
    DEAL_OVER = "deal_over"
    NOT_YOUR_TURN = "not_your_turn"
    MUST_DRAW_FIRST = "must_draw_first"
    ALREADY_DRAWN = "already_drawn"
    ALREADY_DISCARDED = "already_discarded"
    NO_SUCH_MELD = "no_such_meld"
    CARD_NOT_HELD = "card_not_held"
    PILE_EMPTY = "pile_empty"
    MUST_TAKE_PILE = "must_take_pile"
    PILE_TOP_NOT_USED = "pile_top_not_used"
    PILE_CARD_BARRED = "pile_card_barred"
    MELD_TOO_SHORT = "meld_too_short"
    MELD_TOO_LONG = "meld_too_long"
    MELD_CLOSED = "meld_closed"
    NOT_A_MELD = "not_a_meld"
    TOO_MANY_WILDS = "too_many_wilds"
    WILD_NOT_ALLOWED_HERE = "wild_not_allowed_here"
    WILD_CANNOT_MOVE = "wild_cannot_move"
    SETS_NOT_ALLOWED = "sets_not_allowed"
    SET_OF_TWOS_NOT_ALLOWED = "set_of_twos_not_allowed"
    SECOND_SET_OF_RANK = "second_set_of_rank"
    FIRST_MELD_MINIMUM = "first_meld_minimum"
    WILD_DISCARD = "wild_discard"
    MUST_KEEP_A_DISCARD = "must_keep_a_discard"
    CLOSING_NEEDS_MUERTO = "closing_needs_muerto"
    CLOSING_NEEDS_CANASTA = "closing_needs_canasta"
    CLOSING_NEEDS_CLEAN_CANASTA = "closing_needs_clean_canasta"
    MUST_CLOSE_BY_DISCARDING = "must_close_by_discarding"
    CANNOT_END_WITHOUT_DISCARD = "cannot_end_without_discard"
    NOTHING_TO_UNDO = "nothing_to_undo"


class EngineError(Exception):
    """The common base of what the engine raises."""


class NotationError(EngineError):
    """A text that cannot be read as a card, a meld, an action or a position. ``text`` is what was read."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class IllegalAction(EngineError):
    """An action that the rules refuse; the state is unchanged.

    ``facts`` are named values for the sentence that tells it, for example ``{"minimum": 50, "points": 35}``.
    """

    def __init__(self, reason: Reason, **facts: int | str) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.facts: Mapping[str, int | str] = facts


class IllegalDeal(EngineError):
    """A pack that cannot be dealt: wrong cards, or an up-card that the rule set wants reshuffled."""
