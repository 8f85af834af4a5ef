"""Who has met whom of late, and how much a match counts for ratings because of that.

Two people who let one another win could lift a rating as high as they like, and somebody with many accounts of their
own could do so alone. So the more often opponents have met in rated matches of the last days, the less another one
counts; and whoever has hardly been rated moves others little. One weight holds for the whole match, for the winners and
the losers alike: what one side does not win, the other does not lose.
"""

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Final

from bot.results.model import Rating, Result
from engine.seating import Seating

DAYS: Final = 30
"""How long a meeting is remembered."""
WINDOW_MS: Final = DAYS * 24 * 3_600_000
FREE: Final = 5
"""Meetings within the window that count in full. However many follow, those of a window come to little more."""
KNOWN: Final = 5
"""The rated match from which on somebody is no newcomer to others."""
_DIGITS: Final = 6

Opponents = tuple[int, int]
"""Two seats of different sides."""


def since_ms(result: Result) -> int:
    """The moment after which a match must have ended to be remembered when another has ended; in milliseconds."""
    return result.ended_ms - WINDOW_MS


class Meetings:
    """The rated matches that opponents have had against one another, by seating: each has ratings of its own."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        """Know of some results; the order makes no difference."""
        self._ended: dict[tuple[Seating, frozenset[str]], list[int]] = {}
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Take note of a result. One that rated nobody is no meeting."""
        for one, other in _opponents(result):
            people = _people(result, (one, other))
            if people is not None:
                self._ended.setdefault((result.seating, people), []).append(result.ended_ms)

    def before(self, result: Result, opponents: Opponents) -> int:
        """How often two seats of a match that has ended now have met before and are not forgotten yet."""
        people = _people(result, opponents)
        if people is None:
            return 0
        since = since_ms(result)
        return sum(at_ms > since for at_ms in self._ended.get((result.seating, people), ()))


def weight_of(result: Result, ratings: Mapping[str, Rating], meetings: Meetings) -> float:
    """How much of what it tells of its people's skill a match counts, above 0 and up to 1.

    It is the mean over all pairs of opponents of which somebody is rated.

    Args:
        result: a match that is rated for somebody.
        ratings: the ratings in its seating before it, by person; whoever is not there is a newcomer.
        meetings: those before it, at least of its people within the window.
    """
    known = [_known(None if player.person is None else ratings.get(player.person)) for player in result.players]
    weights = []
    for one, other in _opponents(result):
        often = min(1.0, FREE / (meetings.before(result, (one, other)) + 1))
        fewer, more = sorted((known[one], known[other]))
        weights.append(often * fewer / more)
    return round(fmean(weights), _DIGITS)


def _known(rating: Rating | None) -> int:
    """How well a person is known to the ratings, from 1 to :data:`KNOWN`."""
    return 1 + min(KNOWN - 1, 0 if rating is None else rating.matches)


def _opponents(result: Result) -> tuple[Opponents, ...]:
    """The pairs of seats on different sides of which the match is rated for one at least."""
    seats = range(result.seating.seats)
    side_of = result.seating.side_of
    return tuple(
        (one, other)
        for one in seats
        for other in seats[one + 1 :]
        if side_of(one) != side_of(other) and (result.is_rated_for(one) or result.is_rated_for(other))
    )


def _people(result: Result, opponents: Opponents) -> frozenset[str] | None:
    """Who sat at two seats; None where somebody has been erased, or is no person."""
    one, other = (result.players[seat].person for seat in opponents)
    return None if one is None or other is None else frozenset((one, other))
