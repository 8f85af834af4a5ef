"""What the server remembers: files, messages, chats and members."""

from dataclasses import dataclass, field
from itertools import count

from tests.telegram.fake.errors import Json
from tests.telegram.fake.markup import Formatted

RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
    "can_manage_topics",
    "can_post_messages",
    "can_edit_messages",
)


@dataclass(frozen=True)
class StoredFile:
    """A file the server keeps; each upload has its own ids."""

    file_id: str
    unique_id: str
    path: str
    name: str
    data: bytes = field(repr=False)
    width: int = 0
    height: int = 0

    def to_json(self) -> Json:
        """Give the fields all files share."""
        return {"file_id": self.file_id, "file_unique_id": self.unique_id, "file_size": len(self.data)}


@dataclass(frozen=True)
class Media:
    """What a message shows besides text: a photo in one or two sizes, or a document."""

    kind: str
    sizes: tuple[StoredFile, ...]

    @property
    def best(self) -> StoredFile:
        """The biggest size."""
        return self.sizes[-1]

    def to_json(self) -> Json:
        """Give the field of a message."""
        if self.kind == "photo":
            return {"photo": [{**f.to_json(), "width": f.width, "height": f.height} for f in self.sizes]}
        return {"document": {**self.best.to_json(), "file_name": self.best.name}}


@dataclass(frozen=True)
class Button:
    """A button under a message: its label and what it does."""

    label: str
    data: str | None
    url: str | None
    raw: Json

    @classmethod
    def of(cls, raw: Json) -> "Button":
        """Read a button."""
        return cls(raw["text"], raw.get("callback_data"), raw.get("url"), raw)


@dataclass(eq=False)
class Message:
    """A message as it stands now."""

    chat: "Chat"
    message_id: int
    date: int
    sender: Json
    body: Formatted = field(default_factory=lambda: Formatted(""))
    media: Media | None = None
    markup: Json | None = None
    thread_id: int | None = None
    reply_to: "Message | None" = None
    service: Json = field(default_factory=dict)
    inline_id: str | None = None
    via_bot: Json | None = None
    mine: bool = False
    sender_chat: "Chat | None" = None
    silent: bool = False
    protected: bool = False
    edit_date: int | None = None
    edited: int = 0
    deleted: bool = False
    versions: list[Json] = field(default_factory=list)

    @property
    def text(self) -> str | None:
        """The text, unless this is a picture or a service message."""
        return None if self.media or self.service else self.body.text

    @property
    def caption(self) -> str | None:
        """The text under a picture or document."""
        return (self.body.text or None) if self.media else None

    @property
    def entities(self) -> list[Json]:
        """The entities of text or caption."""
        return self.body.entities

    @property
    def photo(self) -> bytes | None:
        """The picture, as it was uploaded."""
        return self.media.best.data if self.media and self.media.kind == "photo" else None

    @property
    def document(self) -> bytes | None:
        """The document, as it was uploaded."""
        return self.media.best.data if self.media and self.media.kind == "document" else None

    @property
    def file_id(self) -> str | None:
        """The id of the picture or document."""
        return self.media.best.file_id if self.media else None

    @property
    def keyboard(self) -> list[list[Button]]:
        """The buttons, row by row."""
        return [[Button.of(raw) for raw in row] for row in (self.markup or {}).get("inline_keyboard", [])]

    @property
    def buttons(self) -> list[Button]:
        """All buttons in reading order."""
        return [button for row in self.keyboard for button in row]

    @property
    def labels(self) -> list[str]:
        """The labels of all buttons in reading order."""
        return [button.label for button in self.buttons]

    def button(self, label: str) -> Button:
        """Find a button by its whole label, or else by the only label that has this part."""
        exact = [button for button in self.buttons if button.label == label]
        found = exact or [button for button in self.buttons if label in button.label]
        assert len(found) == 1, f"{len(found)} buttons match {label!r} among {self.labels}"
        return found[0]

    def content(self) -> Json:
        """Give what an edit is compared with."""
        unique = self.media.best.unique_id if self.media else None
        return {"text": self.body.text, "entities": self.entities, "media": unique, "markup": self.markup}

    def to_json(self, *, nested: bool = False) -> Json:
        """Give the message as the Bot API does."""
        data: Json = {
            "message_id": self.message_id,
            "date": self.date,
            "chat": self.chat.to_json(),
            "from": self.sender,
            **self.service,
        }
        if self.sender_chat is not None:
            data["sender_chat"] = self.sender_chat.to_json()
        if self.chat.type == "channel":
            del data["from"]
        if self.media:
            data |= self.media.to_json()
        prefix = "caption" if self.media else "text"
        if self.body.text:
            data[prefix] = self.body.text
            if self.entities:
                data["caption_entities" if self.media else "entities"] = self.entities
        optional = {"reply_markup": self.markup, "edit_date": self.edit_date, "via_bot": self.via_bot}
        data |= {name: value for name, value in optional.items() if value}
        if self.thread_id is not None:
            data |= {"message_thread_id": self.thread_id, "is_topic_message": True}
        if self.protected:
            data["has_protected_content"] = True
        if self.reply_to is not None and not nested:
            data["reply_to_message"] = self.reply_to.to_json(nested=True)
        return data


@dataclass
class Member:
    """How somebody belongs to a chat."""

    user: Json
    status: str = "member"
    rights: set[str] = field(default_factory=set)

    @property
    def inside(self) -> bool:
        """Whether this one is in the chat now."""
        return self.status in {"creator", "administrator", "member"}

    def may(self, right: str) -> bool:
        """Whether this one has a right of administrators."""
        return self.status == "creator" or (self.status == "administrator" and right in self.rights)

    def to_json(self) -> Json:
        """Give the ChatMember object."""
        data: Json = {"status": self.status, "user": self.user}
        if self.status == "creator":
            data["is_anonymous"] = False
        if self.status == "administrator":
            data |= {"can_be_edited": False, "is_anonymous": False}
            data |= {right: right in self.rights for right in RIGHTS}
        if self.status == "kicked":
            data["until_date"] = 0
        return data


class Chat:
    """A conversation: who is in it, and all messages of it."""

    def __init__(self, chat_id: int, kind: str, title: str) -> None:
        self.id = chat_id
        self.type = kind
        self.title = title
        self.username: str | None = None
        self.forum = False
        self.topics: dict[int, str] = {}
        self.closed_topics: set[int] = set()
        self.forbidden: set[str] = set()
        self.members: dict[int, Member] = {}
        self.history: list[Message] = []
        self.pinned: list[Message] = []
        self.actions: list[str] = []
        self.numbers = count(2)  # 1 is the topic "General" of every forum

    @property
    def private(self) -> bool:
        """Whether this is the conversation with one person."""
        return self.type == "private"

    @property
    def messages(self) -> list[Message]:
        """The bot's messages that still stand, oldest first."""
        return [m for m in self.history if m.mine and not m.deleted and not m.service]

    @property
    def last(self) -> Message:
        """The bot's newest message."""
        assert self.messages, f"the bot has said nothing in {self.title!r}"
        return self.messages[-1]

    def find(self, message_id: int) -> Message | None:
        """Find a message that has not been deleted."""
        return next((m for m in self.history if m.message_id == message_id and not m.deleted), None)

    def to_json(self) -> Json:
        """Give the Chat object."""
        data: Json = {"id": self.id, "type": self.type}
        data["first_name" if self.private else "title"] = self.title
        if self.username:
            data["username"] = self.username
        if self.forum:
            data["is_forum"] = True
        return data
