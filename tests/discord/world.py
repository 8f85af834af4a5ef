"""A server with people in it, and what they read and press."""

from typing import Any

import discord
import simcord

from bot.model import Person, Table
from bot.pictures import CardsPicture, HandPicture, ProfilePicture, Renderer, SheetForm, SheetPicture, TablePicture
from bot.store import Change, Record
from engine.state import Match
from tests.discord.looks import BUTTON, GALLERY, SELECT, buttons_of, check_body, of_type, pickers_of, text_of, walk

PNG = b"\x89PNG\r\n\x1a\n"
MODERATOR = discord.Permissions(manage_messages=True)
MANAGER = discord.Permissions(manage_guild=True)


class FlatRenderer(Renderer):
    """Draws nothing, at once; what was asked for is kept."""

    def __init__(self) -> None:
        self.tables: list[TablePicture] = []
        self.hands: list[HandPicture] = []
        self.broken = False

    def table(self, picture: TablePicture) -> bytes:
        """A file that holds the view."""
        if self.broken:
            raise RuntimeError("no fonts")
        self.tables.append(picture)
        return PNG + repr(picture.view).encode()

    def hand(self, picture: HandPicture) -> bytes:
        """A file that holds the cards."""
        if self.broken:
            raise RuntimeError("no fonts")
        self.hands.append(picture)
        return PNG + repr(picture.groups).encode()

    def cards(self, picture: CardsPicture) -> bytes:
        """A file that holds the rows."""
        if self.broken:
            raise RuntimeError("no fonts")
        return PNG + repr(picture.rows).encode()

    def profile(self, picture: ProfilePicture) -> bytes:
        """A file that holds the profile."""
        if self.broken:
            raise RuntimeError("no fonts")
        return PNG + repr(picture).encode()

    def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """A file that holds the title."""
        if self.broken:
            raise RuntimeError("no fonts")
        return (b"%PDF-1.4\n" if form is SheetForm.PDF else PNG) + picture.title.encode()


class Shown:
    """A message as somebody sees it: always what it shows now."""

    def __init__(self, world: "World", channel_id: int, message_id: int) -> None:
        self.world = world
        self.channel_id = channel_id
        self.id = message_id

    @property
    def _stored(self) -> Any:
        return self.world.env.backend.get_message(self.channel_id, self.id)

    @property
    def is_there(self) -> bool:
        """Whether it has not been deleted."""
        return self.id in self.world.env.backend.messages.get(self.channel_id, {})

    @property
    def message(self) -> Any:
        """The message for simcord's people."""
        return simcord.results.to_discord_message(self.world.env, self._stored)

    @property
    def components(self) -> list[dict[str, Any]]:
        """All components, however deep."""
        return list(walk(self._stored.components))

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return bool(self._stored.flags & 64)

    @property
    def text(self) -> str:
        """Everything to be read beside labels."""
        return "\n".join(part for part in (self._stored.content, text_of(self.components)) if part)

    @property
    def buttons(self) -> dict[str, dict[str, Any]]:
        """The buttons by their labels."""
        return buttons_of(self.components)

    @property
    def enabled(self) -> list[str]:
        """The labels of the buttons that can be pressed."""
        return [label for label, button in self.buttons.items() if not button.get("disabled")]

    @property
    def pickers(self) -> list[dict[str, Any]]:
        """The selects in which cards are picked."""
        return pickers_of(self.components)

    @property
    def picked(self) -> set[str]:
        """The cards that are marked as picked, in words."""
        return {o["label"] for select in self.pickers for o in select["options"] if o.get("default")}

    @property
    def cards(self) -> list[str]:
        """The cards that can be picked, in words."""
        return [option["label"] for select in self.pickers for option in select["options"]]

    @property
    def alternatives(self) -> list[str]:
        """The pictures in words."""
        return [item["description"] for gallery in of_type(self.components, GALLERY) for item in gallery["items"]]

    @property
    def files(self) -> list[str]:
        """The names of the files that came with it."""
        return [attachment["filename"] for attachment in self._stored.attachments]

    def label(self, start: str) -> str:
        """The one label that begins so."""
        found = [label for label in self.buttons if label.startswith(start)]
        assert len(found) == 1, (start, list(self.buttons))
        return found[0]

    async def press(self, actor: Any, start: str) -> "Answered":
        """Press the button whose label begins so."""
        custom_id = self.buttons[self.label(start)]["custom_id"]
        return Answered(self.world, await actor.click(self.message, custom_id=custom_id))

    async def pick(self, actor: Any, *cards: str, picker: int = 0) -> "Answered":
        """Choose cards, in words as far as they are needed, in one of the pickers."""
        select = self.pickers[picker]
        values = [next(o["value"] for o in select["options"] if card in o["label"]) for card in cards]
        return Answered(self.world, await actor.select(self.message, values, custom_id=select["custom_id"]))

    async def discard(self, actor: Any, card: str) -> "Answered":
        """Discard with one tap."""
        select = next(s for s in of_type(self.components, SELECT) if s["custom_id"].startswith("d:"))
        value = next(option["value"] for option in select["options"] if card in option["label"])
        return Answered(self.world, await actor.select(self.message, [value], custom_id=select["custom_id"]))


class Answered:
    """What somebody got for a command or a press."""

    def __init__(self, world: "World", result: Any) -> None:
        self.world = world
        self.result = result

    @property
    def shown(self) -> Shown:
        """The private message with the answer: a new one, or that which was pressed."""
        messages = [*([self.result.response] if self.result.response is not None else []), *self.result.followups]
        assert messages, "there is an answer"
        return Shown(self.world, messages[-1].channel_id, messages[-1].id)

    @property
    def first(self) -> Shown:
        """The first message of the answer."""
        response = self.result.response
        assert response is not None
        return Shown(self.world, response.channel_id, response.id)

    @property
    def text(self) -> str:
        """What the answer says."""
        return self.shown.text

    @property
    def is_silent(self) -> bool:
        """Whether nothing was said beside what everybody sees."""
        return self.result.acknowledged and not self.result.followups


class World:
    """The simulated Discord, with one server and one channel to begin with."""

    def __init__(self, env: Any, bot: Any) -> None:
        self.env = env
        self.bot = bot
        self.guild = env.create_guild("Amigos")
        self.channel = self.guild.create_text_channel("mesa")
        self._members: dict[str, Any] = {}
        self.tell_time()

    def tell_time(self) -> None:
        """Let the bot's clock go with the simulated one, from which the messages' ages are read."""
        self.bot.client.boards._wall = lambda: self.env.now().timestamp()

    # people

    def member(self, name: str, rights: discord.Permissions | None = None, **options: Any) -> Any:
        """Somebody in the server."""
        roles = [] if rights is None else [self.guild.create_role(f"role of {name}", permissions=rights)]
        user = self.env.create_user(name[:32] or "x", global_name=name)
        self._members[name] = self.guild.add_member(user, roles=roles, **options)
        return self._members[name]

    def guild_member(self, name: str) -> Any:
        """Somebody who is in the server already."""
        return self._members[name]

    async def person(self, actor: Any) -> Person:
        """Who somebody is to the application."""
        person: Person | None = await self.bot.app.person(f"discord:{actor.id}")
        assert person is not None
        return person

    # what there is to see

    async def slash(self, actor: Any, command: str, channel: Any = None, **options: Any) -> Answered:
        """Type a command."""
        return Answered(self, await actor.slash(channel or self.channel, command, **options))

    def messages(self, channel: Any = None) -> list[Shown]:
        """What everybody sees in a channel of the bot, oldest first."""
        place = channel or self.channel
        return [
            Shown(self, place.id, message.id)
            for message in place.history()
            if not message.flags.ephemeral and not message.is_system() and message.author.id == self.env.bot.user.id
        ]

    def boards(self, channel: Any = None) -> list[Shown]:
        """The tables' messages in a channel."""
        return [shown for shown in self.messages(channel) if "Reglas" in str(shown.buttons)]

    @property
    def board(self) -> Shown:
        """The one table's message."""
        (board,) = self.boards()
        return board

    @property
    def notices(self) -> list[Shown]:
        """The calls."""
        return [shown for shown in self.messages() if shown.message.content]

    async def settle(self) -> None:
        """Let what takes its time be done."""
        await self.env.settle()

    # tables

    async def record(self) -> Record:
        """The newest table as it is kept."""
        ids = await self.bot.app.tables_at("discord", str(self.channel.id))
        return (await self.bot.app.records_of(ids))[0]  # type: ignore[no-any-return]

    async def put(self, match: Match) -> None:
        """Set the newest table's match to a position, unseen."""
        record = await self.record()
        changed = Record(record.table, record.version + 1, match, record.events)
        await self.bot.store.commit(Change(changed))
        # As if this process had done it: what is at hand of the table is not true any more.
        self.bot.app._keeper.forget_recent()

    async def seat(self, actor: Any) -> int:
        """Where somebody sits."""
        table: Table = (await self.record()).table
        seat = table.seat_of((await self.person(actor)).id)
        assert seat is not None
        return seat

    async def playing(self, *names: str, mode: str = "1v1") -> list[Any]:
        """A table in play with these people."""
        crowd = [self.member(name) for name in names]
        await self.slash(crowd[0], "buraco new", modo=mode)
        for actor in crowd[1:]:
            await self.board.press(actor, "Sentarme")
            await self.settle()
        await self.board.press(crowd[0], "Empezar")
        await self.settle()
        return crowd

    # what the bot has sent

    def check_requests(self) -> None:
        """Every body is what Discord describes, and mentions nobody that it does not name."""
        for request in self.env.http_requests:
            body = request.json
            if not isinstance(body, dict | list):
                continue
            problems = check_body(request.method, request.path, body)
            assert not problems, problems
            if _is_message(request) and isinstance(body, dict):
                mentions = body.get("allowed_mentions")
                assert mentions is not None, request
                assert mentions.get("parse", []) == [], request
                buttons = of_type(list(walk(body.get("components") or [])), BUTTON)
                assert len({button.get("custom_id") for button in buttons}) == len(buttons)


def _is_message(request: Any) -> bool:
    sends = request.method == "POST" and (request.path.endswith("/messages") or "/webhooks/" in request.path)
    edits = request.method == "PATCH" and "/messages/" in request.path
    return bool(sends or edits)
