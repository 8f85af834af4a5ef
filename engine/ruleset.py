"""A rule set: one frozen value with a field or a named policy for every row of the matrix in RULESETS.md.

Nothing in the engine asks a rule set for its name. A rule set is a complete TOML file (``data/rulesets``); a table may
override single fields as house rules, and a match keeps its own resolved copy.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from engine.cards import ACE, IS_JOKER, IS_TWO, RANK, Card
from engine.policies import (
    Closing,
    ClosingBy,
    DisplacedWild,
    LonePileCard,
    MeldsWithoutCanasta,
    MuertoAfterDiscard,
    MuertoCount,
    MuertoPenalty,
    PileShown,
    PileTaking,
    SetsOfTwos,
    StockEnd,
    Tie,
    UnusedMuerto,
    UpCard,
    WildDiscard,
    WildLowest,
    WildMove,
    WildPlace,
)
from engine.seating import Seating


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tradition's own words, as keys of the text catalogues: never shown as they stand here."""

    muerto: str
    canasta: str
    pile: str


class Melding(NamedTuple):
    """The rules by which melds are looked for: small, so that what was found is found again by them."""

    shortest_run: int
    longest_run: int
    run_takes_wild_from: int
    ace_to_ace: bool
    sets: bool
    sets_of_twos: bool
    wild_melds: bool
    most: int
    """The cards of a meld, at most."""


class Ruleset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The rules of one game of Buraco, complete. Field by field as in the matrix of RULESETS.md."""

    id: str
    name: str
    source: str
    """The Spanish rule document it comes from (``000`` … ``004``)."""
    house_defaults: tuple[str, ...]
    """The fields that the source leaves open: our defaults, marked wherever the rules are shown."""
    words: Words
    # the table and the deal
    seatings: tuple[Seating, ...]
    jokers: int
    hand_size: int
    muertos: MuertoCount
    muerto_size: int
    muertos_a_side: int
    up_card: UpCard
    # the pile
    pile_shown: PileShown
    pile_taking: PileTaking
    all_wild_hand_must_take_pile: bool
    lone_pile_card: LonePileCard
    # melds
    sets: bool
    sets_of_twos: SetsOfTwos
    wild_melds: bool
    second_set_of_rank: bool
    run_minimum: int
    run_maximum: int
    meld_closes_at: int
    """A meld of this many cards takes no more; 0: melds stay open."""
    ace_to_ace: bool
    wilds_a_meld: int
    run_takes_wild_from: int
    wild_lowest: WildLowest
    wild_order: tuple[WildPlace, ...]
    displaced_wild: DisplacedWild
    wild_displaces_wild: bool
    wild_move: WildMove
    first_meld_minimum: int
    # discarding, the muerto and closing
    wild_discard: WildDiscard
    muerto_after_discard: MuertoAfterDiscard
    closing: Closing
    closing_by: ClosingBy
    stock_end: StockEnd
    stock_left_at_end: int
    """The deal ends after the turn that leaves this many cards in the stock."""
    rounds_without_draw: int
    """The deal ends when so many rounds in a row pass with no card drawn from the stock."""
    rounds_without_draw_warning: int
    # the score
    joker_points: int
    two_points: int
    ace_points: int
    high_points: int
    """8 to K."""
    low_points: int
    """3 to 7."""
    dirty_bonus: int
    semi_clean_bonus: int
    """Bonuses of 0 mean that the rule set does not know the kind."""
    clean_bonus: int
    real_bonus: int
    ace_to_ace_bonus: int
    clean_aces_bonus: int
    dirty_aces_bonus: int
    wilds_bonus: int
    closing_bonus: int
    closing_bonus_needs_canasta: bool
    muerto_penalty: int
    muerto_penalty_when: MuertoPenalty
    unused_muerto: UnusedMuerto
    melds_without_canasta: MeldsWithoutCanasta
    # the match
    target: int
    """Points that end the match at the end of a deal; 0: one deal decides."""
    target_options: tuple[int, ...]
    tie: Tie

    @cached_property
    def melding(self) -> "Melding":
        """What of the rules decides which melds lie in a hand."""
        return Melding(
            shortest_run=self.run_minimum,
            longest_run=min(self.run_maximum, HIGHEST_RUN),
            run_takes_wild_from=self.run_takes_wild_from,
            ace_to_ace=self.ace_to_ace,
            sets=self.sets,
            sets_of_twos=self.sets_of_twos is not SetsOfTwos.NO,
            wild_melds=self.wild_melds,
            most=self.meld_closes_at or HIGHEST_RUN,
        )

    @cached_property
    def card_points(self) -> tuple[int, ...]:
        """What each physical card counts, by card."""
        return tuple(self._points_of(Card(card)) for card in range(len(RANK)))

    def _points_of(self, card: Card) -> int:
        if IS_JOKER[card]:
            return self.joker_points
        if IS_TWO[card]:
            return self.two_points
        if RANK[card] == ACE:
            return self.ace_points
        return self.low_points if RANK[card] <= _LAST_LOW_RANK else self.high_points

    def points(self, cards: tuple[Card, ...]) -> int:
        """The sum of what the cards count."""
        table = self.card_points
        return sum(table[card] for card in cards)

    def muerto_count(self, seating: Seating) -> int:
        """How many muertos are laid out for a seating."""
        match self.muertos:
            case MuertoCount.ONE_A_SIDE:
                return seating.sides
            case MuertoCount.THREE:
                return 3

    @property
    def jokers_a_pack(self) -> int:
        """Jokers in each of the two packs."""
        return self.jokers // 2

    @property
    def uses_third_deck(self) -> bool:
        """Whether a deal needs a third deck in reserve."""
        return self.stock_end is StockEnd.THIRD_DECK


_LAST_LOW_RANK: Final = 7


class RulesetError(ValueError):
    """A rule set that is broken or contradicts itself. ``path`` is the key, ``problem`` a short English phrase."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def parse_ruleset(text: str) -> Ruleset:
    """Read a rule set from TOML.

    Raises:
        RulesetError: the text is no TOML, a key is unknown, missing or of the wrong kind, or the values contradict
            each other.
    """
    try:
        rules = msgspec.toml.decode(text, type=Ruleset)
    except msgspec.ValidationError as error:
        raise _broken(error, "file") from None
    except msgspec.DecodeError as error:
        raise RulesetError("file", str(error)) from None
    check(rules)
    return rules


def _broken(error: msgspec.ValidationError, whole: str) -> RulesetError:
    """The error with the key that it is about; an unknown or missing one stands in the problem, not in the path."""
    problem, _, where = str(error).partition(" - at `$")
    path = where.strip("`.")
    _, found, rest = problem.partition(" field `")
    if found:
        path = f"{path}.{rest.partition('`')[0]}".strip(".")
    return RulesetError(path or whole, problem)


def with_options(rules: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """A rule set with house rules laid over it: ``options`` maps field names to values as they stand in TOML.

    Raises:
        RulesetError: an option is no field, has a wrong value, or does not fit the others.
    """
    if not options:
        return rules
    fields = msgspec.to_builtins(rules)
    for name in options:
        if name not in fields or name in _NOT_AN_OPTION:
            raise RulesetError(name, "no such option")
    try:
        changed = msgspec.convert({**fields, **options}, type=Ruleset)
    except msgspec.ValidationError as error:
        raise _broken(error, "options") from None
    changed = _follow(rules, changed, options)
    check(changed)
    return changed


_NOT_AN_OPTION: Final = frozenset({"id", "name", "source", "house_defaults", "words", "seatings", "target_options"})


def _follow(before: Ruleset, after: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    # A run that may be shorter takes its wild from the shorter length too, where the rule set ties the two together
    # (RULESETS.md, run minimum of rioplatense: "table option 3; a run then takes a wild from 3").
    tied = before.run_takes_wild_from == before.run_minimum
    if tied and "run_minimum" in options and "run_takes_wild_from" not in options:
        return msgspec.structs.replace(after, run_takes_wild_from=after.run_minimum)
    return after


def check(rules: Ruleset) -> None:
    """Refuse a rule set whose values make no sense together.

    Raises:
        RulesetError: with the first key that is wrong.
    """
    for path, wrong, problem in _contradictions(rules):
        if wrong:
            raise RulesetError(path, problem)


def _contradictions(rules: Ruleset) -> tuple[tuple[str, bool, str], ...]:
    names = {field.name for field in msgspec.structs.fields(rules)}
    numbers = {field.name: getattr(rules, field.name) for field in msgspec.structs.fields(rules) if field.type is int}
    unknown = [name for name in rules.house_defaults if name not in names]
    negative = [name for name, value in numbers.items() if value < 0]
    largest = max((seating.seats for seating in rules.seatings), default=0)
    muertos = max((rules.muerto_count(seating) for seating in rules.seatings), default=0)
    dealt = largest * rules.hand_size + muertos * rules.muerto_size + (rules.up_card is not UpCard.NONE)
    closes = rules.meld_closes_at
    return (
        ("id", not rules.id or not all(c.isascii() and (c.isalnum() or c == "-") for c in rules.id), "not an id"),
        ("house_defaults", bool(unknown), f"no such field: {', '.join(unknown)}"),
        (negative[0] if negative else "", bool(negative), "must not be negative"),
        ("seatings", not rules.seatings, "at least one seating is needed"),
        ("jokers", rules.jokers not in (0, 2, 4), "must be 0, 2 or 4"),
        ("hand_size", not 1 <= rules.hand_size <= 20, "must be from 1 to 20"),
        ("muerto_size", not 1 <= rules.muerto_size <= 20, "must be from 1 to 20"),
        ("muertos_a_side", rules.muertos_a_side < 1, "must be at least 1"),
        ("hand_size", dealt >= 104 + rules.jokers, f"{dealt} cards dealt leave no stock"),
        ("run_minimum", not 3 <= rules.run_minimum <= 7, "must be from 3 to 7"),
        ("run_maximum", not rules.run_minimum <= rules.run_maximum <= HIGHEST_RUN, "must be from run_minimum to 14"),
        ("meld_closes_at", closes != 0 and not 3 <= closes <= HIGHEST_RUN, "must be 0, or from 3 to 14"),
        ("run_maximum", closes != 0 and rules.run_maximum != closes, "must equal meld_closes_at"),
        ("ace_to_ace", rules.ace_to_ace and rules.run_maximum < HIGHEST_RUN, "needs a run_maximum of 14"),
        ("wilds_a_meld", rules.wilds_a_meld not in (0, 1), "must be 0 or 1"),
        ("run_takes_wild_from", not 3 <= rules.run_takes_wild_from <= HIGHEST_RUN, "must be from 3 to 14"),
        ("wild_order", len(set(rules.wild_order)) != len(rules.wild_order), "a place stands twice"),
        ("wild_order", not {WildPlace.HIGH, WildPlace.LOW} <= set(rules.wild_order), "needs both high and low"),
        ("sets_of_twos", rules.sets_of_twos is not SetsOfTwos.NO and not rules.sets, "needs sets"),
        ("sets_of_twos", rules.sets_of_twos is not SetsOfTwos.NO and rules.wild_melds, "contradicts wild_melds"),
        (
            "wild_discard",
            rules.wild_discard is WildDiscard.NEVER and not rules.all_wild_hand_must_take_pile,
            "never needs all_wild_hand_must_take_pile: a hand of wilds would have no way on",
        ),
        (
            "lone_pile_card",
            rules.lone_pile_card is LonePileCard.BARRED and rules.wild_discard is WildDiscard.NEVER,
            "contradicts a wild_discard of never: a hand of wilds and the barred card would have no way on",
        ),
        (
            "all_wild_hand_must_take_pile",
            rules.all_wild_hand_must_take_pile and rules.pile_taking is not PileTaking.FREE,
            "needs a free pile: an obligation could leave no way on",
        ),
        ("rounds_without_draw", rules.rounds_without_draw < 1, "must be at least 1"),
        ("wilds_bonus", rules.wilds_bonus > 0 and not rules.wild_melds, "needs wild_melds"),
        ("target_options", any(option < 0 for option in rules.target_options), "must not be negative"),
    )


HIGHEST_RUN: Final = 14
"""Ace to ace: no run is longer."""
SHORTEST_MELD: Final = 3
"""Under every rule set."""
