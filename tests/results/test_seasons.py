"""Seasons and rankings."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.results.model import Result
from bot.results.seasons import Season, ranking, season_at
from engine.seating import Seating
from tests.results.samples import ROBOT, histories, player, result


@given(st.integers(0, 4_000_000_000_000))
def test_a_moment_is_in_its_season_and_in_no_other(at_ms: int) -> None:
    season = season_at(at_ms)
    assert season.start_ms <= at_ms < season.end_ms
    assert season.next.previous == season.previous.next == season
    assert season.previous < season < season.next


def test_seasons_begin_with_quarters() -> None:
    begins = int(datetime(2026, 10, 1, tzinfo=UTC).timestamp() * 1000)
    assert season_at(begins) == Season(2026, 4)
    assert season_at(begins - 1) == Season(2026, 3)
    assert Season(2026, 4).next == Season(2027, 1)


def test_who_wins_more_of_their_matches_is_first() -> None:
    ana, beto, eva = player("ana"), player("beto"), player("eva")
    results = [
        result([ana, beto]),
        result([ana, beto], number=1),
        result([eva, ana], number=2),
        result([eva, ROBOT], number=3),
        result([beto, eva], number=4),
    ]
    found = ranking(results, 1)
    assert [(one.person, one.tally.matches, one.tally.won) for one in found] == [
        ("ana", 3, 2),
        ("eva", 2, 1),
        ("beto", 3, 1),
    ]
    assert [one.person for one in ranking(results, 3)] == ["ana", "beto"]
    assert ranking(results, 1, Seating.TWO_PAIRS) == ()


def test_a_match_that_was_left_counts_for_whoever_left() -> None:
    left = result([player("ana", left=True, stood_in=True), player("beto")])
    (only,) = ranking([left], 1)
    assert (only.person, only.tally.matches, only.tally.won, only.margin) == ("ana", 1, 0, 0)


@given(histories())
def test_rankings_have_an_order_and_nobody_twice(results: list[Result]) -> None:
    found = ranking(results, 1)
    shares = [one.tally.share for one in found]
    assert shares == sorted(shares, reverse=True)
    assert len({one.person for one in found}) == len(found)
    assert ranking(list(reversed(results)), 1) == found
