"""Cutting in Telegram: in a group everybody sees the seal, and one person picks figures in the private chat."""

from collections.abc import AsyncIterator

import pytest

from bot.cutting import cutter_of
from tests.telegram.fake import BotApi, Group, Message, Person
from tests.telegram.room import Room, board, have_hands, until
from tests.telegram.test_deciding import PatientClock


@pytest.fixture
async def room(api: BotApi) -> AsyncIterator[Room]:
    """A bot at play."""
    async with Room(api, clock=PatientClock()) as room:
        yield room


async def waiting(api: BotApi, room: Room, people: list[Person]) -> tuple[Group, str]:
    """A table in a group that waits for its cut."""
    for person in people:
        await person.starts()
    group = api.group("Amigos", *people)
    await people[0].says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    for person in people[1:]:
        await person.presses(board(group), "Sentarme")
    await until(lambda: all(person.name in (board(group).text or "") for person in people))
    refused = await people[1].presses(board(group), "Con corte")
    assert refused.alert
    await people[0].presses(board(group), "Con corte")
    await until(lambda: "alguien corta el mazo" in (board(group).text or ""))
    await people[0].presses(board(group), "Empezar")
    await until(lambda: asked_in(group))
    return group, await room.table(group)


def asked_in(group: Group) -> Message:
    """The group's message that says whose cut is awaited."""
    asked = [message for message in group.messages if "Cortar el mazo" in message.labels]
    return next(message for message in asked if "Sello del mazo" in (message.text or ""))


async def cutter_of_table(room: Room, table_id: str, people: list[Person]) -> tuple[Person, Person]:
    """Who cuts, and the other."""
    table = (await room.app.record(table_id)).table
    assert table.awaited_cut is not None
    seat = cutter_of(table, table.awaited_cut.starter)
    first = [person for person in people if table.seat_of((await room.player(person)).id) == seat]
    others = [person for person in people if person not in first]
    return first[0], others[0]


def figures_of(person: Person) -> Message:
    """The newest private message with figures to pick."""
    return next(message for message in reversed(person.inbox) if {"1", "0"} <= set(message.labels))


async def cuts(person: Person, figures: str) -> str:
    """Pick figures in the private chat; the last answer."""
    told = ""
    for at, figure in enumerate(figures):
        before = "" if at == 0 else f"Tu corte: {figures[:at]:–<3}."
        await until(lambda before=before: before in (figures_of(person).text or ""))  # type: ignore[misc]
        told = (await person.presses(figures_of(person), figure)).text or ""
    return told


async def test_one_cuts_in_the_private_chat_and_the_group_sees_seal_and_cut(api: BotApi, room: Room) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    group, table_id = await waiting(api, room, people)
    cutter, other = await cutter_of_table(room, table_id, people)
    record = await room.app.record(table_id)
    (seal,) = record.table.seals
    assert record.match is None
    assert seal.commitment in (asked_in(group).text or "")
    assert f"Corta {cutter.name}: después se reparte." in (asked_in(group).text or "")
    await until(lambda: figures_of(cutter))
    assert "Te toca cortar" in (figures_of(cutter).text or "")
    assert not [message for message in other.inbox if "1" in message.labels]
    assert "Cortaste en 375." in await cuts(cutter, "375")
    await until(lambda: board(group).photo)
    assert f"Cortó {cutter.name}: 375." in (board(group).caption or "")
    await until(lambda: have_hands(cutter, other))
    match = (await room.app.record(table_id)).match
    assert match is not None
    assert match.in_play


async def test_the_group_s_button_leads_to_the_figures_and_others_are_told_who_cuts(api: BotApi, room: Room) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    group, table_id = await waiting(api, room, people)
    cutter, other = await cutter_of_table(room, table_id, people)
    await until(lambda: figures_of(cutter))
    stolen = figures_of(cutter).button("3").data
    assert stolen is not None
    answered = await other.presses(asked_in(group), data=f"{stolen}75")
    assert f"Corta {cutter.name}" in (answered.text or "")
    assert (await room.app.record(table_id)).match is None
    assert (await cutter.presses(asked_in(group), "Cortar el mazo")).text
    assert "Cortaste en 001." in await cuts(cutter, "001")


async def test_a_cut_goes_on_after_a_restart_in_its_middle(api: BotApi) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    async with Room(api, clock=PatientClock()) as room:
        group, table_id = await waiting(api, room, people)
        cutter, _ = await cutter_of_table(room, table_id, people)
        await until(lambda: figures_of(cutter))
        await cutter.presses(figures_of(cutter), "4")
        await until(lambda: "Tu corte: 4" in (figures_of(cutter).text or ""))
        store = room.store
    async with Room(api, store=store, clock=PatientClock()) as room:
        await cutter.presses(figures_of(cutter), "2")
        await until(lambda: "Tu corte: 42" in (figures_of(cutter).text or ""))
        assert "Cortaste en 424." in ((await cutter.presses(figures_of(cutter), "4")).text or "")
        await until(lambda: board(group).photo)
        assert (await room.app.record(table_id)).table.seals[0].cut == "424"


async def test_a_group_settles_it_for_its_new_tables(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    group = api.group("Amigos", ana)
    await ana.says(group, "/ajustes")
    await until(lambda: "Mesas con corte" in group.last.labels)
    shown = group.last
    assert (await ana.presses(shown, "Mesas con corte")).text == "Guardado."
    await until(lambda: "Mesas sin corte" in shown.labels)
    assert "En las mesas nuevas alguien corta antes de cada ronda." in (shown.text or "")
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: "alguien corta el mazo" in (board(group).text or ""))
