"""A running server, and a bot that talks to it."""

from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from tests.telegram.fake import BotApi
from tests.telegram.fake.samples import Clock


@pytest.fixture(autouse=True)
def _durations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the durations of python-telegram-bot in its new form; in the old one, `RetryAfter` warns."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with BotApi(clock=Clock()) as running:
        yield running
    wrong = [p for call in running.calls if call.ok for p in running.spec.check_answer(call.method, call.result)]
    wrong += [p for update in running.updates.delivered for p in running.spec.check_update(update)]
    assert wrong == [], "what the server gives breaks the description of the Bot API"


@pytest.fixture
async def bot(server: BotApi) -> AsyncIterator[Bot]:
    async with Bot(server.token, base_url=server.base_url, base_file_url=server.base_file_url) as made:
        yield made
