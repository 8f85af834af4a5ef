"""Achievements: what somebody has once done stays done. All of it follows from results.

A code is never given another meaning, and none is taken away: what is new gets a new code.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from bot.results.model import Result
from bot.results.statistics import Statistics, counted
from engine.seating import Seating


class Achievement(StrEnum):
    """What there is to achieve. "Won" and "played" are among people where it does not say otherwise."""

    FIRST_MATCH = "first_match"
    """Any match was finished."""
    FIRST_WIN = "first_win"
    WINS_10 = "wins_10"
    WINS_50 = "wins_50"
    MATCHES_100 = "matches_100"
    STREAK_3 = "streak_3"
    STREAK_7 = "streak_7"
    CANASTAS_10 = "canastas_10"
    """In any matches."""
    CANASTAS_100 = "canastas_100"
    CLEAN_5 = "clean_5"
    """Five clean canastas of the side in one match."""
    DEAL_1000 = "deal_1000"
    """A deal of a thousand points."""
    COMEBACK = "comeback"
    """Won after being a thousand points behind at the end of a deal."""
    CLOSE_FINISH = "close_finish"
    """Won by fifty points or fewer."""
    SHUTOUT = "shutout"
    """Won while nobody else got above zero."""
    MARATHON = "marathon"
    """A match of ten deals."""
    CLOSER_10 = "closer_10"
    """Ten deals closed."""
    ALL_SEATINGS = "all_seatings"
    """Won in every seating."""
    RULESETS_5 = "rulesets_5"
    """Five rule sets played."""
    PARTNERS_5 = "partners_5"
    """Won with five different partners."""
    ROBOTS_10 = "robots_10"
    """Ten matches with robots won."""


class Earned(msgspec.Struct, frozen=True):
    """An achievement, and the match that brought it."""

    code: Achievement
    table_id: str
    at_ms: int


_BEHIND: Final = 1000
_CLOSE: Final = 50
_LONG: Final = 10
_CLEAN: Final = 5

_BY_NUMBERS: Final[Mapping[Achievement, Callable[[Statistics], bool]]] = MappingProxyType(
    {
        Achievement.FIRST_MATCH: lambda so_far: so_far.total.matches > so_far.left,
        Achievement.FIRST_WIN: lambda so_far: so_far.people.won >= 1,
        Achievement.WINS_10: lambda so_far: so_far.people.won >= 10,
        Achievement.WINS_50: lambda so_far: so_far.people.won >= 50,
        Achievement.MATCHES_100: lambda so_far: so_far.people.matches - so_far.left >= 100,
        Achievement.STREAK_3: lambda so_far: so_far.best_streak >= 3,
        Achievement.STREAK_7: lambda so_far: so_far.best_streak >= 7,
        Achievement.CANASTAS_10: lambda so_far: so_far.canastas >= 10,
        Achievement.CANASTAS_100: lambda so_far: so_far.canastas >= 100,
        Achievement.DEAL_1000: lambda so_far: so_far.best_deal is not None and so_far.best_deal >= 1000,
        Achievement.CLOSER_10: lambda so_far: so_far.closed >= 10,
        Achievement.ROBOTS_10: lambda so_far: so_far.robots.won >= 10,
    }
)


class _Seen(msgspec.Struct):
    """What has been seen of a person's results so far."""

    numbers: Statistics
    won_in: set[Seating]
    rulesets: set[str]
    partners: set[str]


def achievements(results: Iterable[Result], person: str) -> tuple[Earned, ...]:
    """What a person has achieved, in the order in which it was, from results in the order in which they were kept."""
    seen = _Seen(Statistics(), set(), set(), set())
    found: dict[Achievement, Earned] = {}
    for result in results:
        seat = result.seat_of(person)
        if seat is None:
            continue
        seen.numbers = counted(seen.numbers, result, person)
        here = {code for code, holds in _BY_NUMBERS.items() if holds(seen.numbers)}
        if not result.players[seat].left:
            here |= _in_match(result, seat, seen)
        for code in Achievement:
            if code in here and code not in found:
                found[code] = Earned(code, result.table_id, result.ended_ms)
    return tuple(found.values())


def _in_match(result: Result, seat: int, seen: _Seen) -> set[Achievement]:
    """What the match itself brings, and what counts different things that were played."""
    side, won = result.seating.side_of(seat), result.won(seat)
    among, mate = result.among_people(seat), result.seating.partner_of(seat)
    if among:
        seen.rulesets.add(result.ruleset)
    if among and won:
        seen.won_in.add(result.seating)
        partner = None if mate is None else result.players[mate].person
        seen.partners |= set() if partner is None else {partner}
    others = max(total for other, total in enumerate(result.totals) if other != side)
    holds = {
        Achievement.CLEAN_5: sum(deal.clean[side] for deal in result.deals) >= _CLEAN,
        Achievement.COMEBACK: among and won and _worst_gap(result, side) >= _BEHIND,
        Achievement.CLOSE_FINISH: among and won and result.totals[side] - others <= _CLOSE,
        Achievement.SHUTOUT: among and won and others <= 0,
        Achievement.MARATHON: among and result.deal_count >= _LONG,
        Achievement.ALL_SEATINGS: seen.won_in == set(Seating),
        Achievement.RULESETS_5: len(seen.rulesets) >= 5,
        Achievement.PARTNERS_5: len(seen.partners) >= 5,
    }
    return {code for code, held in holds.items() if held}


def _worst_gap(result: Result, side: int) -> int:
    """By how much a side was behind the first at the end of a deal, at most."""
    totals, worst = [0] * result.seating.sides, 0
    for deal in result.deals:
        totals = [total + points for total, points in zip(totals, deal.points, strict=True)]
        worst = max(worst, max(totals) - totals[side])
    return worst
