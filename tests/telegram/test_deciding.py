"""Deciding together in a group: a vote under the table, and a seat that somebody takes over."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.model import Status
from tests.telegram.fake import BotApi, Message, Person
from tests.telegram.room import QuickClock, Room, board, have_hands, until
from tests.telegram.test_playing import started


class PatientClock(QuickClock):
    """Quick, but for what waits for minutes: no vote lapses and no table is tidied away."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        if seconds >= 60:
            await asyncio.Event().wait()
        await super().sleep(seconds)


@pytest.fixture
async def room(api: BotApi) -> AsyncIterator[Room]:
    """A bot at play."""
    async with Room(api, clock=PatientClock()) as room:
        yield room


async def offered(person: Person, label: str) -> Message:
    """The newest private message with a button that begins so."""

    def found() -> list[Message]:
        return [message for message in person.inbox if any(one.startswith(label) for one in message.labels)]

    await until(found)
    return found()[-1]


async def test_two_end_their_match_together(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    await ana.presses(board(group), "⋯")
    await ana.presses(await offered(ana, "Proponer algo"), "Proponer algo")
    proposals = await offered(ana, "Terminar la partida sin")
    assert (await ana.presses(proposals, "Terminar la partida sin resultado")).text == (
        "Propuesto: deciden los demás, en la mesa."
    )
    await until(lambda: "Sí" in board(group).labels)
    assert "Ana propone terminar la partida" in (board(group).caption or "")
    refused = await ana.presses(board(group), "Sí")
    assert refused.alert
    assert refused.text == "En esto deciden los demás de la mesa."
    assert (await beto.presses(board(group), "Sí")).text == "Decidido: sí."
    assert (await room.app.record(table_id)).table.status is Status.CANCELLED


async def test_a_spectator_takes_a_seat_over_and_gets_its_cards(api: BotApi, room: Room) -> None:
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    group, table_id = await started(api, room, [ana, beto], "2v2")
    group.add(eva)
    await eva.starts()
    await beto.says(group, "/salir")
    await until(lambda: [message for message in group.messages if "Sí, irme" in message.labels])
    asked = next(message for message in group.messages if "Sí, irme" in message.labels)
    await beto.presses(asked, "Sí, irme")
    table = (await room.app.record(table_id)).table
    name = next(chair.name for chair in table.chairs if chair.left is not None)
    label = f"Tomar el asiento de {name}"
    await eva.presses(board(group), "⋯")
    assert "El asiento es tuyo" in ((await eva.presses(await offered(eva, label), label)).text or "")
    await until(lambda: have_hands(eva))
    person = await room.player(eva)
    assert (await room.app.record(table_id)).table.seat_of(person.id) is not None
