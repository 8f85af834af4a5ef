"""Telegram keeps the contract of the platforms."""

from typing import Any

import pytest

from bot.model import Home
from bot.screens import Screen
from tests.platforms.contract import PlatformContract, Stage
from tests.telegram.fake import BotApi
from tests.telegram.room import Room, board
from tests.telegram.test_playing import started


class TelegramStage:
    """A group of the simulated Telegram."""

    def __init__(self, api: BotApi, room: Room) -> None:
        self.api = api
        self.room = room
        self.platform = room.platform
        self.group = api.group("Amigos", api.user("Ana"), api.user("Luis"))
        self.place = str(self.group.id)

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Show a screen the way the application does."""
        posted: str | None = await self.platform.show(home, screen)
        return posted

    def seen(self) -> list[str]:
        """Everything that is to be read in the group, without the calls."""
        return [
            "\n".join((message.caption or message.text or "", *message.labels))
            for message in self.group.messages
            if message.photo or "Robar" in message.labels
        ]

    async def close(self) -> None:
        """Take the bot out of the group."""
        self.group.remove_bot()

    async def stranger(self) -> str:
        """What a stranger is told for a press."""
        ana = self.api.user("Ana 2")
        group, _ = await started(self.api, self.room, [ana, self.api.user("Luis 2")])
        stranger = self.api.user("Marta")
        group.add(stranger)
        self.group = group
        told: str = (await stranger.presses(board(group), "Robar")).text
        return told


class TestTelegram(PlatformContract):
    """The contract, over Telegram."""

    @pytest.fixture
    async def stage(self, api: BotApi, room: Room) -> Any:
        """A group."""
        stage: Stage = TelegramStage(api, room)
        return stage
