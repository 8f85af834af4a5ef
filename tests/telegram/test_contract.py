"""Telegram keeps the contract of the platforms."""

from typing import Any

import pytest

from bot.model import Home
from bot.results.model import Player
from bot.screens import Screen
from tests.bot.rooms import play_deal
from tests.platforms.contract import PlatformContract, Stage
from tests.results.keeping import keep
from tests.results.samples import result
from tests.telegram.fake import BotApi, Message, Person
from tests.telegram.room import Room, board, until
from tests.telegram.test_commands import letter
from tests.telegram.test_playing import started


class TelegramStage:
    """A group of the simulated Telegram."""

    def __init__(self, api: BotApi, room: Room) -> None:
        self.api = api
        self.room = room
        self.platform = room.platform
        self.group = api.group("Amigos", api.user("Ana"), api.user("Luis"))
        self.place = str(self.group.id)
        self.marta: Person | None = None
        self.players: list[Person] = []
        self.shown: Message | None = None
        self.before = 0

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

    async def settings(self, *labels: str) -> str:
        """What Marta reads of her settings."""
        if self.marta is None:
            self.marta = self.api.user("Marta")
            await self.marta.starts()
        await self.marta.says(None, "/ajustes")
        await self.api.quiet()
        shown = await letter(self.marta, "Tus ajustes")
        for label in labels:
            assert (await self.marta.presses(shown, label)).text == "Guardado."
            await until(lambda label=label: f"✓ {label}" in shown.labels)  # type: ignore[misc]
        return shown.text or ""

    async def profile(self) -> str:
        """What Ana reads of herself after a match that she has won."""
        accounts = [self.api.user("Ana 2"), self.api.user("Luis 2")]
        for account in accounts:
            await account.starts()
        await self.api.quiet()
        people = [await self.room.player(account) for account in accounts]
        await keep(self.room.store, result([Player(person.name, person.id) for person in people]))
        await accounts[0].says(None, "/perfil")
        shown = await letter(accounts[0], "Perfil de")
        assert shown.photo
        return "\n".join((shown.caption or "", *shown.labels))

    async def over(self) -> None:
        """Ana and Luis play."""
        self.players = [self.api.user("Ana"), self.api.user("Luis")]
        self.group, table_id = await started(self.api, self.room, self.players, "1v1")
        await play_deal(self.room.app, table_id, [await self.room.player(player) for player in self.players])
        await until(lambda: "Repetición" in board(self.group).labels)
        await self.api.quiet()
        self.shown = board(self.group)
        self.before = self._others()

    async def replay(self, *labels: str) -> str:
        """What Luis reads in his private chat."""
        luis = self.players[1]
        for label in labels:
            assert self.shown is not None
            edits = self.shown.edited
            await luis.presses(self.shown, label)
            if label == "Repetición":
                self.shown = await letter(luis, "turno 0 de")
            else:
                await until(lambda shown=self.shown, edits=edits: shown.edited > edits)  # type: ignore[misc]
        assert self.shown is not None
        assert self.shown.photo
        return "\n".join((self.shown.caption or "", *self.shown.labels))

    async def file(self, label: str) -> tuple[str, bytes]:
        """The file that Luis gets."""
        luis = self.players[1]
        assert self.shown is not None
        await luis.presses(self.shown, label)
        await until(lambda: any(message.document for message in luis.inbox))
        sent = next(message for message in luis.inbox if message.document)
        assert sent.media is not None
        return sent.media.best.name, sent.media.best.data

    def readers(self) -> int:
        """Whether anything new stands in the group or in Ana's private chat."""
        return self._others() - self.before

    def _others(self) -> int:
        return len(self.group.messages) + len(self.players[0].inbox)


class TestTelegram(PlatformContract):
    """The contract, over Telegram."""

    @pytest.fixture
    async def stage(self, api: BotApi, room: Room) -> Any:
        """A group."""
        stage: Stage = TelegramStage(api, room)
        return stage
