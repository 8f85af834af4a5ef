"""A server with people in it, and what they read and press."""

from collections.abc import Iterator
from typing import Any

from bot.pictures import HandPicture, Renderer, TablePicture

PNG = b"\x89PNG\r\n\x1a\n"


class FlatRenderer(Renderer):
    """Draws nothing, at once; what was asked for is kept."""

    def __init__(self) -> None:
        self.tables: list[TablePicture] = []
        self.hands: list[HandPicture] = []

    def table(self, picture: TablePicture) -> bytes:
        self.tables.append(picture)
        return PNG + repr(picture.view).encode()

    def hand(self, picture: HandPicture) -> bytes:
        self.hands.append(picture)
        return PNG + repr(picture.groups).encode()


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components of a message, however deep."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))


class World:
    """The simulated Discord, with one server and one channel to begin with."""

    def __init__(self, env: Any, bot: Any) -> None:
        self.env = env
        self.bot = bot
        self.guild = env.create_guild("Amigos")
        self.channel = self.guild.create_text_channel("mesa")

    def member(self, name: str, **options: Any) -> Any:
        """Somebody in the server."""
        return self.guild.add_member(self.env.create_user(name), **options)
