"""Who may not sit down where: the lists of places, one's own, and every way to a seat."""

import pytest

from bot.blocks import personal
from bot.commands import CommandError, CommandProblem
from bot.model import Person
from bot.presenter.commands import command_problem_text
from bot.screens import Answer, Screen
from bot.texts import texts
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.rooms import House, words
from tests.bot.tables import choices
from tests.bot.test_rematches import finished

KEPT_OUT = "No puedes sentarte a las mesas de este lugar. Habla con quien modera allí."


async def tap(house: House, person: Person, screen: Screen | None, label: str) -> Answer:
    """Press the button of a screen that begins so."""
    assert screen is not None
    found = next(choice for choice in choices(screen) if choice.label.startswith(label))
    return await house.app.press(person, found.token, house.press_id())


async def test_who_is_blocked_in_a_place_gets_no_seat_at_its_tables_however_they_come() -> None:
    house = House()
    table_id, (ana, _) = await house.started(2)
    waiting = await house.open(ana)
    # Somebody of the browser, with a code of a table that was opened in a chat.
    eva = await house.app.meet("web:eva", "Eva")
    blocking = house.app.blocking
    assert (await blocking.block(ana, "chat:1", eva)).text == "Eva ya no puede sentarse a las mesas de aquí."
    refused = await house.press(eva, waiting, Verb.JOIN)
    assert (refused.text, refused.ok, refused.reason) == (KEPT_OUT, False, "blocked")
    assert (await house.press(eva, table_id, Verb.TAKE_SEAT, "0")).text == KEPT_OUT
    with pytest.raises(CommandError) as error:
        await house.app.open_table(eva, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, origin="chat:1")
    assert error.value.problem is CommandProblem.BLOCKED
    assert "Habla con quien modera" in command_problem_text(texts(), error.value)
    elsewhere = await house.app.open_table(eva, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
    assert (await house.press(ana, elsewhere.table.id, Verb.JOIN)).ok
    house = house.again()
    assert (await house.press(eva, waiting, Verb.JOIN)).text == KEPT_OUT, "after a restart"
    blocking = house.app.blocking
    assert (await blocking.unblock(ana, "chat:1", eva)).text == "Eva puede sentarse otra vez a las mesas de aquí."
    assert (await house.press(eva, waiting, Verb.JOIN)).ok
    await house.app.stop()


async def test_whoever_sits_already_stays_and_changes_sides() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    await house.press(luis, table_id, Verb.JOIN)
    await house.app.blocking.block(ana, "chat:1", luis)
    assert (await house.press(luis, table_id, Verb.JOIN, "1")).ok
    assert (await house.press(luis, table_id, Verb.LEAVE)).ok
    assert (await house.press(luis, table_id, Verb.JOIN, "1")).text == KEPT_OUT
    await house.app.stop()


async def test_a_rematch_is_not_opened_by_whoever_is_blocked() -> None:
    house = House()
    table_id, crowd = await finished(house, Seating.ONE_ON_ONE)
    await house.app.blocking.block(crowd[0], "chat:1", crowd[1])
    refused = await house.press(crowd[1], table_id, Verb.REMATCH)
    assert refused.text == "No puedes abrir mesas en este lugar. Habla con quien modera aquí."
    assert (await house.press(crowd[0], table_id, Verb.REMATCH)).ok
    assert (await house.press(crowd[1], table_id, Verb.REMATCH)).text == KEPT_OUT
    await house.app.stop()


async def test_the_list_is_shown_and_its_people_are_let_in_by_name_or_number() -> None:
    house = House()
    ana, luis, marta = await house.people(3)
    blocking = house.app.blocking
    assert not (await blocking.block(ana, "chat:1", ana)).ok
    assert "Nadie" in words(await blocking.listed(ana, "chat:1"))
    for person in (luis, marta):
        house.clock.ms += 1
        await blocking.block(ana, "chat:1", person)
    assert "1. Luis\n2. Marta" in words(await blocking.listed(ana, "chat:1"))
    unclear = await blocking.unblock_named(ana, "chat:1", "Pepe")
    assert (unclear.ok, unclear.screen is not None) == (False, True)
    assert (await blocking.unblock_named(ana, "chat:1", "marta")).ok
    assert (await blocking.unblock_named(ana, "chat:1", "1")).ok
    assert (await blocking.unblock(ana, "chat:1", luis)).text == "Luis no está en la lista: ya puede sentarse."
    await house.app.stop()


async def test_a_group_that_is_called_otherwise_keeps_its_list() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana)
    await house.app.blocking.block(ana, "chat:1", luis)
    await house.app.place_renamed("chat", "1", "2")
    assert await house.app.blocking.is_blocked("chat:2", luis)
    assert (await house.press(luis, table_id, Verb.JOIN)).text == KEPT_OUT
    await house.app.stop()


async def test_one_s_own_list_keeps_others_from_the_tables_that_one_hosts() -> None:
    house = House()
    ana, luis, marta = await house.people(3)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    for person in (luis, marta):
        await house.press(person, table_id, Verb.JOIN)
    asked = (await house.press(ana, table_id, Verb.SHUN)).screen
    answer = await tap(house, ana, asked, "No jugar con Luis")
    assert answer.text == "Luis ya no puede sentarse a las mesas que tú dirijas."
    assert "Volver a jugar con Luis" in words(answer.screen)
    own, other = await house.open(ana), await house.open(marta)
    refused = await house.press(luis, own, Verb.JOIN)
    assert refused.text == "En esta mesa no hay lugar para ti. Puedes abrir otra cuando quieras."
    assert (await house.press(luis, other, Verb.JOIN)).ok
    assert (await tap(house, ana, answer.screen, "Volver a jugar con Luis")).text == (
        "Luis puede sentarse otra vez a tus mesas."
    )
    assert (await house.press(luis, own, Verb.JOIN)).ok
    eva = await house.app.meet("test:eva", "Eva")
    await house.press(ana, table_id, Verb.SHUN, eva.id, "1")
    assert list(await house.store.blocked(personal(ana.id))) == [], "nobody who is not there"
    assert "ya no sirve" in (await house.press(ana, table_id, Verb.SHUN, eva.id)).text
    await house.app.stop()


async def test_the_document_tells_of_blocks_and_erasure_forgets_them() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana)
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.SHUN, luis.id, "1")
    await house.app.blocking.block(ana, "chat:1", luis)
    own = (await house.app.privacy.export(ana)).decode()
    assert '"people_you_block": 1' in own
    assert luis.id not in own
    theirs = (await house.app.privacy.export(luis)).decode()
    assert '"place": "chat:1"' in theirs
    assert ana.id not in theirs, "who does not want to play with them is not told"
    await house.app.privacy.erase(luis)
    assert list(await house.store.blocks_of(luis.id)) == []
    await house.app.stop()
