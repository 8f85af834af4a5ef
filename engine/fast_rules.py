"""A rule set's switches at a table, as searching robots ask for them."""

from engine.fast_melds import MeldBook, book_of
from engine.policies import (
    Closing,
    ClosingBy,
    LonePileCard,
    MeldsWithoutCanasta,
    MuertoAfterDiscard,
    MuertoPenalty,
    PileTaking,
    StockEnd,
    UnusedMuerto,
    WildDiscard,
)
from engine.ruleset import Ruleset
from engine.seating import Seating


class FastRules:
    """A rule set's switches as plain attributes, and its book of melds."""

    def __init__(self, rules: Ruleset, seating: Seating) -> None:
        self.rules = rules
        self.book: MeldBook = book_of(rules)
        self.seats, self.sides = seating.seats, seating.sides
        self.points: tuple[int, ...] = rules.card_points[:53]
        self.lone_barred = rules.lone_pile_card is LonePileCard.BARRED
        self.at_once = rules.pile_taking is PileTaking.TOP_AT_ONCE
        self.this_turn = rules.pile_taking is PileTaking.TOP_THIS_TURN
        self.wild_never = rules.wild_discard is WildDiscard.NEVER
        self.wild_not_closing = rules.wild_discard is WildDiscard.NOT_CLOSING
        self.wants_canasta = rules.closing is not Closing.NONE
        self.wants_clean = rules.closing is Closing.CLEAN
        self.by_discard_only = rules.closing_by is ClosingBy.DISCARD
        self.same_turn = rules.muerto_after_discard is MuertoAfterDiscard.SAME_TURN
        self.third_deck = rules.stock_end is StockEnd.THIRD_DECK
        self.muertos_to_stock = rules.stock_end is StockEnd.MUERTOS
        self.while_pile = rules.stock_end is StockEnd.WHILE_PILE
        self.left_at_end = rules.stock_left_at_end if rules.stock_end is StockEnd.DEAL_ENDS else 0
        self.most_idle = rules.rounds_without_draw * seating.seats
        self.muertos_a_side = rules.muertos_a_side
        self.second_set = rules.second_set_of_rank
        self.first_minimum = rules.first_meld_minimum
        self.all_wild_takes = rules.all_wild_hand_must_take_pile
        self.negative = rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE
        self.penalty = rules.muerto_penalty
        self.penalty_always = rules.muerto_penalty_when is MuertoPenalty.ALWAYS
        self.unused_pays = rules.unused_muerto is UnusedMuerto.PENALTY_AND_HAND
        self.closing_bonus = rules.closing_bonus
        self.bonus_needs_canasta = rules.closing_bonus_needs_canasta
