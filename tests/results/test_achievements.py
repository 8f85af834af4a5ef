"""Achievements: each can be reached, and none is lost."""

import pytest
from hypothesis import given, settings

from bot.presenter.achievements import achievement_line, achievement_name
from bot.results.achievements import Achievement, achievements
from bot.results.model import Result
from bot.texts import texts
from engine.seating import Seating
from tests.results.samples import PEOPLE, ROBOT, deal, histories, player, result

ANA, BETO = player("ana"), player("beto")


def codes(results: list[Result], person: str = "ana") -> set[str]:
    """What a person has achieved."""
    return {earned.code.value for earned in achievements(results, person)}


def wins(count: int) -> list[Result]:
    """So many matches won in a row."""
    return [result([ANA, BETO], number=number) for number in range(count)]


def of_pairs(partner: str, number: int) -> Result:
    """A match won with a partner."""
    return result([ANA, BETO, player(partner), player("luis")], number=number, seating=Seating.TWO_PAIRS)


EXAMPLES: dict[str, list[Result]] = {
    "first_match": [result([ANA, ROBOT], winner=1)],
    "first_win": wins(1),
    "wins_10": wins(10),
    "wins_50": wins(50),
    "matches_100": [result([ANA, BETO], number=number, winner=1) for number in range(100)],
    "streak_3": wins(3),
    "streak_7": wins(7),
    "canastas_10": [result([ANA, ROBOT], deals=[deal((1, 0), canastas=(5, 0))] * 2)],
    "canastas_100": [result([ANA, ROBOT], deals=[deal((1, 0), canastas=(5, 0))] * 20)],
    "clean_5": [result([ANA, ROBOT], deals=[deal((1, 0), canastas=(5, 0), clean=(5, 0))])],
    "deal_1000": [result([ANA, ROBOT], deals=[deal((1000, 0))])],
    "comeback": [result([ANA, BETO], deals=[deal((0, 1000)), deal((2000, 0))])],
    "close_finish": [result([ANA, BETO], (3050, 3000))],
    "shutout": [result([ANA, BETO], (3050, -20))],
    "marathon": [result([ANA, BETO], deals=[deal((300, 100))] * 10, winner=1)],
    "closer_10": [result([ANA, ROBOT], deals=[deal((300, 100), closer=0)] * 10)],
    "all_seatings": [
        result(
            [player(name) for name in ("ana", "b", "c", "d", "e", "f")[: seating.seats]],
            (3000, 100, 100)[: seating.sides],
            seating=seating,
            number=number,
        )
        for number, seating in enumerate(Seating)
    ],
    "rulesets_5": [result([ANA, BETO], ruleset=f"r{number}", number=number) for number in range(5)],
    "partners_5": [of_pairs(f"mate{number}", number) for number in range(5)],
    "robots_10": [result([ANA, ROBOT], number=number) for number in range(10)],
}


def test_codes_are_for_ever() -> None:
    assert [code.value for code in Achievement] == list(EXAMPLES)


@pytest.mark.parametrize("code", EXAMPLES)
def test_each_can_be_reached_and_not_a_match_before(code: str) -> None:
    assert code in codes(EXAMPLES[code])
    assert code not in codes(EXAMPLES[code][:-1])
    last = next(one for one in achievements(EXAMPLES[code], "ana") if one.code.value == code)
    assert last.table_id == EXAMPLES[code][-1].table_id


@given(histories())
@settings(deadline=None)
def test_what_is_achieved_stays(results: list[Result]) -> None:
    for person in PEOPLE[:3]:
        whole = achievements(results, person)
        before = achievements(results[:-1], person)
        assert whole[: len(before)] == before


def test_whoever_left_has_achieved_nothing_in_it() -> None:
    left = result([player("ana", left=True, stood_in=True), BETO], deals=[deal((2000, 0), clean=(5, 0))] * 10)
    assert codes([left]) == set()


def test_each_has_a_name_and_says_what_it_is_for() -> None:
    t = texts()
    names = [achievement_name(t, code) for code in Achievement]
    assert len(set(names)) == len(names) == len(Achievement) >= 12
    assert all(achievement_line(t, code) for code in Achievement)
