"""People who write, press, block and ask inline, and what they see."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.telegram.fake.errors import Json
from tests.telegram.fake.keyboards import START_PAYLOAD, deep_link
from tests.telegram.fake.markup import Formatted, utf16_slice, written_entities
from tests.telegram.fake.state import Button, Chat, Member, Message

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

PATIENCE = 5.0
_GROUP: Json = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}


@dataclass
class Query:
    """A press or an inline question that waits for its answer."""

    id: str
    person: "Person"
    created: float
    answer: "asyncio.Future[Json]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass(frozen=True)
class Pressed:
    """What a press did: the toast or alert the bot answered with, or the address a button opened."""

    answered: bool = False
    text: str = ""
    alert: bool = False
    url: str | None = None


@dataclass(frozen=True)
class InlineAnswer:
    """The results shown under what somebody typed after the bot's name."""

    query: str
    results: list[Json]
    personal: bool
    cache_time: int
    next_offset: str
    button: Json | None

    @property
    def titles(self) -> list[str]:
        """The titles of the results."""
        return [result.get("title", "") for result in self.results]


class Person:
    """Somebody with a Telegram account."""

    def __init__(self, world: "World", user_id: int, name: str, *, language: str | None, username: str | None) -> None:
        self._world = world
        self.id = user_id
        self.name = name
        self.language = language
        self.username = username
        self.known = False
        self.blocked = False
        self.deactivated = False
        self.chat = Chat(user_id, "private", name)
        self.chat.username = username

    def __repr__(self) -> str:
        return f"<{self.name} {self.id}>"

    @property
    def user(self) -> Json:
        """The User object."""
        data: Json = {"id": self.id, "is_bot": False, "first_name": self.name}
        optional = {"username": self.username, "language_code": self.language}
        return data | {name: value for name, value in optional.items() if value}

    @property
    def inbox(self) -> list[Message]:
        """The bot's private messages to this one, as they stand."""
        return self.chat.messages

    # Words

    async def says(
        self,
        chat: "Chat | None",
        text: str,
        *,
        reply_to: Message | None = None,
        topic: int | None = None,
        anonymous: bool = False,
    ) -> Message:
        """Write into a chat (None: to the bot in private). The bot gets what its privacy mode lets through.

        Administrators may write as the group itself: `anonymous`.
        """
        chat = chat or self.chat
        assert chat is self.chat or self._inside(chat), f"{self.name} is not in {chat.title!r}"
        if reply_to is not None and topic is None:
            topic = reply_to.thread_id
        body = Formatted(text, written_entities(text))
        message = self._world.post(chat, _GROUP if anonymous else self.user, body, reply_to=reply_to, thread_id=topic)
        if anonymous:
            message.sender_chat = chat
        if chat.private:
            self.known = True
            self.unblocks_bot()
        if chat.type == "channel":
            self._world.updates.push("channel_post", message.to_json())
        elif self._heard(message):
            self._world.updates.push("message", message.to_json())
        return message

    async def starts(self, payload: str = "") -> Message:
        """Press Start in the private chat, perhaps through a deep link."""
        assert not payload or START_PAYLOAD.fullmatch(payload), f"Telegram carries no such payload: {payload!r}"
        return await self.says(None, f"/start {payload}".strip())

    async def opens(self, url: str) -> Message:
        """Follow a deep link to the bot."""
        payload = deep_link(url, self._world.me["username"])
        assert payload is not None, f"{url} does not start the bot"
        return await self.starts(payload)

    def _inside(self, chat: Chat) -> bool:
        return self.id in chat.members and chat.members[self.id].inside

    def _heard(self, message: Message) -> bool:
        """Whether the bot gets this message."""
        chat, me = message.chat, self._world.me
        if chat.private:
            return True
        bot = chat.members[me["id"]]
        if not bot.inside:
            return False
        if not self._world.privacy or bot.status == "administrator":
            return True
        if message.reply_to is not None and message.reply_to.mine:
            return True
        for entity in message.entities:
            if entity["type"] == "bot_command":
                command = utf16_slice(message.body.text, entity["offset"], entity["length"])
                _, _, name = command.partition("@")
                if not name or name.lower() == me["username"].lower():
                    return True
        return False

    # Buttons

    async def presses(
        self,
        message: Message,
        label: str | None = None,
        *,
        data: str | None = None,
        patience: float = PATIENCE,
    ) -> Pressed:
        """Press a button by its label, or send any callback data as old or forged keyboards do.

        Waits for the answer to the press; `answered` is False when none comes in time.
        """
        assert (label is None) != (data is None), "name a label or data"
        assert not message.deleted, "the message is gone"
        if label is not None:
            button = message.button(label)
            if button.data is None:
                return Pressed(url=_opened(button))
            data = button.data
        query = self._ask()
        payload: Json = {"id": query.id, "from": self.user, "chat_instance": str(message.chat.id), "data": data}
        if message.inline_id:
            payload["inline_message_id"] = message.inline_id
        else:
            payload["message"] = message.to_json()
        self._world.updates.push("callback_query", payload)
        answer = await self._answer(query, patience)
        if answer is None:
            return Pressed()
        return Pressed(True, answer.get("text", ""), bool(answer.get("show_alert")), answer.get("url"))

    # Inline mode

    async def inline(self, text: str, *, offset: str = "", patience: float = PATIENCE) -> InlineAnswer:
        """Type something after the bot's name in any chat."""
        query = self._ask()
        payload = {"id": query.id, "from": self.user, "query": text, "offset": offset, "chat_type": "sender"}
        self._world.updates.push("inline_query", payload)
        answer = await self._answer(query, patience)
        if answer is None:
            raise TimeoutError(f"no answer to the inline query {text!r}")
        return InlineAnswer(text, **answer)

    async def chooses(self, answer: InlineAnswer, index: int, chat: "Chat | None" = None) -> Message:
        """Send an inline result into a chat."""
        chat = chat or self.chat
        result = answer.results[index]
        inline_id = f"inline{next(self._world.ids)}" if result.get("reply_markup") else None
        fields: dict[str, Any] = {"markup": result.get("reply_markup"), "inline_id": inline_id}
        fields["media"] = result["_media"]
        message = self._world.post(chat, self.user, result["_body"], via_bot=self._world.me, **fields)
        if inline_id:
            self._world.inline_messages[inline_id] = message
        if self._world.inline_feedback:
            chosen = {"result_id": result["id"], "from": self.user, "query": answer.query}
            self._world.updates.push(
                "chosen_inline_result", chosen | ({"inline_message_id": inline_id} if inline_id else {})
            )
        if chat.private or self._inside(chat):
            self._world.updates.push("message", message.to_json())
        return message

    def _ask(self) -> Query:
        query = Query(f"{self.id}{next(self._world.ids):06d}", self, self._world.clock())
        self._world.queries[query.id] = query
        return query

    @staticmethod
    async def _answer(query: Query, patience: float) -> Json | None:
        try:
            return await asyncio.wait_for(asyncio.shield(query.answer), patience)
        except TimeoutError:
            return None

    # Comings and goings

    def leaves(self, group: Chat) -> None:
        """Leave a group."""
        from tests.telegram.fake.rooms import Group

        assert isinstance(group, Group), "only groups can be left"
        group.leave(self)

    def blocks_bot(self) -> None:
        """Stop the bot: it can no longer write in private."""
        self.blocked = True
        self._changed("member", "kicked")

    def unblocks_bot(self) -> None:
        """Let the bot write again; any private message of this person does so too."""
        if self.blocked:
            self.blocked = False
            self._changed("kicked", "member")

    def deletes_account(self) -> None:
        """Be gone for good."""
        self.deactivated = True

    def _changed(self, old: str, new: str) -> None:
        me = self._world.me
        states = {"old_chat_member": Member(me, old).to_json(), "new_chat_member": Member(me, new).to_json()}
        data = {"chat": self.chat.to_json(), "from": self.user, "date": self._world.now(), **states}
        self._world.updates.push("my_chat_member", data)


def _opened(button: Button) -> str | None:
    """Give the address a button opens, if it is such a button."""
    return button.url or button.raw.get("web_app", {}).get("url")
