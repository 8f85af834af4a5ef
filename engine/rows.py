"""Rows: all the ways in which cards stand as a run, which of them a rule set lets stand, and which it prefers.

A place that the player names goes before everything else. Otherwise

1. the most naturals stand, so that an own 2 goes home where it fits without a gap;
2. a wild already on the table stays where it is;
3. thirteen ranks are written with the ace low;
4. the rule set's order ("home, high, low") decides between the ends.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.cards import ACE, FACE, HIGH_ACE, IS_WILD, KING, RANK, SUIT, TWO, Card, Face
from engine.melds import Meld, Shape
from engine.policies import WildLowest, WildPlace
from engine.reasons import Reason
from engine.ruleset import HIGHEST_RUN, Ruleset

_ROWS_KEPT: Final = 8192
"""Cards whose arrangements are remembered."""

Named = Mapping[Card, Face]
"""The places that the player names for wilds."""


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


def run_problem(rules: Ruleset, run: Meld) -> Reason | None:
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


def would_run_with_more_wilds(rules: Ruleset, cards: Sequence[Card]) -> bool:
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


def pick(rules: Ruleset, runs: Sequence[Meld], before: Meld | None = None) -> Meld:
    """The run that the rule set's order prefers; ``before`` is what lay on the table."""
    if len(runs) == 1:
        return runs[0]
    return min(runs, key=lambda run: _preference(rules, run, before))


def _preference(rules: Ruleset, run: Meld, before: Meld | None) -> tuple[bool, bool, bool, int, int, bool]:
    # Equal cards are equal in play, so a twin in the wild's place stays as well; the same card where it can be.
    stays = before is not None and (wild_face(run), run.wild_place) == (wild_face(before), before.wild_place)
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


def wild_face(meld: Meld) -> Face | None:
    wild = meld.wild_card
    return None if wild is None else FACE[wild]
