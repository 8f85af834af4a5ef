"""What a meld is: cards arranged as a run, a set or a wild meld, fresh, added to, or with a wild moved.

The whole final meld is judged, never card by card and never in the order in which the cards were named (RULESETS.md,
How the rules work, 3). All arrangements of the final cards are found first (:mod:`engine.rows`), then the rule set says
which may stand, then its order picks one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine import rows
from engine.cards import (
    FACE,
    IS_JOKER,
    IS_TWO,
    IS_WILD,
    RANK,
    RANK_OF_FACE,
    SUIT,
    SUIT_OF_FACE,
    TWO,
    Card,
    Face,
)
from engine.melds import Meld, Shape, make_set, make_wild_meld, only_wilds
from engine.policies import DisplacedWild, SetsOfTwos, WildMove
from engine.reasons import IllegalAction, Reason
from engine.rows import Named
from engine.ruleset import HIGHEST_RUN, SHORTEST_MELD, Ruleset


class Added(NamedTuple):
    """The outcome of an add."""

    meld: Meld
    returned: tuple[Card, ...] = ()
    """Wilds that go back to the hand."""


def judge_new(rules: Ruleset, cards: Sequence[Card], named: Named) -> Meld:
    """The meld that ``cards`` make.

    Raises:
        IllegalAction: they make none; the reason says why.
    """
    held = tuple(cards)
    _check_size(rules, len(held))
    if only_wilds(held):
        meld = _judge_wilds(rules, held)
        _check_set_names(meld, named)
        return meld
    runs = rows.arrangements(held)
    standing = [run for run in runs if rows.run_problem(rules, run) is None]
    if standing:
        return rows.pick(rules, _fitting(standing, named))
    rank, wilds = _rank_of_all(held)
    if rank and not wilds[1:] and rules.sets and len(wilds) <= rules.wilds_a_meld:
        meld = make_set(held, rank, wilds[0] if wilds else None)
        _check_set_names(meld, named)
        return meld
    raise IllegalAction(_why_no_meld(rules, held, runs))


def judge_add(rules: Ruleset, meld: Meld, added: Sequence[Card], named: Named) -> Added:
    """The meld that comes of adding cards of the hand to one on the table.

    ``named`` may also name a new place for the wild that is already there.

    Raises:
        IllegalAction: the final cards make no meld of this kind, or the meld is closed.
    """
    if rules.meld_closes_at and len(meld.cards) >= rules.meld_closes_at:
        raise IllegalAction(Reason.MELD_CLOSED, maximum=rules.meld_closes_at)
    cards = meld.cards + tuple(added)
    _check_size(rules, len(cards))
    match meld.shape:
        case Shape.WILDS:
            if not only_wilds(cards):
                raise IllegalAction(Reason.NOT_A_MELD)
            grown = make_wild_meld(cards)
            _check_set_names(grown, named)
            return Added(grown)
        case Shape.SET:
            return Added(_judge_set_add(rules, meld, cards, named))
        case Shape.RUN:
            return _judge_run_add(rules, meld, tuple(added), named)


def judge_move(rules: Ruleset, meld: Meld, card: Card, place: Face) -> Meld:
    """The meld with its wild moved to another place and no card added.

    Raises:
        IllegalAction: the wild cannot move there, or is not that meld's wild.
    """
    if meld.shape is not Shape.RUN or meld.wild < 0 or meld.cards[meld.wild] != card:
        raise IllegalAction(Reason.WILD_CANNOT_MOVE)
    if place in (meld.wild_place, *(FACE[two] for two in meld.naturals if FACE[two] == FACE[card])):
        raise IllegalAction(Reason.WILD_CANNOT_MOVE)  # it is there already, or its twin is
    match rules.wild_move:
        case WildMove.NO:
            raise IllegalAction(Reason.WILD_CANNOT_MOVE)
        case WildMove.TWO_HOME:
            if not (IS_TWO[card] and place == FACE[card] and SUIT[card] == meld.suit):
                raise IllegalAction(Reason.WILD_CANNOT_MOVE)
        case WildMove.FREE:
            pass
    if SUIT_OF_FACE[place] != meld.suit:
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)
    runs = [run for run in rows.arrangements(meld.cards) if rows.fits(run, {card: place})]
    if not runs:
        raise IllegalAction(Reason.NOT_A_MELD)
    standing = [run for run in runs if rows.run_problem(rules, run) is None]
    if not standing:
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)
    moved = rows.pick(rules, standing)
    if str(moved) == str(meld):
        raise IllegalAction(Reason.WILD_CANNOT_MOVE)
    return moved


def _check_size(rules: Ruleset, size: int) -> None:
    if size < SHORTEST_MELD:
        raise IllegalAction(Reason.MELD_TOO_SHORT, minimum=SHORTEST_MELD)
    maximum = rules.meld_closes_at or HIGHEST_RUN
    if size > maximum:
        raise IllegalAction(Reason.MELD_TOO_LONG, maximum=maximum)


def _judge_wilds(rules: Ruleset, cards: tuple[Card, ...]) -> Meld:
    if rules.wild_melds:
        return make_wild_meld(cards)
    twos = [card for card in cards if IS_TWO[card]]
    jokers = [card for card in cards if IS_JOKER[card]]
    if len(twos) < 2:
        raise IllegalAction(Reason.NOT_A_MELD)
    if not rules.sets:
        raise IllegalAction(Reason.SETS_NOT_ALLOWED)
    if rules.sets_of_twos is SetsOfTwos.NO:
        raise IllegalAction(Reason.SET_OF_TWOS_NOT_ALLOWED)
    if len(jokers) > rules.wilds_a_meld:
        raise IllegalAction(Reason.TOO_MANY_WILDS)
    return make_set(cards, TWO, jokers[0] if jokers else None)


def _rank_of_all(cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """The rank that all naturals share (0 where they do not, or are fewer than two) and the wilds among the cards."""
    ranks = {RANK[card] for card in cards if not IS_WILD[card]}
    wilds = tuple(card for card in cards if IS_WILD[card])
    if len(ranks) != 1 or len(cards) - len(wilds) < 2:
        return 0, wilds
    return ranks.pop(), wilds


def _why_no_meld(rules: Ruleset, cards: tuple[Card, ...], runs: Sequence[Meld]) -> Reason:
    problems = {rows.run_problem(rules, run) for run in runs}
    for reason in (Reason.MELD_TOO_SHORT, Reason.MELD_TOO_LONG):
        if reason in problems:
            return reason
    ranks = {RANK[card] for card in cards if not IS_WILD[card]}
    rank, _ = _rank_of_all(cards)
    if rank:
        return Reason.TOO_MANY_WILDS if rules.sets else Reason.SETS_NOT_ALLOWED
    if Reason.TOO_MANY_WILDS in problems:
        return Reason.TOO_MANY_WILDS
    if Reason.WILD_NOT_ALLOWED_HERE in problems:
        return Reason.WILD_NOT_ALLOWED_HERE
    if not problems and (rows.would_run_with_more_wilds(rules, cards) or (len(ranks) == 1 and rules.sets)):
        return Reason.TOO_MANY_WILDS
    return Reason.NOT_A_MELD


def _fitting(runs: list[Meld], named: Named) -> list[Meld]:
    if not named:
        return runs
    fitting = [run for run in runs if rows.fits(run, named)]
    if not fitting:
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)
    return fitting


def _check_set_names(meld: Meld, named: Named) -> None:
    """In a set a wild stands for any card of the rank; in a wild meld for none."""
    rank = meld.low if meld.shape is Shape.SET else 0
    if any(RANK_OF_FACE[place] != rank for place in named.values()):
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)


def _judge_set_add(rules: Ruleset, meld: Meld, cards: tuple[Card, ...], named: Named) -> Meld:
    of_twos = meld.low == TWO
    wilds = [card for card in cards if (IS_JOKER[card] if of_twos else IS_WILD[card])]
    if any(RANK[card] != meld.low for card in cards if card not in wilds):
        raise IllegalAction(Reason.NOT_A_MELD)
    if len(wilds) > rules.wilds_a_meld:
        raise IllegalAction(Reason.TOO_MANY_WILDS)
    grown = make_set(cards, meld.low, wilds[0] if wilds else None)
    _check_set_names(grown, named)
    return grown


def _judge_run_add(rules: Ruleset, meld: Meld, added: tuple[Card, ...], named: Named) -> Added:
    cards = meld.cards + added
    wild = meld.wild_card
    runs = rows.arrangements(cards)
    standing = [run for run in runs if rows.run_problem(rules, run) is None]
    if wild is not None and _goes_to_hand(rules, meld, added, standing, named):
        exchanged = _exchange(rules, meld, added, wild, named)
        if exchanged is not None:
            return exchanged
    if not standing:
        raise IllegalAction(_why_no_run(rules, cards, runs))
    if wild is not None and not rules.wild_displaces_wild:
        standing = [run for run in standing if not _displaces(rules, run, wild, added)]
        if not standing:
            raise IllegalAction(Reason.WILD_CANNOT_MOVE)
    return Added(rows.pick(rules, _fitting(standing, named), meld))


def _why_no_run(rules: Ruleset, cards: tuple[Card, ...], runs: Sequence[Meld]) -> Reason:
    problems = {rows.run_problem(rules, run) for run in runs}
    for reason in (Reason.MELD_TOO_LONG, Reason.TOO_MANY_WILDS, Reason.WILD_NOT_ALLOWED_HERE):
        if reason in problems:
            return reason
    if not problems and rows.would_run_with_more_wilds(rules, cards):
        return Reason.TOO_MANY_WILDS
    return Reason.NOT_A_MELD


def _displaces(rules: Ruleset, run: Meld, wild: Card, added: Sequence[Card]) -> bool:
    """Whether in ``run`` an added wild pushed the old one out: the old one could not have gone home without it."""
    newcomer = run.wild_card
    if newcomer is None or newcomer == wild or newcomer not in added:
        return False
    rest = [card for card in run.cards if card != newcomer]
    return not any(other.wild < 0 and rows.run_problem(rules, other) is None for other in rows.arrangements(rest))


def _goes_to_hand(rules: Ruleset, meld: Meld, added: Sequence[Card], standing: Sequence[Meld], named: Named) -> bool:
    """Whether the wild's natural card arrives where the rule set sends a displaced wild back to the hand."""
    wild, place = meld.wild_card, meld.wild_place
    if rules.displaced_wild is not DisplacedWild.HAND or wild is None or wild in named:
        return False
    goes_home = any(rows.wild_face(run) != FACE[wild] for run in standing)
    return not goes_home and any(FACE[card] == place for card in added if not IS_WILD[card] or SUIT[card] == meld.suit)


def _exchange(rules: Ruleset, meld: Meld, added: tuple[Card, ...], wild: Card, named: Named) -> Added | None:
    """The run without its wild, which goes back to the hand; None where the run would then have a gap."""
    rest = tuple(card for card in meld.cards if card != wild) + added
    runs = [run for run in rows.arrangements(rest) if rows.run_problem(rules, run) is None]
    clean = [run for run in runs if run.wild < 0]
    if clean:
        return Added(rows.pick(rules, _fitting(clean, named)), (wild,))
    if runs:
        raise IllegalAction(Reason.TOO_MANY_WILDS)
    return None


def wild_places(rules: Ruleset, cards: Sequence[Card], wild: Card) -> tuple[Face, ...]:
    """The places that ``wild`` may take where all the cards make a run, low to high; empty where there is no choice."""
    places = {
        run.low + run.wild: run.wild_place
        for run in rows.arrangements(cards)
        if run.wild_card == wild and rows.run_problem(rules, run) is None
    }
    return tuple(dict.fromkeys(place for _, place in sorted(places.items()) if place is not None))
