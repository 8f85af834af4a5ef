"""Open tables add up: somebody who sits at many, and a place that shows many, open no more until one is gone."""

from pathlib import Path

import pytest

from bot.commands import CommandError, CommandProblem
from bot.config import load_settings
from bot.limits import Limits, limits_of
from bot.model import Home, Person
from bot.presenter.commands import command_problem_text
from bot.texts import texts
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.rooms import House


async def opened(house: House, person: Person, number: int, place: str = "77") -> str:
    """A table that a press opens in a place."""
    record = await house.app.open_table(
        person,
        ruleset_id="clasico",
        seating=Seating.ONE_ON_ONE,
        home=Home("", "test", place),
        press_id=f"press {number}",
    )
    return record.table.id


def limited(person: int = 0, place: int = 0) -> House:
    """An application with limits."""
    house = House()
    house.app.limits = Limits(person, place)
    return house


async def test_who_sits_at_many_tables_opens_no_other_until_one_is_left() -> None:
    house = limited(person=3)
    ana, eva = await house.people(2)
    tables = [await opened(house, ana, number) for number in range(3)]
    with pytest.raises(CommandError) as refused:
        await opened(house, ana, 3)
    assert refused.value.problem is CommandProblem.AT_MANY_TABLES
    told = command_problem_text(texts(), refused.value)
    assert told == "Ya juegas en 3 mesas abiertas: termina o deja una antes de abrir otra."
    lesson = await house.app.press(ana, "1:x:0:ls", "lesson")
    assert (lesson.ok, lesson.text) == (False, told), "the guided deal is a table too"
    assert await opened(house, eva, 3), "nobody else feels it"
    joined = await opened(house, eva, 4)
    assert (await house.press(ana, joined, Verb.JOIN)).ok, "sitting down is no opening"
    for table_id in (tables[0], joined):
        assert (await house.press(ana, table_id, Verb.LEAVE)).ok
    assert await opened(house, ana, 5)


async def test_a_place_shows_so_many_tables_and_another_place_its_own() -> None:
    house = limited(place=2)
    people = await house.people(3)
    for number, person in enumerate(people[:2]):
        await opened(house, person, number)
    with pytest.raises(CommandError) as refused:
        await opened(house, people[2], 2)
    assert refused.value.problem is CommandProblem.PLACE_FULL
    assert command_problem_text(texts(), refused.value).startswith("Aquí ya hay 2 mesas abiertas")
    assert await opened(house, people[2], 3, place="78")


async def test_the_press_that_opened_the_last_table_gets_its_answer_again() -> None:
    house = limited(person=1, place=1)
    (ana,) = await house.people(1)
    first = await opened(house, ana, 0)
    assert await opened(house, ana, 0) == first, "delivered twice, it is answered twice"
    with pytest.raises(CommandError):
        await opened(house, ana, 1)
    assert list(await house.store.open_tables()) == [first]


async def test_limits_are_set_and_may_be_none(tmp_path: Path) -> None:
    nowhere = tmp_path / "none"
    assert limits_of(load_settings(nowhere, {})) == Limits(6, 10)
    free = load_settings(nowhere, {"BURACO_PERSON_TABLES": "0", "BURACO_PLACE_TABLES": "0"})
    house = House()
    house.app.limits = limits_of(free)
    (ana,) = await house.people(1)
    assert len({await opened(house, ana, number) for number in range(12)}) == 12
