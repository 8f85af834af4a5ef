"""Requests that no page makes: every one is answered in order, and nobody moves what is not theirs."""

import asyncio
import random

import pytest
from structlog.testing import capture_logs

from bot.model import Status
from tests.security.forging import Forger, Watch
from tests.web.conftest import RoomMaker

SHORT, LONG, AT_ONCE = 1_000, 100_000, 20


async def test_forged_tokens_are_answered_and_move_nothing_that_is_not_ones_own(
    make_room: RoomMaker, monkeypatch: pytest.MonkeyPatch, long_run: bool
) -> None:
    for limit in ("PRESSES_A_SECOND", "PRESSES_AT_ONCE", "READS_A_SECOND", "READS_AT_ONCE"):
        monkeypatch.setattr(f"adapters.web.guard.{limit}", 10**9)
    room, dice = await make_room(), random.Random(31)
    ana, eva, thief = [await room.guest() for _ in range(3)]
    await thief.come_in()

    async def begun() -> tuple[str, str]:
        code = await ana.open_table("Ana")
        await eva.join(code, "Eva")
        await ana.start(code)
        return code, await room.app.find(code)

    code, table_id = await begun()
    forger, watch = Forger(dice), Watch(room.app._store)
    with capture_logs() as logs:
        for _ in range((LONG if long_run else SHORT) // AT_ONCE):
            record = await room.app.record(table_id)
            if record.table.status is not Status.PLAYING:
                code, table_id = await begun()
                continue
            people = [
                person for chair in record.table.chairs if (person := await room.app._store.person(chair.person or ""))
            ]
            await forger.look(room.app, table_id, people)
            pressers = [dice.choice((ana, eva, thief)) for _ in range(AT_ONCE)]
            told = await asyncio.gather(*(guest.press(code, forger.token()) for guest in pressers))
            for reply in told:
                assert reply.status in (200, 400), reply.text
                assert reply.json["text"] or reply.json.get("state") or reply.json.get("question")
    assert [line for line in logs if line["log_level"] in ("error", "critical")] == []
    assert watch.problems == []
    assert watch.moves > 0, "some were genuine"
