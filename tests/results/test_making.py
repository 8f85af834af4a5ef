"""From a finished table to its result."""

import random

import msgspec
import pytest

from bot.lobby import give_up
from bot.model import Chair, Status
from bot.results.making import result_of
from bot.results.model import Kind
from bot.store import Record
from engine.events import Event
from engine.ruleset import with_options
from engine.seating import Seating
from tests.contract.playing import lobby, next_change, rules_of, started

PEOPLE = ("ana", "beto", "eva", "luis", "marta", "pepe")


def played(
    seating: Seating = Seating.TWO_PAIRS, seed: int = 1, people: int | None = None, target: int = 500
) -> tuple[Record, list[Event]]:
    """A match of random play to its end, and its events."""
    rules = with_options(rules_of(), {"target": target})
    seated = PEOPLE[: seating.seats if people is None else people]
    record = started(lobby(people=seated, seating=seating, rules=rules))
    dice, events = random.Random(seed), list[Event]()
    while record.match is not None and not record.match.is_over:
        change = next_change(record, dice)
        record, events = change.record, [*events, *change.events]
    return record, events


@pytest.fixture(scope="module")
def match() -> tuple[Record, list[Event]]:
    """A match of two pairs."""
    return played()


def test_a_result_tells_the_whole_match(match: tuple[Record, list[Event]]) -> None:
    record, events = match
    assert record.match is not None
    result = result_of(record, events, 5_000)
    assert result is not None
    assert (result.table_id, result.ended_ms, result.started_ms) == (record.table.id, 5_000, record.table.started_ms)
    assert (result.totals, result.winner) == (record.match.totals, record.match.winner)
    assert result.people == PEOPLE[:4]
    assert result.kind is Kind.PEOPLE
    assert result.deal_count == len(result.deals) == record.match.deals
    for side in range(2):
        assert sum(deal.points[side] for deal in result.deals) == result.totals[side]
        assert all(0 <= deal.clean[side] <= deal.canastas[side] for deal in result.deals)


def test_without_events_the_deals_are_not_told(match: tuple[Record, list[Event]]) -> None:
    record, events = match
    for torn in ([], events[1:], events[: len(events) // 2]):
        result = result_of(record, torn, 5_000)
        assert result is not None
        assert result.deals == ()
        assert record.match is not None
        assert (result.deal_count, result.totals) == (record.match.deals, record.match.totals)


def test_a_match_that_goes_on_has_none(match: tuple[Record, list[Event]]) -> None:
    record, events = match
    for status in set(Status) - {Status.OVER}:
        table = msgspec.structs.replace(record.table, status=status)
        assert result_of(msgspec.structs.replace(record, table=table), events, 0) is None
    assert result_of(msgspec.structs.replace(record, match=None), events, 0) is None


def test_robots_absences_and_lessons_are_told(match: tuple[Record, list[Event]]) -> None:
    record, events = match

    def kind(chair: Chair | None = None, *, lesson: bool = False) -> Kind:
        chairs = record.table.chairs if chair is None else (chair, *record.table.chairs[1:])
        table = msgspec.structs.replace(record.table, chairs=chairs, lesson=lesson)
        result = result_of(msgspec.structs.replace(record, table=table), events, 0)
        assert result is not None
        return result.kind

    assert kind(Chair("R", robot="normal")) is Kind.ROBOTS
    assert kind(Chair("Ana", "ana", absent=True)) is Kind.SUBSTITUTED
    assert kind(Chair("Ana", "ana", stood_in=True)) is Kind.SUBSTITUTED
    assert kind(Chair("Ana", "ana", missed=1)) is Kind.PEOPLE
    assert kind(lesson=True) is Kind.ROBOTS


def test_whoever_gave_up_stays_in_the_result(match: tuple[Record, list[Event]]) -> None:
    record, events = match
    playing = msgspec.structs.replace(record.table, status=Status.PLAYING)
    table = msgspec.structs.replace(give_up(playing, "eva", "normal"), status=Status.OVER)
    result = result_of(msgspec.structs.replace(record, table=table), events, 0)
    assert result is not None
    left = result.players[2]
    assert (left.name, left.person, left.left, left.robot) == ("Eva", "eva", True, False)
    assert not result.won(2)
    assert [result.is_rated_for(seat) for seat in range(4)] == [False, False, True, False]


@pytest.mark.parametrize("seating", list(Seating))
def test_every_seating_has_results(seating: Seating) -> None:
    record, events = played(seating, seed=3, target=0)
    result = result_of(record, events, 0)
    assert result is not None
    assert len(result.players) == seating.seats
    assert len(result.totals) == seating.sides
    assert len(result.deals) == 1
