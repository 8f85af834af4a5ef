"""Hints and explanations: what they say is legal, private and true, and asking changes nothing."""

import pytest
from hypothesis import given

from bot.advice import hint, why
from bot.presenter.advice import hint_text, why_screen
from bot.presenter.seated import seated
from bot.robots.reasoning import reason_for
from bot.shuffling import seeded_deal
from bot.texts import texts
from bot.tokens import Verb
from engine import legal
from engine.decide import decide, start_deal
from engine.events import Event
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view
from tests.bot.rooms import House
from tests.bot.tables import deal_of
from tests.strategies import matches


@given(matches())
def test_a_hint_is_legal_and_has_words(match: Match) -> None:
    """Anywhere in a deal, under every rule set; each other legal action has a reason as well."""
    if match.in_play:
        seat = deal_of(match).turn.seat
        view = seat_view(match, seat)
        advice = hint(view)
        assert decide(match, seat, advice.action)
        told = hint_text(texts("es"), view, advice)
        assert told.startswith("Pista: ")
        assert "{" not in told
        for action in legal.actions(view)[:12]:
            assert reason_for(view, action).because


async def test_a_hint_at_the_table() -> None:
    """For who is on turn; nothing is committed."""
    house = House()
    table_id, people = await house.started(2, Seating.ONE_ON_ONE)
    record = await house.record(table_id)
    assert record.match is not None
    seat = deal_of(record.match).turn.seat
    for person in people:
        mine = record.table.seat_of(person.id) == seat
        answer = await house.press(person, table_id, Verb.HINT)
        assert answer.ok is mine
        assert answer.text.startswith("Pista: " if mine else "La pista espera")
    assert (await house.record(table_id)).version == record.version
    answer = await house.press(people[0], table_id, Verb.WHY)
    assert not answer.ok
    with pytest.raises(ValueError, match="goes on"):
        why(record.match, record.table, ())
    await house.app.stop()


async def test_why_after_the_deal() -> None:
    """The robots' decisions with their reasons, from the events that were kept."""
    house = House()
    table_id, _ = await house.started(1, Seating.ONE_ON_ONE)
    table = (await house.record(table_id)).table
    await house.app.stop()
    match = new_match(table.rules, table.seating, 0)
    events: list[Event] = list(start_deal(match, seeded_deal(table.rules, table.seating, 5)))
    match = evolve_all(match, events)
    while match.in_play:
        seat = deal_of(match).turn.seat
        taken = decide(match, seat, hint(seat_view(match, seat)).action)
        match = evolve_all(match, taken)
        events += taken
    told = why(match, table, events)
    assert told
    assert {one.seat for one in told} == {seat for seat, chair in enumerate(table.chairs) if chair.robot}
    screen = why_screen(texts("es"), seated(table, 1, match), told)
    assert len(screen.lines) == len(told)
    assert not any("{" in line for line in screen.lines)
