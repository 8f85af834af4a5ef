"""Discord keeps the contract of the platforms."""

import asyncio
from typing import Any

import pytest

from bot.model import Home
from bot.results.model import Player
from bot.screens import Screen
from tests.bot.rooms import play_deal
from tests.discord.world import Shown, World
from tests.platforms.contract import PlatformContract, Stage
from tests.results.keeping import keep
from tests.results.samples import result


class DiscordStage:
    """A channel of the simulated Discord."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.platform = world.bot.platform
        self.place = str(world.channel.id)
        self.marta: Any = None
        self.players: list[Any] = []
        self.shown: Shown | None = None
        self.before = 0

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

    async def settings(self, *labels: str) -> str:
        """What Marta reads of her settings."""
        if self.marta is None:
            self.marta = self.world.member("Marta")
        shown = (await self.world.slash(self.marta, "ajustes")).shown
        for label in labels:
            shown = (await shown.press(self.marta, label)).shown
        assert shown.ephemeral
        return shown.text

    async def profile(self) -> str:
        """What Ana reads of herself after a match that she has won."""
        members = [self.world.member("Ana"), self.world.member("Luis")]
        for member in members:
            await self.world.slash(member, "perfil")
        people = [await self.world.person(member) for member in members]
        await keep(self.world.bot.store, result([Player(person.name, person.id) for person in people]))
        shown = (await self.world.slash(members[0], "perfil")).shown
        assert shown.ephemeral
        assert shown.files == ["buraco.png"]
        assert shown.alternatives
        return "\n".join((shown.text, *shown.buttons))

    async def over(self) -> None:
        """Ana and Luis play."""
        self.players = await self.world.playing("Ana", "Luis")
        table_id = (await self.world.record()).table.id
        await play_deal(self.world.bot.app, table_id, [await self.world.person(actor) for actor in self.players])
        async with asyncio.timeout(20):
            while "Repetición" not in self.world.board.buttons:
                await asyncio.sleep(0.01)
                await self.world.settle()
        self.before = len(self.seen())
        self.shown = self.world.board

    async def replay(self, *labels: str) -> str:
        """What Luis reads."""
        for label in labels:
            assert self.shown is not None
            self.shown = (await self.shown.press(self.players[1], label)).shown
        assert self.shown is not None
        assert self.shown.ephemeral
        assert self.shown.files == ["buraco.png"]
        return "\n".join((self.shown.text, *self.shown.buttons))

    async def file(self, label: str) -> tuple[str, bytes]:
        """The file that Luis gets."""
        assert self.shown is not None
        sent = (await self.shown.press(self.players[1], label)).shown
        assert sent.ephemeral
        (attachment,) = sent._stored.attachments
        return attachment["filename"], self.world.env.backend.cdn.get(attachment["url"])

    def readers(self) -> int:
        """Whether anything new stands in the channel."""
        return len(self.seen()) - self.before


class TestDiscord(PlatformContract):
    """The contract, over Discord."""

    @pytest.fixture
    async def stage(self, world: World) -> Any:
        """A channel."""
        stage: Stage = DiscordStage(world)
        return stage
