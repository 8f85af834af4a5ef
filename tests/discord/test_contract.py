"""Discord keeps the contract of the platforms."""

from typing import Any

import pytest

from bot.model import Home
from bot.screens import Screen
from tests.discord.world import World
from tests.platforms.contract import PlatformContract, Stage


class DiscordStage:
    """A channel of the simulated Discord."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.platform = world.bot.platform
        self.place = str(world.channel.id)

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Show a screen the way the application does."""
        with self.world.env._bot_scope():
            posted: str | None = await self.platform.show(home, screen)
        return posted

    def seen(self) -> list[str]:
        """Everything that is to be read in the channel, without the calls."""
        boards = [shown for shown in self.world.messages() if not shown.message.content]
        return ["\n".join((shown.text, *shown.alternatives, *shown.buttons)) for shown in boards]

    async def close(self) -> None:
        """Take the bot's rights in the channel away."""
        path = f"/channels/{self.place}/messages*"
        for method in ("POST", "PATCH"):
            self.world.env.inject_error(method, path, status=403, code=50001, message="Missing Access", times=None)

    async def stranger(self) -> str:
        """What a stranger is told for a press."""
        await self.world.playing("Ana", "Luis")
        answer = await self.world.board.press(self.world.member("Marta"), "Mi mano")
        assert answer.shown.ephemeral
        return answer.text


class TestDiscord(PlatformContract):
    """The contract, over Discord."""

    @pytest.fixture
    async def stage(self, world: World) -> Any:
        """A channel."""
        stage: Stage = DiscordStage(world)
        return stage
