"""Callback data that a bad client makes up: every press is answered, and nobody moves what is not theirs."""

import asyncio
import random

from structlog.testing import capture_logs

from adapters.telegram.data import Kind
from bot.model import Status
from tests.security.forging import Forger, Watch
from tests.telegram.fake import BotApi, Message, Person
from tests.telegram.room import Room, board, hands_of, have_hands, until
from tests.telegram.test_playing import started

SHORT, LONG, AT_ONCE = 600, 100_000, 10


async def press(person: Person, message: Message, data: str) -> bool:
    """Press something in a message; whether it was answered, where the message is still there."""
    return message.deleted or (await person.presses(message, data=data, patience=30)).answered


async def test_forged_data_is_answered_and_moves_nothing_that_is_not_ones_own(
    api: BotApi, room: Room, long_run: bool
) -> None:
    dice = random.Random(23)
    people = [api.user(name) for name in ("Ana", "Beto")]
    stranger = api.user("Eva")
    await stranger.starts()
    group, table_id = await started(api, room, people, "1v1")
    group.add(stranger)
    await until(lambda: have_hands(*people))
    before = await room.app.place_settings(f"telegram:{group.id}")
    forger, watch = Forger(dice, kinds=list(Kind)), Watch(room.store)
    with capture_logs() as logs:
        for _ in range((LONG if long_run else SHORT) // AT_ONCE):
            record = await room.app.record(table_id)
            if record.table.status is not Status.PLAYING:
                await api.quiet()
                group, table_id = await started(api, room, people, "1v1")
                group.add(stranger)
                continue
            await forger.look(room.app, table_id, [await room.player(person) for person in people])
            # Whoever closes their own hand has none until it is asked for.
            shown = [board(group), *(message for person in people for message in hands_of(person)[-1:])]
            pressers = [dice.choice([*people, stranger]) for _ in range(AT_ONCE)]
            pressed = [(person, dice.choice(shown), forger.token() or "x") for person in pressers]
            told = await asyncio.gather(*(press(*one) for one in pressed))
            assert [data for (_, _, data), answered in zip(pressed, told, strict=True) if not answered] == []
        await api.quiet()
    failed = [line for line in logs if line["log_level"] in ("error", "critical")]
    assert failed == []
    assert watch.problems == []
    assert watch.moves > 0, "some were genuine"
    assert await room.app.place_settings(f"telegram:{group.id}") == before, "nobody who pressed keeps order there"
