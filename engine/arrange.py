"""What a meld is: cards arranged as a run, a set or a wild meld, fresh, added to, or with a wild moved.

The whole final meld is judged, never card by card and never in the order in which the cards were named (RULESETS.md,
How the rules work, 3). All arrangements of the final cards are found first, then the rule set says which may stand,
then its order picks one:

1. the place that the player names wins, if the meld is then valid;
2. the most naturals stand, so that an own 2 goes home where it fits without a gap;
3. a wild already on the table stays where it is;
4. thirteen ranks are written with the ace low;
5. the rule set's order ("home, high, low") decides between the ends.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import (
    ACE,
    FACE,
    HIGH_ACE,
    IS_JOKER,
    IS_TWO,
    IS_WILD,
    KING,
    RANK,
    RANK_OF_FACE,
    SUIT,
    SUIT_OF_FACE,
    TWO,
    Card,
    Face,
)
from engine.melds import Meld, Shape, make_set, make_wild_meld, only_wilds
from engine.policies import DisplacedWild, SetsOfTwos, WildLowest, WildMove, WildPlace
from engine.reasons import IllegalAction, Reason
from engine.ruleset import HIGHEST_RUN, SHORTEST_MELD, Ruleset

_ROWS_KEPT: Final = 8192
"""Cards whose arrangements are remembered."""

Named = Mapping[Card, Face]
"""The places that the player names for wilds."""


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
    runs = arrangements(held)
    standing = [run for run in runs if _run_problem(rules, run) is None]
    if standing:
        return pick(rules, _fitting(standing, named))
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
    runs = [run for run in arrangements(meld.cards) if fits(run, {card: place})]
    if not runs:
        raise IllegalAction(Reason.NOT_A_MELD)
    standing = [run for run in runs if _run_problem(rules, run) is None]
    if not standing:
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)
    moved = pick(rules, standing)
    if str(moved) == str(meld):
        raise IllegalAction(Reason.WILD_CANNOT_MOVE)
    return moved


def arrangements(cards: Sequence[Card]) -> tuple[Meld, ...]:
    """Every way in which the cards stand in a row as a run with at most one wild, whatever the rule set.

    The ace may be low or high, two aces may stand at both ends, and an own 2 may be natural or wild.
    """
    return _arrangements(tuple(cards))


@lru_cache(maxsize=_ROWS_KEPT)
def _arrangements(cards: tuple[Card, ...]) -> tuple[Meld, ...]:
    # What lies on the table is asked about again and again: by each add, each move, and whoever only looks.
    size = len(cards)
    fixed = _fixed_places(cards)
    if fixed is None or size > HIGHEST_RUN:
        return ()
    suit, naturals, aces, wilds = fixed
    found: list[Meld] = []
    own_twos = [card for card in wilds if SUIT[card] == suit]
    for natural_two in (None, *own_twos):
        rest = [card for card in wilds if card != natural_two]
        if len(rest) > 1:
            continue
        for ace_places in _ACE_PLACES[len(aces)]:
            places = naturals | dict(zip(ace_places, aces, strict=True))
            if natural_two is not None:
                places[TWO] = natural_two
            found.extend(_windows(size, places, rest))
    return tuple(found)


def forget_arrangements() -> None:
    """Forget what was arranged: for measuring."""
    _arrangements.cache_clear()


_ACE_PLACES: tuple[tuple[tuple[int, ...], ...], ...] = (((),), ((ACE,), (HIGH_ACE,)), ((ACE, HIGH_ACE),))


def _fixed_places(cards: Iterable[Card]) -> tuple[int, dict[int, Card], list[Card], list[Card]] | None:
    """Suit, natural cards by place (aces and 2s apart), aces and wilds; None where the naturals make no run."""
    naturals: dict[int, Card] = {}
    aces: list[Card] = []
    wilds: list[Card] = []
    suit = -1
    for card in cards:
        if IS_WILD[card]:
            wilds.append(card)
            continue
        if suit not in (-1, SUIT[card]) or RANK[card] in naturals:
            return None
        suit = SUIT[card]
        if RANK[card] == ACE:
            aces.append(card)
        else:
            naturals[RANK[card]] = card
    if suit < 0 or len(aces) > 2:
        return None
    return suit, naturals, aces, wilds


_NOBODY = Card(-1)
"""Stands where a wild would, in runs that have none."""


def _windows(size: int, places: Mapping[int, Card], wilds: Sequence[Card]) -> list[Meld]:
    """The runs of ``size`` cards that hold every fixed place, with the wild in the one that is left."""
    if len(places) + len(wilds) != size:
        return []
    lowest, highest = min(places), max(places)
    wild = wilds[0] if wilds else _NOBODY
    found: list[Meld] = []
    for low in range(max(ACE, highest - size + 1), min(lowest, HIGH_ACE - size + 1) + 1):
        # Every fixed place lies within, so just as many are left as there are wilds.
        row = [places.get(place, wild) for place in range(low, low + size)]
        found.append(Meld(Shape.RUN, tuple(row), low, row.index(wild) if wilds else -1))
    return found


def may_stand(rules: Ruleset, run: Meld) -> bool:
    """Whether a run may lie on the table, however its cards came there and wherever its wild was placed."""
    return _run_problem(rules, run) is None


def _run_problem(rules: Ruleset, run: Meld) -> Reason | None:
    """Why a run may not stand under the rule set."""
    size = len(run.cards)
    if size < rules.run_minimum:
        return Reason.MELD_TOO_SHORT
    if size == HIGHEST_RUN and not rules.ace_to_ace and run.wild not in (0, size - 1):
        return Reason.NOT_A_MELD  # a second ace, before it is one card too many
    if size > rules.run_maximum:
        return Reason.MELD_TOO_LONG
    if run.wild < 0:
        return None
    if rules.wilds_a_meld < 1:
        return Reason.TOO_MANY_WILDS
    if size < rules.run_takes_wild_from:
        return Reason.WILD_NOT_ALLOWED_HERE
    if run.wild == 0 and rules.wild_lowest is WildLowest.ONLY_AS_ACE and run.low != ACE:
        return Reason.WILD_NOT_ALLOWED_HERE
    return None


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
    problems = {_run_problem(rules, run) for run in runs}
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
    if not problems and (_would_run_with_more_wilds(rules, cards) or (len(ranks) == 1 and rules.sets)):
        return Reason.TOO_MANY_WILDS
    return Reason.NOT_A_MELD


def _would_run_with_more_wilds(rules: Ruleset, cards: Sequence[Card]) -> bool:
    """Whether the cards would be a run if the number of wilds were free."""
    size = len(cards)
    fixed = _fixed_places(cards)
    if fixed is None or not max(rules.run_minimum, rules.run_takes_wild_from) <= size <= rules.run_maximum:
        return False
    suit, naturals, aces, wilds = fixed
    if len(wilds) < 2 or (len(aces) > 1 and not rules.ace_to_ace):
        return False
    own_two = any(SUIT[card] == suit for card in wilds)
    for ace_places in _ACE_PLACES[len(aces)]:
        places = {*naturals, *ace_places}
        for low in range(max(ACE, max(places) - size + 1), min(*places, HIGH_ACE - size + 1) + 1):
            natural_lowest = low in places or (low == TWO and own_two)
            if natural_lowest or low == ACE or rules.wild_lowest is WildLowest.ANY:
                return True
    return False


def fits(run: Meld, named: Named) -> bool:
    """Whether a card of each named face stands at its place in a run: equal cards are equal."""
    wanted: Counter[tuple[Face, Face | None]] = Counter((FACE[card], place) for card, place in named.items())
    return not wanted - Counter((FACE[card], run.place_of(index)) for index, card in enumerate(run.cards))


def _fitting(runs: list[Meld], named: Named) -> list[Meld]:
    if not named:
        return runs
    fitting = [run for run in runs if fits(run, named)]
    if not fitting:
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)
    return fitting


def _check_set_names(meld: Meld, named: Named) -> None:
    """In a set a wild stands for any card of the rank; in a wild meld for none."""
    rank = meld.low if meld.shape is Shape.SET else 0
    if any(RANK_OF_FACE[place] != rank for place in named.values()):
        raise IllegalAction(Reason.WILD_NOT_ALLOWED_HERE)


def pick(rules: Ruleset, runs: Sequence[Meld], before: Meld | None = None) -> Meld:
    """The run that the rule set's order prefers; ``before`` is what lay on the table."""
    if len(runs) == 1:
        return runs[0]
    return min(runs, key=lambda run: _preference(rules, run, before))


def _preference(rules: Ruleset, run: Meld, before: Meld | None) -> tuple[bool, bool, bool, int, int, bool]:
    # Equal cards are equal in play, so a twin in the wild's place stays as well; the same card where it can be.
    stays = before is not None and (_wild_face(run), run.wild_place) == (_wild_face(before), before.wild_place)
    exchanged = before is not None and run.wild_card != before.wild_card
    ace_low = len(run.cards) == KING and run.low == ACE
    end = 0
    if run.wild == len(run.cards) - 1:
        end = rules.wild_order.index(WildPlace.HIGH)
    elif run.wild == 0:
        end = rules.wild_order.index(WildPlace.LOW)
    # Inside a run of twelve the wild is the 2 or the king, as the ace lies low or high.
    high_first = rules.wild_order.index(WildPlace.HIGH) < rules.wild_order.index(WildPlace.LOW)
    return run.wild >= 0, not stays, not ace_low, end, -run.low if high_first else run.low, exchanged


def _wild_face(meld: Meld) -> Face | None:
    wild = meld.wild_card
    return None if wild is None else FACE[wild]


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
    runs = arrangements(cards)
    standing = [run for run in runs if _run_problem(rules, run) is None]
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
    return Added(pick(rules, _fitting(standing, named), meld))


def _why_no_run(rules: Ruleset, cards: tuple[Card, ...], runs: Sequence[Meld]) -> Reason:
    problems = {_run_problem(rules, run) for run in runs}
    for reason in (Reason.MELD_TOO_LONG, Reason.TOO_MANY_WILDS, Reason.WILD_NOT_ALLOWED_HERE):
        if reason in problems:
            return reason
    if not problems and _would_run_with_more_wilds(rules, cards):
        return Reason.TOO_MANY_WILDS
    return Reason.NOT_A_MELD


def _displaces(rules: Ruleset, run: Meld, wild: Card, added: Sequence[Card]) -> bool:
    """Whether in ``run`` an added wild pushed the old one out: the old one could not have gone home without it."""
    newcomer = run.wild_card
    if newcomer is None or newcomer == wild or newcomer not in added:
        return False
    rest = [card for card in run.cards if card != newcomer]
    return not any(other.wild < 0 and _run_problem(rules, other) is None for other in arrangements(rest))


def _goes_to_hand(rules: Ruleset, meld: Meld, added: Sequence[Card], standing: Sequence[Meld], named: Named) -> bool:
    """Whether the wild's natural card arrives where the rule set sends a displaced wild back to the hand."""
    wild, place = meld.wild_card, meld.wild_place
    if rules.displaced_wild is not DisplacedWild.HAND or wild is None or wild in named:
        return False
    goes_home = any(_wild_face(run) != FACE[wild] for run in standing)
    return not goes_home and any(FACE[card] == place for card in added if not IS_WILD[card] or SUIT[card] == meld.suit)


def _exchange(rules: Ruleset, meld: Meld, added: tuple[Card, ...], wild: Card, named: Named) -> Added | None:
    """The run without its wild, which goes back to the hand; None where the run would then have a gap."""
    rest = tuple(card for card in meld.cards if card != wild) + added
    runs = [run for run in arrangements(rest) if _run_problem(rules, run) is None]
    clean = [run for run in runs if run.wild < 0]
    if clean:
        return Added(pick(rules, _fitting(clean, named)), (wild,))
    if runs:
        raise IllegalAction(Reason.TOO_MANY_WILDS)
    return None


def wild_places(rules: Ruleset, cards: Sequence[Card], wild: Card) -> tuple[Face, ...]:
    """The places that ``wild`` may take where all the cards make a run, low to high; empty where there is no choice."""
    places = {
        run.low + run.wild: run.wild_place
        for run in arrangements(cards)
        if run.wild_card == wild and _run_problem(rules, run) is None
    }
    return tuple(dict.fromkeys(place for _, place in sorted(places.items()) if place is not None))
