"""Matches between the same people count ever less, for both sides alike, and so do those with newcomers."""

import itertools
from collections.abc import Iterable, Sequence

import msgspec
import pytest
from hypothesis import given, settings

from adapters.storage.results import decode_result, encode_result
from bot.results.meetings import DAYS, FREE, KNOWN, WINDOW_MS, Meetings, weight_of
from bot.results.model import Rating, Result, Skill, without_person
from bot.results.rating import NEWCOMER, rate, rated, recomputed, shown_rating
from engine.seating import Seating
from tests.results.samples import DAY, NOON, ROBOT, histories, player, result

HOUR = DAY // 24


def known(*people: str, matches: int = KNOWN, seating: Seating = Seating.ONE_ON_ONE) -> dict[str, Rating]:
    """Ratings of people who have been rated so often."""
    return {person: Rating(person, seating, Skill(25.0, 4.0), matches) for person in people}


def duels(count: int, every_ms: int = HOUR, people: Sequence[str] = ("ana", "beto")) -> list[Result]:
    """Matches of two, the first of which wins, one after the other."""
    seats = [player(person) for person in people]
    return [result(seats, number=number, ended_ms=NOON + number * every_ms) for number in range(count)]


def weights(results: Sequence[Result]) -> list[float]:
    """What each counts after those before it, between people who are known."""
    ratings = known(*(person for one in results for person in one.people))
    return [weight_of(one, ratings, Meetings(results[:number])) for number, one in enumerate(results)]


def played(results: Iterable[Result], *, weighed: bool = True) -> dict[str, int]:
    """The shown ratings that results lead to; not ``weighed``, each counts in full."""
    todo = results if weighed else (msgspec.structs.replace(one, weight=1.0) for one in results)
    return {person: shown_rating(rating.skill) for (person, _), rating in recomputed(todo).items()}


def test_the_first_few_count_in_full_and_the_others_ever_less() -> None:
    found = weights(duels(FREE + 15))
    assert found[:FREE] == [1.0] * FREE
    assert found[FREE:] == [pytest.approx(FREE / (number + 1), abs=1e-6) for number in range(FREE, FREE + 15)]


def test_what_is_long_past_is_forgotten() -> None:
    first = duels(10)
    last = first[-1].ended_ms
    for later, expected in (
        (last + 1, FREE / 11),
        (NOON + WINDOW_MS - 1, FREE / 11),
        (NOON + WINDOW_MS, FREE / 10),
        (NOON + 3 * HOUR + WINDOW_MS, FREE / 7),
        (last + WINDOW_MS, 1.0),
    ):
        again = result([player("ana"), player("beto")], number=20, ended_ms=later)
        assert weight_of(again, known("ana", "beto"), Meetings(first)) == pytest.approx(expected, abs=1e-6)


def test_whoever_plays_on_steadily_is_moved_as_by_a_few_matches_in_each_window() -> None:
    for a_day in (1, 2, 10):
        found = weights(duels(3 * DAYS * a_day, DAY // a_day))
        assert sum(found[-DAYS * a_day :]) == pytest.approx(FREE, rel=0.05)


def test_it_makes_no_difference_who_won_or_who_sat_where() -> None:
    first = duels(7)
    for one in (
        result([player("beto"), player("ana")], number=8, ended_ms=NOON + DAY),
        result([player("ana"), player("beto")], number=8, winner=1, ended_ms=NOON + DAY),
    ):
        assert weight_of(one, known("ana", "beto"), Meetings(first)) == pytest.approx(FREE / 8, abs=1e-6)
        assert weight_of(one, known("ana", "beto"), Meetings(reversed(first))) == pytest.approx(FREE / 8, abs=1e-6)


def test_each_seating_has_meetings_of_its_own_as_it_has_ratings() -> None:
    people = [player("ana"), player("beto"), player("eva"), player("luis")]
    pairs = result(people, number=30, seating=Seating.TWO_PAIRS)
    assert weight_of(pairs, known(*pairs.people), Meetings(duels(20))) == 1.0


def test_between_pairs_it_is_the_mean_over_who_sat_against_whom() -> None:
    four = ("ana", "beto", "eva", "luis")

    def match(number: int, *people: str) -> Result:
        seats = [player(person) for person in people]
        return result(seats, number=number, seating=Seating.TWO_PAIRS, ended_ms=NOON + number)

    before = [match(number, *four) for number in range(9)]
    meetings, ratings = Meetings(before), known(*four, "pepe")
    assert weight_of(match(10, *four), ratings, meetings) == pytest.approx(FREE / 10, abs=1e-6)
    # Ana and Eva sat together: for each of them the new opponent is one of two.
    changed = match(10, "ana", "eva", "beto", "luis")
    assert changed.seating.side_of(0) == changed.seating.side_of(2)
    assert weight_of(changed, ratings, meetings) == pytest.approx((2 * 1.0 + 2 * FREE / 10) / 4, abs=1e-6)
    joined = match(10, "ana", "beto", "eva", "pepe")
    assert weight_of(joined, ratings, meetings) == pytest.approx((2 * 1.0 + 2 * FREE / 10) / 4, abs=1e-6)


@pytest.mark.parametrize("seating", [Seating.THREE_ALONE, Seating.THREE_PAIRS])
def test_of_three_sides_any_two_are_opponents(seating: Seating) -> None:
    names = [f"p{number}" for number in range(seating.seats)]

    def match(number: int, people: Sequence[str]) -> Result:
        seats = [player(person) for person in people]
        return result(seats, (900, 3000, 600), number=number, seating=seating, winner=1, ended_ms=NOON + number)

    before = Meetings([match(number, names) for number in range(9)])
    assert weight_of(match(10, names), known(*names), before) == pytest.approx(FREE / 10, abs=1e-6)
    # Somebody else on one side: of the pairs of opponents, those with them are new.
    others = ["new", *names[1:]]
    opponents = [
        pair for pair in itertools.combinations(range(seating.seats), 2) if len({seating.side_of(s) for s in pair}) == 2
    ]
    fresh = sum(0 in pair for pair in opponents)
    expected = (fresh + (len(opponents) - fresh) * FREE / 10) / len(opponents)
    assert weight_of(match(10, others), known(*others), before) == pytest.approx(expected, abs=1e-6)


def test_matches_that_rate_nobody_are_no_meetings() -> None:
    unrated = [
        result([player("ana"), ROBOT], number=1),
        result([player("ana"), player("beto", stood_in=True)], number=2),
        result([player("ana"), player("beto", absent=True)], number=3),
    ]
    meetings = Meetings(unrated * 5)
    again = result([player("ana"), player("beto")], number=4)
    assert weight_of(again, known("ana", "beto"), meetings) == 1.0


def test_leaving_is_a_meeting_with_whoever_stayed_and_with_nobody_else() -> None:
    def match(number: int, *, left: bool) -> Result:
        seats = [player("ana", left=left, stood_in=left), player("beto"), player("eva")]
        return result(
            seats, (0, 3000, 900), number=number, seating=Seating.THREE_ALONE, winner=1, ended_ms=NOON + number
        )

    before, ratings = Meetings([match(number, left=True) for number in range(9)]), known("ana", "beto", "eva")
    assert weight_of(match(10, left=True), ratings, before) == pytest.approx(FREE / 10, abs=1e-6)
    assert weight_of(match(10, left=False), ratings, before) == pytest.approx((2 * FREE / 10 + 1.0) / 3, abs=1e-6)
    new = rate(match(10, left=True), ratings, before)
    assert [rating.person for rating in new.ratings] == ["ana"]


def test_whoever_is_new_moves_those_who_are_known_less() -> None:
    def weight(one: int, other: int) -> float:
        ratings = known("ana", matches=one) | known("beto", matches=other)
        return weight_of(duels(1)[0], ratings, Meetings())

    assert [weight(100, number) for number in range(7)] == [0.2, 0.4, 0.6, 0.8, 1.0, 1.0, 1.0]
    assert [weight(number, 100) for number in range(7)] == [0.2, 0.4, 0.6, 0.8, 1.0, 1.0, 1.0]
    assert [weight(number, number) for number in range(7)] == [1.0] * 7, "where all are new, none is newer"
    assert weight_of(duels(1)[0], {}, Meetings()) == 1.0


@given(histories())
@settings(deadline=None)
def test_both_sides_are_moved_by_the_same_part_of_what_the_model_says(results: list[Result]) -> None:
    """Nothing is added: what the weight takes from the winners it takes from the losers."""
    meetings, ratings = Meetings(), dict[tuple[str, Seating], Rating]()
    for one in results:
        here = {person: ratings[person, one.seating] for person in one.people if (person, one.seating) in ratings}
        new = rate(one, here, meetings)
        meetings.add(new.result)
        ratings.update({(rating.person, one.seating): rating for rating in new.ratings})
        assert (new.result.weight is None) is not one.rated
        if new.result.weight is None:
            assert new.result == one
            continue
        assert 0 < new.result.weight <= 1
        whole = rated(one, {person: rating.skill for person, rating in here.items()})
        for full, player_ in zip(whole.players, new.result.players, strict=True):
            assert full.before == player_.before
            if full.before is None or full.after is None or player_.after is None:
                assert full.after is player_.after is None
                continue
            for number in ("mu", "sigma"):
                was, might, now = (getattr(skill, number) for skill in (full.before, full.after, player_.after))
                assert now - was == pytest.approx(new.result.weight * (might - was), abs=2e-6)


def test_between_equals_what_one_wins_the_other_loses() -> None:
    seatings = [Seating.ONE_ON_ONE, Seating.TWO_PAIRS, Seating.THREE_ALONE, Seating.THREE_PAIRS]
    for seating in seatings:
        people = [f"p{number}" for number in range(seating.seats)]
        seats, totals = [player(person) for person in people], (3000, 1200, 700)[: seating.sides]
        before = [result(seats, totals, number=number, seating=seating, ended_ms=NOON + number) for number in range(8)]
        new = rate(before[-1], known(*people, seating=seating), Meetings(before[:-1])).result
        assert new.weight == pytest.approx(FREE / 8, abs=1e-6)
        moved = [
            one.after.mu - one.before.mu for one in new.players if one.after is not None and one.before is not None
        ]
        assert max(moved) > 0.1
        assert sum(moved) == pytest.approx(0, abs=1e-5)


def test_results_from_before_there_was_a_weight_counted_in_full_and_are_meetings() -> None:
    old = [msgspec.structs.replace(rated(one, {}), weight=None) for one in duels(8)]
    stored = [msgspec.json.encode({k: v for k, v in msgspec.to_builtins(one).items() if k != "weight"}) for one in old]
    read = [decode_result(one.table_id, data) for one, data in zip(old, stored, strict=True)]
    assert read == old
    assert played(read) == played(old, weighed=False)
    assert rate(read[-1], {}, Meetings(read[:-1])).result.weight == 1.0
    again = result([player("ana"), player("beto")], number=9, ended_ms=NOON + 9 * HOUR)
    assert weight_of(again, known("ana", "beto"), Meetings(read)) == pytest.approx(FREE / 9, abs=1e-6)


def test_what_a_match_counted_stays_so_whoever_is_erased() -> None:
    meetings, ratings, done = Meetings(), dict[str, Rating](), list[Result]()
    for one in duels(12):
        new = rate(one, ratings, meetings)
        meetings.add(new.result)
        ratings.update({rating.person: rating for rating in new.ratings})
        done.append(decode_result(one.table_id, encode_result(new.result)))
    gone = [without_person(one, "beto") for one in done]
    assert [one.weight for one in gone] == [one.weight for one in done]
    assert recomputed(gone) == {("ana", Seating.ONE_ON_ONE): ratings["ana"]}


def test_letting_somebody_win_in_a_night_without_end_lifts_them_little() -> None:
    once = played(duels(FREE))["ana"] - shown_rating(NEWCOMER)
    night = played(duels(200))["ana"] - shown_rating(NEWCOMER)
    unweighed = played(duels(200), weighed=False)["ana"] - shown_rating(NEWCOMER)
    assert once == played(duels(FREE), weighed=False)["ana"] - shown_rating(NEWCOMER)
    assert night < 2 * once
    assert unweighed > 2.5 * once


def test_beating_new_accounts_lifts_less_than_beating_people_who_are_known() -> None:
    """Somebody who is known wins against twenty who have never played: the lift is about a third of what it was."""
    crowd = [f"n{number}" for number in range(20)]
    friends = [(f"f{number % 10}", "ana") for number in range(10)]
    first = [one for pair in friends for one in duels(1, people=pair)]
    after = [one for name in crowd for one in duels(1, people=("ana", name))]
    before = played(first)["ana"]
    lifted = played([*first, *after])["ana"] - before
    in_full = played([*first, *(msgspec.structs.replace(one, weight=1.0) for one in after)])["ana"] - before
    assert 0 < lifted < in_full / 2
