"""The application's front: people, tables and screens."""

import pytest

from bot.founding import CODE_LENGTH, CODE_LETTERS
from bot.keeper import Unknown
from bot.model import Home
from bot.rulesets import RulesetNotFound
from bot.screens import Role
from bot.tokens import Verb
from engine.ruleset import RulesetError
from engine.seating import Seating
from tests.bot.rooms import House


async def test_people_are_met_once_and_may_change_their_name() -> None:
    house = House()
    first = await house.app.meet("web:1", "  Ana ")
    assert await house.app.meet("web:1", "Ana") == first
    renamed = await house.app.meet("web:1", "Anita")
    assert (renamed.id, renamed.name) == (first.id, "Anita")
    assert await house.app.meet("web:1", "\u200b") == renamed
    assert await house.app.person("web:1") == renamed
    assert await house.app.person("web:2") is None
    assert (await house.app.meet("web:2", "Ana")).id != first.id


async def test_tables_are_found_by_their_codes() -> None:
    house = House()
    (ana,) = await house.people(1)
    record = await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
    code = record.table.code
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(CODE_LETTERS)
    assert await house.app.find(f" {code.lower()}\n") == record.table.id
    assert await house.app.tables_of(ana.id) == (record.table.id,)
    assert record.table.name == "Mesa de Ana"
    for wrong in ("", "NOPE22", "'; --"):
        with pytest.raises(Unknown):
            await house.app.find(wrong)
    with pytest.raises(Unknown):
        await house.app.record("nothere")
    assert await house.app.public_screen("nothere") is None
    assert await house.app.hand_screen("nothere", ana) is None


async def test_a_table_needs_rules_that_there_are() -> None:
    house = House()
    (ana,) = await house.people(1)
    with pytest.raises(RulesetNotFound):
        await house.app.open_table(ana, ruleset_id="../etc/passwd", seating=Seating.ONE_ON_ONE)
    with pytest.raises(RulesetError):
        await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, options={"target": -1})
    with pytest.raises(RulesetError):
        await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, options={"x": 1})
    record = await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, options={"target": 2000})
    assert record.table.rules.target == 2000
    assert record.table.options == {"target": 2000}


async def test_a_table_opened_twice_by_one_press_is_one_table() -> None:
    house = House()
    ana, luis = await house.people(2)

    async def open_(person: object) -> str:
        record = await house.app.open_table(
            person,  # type: ignore[arg-type]
            ruleset_id="clasico",
            seating=Seating.ONE_ON_ONE,
            press_id="same",
            home=Home("", "chat", "room"),
        )
        return record.table.id

    first = await open_(ana)
    assert await open_(ana) == first
    assert await open_(luis) != first
    assert (await house.app.press(ana, f"1:{first}:0:tb", "same")).ok
    await house.app.stop()


async def test_the_public_lobby_is_shown_to_each_with_their_own_buttons() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana)
    mine = await house.app.public_screen(table_id, ana.id)
    theirs = await house.app.public_screen(table_id, luis.id)
    assert mine is not None
    assert theirs is not None
    assert mine.role is theirs.role is Role.LOBBY
    assert mine.rows != theirs.rows
    assert await house.app.hand_screen(table_id, ana) is None
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.START)
    assert await house.app.public_screen(table_id, ana.id) == await house.app.public_screen(table_id, luis.id)
    hand = await house.app.hand_screen(table_id, luis)
    assert hand is not None
    assert hand.role is Role.HAND
    await house.app.stop()
