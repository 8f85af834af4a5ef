"""Statistics add up, whatever was played."""

import itertools

import msgspec
from hypothesis import given

from bot.results.model import Kind, Result, without_person
from bot.results.statistics import Tally, partners, partners_of, rivals, statistics
from engine.seating import Seating
from tests.results.samples import PEOPLE, ROBOT, deal, histories, player, result


@given(histories())
def test_every_way_to_count_comes_to_the_same(results: list[Result]) -> None:
    for person in PEOPLE:
        numbers = statistics(results, person)
        mine = [one for one in results if person in one.people]
        assert numbers.total.matches == len(mine)
        assert numbers.total.won == sum(one.won(one.seat_of(person) or 0) for one in mine)
        for tallies in (numbers.by_ruleset, numbers.by_seating):
            assert sum(tally.matches for tally in tallies.values()) == numbers.total.matches
            assert sum(tally.won for tally in tallies.values()) == numbers.total.won
        assert numbers.streak <= numbers.best_streak <= numbers.people.won
        assert numbers.left <= numbers.people.matches - numbers.people.won
        assert (numbers.favourite == "") is (not mine)


@given(histories())
def test_what_some_win_others_lose(results: list[Result]) -> None:
    whole = [one for one in results if one.kind is Kind.PEOPLE and one.seating is Seating.TWO_PAIRS]
    tallies = [statistics(whole, person).people for person in PEOPLE]
    assert sum(tally.won for tally in tallies) == 2 * len(whole)
    assert sum(tally.matches for tally in tallies) == 4 * len(whole)


@given(histories())
def test_both_of_a_pair_see_the_same(results: list[Result]) -> None:
    for one, other in itertools.pairwise(PEOPLE):
        assert partners(results, one, other) == partners(results, other, one)
        seen, mirrored = rivals(results, one, other), rivals(results, other, one)
        assert (seen.matches, seen.one, seen.other) == (mirrored.matches, mirrored.other, mirrored.one)
        assert seen.one + seen.other <= seen.matches


@given(histories())
def test_erasing_somebody_changes_nothing_of_the_others(results: list[Result]) -> None:
    gone, *others = PEOPLE
    after = [without_person(one, gone) for one in results]
    assert not any(gone in one.people for one in after)
    assert statistics(after, gone).total.matches == 0
    for person in others:
        assert statistics(after, person) == statistics(results, person)
    assert [one.kind for one in after] == [one.kind for one in results]


def test_matches_with_robots_count_apart() -> None:
    results = [
        result([player("ana"), player("beto")]),
        result([player("ana"), ROBOT], number=1),
        result([player("ana"), player("beto", stood_in=True)], number=2),
        result([player("beto"), player("ana")], number=3),
    ]
    numbers = statistics(results, "ana")
    assert (numbers.people, numbers.robots) == (Tally(2, 1), Tally(2, 2))
    assert (numbers.streak, numbers.best_streak) == (0, 1)


def test_whoever_leaves_has_lost_and_the_others_played_with_a_robot() -> None:
    match = result(
        [player("ana"), player("beto"), player("eva", left=True, stood_in=True), player("luis")],
        seating=Seating.TWO_PAIRS,
        winner=0,
        deals=[deal((500, 100), canastas=(2, 0))],
    )
    assert match.kind is Kind.SUBSTITUTED
    eva, ana, beto = (statistics([match], person) for person in ("eva", "ana", "beto"))
    assert (eva.people, eva.robots, eva.left, eva.canastas) == (Tally(1, 0), Tally(), 1, 0)
    assert (ana.people, ana.robots, ana.canastas) == (Tally(), Tally(1, 1), 2)
    assert (beto.people, beto.robots) == (Tally(), Tally(1, 0))


def test_a_match_with_robots_that_is_left_is_lost_among_robots() -> None:
    match = result([player("ana", left=True, stood_in=True), ROBOT])
    assert match.kind is Kind.ROBOTS
    assert statistics([match], "ana").robots == Tally(1, 0)


def test_canastas_closings_and_the_best_deal_are_counted() -> None:
    deals = [deal((900, 20), canastas=(2, 0), clean=(1, 0), closer=0), deal((-80, 700), canastas=(0, 1), closer=1)]
    numbers = statistics([result([player("ana"), player("beto")], (820, 720), deals=deals)], "ana")
    assert (numbers.canastas, numbers.clean, numbers.closed, numbers.best_deal) == (2, 1, 1, 900)
    assert (numbers.points, numbers.deals) == (820, 2)


def test_partners_come_by_how_often() -> None:
    seats = [player("ana"), player("beto"), player("eva"), player("luis")]
    other = [player("ana"), player("beto"), player("luis"), player("eva")]
    results = [
        result(row, number=number, seating=Seating.TWO_PAIRS) for number, row in enumerate((seats, other, seats))
    ]
    assert [(name, pair.tally.matches) for name, pair in partners_of(results, "ana")] == [("eva", 2), ("luis", 1)]


def test_the_name_of_an_erased_person_does_not_stay_in_the_table_s() -> None:
    match = result([player("ana"), player("beto")])
    match = msgspec.structs.replace(match, table="Mesa de Nombre ana")
    assert without_person(match, "ana").table == ""
    assert without_person(match, "beto").table == "Mesa de Nombre ana"
