"""How somebody does of late."""

import msgspec
from hypothesis import given

from bot.pictures import Outcome
from bot.results.form import LATELY, RECENT, lighter, main_rating, moved, placed, played_with, recent
from bot.results.model import Rating, Result, Skill
from bot.results.rating import SETTLED, rated, ratings_after, shown_rating
from bot.results.statistics import rivals_of
from engine.seating import Seating
from tests.results.samples import PEOPLE, histories, player, result


def folded(results: list[Result]) -> tuple[list[Result], dict[str, Rating]]:
    """Results of one seating with their skills, and the ratings that they lead to."""
    found: dict[str, Rating] = {}
    kept = []
    for one in results:
        new = rated(one, {person: rating.skill for person, rating in found.items()})
        found.update({rating.person: rating for rating in ratings_after(new, found)})
        kept.append(new)
    return kept, found


def test_the_last_matches_are_told_with_the_newest_last() -> None:
    seats = [player("a"), player("b")]
    results = [result(seats, number=number, winner=number % 2) for number in range(15)]
    results.append(result([player("a", left=True, stood_in=True), player("b")], number=15))
    told = recent(results, "a")
    assert len(told) == RECENT
    assert told[-3:] == (Outcome.LOST, Outcome.WON, Outcome.LEFT)
    assert recent(results, "nobody") == ()


def test_a_rating_moves_by_what_its_shown_numbers_differ() -> None:
    kept, ratings = folded([result([player("a"), player("b")], number=number) for number in range(8)])
    assert moved(kept[:1], "a", Seating.ONE_ON_ONE) == (None, 0)
    change, over = moved(kept, "a", Seating.ONE_ON_ONE)
    assert over == LATELY
    before = kept[-1 - LATELY].players[0].after
    assert before is not None
    assert change == shown_rating(ratings["a"].skill) - shown_rating(before)
    assert change > 0
    down, _ = moved(kept, "b", Seating.ONE_ON_ONE)
    assert down is not None
    assert down < 0
    assert moved(kept, "a", Seating.TWO_PAIRS) == (None, 0)


def test_matches_that_counted_less_are_lately_so() -> None:
    def match(number: int, weight: float | None, seating: Seating = Seating.ONE_ON_ONE) -> Result:
        seats = [player(name) for name in "abcd"[: seating.seats]]
        new = rated(result(seats, number=number, seating=seating), {}, 1.0 if weight is None else weight)
        return msgspec.structs.replace(new, weight=weight)

    old = [match(number, None) for number in range(3)]
    assert not lighter(old, "a", Seating.ONE_ON_ONE)
    light = [*old, match(3, 0.5)]
    assert lighter(light, "a", Seating.ONE_ON_ONE)
    assert not lighter(light, "a", Seating.TWO_PAIRS)
    assert not lighter(light, "nobody", Seating.ONE_ON_ONE)
    others = [match(number, 1.0, Seating.TWO_PAIRS) for number in range(4, 10)]
    assert lighter([*light, *others], "a", Seating.ONE_ON_ONE)
    assert not lighter([*light, *(match(number, 1.0) for number in range(4, 4 + LATELY))], "a", Seating.ONE_ON_ONE)


def test_a_place_is_among_those_whose_rating_is_more_than_a_guess() -> None:
    def rating(person: str, mu: float, matches: int = SETTLED) -> Rating:
        return Rating(person, Seating.ONE_ON_ONE, Skill(mu, 1.0), matches)

    others = [rating("b", 30.0), rating("c", 20.0), rating("d", 40.0, SETTLED - 1)]
    assert placed(rating("a", 25.0), others) == (2, 3)
    assert placed(rating("a", 30.0), others) == (1, 3), "equals share a place"
    assert placed(rating("a", 25.0, 1), others) == (None, 0)
    assert placed(rating("a", 25.0), others[2:]) == (None, 0)


def test_the_main_rating_rests_on_most_matches() -> None:
    one = Rating("a", Seating.ONE_ON_ONE, Skill(25.0, 8.0), 3)
    two = Rating("a", Seating.TWO_PAIRS, Skill(20.0, 8.0), 9)
    assert main_rating([one, two]) == two
    assert main_rating([]) is None


@given(histories())
def test_companions_and_rivals_are_those_of_the_results(results: list[Result]) -> None:
    for person in PEOPLE[:3]:
        for seating in Seating:
            met = played_with(results, person, seating)
            assert person not in met
            assert len(set(met)) == len(met)
        ranked = rivals_of(results, person)
        counts = [pair.matches for _, pair in ranked]
        assert counts == sorted(counts, reverse=True)
        assert all(pair.one + pair.other <= pair.matches for _, pair in ranked)
        assert person not in dict(ranked)
