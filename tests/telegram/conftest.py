"""A simulated Bot API whose description every call has to meet."""

from collections.abc import AsyncIterator

import pytest

from tests.telegram.fake import BotApi
from tests.telegram.room import Room


@pytest.fixture(autouse=True)
def _durations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the durations of python-telegram-bot in its new form, and leave the environment as it was."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    """The server; in the end the bot has asked nothing that it should not."""
    async with BotApi() as server:
        yield server
        assert server.problems == []
        assert server.warnings == []


@pytest.fixture
async def room(api: BotApi) -> AsyncIterator[Room]:
    """A bot at play."""
    async with Room(api) as running:
        yield running
