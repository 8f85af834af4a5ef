"""What a meld is under any rule set, worked out slowly from the matrix: every card tried in every place.

:mod:`tests.oracle.melds` tells it for ``clasico``; here every row of the matrix about melds is asked for. Nothing of
the engine is used but the values of a rule set.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine.ruleset import Ruleset
from tests.oracle.melds import ROW, Named, NoMeldError, Reading, in_order, is_wild, runs, sets, wild_melds

SHORTEST = 3
LONGEST = 14
"""Ace to ace."""


class Outcome(NamedTuple):
    """A meld, and the wilds that go back to the hand."""

    meld: Reading
    returned: tuple[str, ...] = ()


def sets_of_twos(cards: Sequence[str], wilds: int = 1) -> set[Reading]:
    """2s as a set of their own rank, with at most so many jokers."""
    twos = in_order(card for card in cards if card != "JK" and card[0] == "2")
    jokers = [card for card in cards if card == "JK"]
    if len(twos) + len(jokers) != len(cards) or len(twos) < 2 or len(jokers) > wilds:
        return set()
    return {Reading("set", (*twos, *jokers), (*twos, *("*" for _ in jokers)))}


def run_problems(rules: Ruleset, run: Reading) -> list[str]:
    """All that is wrong with a row of a suit under a rule set, in the order in which it is told."""
    size = len(run.cards)
    naturals = [place for card, place in zip(run.cards, run.places, strict=True) if card == place]
    problems = []
    if size < rules.run_minimum:
        problems.append("meld_too_short")
    if sum(place[0] == "A" for place in naturals) == 2 and not rules.ace_to_ace:
        problems.append("not_a_meld")
    if size > rules.run_maximum:
        problems.append("meld_too_long")
    if run.wild is not None:
        if size < rules.run_takes_wild_from:
            problems.append("wild_not_allowed_here")
        if rules.wild_lowest == "only_as_ace" and run.cards[0] != run.places[0] and run.places[0][0] != "A":
            problems.append("wild_not_allowed_here")
    return problems


def legal_runs(rules: Ruleset, cards: Sequence[str]) -> set[Reading]:
    """The runs that the cards make."""
    return {run for run in runs(in_order(cards), rules.wilds_a_meld) if not run_problems(rules, run)}


def run_of_many_wilds(rules: Ruleset, cards: Sequence[str]) -> bool:
    """Whether the cards would be a run if the number of wilds were free."""
    naturals = [card for card in cards if not is_wild(card)]
    for suit in {card[1] for card in naturals}:
        for low in range(len(ROW) - len(cards) + 1):
            row = [rank + suit for rank in ROW[low : low + len(cards)]]
            left = list(naturals)
            filled = []
            for place in row:
                card = place if place in left else f"2{suit}" if place == f"2{suit}" and place in cards else "JK"
                if card in left:
                    left.remove(card)
                filled.append(card)
            rows = [filled]
            if naturals.count(f"A{suit}") == 1 and row[0] == row[-1] == f"A{suit}":
                rows.append(["JK", *filled[1:-1], f"A{suit}"])
            if not left and any(not run_problems(rules, Reading("run", tuple(one), tuple(row))) for one in rows):
                return True
    return False


def legal_sets(rules: Ruleset, cards: Sequence[str], wilds: int | None = None) -> set[Reading]:
    """The sets that the cards make."""
    most = rules.wilds_a_meld if wilds is None else wilds
    if not rules.sets or len(cards) < SHORTEST:
        return set()
    of_twos = sets_of_twos(cards, most) if rules.sets_of_twos == "natural" else set()
    return sets(cards, most) | of_twos


def readings(rules: Ruleset, cards: Sequence[str]) -> set[Reading]:
    """Every way in which the cards are a legal meld."""
    if not SHORTEST <= len(cards) <= (rules.meld_closes_at or LONGEST):
        return set()
    wild = wild_melds(cards) if rules.wild_melds else set()
    return legal_runs(rules, cards) | legal_sets(rules, cards) | wild


def _stands(reading: Reading, named: Named) -> bool:
    wanted = Counter(named)
    if reading.shape == "set":
        return all(place[0] == reading.cards[0][0] for _, place in wanted)
    if reading.shape == "wilds":
        return not wanted
    return not wanted - Counter(zip(reading.cards, reading.places, strict=True))


def _place(reading: Reading) -> str | None:
    return None if reading.wild is None else reading.places[reading.wild_at]


def _by_default(rules: Ruleset, reading: Reading, before: Reading | None) -> tuple[bool, bool, bool, int, int]:
    stays = before is not None and (reading.wild, _place(reading)) == (before.wild, _place(before))
    ranks = "".join(place[0] for place in reading.places)
    end = 0
    if reading.wild is not None and reading.wild_at == len(reading.cards) - 1:
        end = [str(place) for place in rules.wild_order].index("high")
    elif reading.wild_at == 0:
        end = [str(place) for place in rules.wild_order].index("low")
    order = [str(place) for place in rules.wild_order]
    height = 0 if reading.wild is None or reading.shape != "run" else ROW.index(reading.places[reading.wild_at][0])
    if order.index("high") < order.index("low"):  # the order decides between places inside a run as well
        height = -height
    return reading.wild is not None, not stays, ranks != "A23456789TJQK", end, height


def _choose(rules: Ruleset, found: set[Reading], named: Named, before: Reading | None = None) -> Reading:
    fitting = sorted(reading for reading in found if _stands(reading, named))
    if not fitting:
        raise NoMeldError("wild_not_allowed_here")
    fitting.sort(key=lambda reading: _by_default(rules, reading, before))
    if fitting[1:] and _by_default(rules, fitting[0], before) == _by_default(rules, fitting[1], before):
        raise AssertionError(f"nothing decides between {fitting[0].text} and {fitting[1].text}")
    return fitting[0]


def new(rules: Ruleset, cards: Sequence[str], named: Named = ()) -> Reading:
    """The meld that cards of the hand make.

    Raises:
        NoMeldError: they make none.
    """
    if len(cards) < SHORTEST:
        raise NoMeldError("meld_too_short")
    if len(cards) > (rules.meld_closes_at or LONGEST):
        raise NoMeldError("meld_too_long")
    found = readings(rules, cards)
    of_runs = {reading for reading in found if reading.shape == "run"}
    if found:
        return _choose(rules, of_runs or found, named)
    raise NoMeldError(_why_not(rules, cards))


def _why_not(rules: Ruleset, cards: Sequence[str]) -> str:
    twos = sum(card[0] == "2" for card in cards)
    naturals = [card for card in cards if not is_wild(card)]
    if not naturals:
        if twos < 2:
            return "not_a_meld"
        if not rules.sets:
            return "sets_not_allowed"
        return "too_many_wilds" if rules.sets_of_twos == "natural" else "set_of_twos_not_allowed"
    told = {problem for run in runs(in_order(cards), 1) for problem in run_problems(rules, run)[:1]}
    for reason in ("meld_too_short", "meld_too_long"):
        if reason in told:
            return reason
    if len(naturals) > 1 and len({card[0] for card in naturals}) == 1 and not rules.sets:
        return "sets_not_allowed"
    of_rank = len(naturals) > 1 and legal_sets(rules, cards, len(cards))
    if not of_rank and "wild_not_allowed_here" in told:  # nearer to a meld than a card with two wilds
        return "wild_not_allowed_here"
    free = legal_sets(rules, cards, len(cards)) or run_of_many_wilds(rules, cards)
    return "too_many_wilds" if of_rank or (free and not told) else "not_a_meld"


def add(rules: Ruleset, before: Reading, cards: Sequence[str], named: Named = ()) -> Outcome:
    """The meld that cards of the hand make of one that lies on the table.

    Raises:
        NoMeldError: they make none of its kind.
    """
    final = in_order((*before.cards, *cards))
    if rules.meld_closes_at and len(before.cards) >= rules.meld_closes_at:
        raise NoMeldError("meld_closed")
    if len(final) > (rules.meld_closes_at or LONGEST):
        raise NoMeldError("meld_too_long")
    if before.shape == "run":
        return _add_to_run(rules, before, cards, named)
    found = {reading for reading in readings(rules, final) if reading.shape == before.shape}
    if found:
        return Outcome(_choose(rules, found, named, before))
    of_its_kind = before.shape == "set" and before.cards[0][0] in {"2", *(card[0] for card in final if card != "JK")}
    free = {reading for reading in legal_sets(rules, final, len(final)) if reading.cards[0][0] == before.cards[0][0]}
    raise NoMeldError("too_many_wilds" if of_its_kind and free else "not_a_meld")


def _add_to_run(rules: Ruleset, before: Reading, cards: Sequence[str], named: Named) -> Outcome:
    final = in_order((*before.cards, *cards))
    found = legal_runs(rules, final)
    wild, place = before.wild, _place(before)
    if rules.displaced_wild == "hand" and wild is not None and place in cards and not _names(named, cards, wild):
        goes_home = any(reading.wild != wild and _leads_home(reading, wild) for reading in found)
        rest = list(final)
        rest.remove(wild)
        without = legal_runs(rules, rest)
        clean = {reading for reading in without if reading.wild is None}
        if not goes_home and clean:
            return Outcome(_choose(rules, clean, named), (wild,))
        if not goes_home and without:
            raise NoMeldError("too_many_wilds")
    if not found:
        raise NoMeldError(_why_no_run(rules, final))
    if wild is not None and not rules.wild_displaces_wild:
        found = {reading for reading in found if not _pushed_out(rules, reading, wild)}
        if not found:
            raise NoMeldError("wild_cannot_move")
    return Outcome(_choose(rules, found, named, before))


def _names(named: Named, cards: Sequence[str], wild: str) -> bool:
    """Whether the wild of the table is named: where the hand gives equal ones, these are named first."""
    return sum(card == wild for card, _ in named) > sum(card == wild for card in cards)


def _leads_home(reading: Reading, wild: str) -> bool:
    return any(card == place == wild for card, place in zip(reading.cards, reading.places, strict=True))


def _pushed_out(rules: Ruleset, reading: Reading, wild: str) -> bool:
    """Whether another wild stands in the run, and the old one is home only because of it."""
    if reading.wild is None or reading.wild == wild:
        return False
    rest = list(reading.cards)
    rest.remove(reading.wild)
    return not any(other.wild is None for other in legal_runs(rules, rest))


def _why_no_run(rules: Ruleset, final: Sequence[str]) -> str:
    told = {problem for run in runs(final, 1) for problem in run_problems(rules, run)[:1]}
    for reason in ("meld_too_long", "wild_not_allowed_here"):
        if reason in told:
            return reason
    several = sum(is_wild(card) for card in final) > 1
    return "too_many_wilds" if several and not told and run_of_many_wilds(rules, final) else "not_a_meld"


def move(rules: Ruleset, before: Reading, card: str, place: str) -> Reading:
    """The run with its wild in another place.

    Raises:
        NoMeldError: it may not go there.
    """
    suit = before.places[0][1]
    if before.shape != "run" or before.wild != card or rules.wild_move == "no" or _place(before) == place:
        raise NoMeldError("wild_cannot_move")
    if place == card and before.cards.count(card) == 2:  # its twin is at home already
        raise NoMeldError("wild_cannot_move")
    if rules.wild_move == "two_home" and (place != card or place[1] != suit):
        raise NoMeldError("wild_cannot_move")
    if place[1] != suit:
        raise NoMeldError("wild_not_allowed_here")
    wanted = ((card, place),)
    rows = {run for run in runs(in_order(before.cards), 1) if _stands(run, wanted)}
    if not rows:
        raise NoMeldError("not_a_meld")
    legal = {run for run in rows if not run_problems(rules, run)}
    if not legal:
        raise NoMeldError("wild_not_allowed_here")
    return _choose(rules, legal, wanted)
