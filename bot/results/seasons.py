"""Seasons and rankings: a season is a quarter of the calendar, in UTC."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from bot.results.model import Result
from bot.results.statistics import Tally
from engine.seating import Seating

SEASON_LEAST: Final = 3
"""Matches in a season before somebody is ranked in it."""
EVER_LEAST: Final = 10
"""Matches before somebody is ranked among all results."""
_QUARTERS: Final = 4
_MONTHS: Final = 3


class Season(msgspec.Struct, frozen=True, order=True):
    """A quarter of a year: ``quarter`` from 1 to 4."""

    year: int
    quarter: int

    @property
    def start_ms(self) -> int:
        """When it begins, in milliseconds since the epoch."""
        return _ms(datetime(self.year, _MONTHS * (self.quarter - 1) + 1, 1, tzinfo=UTC))

    @property
    def end_ms(self) -> int:
        """When the next one begins."""
        return self.next.start_ms

    @property
    def next(self) -> "Season":
        """The season after it."""
        return Season(self.year + 1, 1) if self.quarter == _QUARTERS else Season(self.year, self.quarter + 1)

    @property
    def previous(self) -> "Season":
        """The season before it."""
        return Season(self.year - 1, _QUARTERS) if self.quarter == 1 else Season(self.year, self.quarter - 1)


def season_at(at_ms: int) -> Season:
    """The season of a moment."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return Season(moment.year, (moment.month - 1) // _MONTHS + 1)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp()) * 1000


class Standing(msgspec.Struct, frozen=True):
    """A person in a ranking."""

    person: str
    name: str
    """As it was in the last match."""
    tally: Tally
    margin: int
    """Points of their side less those of the best other one, over all matches."""


def ranking(results: Iterable[Result], least: int, seating: Seating | None = None) -> tuple[Standing, ...]:
    """Who has played at least so many matches among people, by the part that they won, then by wins and by margin.

    A match that somebody left counts for them alone, as lost.

    Args:
        results: those of a place and a season, in the order in which they were kept.
        least: the least number of matches.
        seating: only matches in this seating; None takes all.
    """
    tallies: dict[str, Tally] = {}
    margins: dict[str, int] = {}
    names: dict[str, str] = {}
    for result in results:
        if seating is not None and result.seating is not seating:
            continue
        for seat, player in enumerate(result.players):
            if player.person is None or not result.among_people(seat):
                continue
            side = result.seating.side_of(seat)
            best = max(total for other, total in enumerate(result.totals) if other != side)
            tallies[player.person] = tallies.get(player.person, Tally()).plus(won=result.won(seat))
            gained = 0 if player.left else result.totals[side] - best
            margins[player.person] = margins.get(player.person, 0) + gained
            names[player.person] = player.name
    found = [
        Standing(person, names[person], tally, margins[person])
        for person, tally in tallies.items()
        if tally.matches >= least
    ]
    return tuple(
        sorted(found, key=lambda one: (-one.tally.share, -one.tally.won, -one.margin, one.name.casefold(), one.person))
    )
