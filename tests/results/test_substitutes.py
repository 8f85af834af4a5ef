"""Whom a seat counts for that somebody took over, and for whom such a match is rated."""

import msgspec
import pytest

from bot.model import Chair, Status
from bot.results.making import result_of
from bot.results.model import Kind, Player, Result
from bot.results.rating import rated
from bot.store import Record
from engine.seating import Seating
from tests.bot.tables import dealt, table_of

LOLA = Chair("Lola", robot="normal")


def result(*, deals: int = 4, **chairs: Chair) -> Result:
    """A match of so many deals among four people that side 0 has won, with other chairs at some seats."""
    match = msgspec.structs.replace(dealt(Seating.TWO_PAIRS, 1), winner=0, deals=deals)
    table = table_of(match, status=Status.OVER)
    seats = tuple(chairs.get(f"at{seat}", chair) for seat, chair in enumerate(table.chairs))
    found = result_of(Record(msgspec.structs.replace(table, chairs=seats), match=match), (), 1)
    assert found is not None
    return found


def substitute(since: int, **fields: object) -> Chair:
    """Eva in somebody's seat."""
    return msgspec.structs.replace(Chair("Eva", "p9", stood_in=True, since=since), **fields)


def rated_people(of: Result) -> list[str | None]:
    """The persons whose skill the match changes."""
    return [player.person for player in rated(of, {}).players if player.after is not None]


@pytest.mark.parametrize("since", [1, 3])
def test_whoever_left_has_lost_whatever_a_substitute_does(since: int) -> None:
    found = result(at0=substitute(since, left="p0", left_name="Ana"))
    assert found.players[0] == Player("Ana", "p0", left=True, stood_in=True)
    assert found.kind is Kind.SUBSTITUTED
    assert rated_people(found) == ["p0"]
    assert not found.won(0)
    assert "p9" not in found.people


def test_a_substitute_who_played_most_of_it_has_played_it_without_being_rated() -> None:
    found = result(at0=substitute(1, left="p0", left_name="Ana", left_how="absent"))
    assert (found.players[0].person, found.players[0].stood_in) == ("p9", True)
    assert found.kind is Kind.SUBSTITUTED
    assert not found.rated
    assert found.won(0)
    assert not found.among_people(0)


def test_a_substitute_who_came_late_has_neither_won_nor_lost() -> None:
    found = result(at0=substitute(2, left="p0", left_name="Ana", left_how="absent"))
    assert found.players[0] == Player("Ana", "p0", stood_in=True, absent=True)
    assert not found.rated


@pytest.mark.parametrize("chair", [LOLA, substitute(3)])
def test_whoever_was_voted_out_has_not_won_and_is_not_rated(chair: Chair) -> None:
    out = msgspec.structs.replace(chair, left="p0", left_name="Ana", left_how="voted")
    found = result(at0=out)
    assert found.players[0] == Player("Ana", "p0", stood_in=True, sent_away=True)
    assert found.kind is Kind.SUBSTITUTED
    assert not found.rated
    assert not found.won(0)
    assert not found.won(1)


@pytest.mark.parametrize(("since", "person"), [(1, "p9"), (3, None)])
def test_a_match_that_began_with_a_robot_stays_one_with_robots(since: int, person: str | None) -> None:
    found = result(at0=substitute(since, filled=True, left_name="Lola"))
    assert found.players[0].person == person
    assert found.players[0].name == ("Eva" if person else "Lola")
    assert found.kind is Kind.ROBOTS
    left = result(at0=substitute(since, filled=True, left_name="Lola"), at1=Chair("Bruno", left="p1", left_name="Luis"))
    assert not left.rated, "nobody is rated where robots were from the start"


def test_a_substitute_of_somebody_who_was_erased_tells_no_name() -> None:
    assert result(at0=substitute(3)).players[0] == Player("", None, stood_in=True)
