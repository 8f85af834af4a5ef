"""From the engine's values to rows of numbers: rules, and what one seat sees of a deal."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.forms import Forms, number_of
from engine.cards import FACE, Card
from engine.fast_rules import FastRules
from engine.melds import Meld
from engine.policies import SetsOfTwos


def rules_row(rules: FastRules, forms: Forms) -> Any:
    """A rule set at a table. Robots remember every card of the pile that they saw, so that it counts as shown."""
    row = np.zeros(at.RULES_SIZE, dtype=np.int64)
    switches = rules.rules
    for place, value in (
        (at.SEATS, rules.seats),
        (at.SIDES, rules.sides),
        (at.LONE_BARRED, rules.lone_barred),
        (at.AT_ONCE, rules.at_once),
        (at.THIS_TURN, rules.this_turn),
        (at.WILD_NEVER, rules.wild_never),
        (at.WILD_NOT_CLOSING, rules.wild_not_closing),
        (at.WANTS_CANASTA, rules.wants_canasta),
        (at.WANTS_CLEAN, rules.wants_clean),
        (at.BY_DISCARD_ONLY, rules.by_discard_only),
        (at.SAME_TURN, rules.same_turn),
        (at.THIRD_DECK, rules.third_deck),
        (at.MUERTOS_TO_STOCK, rules.muertos_to_stock),
        (at.WHILE_PILE, rules.while_pile),
        (at.LEFT_AT_END, rules.left_at_end),
        (at.MOST_IDLE, rules.most_idle),
        (at.MUERTOS_A_SIDE, rules.muertos_a_side),
        (at.SECOND_SET, rules.second_set),
        (at.FIRST_MINIMUM, rules.first_minimum),
        (at.ALL_WILD_TAKES, rules.all_wild_takes),
        (at.NEGATIVE, rules.negative),
        (at.PENALTY, rules.penalty),
        (at.PENALTY_ALWAYS, rules.penalty_always),
        (at.UNUSED_PAYS, rules.unused_pays),
        (at.CLOSING_BONUS, rules.closing_bonus),
        (at.BONUS_NEEDS_CANASTA, rules.bonus_needs_canasta),
        (at.SHOWS_ALL, 1),
        (at.SETS, switches.sets),
        (at.RUN_MINIMUM, switches.run_minimum),
        (at.RUN_MAXIMUM, switches.run_maximum),
        (at.CLOSES_AT, switches.meld_closes_at),
        (at.WILD_MELDS, switches.wild_melds),
        (at.SETS_OF_TWOS, switches.sets_of_twos is not SetsOfTwos.NO),
        (at.WILDS_A_MELD, switches.wilds_a_meld),
        (at.JOKERS, switches.jokers_a_pack),
        (at.MUERTO_SIZE, switches.muerto_size),
        (at.WARN_IDLE, switches.rounds_without_draw_warning),
        (at.ROUNDS_IDLE, switches.rounds_without_draw),
        (at.DIRTY, switches.dirty_bonus),
        (at.SEMI, switches.semi_clean_bonus),
        (at.CLEAN_BONUS, switches.clean_bonus),
        (at.REAL, switches.real_bonus),
        (at.ACE_TO_ACE, switches.ace_to_ace_bonus),
        (at.CLEAN_ACES, switches.clean_aces_bonus),
        (at.DIRTY_ACES, switches.dirty_aces_bonus),
        (at.WILDS_BONUS, switches.wilds_bonus),
        (at.NUMBERS, 4 * len(forms.melds)),
    ):
        row[place] = value
    row[at.POINTS : at.POINTS + at.FACES] = rules.points
    return row


def faces(cards: Iterable[Card]) -> list[int]:
    """The faces of cards."""
    return [int(FACE[card]) for card in cards]


def put_melds(row: Any, forms: Forms, side: int, melds: Iterable[Meld]) -> None:
    """Put the melds of a side on the table."""
    count = 0
    for count, meld in enumerate(melds, 1):
        place = at.MELDS + (side * at.MOST_MELDS + count - 1) * 2
        row[place : place + 2] = number_of(forms, meld)
    row[at.MELD_COUNT + side] = count


def put_hand(row: Any, seat: int, held: Iterable[int]) -> None:
    """Put cards, by face, into a hand."""
    for face in held:
        row[at.HANDS + seat * at.FACES + face] += 1
        row[at.SIZES + seat] += 1


def put_list(row: Any, place: int, count: int, listed: list[int]) -> None:
    """Put cards, by face, where they lie one on another: at ``place``, their number at ``count``."""
    row[place : place + len(listed)] = listed
    row[count] = len(listed)
