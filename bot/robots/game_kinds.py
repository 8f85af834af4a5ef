"""Kinds of games that want to be played each in its own way, told by fields of the rule set and by who sits there."""

from enum import StrEnum

from engine.policies import Closing, MeldsWithoutCanasta, PileTaking
from engine.ruleset import Ruleset
from engine.seating import Seating


class GameKind(StrEnum):
    """What closing needs, how freely the pile is taken, and whether one has a partner."""

    NEGATIVE_ALONE = "negative_alone"
    """Melds without a canasta count against their side; two sides of one."""
    NEGATIVE_PAIRS = "negative_pairs"
    NEGATIVE_THREE = "negative_three"
    NEGATIVE_THREE_PAIRS = "negative_three_pairs"
    CLEAN_FREE_ALONE = "clean_free_alone"
    """Closing wants a clean canasta; whoever is on turn may take the pile."""
    CLEAN_FREE_PAIRS = "clean_free_pairs"
    CLEAN_TOP_ALONE = "clean_top_alone"
    """Closing wants a clean canasta; the top of the pile has to be used."""
    CLEAN_TOP_PAIRS = "clean_top_pairs"
    ANY_FREE_ALONE = "any_free_alone"
    """Closing wants any canasta or none."""
    ANY_FREE_PAIRS = "any_free_pairs"
    ANY_TOP_ALONE = "any_top_alone"
    ANY_TOP_PAIRS = "any_top_pairs"


def kind_of_game(rules: Ruleset, seating: Seating) -> GameKind:
    """The kind of game that a rule set makes at a table."""
    pairs = "_pairs" if seating.seats > seating.sides else ""
    if rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE:
        return GameKind(f"negative_three{pairs}" if seating.sides > 2 else f"negative{pairs or '_alone'}")
    goal = "clean" if rules.closing is Closing.CLEAN else "any"
    taking = "free" if rules.pile_taking is PileTaking.FREE else "top"
    return GameKind(f"{goal}_{taking}{pairs or '_alone'}")
