"""The state behind the server: people, chats, files, updates, limits and what went wrong."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.telegram.fake.budget import Budget
from tests.telegram.fake.calls import Call, Upload
from tests.telegram.fake.errors import ApiError, Json, bad, forbidden
from tests.telegram.fake.images import dimensions
from tests.telegram.fake.markup import Formatted
from tests.telegram.fake.people import Person, Query
from tests.telegram.fake.rooms import Group
from tests.telegram.fake.state import Chat, Media, Message, StoredFile
from tests.telegram.fake.updates import Updates

MAX_PHOTO = 10 * 1024 * 1024
SLOW_UPLOAD = 100_000


@dataclass
class Settings:
    """What the bot told Telegram about itself."""

    commands: dict[tuple[str, str], list[Json]]
    texts: dict[tuple[str, str], str]
    menu: Json


class World:
    """All state of the simulated Telegram."""

    def __init__(self, *, username: str, clock: Callable[[], float], budget: bool) -> None:
        self.clock = clock
        self.budget = Budget(self.time, enforced=budget)
        self.me: Json = {"id": 7_000_001, "is_bot": True, "first_name": "Buraco", "username": username}
        self.privacy = True
        self.inline_feedback = True
        self.callback_seconds = 150.0
        self.inline_seconds = 30.0
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.migrated: dict[int, int] = {}
        self.files: dict[str, StoredFile] = {}
        self.queries: dict[str, Query] = {}
        self.inline_messages: dict[str, Message] = {}
        self.settings = Settings({}, {}, {"type": "default"})
        self.updates = Updates(self.touch)
        self.touched = time.monotonic()
        self.ids = count(1)
        self._numbers = count(1)

    # People and chats

    def user(self, name: str, *, language: str | None = None, username: str | None = None) -> Person:
        """Add a person. The bot cannot write to this one before `starts`."""
        person = Person(self, 1_000_000 + next(self.ids), name, language=language, username=username)
        self.people[person.id] = person
        self.chats[person.id] = person.chat
        return person

    def group(self, title: str, *people: Person, supergroup: bool = False, forum: bool = False) -> Group:
        """Add a group with the bot and these people in it, without telling the bot."""
        big = supergroup or forum
        chat_id = -(1_001_000_000_000 + next(self.ids)) if big else -(4_000 + next(self.ids))
        group = Group(self, chat_id, "supergroup" if big else "group", title, people)
        group.forum = forum
        self.chats[chat_id] = group
        return group

    def channel(self, title: str, *people: Person) -> Group:
        """Add a channel where the bot is an administrator."""
        group = Group(self, -(1_002_000_000_000 + next(self.ids)), "channel", title, people)
        group.promote_bot("can_post_messages", "can_edit_messages", "can_delete_messages", tell=False)
        self.chats[group.id] = group
        return group

    def time(self) -> float:
        """Give the time, by the clock of now."""
        return self.clock()

    def now(self) -> int:
        """Give the time as messages carry it."""
        return int(self.clock())

    def touch(self) -> None:
        """Note that something happens."""
        self.touched = time.monotonic()

    def number(self, chat: Chat) -> int:
        """Give the next message id: supergroups and channels count for themselves."""
        return next(chat.numbers if chat.type in {"supergroup", "channel"} else self._numbers)

    # Where a request goes

    def chat(self, call: Call, name: str = "chat_id") -> Chat:
        """Find the chat of a request."""
        raw = call.text(name).strip()
        if not raw:
            raise bad(f"{name} is empty")
        if raw.startswith("@"):
            found = next((chat for chat in self.chats.values() if chat.username and chat.username == raw[1:]), None)
        else:
            number = call.number(name)
            if number in self.migrated:
                parameters = {"migrate_to_chat_id": self.migrated[number]}
                raise ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", parameters)
            found = self.chats.get(number)
        if found is None:
            raise bad("chat not found")
        return found

    def reachable(self, call: Call) -> Chat:
        """Find the chat of a request that says or changes something there."""
        chat = self.chat(call)
        if isinstance(chat, Group):
            chat.admit_bot()
            return chat
        person = self.people[chat.id]
        if person.deactivated:
            raise forbidden("user is deactivated")
        if person.blocked:
            raise forbidden("bot was blocked by the user")
        if not person.known:
            raise forbidden("bot can't initiate conversation with a user")
        return chat

    # Messages and files

    def post(self, chat: Chat, sender: Json, body: Formatted | None = None, **fields: Any) -> Message:
        """Put a message into a chat."""
        message = Message(chat, self.number(chat), self.now(), sender, body or Formatted(""), **fields)
        message.mine = sender["id"] == self.me["id"]
        if chat.type == "channel":
            message.sender_chat = chat
        chat.history.append(message)
        self.touch()
        return message

    def service(self, chat: Chat, sender: Json, **fields: Any) -> Message:
        """Put a service message into a chat, and tell the bot."""
        message = self.post(chat, sender, service=fields)
        if not isinstance(chat, Group) or chat.bot.inside:
            self.updates.push("channel_post" if chat.type == "channel" else "message", message.to_json())
        return message

    def photo(self, upload: Upload) -> Media:
        """Keep a picture, with a small copy as Telegram makes one."""
        self._note_size(upload)
        if len(upload.data) > MAX_PHOTO:
            size = len(upload.data)
            raise bad(f"file of size {size} bytes is too big for a photo; the maximum size is {MAX_PHOTO} bytes")
        size_of = dimensions(upload.data)
        if size_of is None:
            raise bad("IMAGE_PROCESS_FAILED")
        width, height = size_of
        if width + height > 10_000 or max(width, height) > 20 * min(width, height):
            raise bad("PHOTO_INVALID_DIMENSIONS")
        scale = min(1.0, 320 / max(width, height))
        small = self._keep(upload, "photos", (max(1, round(width * scale)), max(1, round(height * scale))))
        return Media("photo", (small, self._keep(upload, "photos", (width, height))))

    def file(self, upload: Upload) -> Media:
        """Keep a document."""
        self._note_size(upload)
        return Media("document", (self._keep(upload, "documents", (0, 0)),))

    def stored(self, kind: str, file_id: str) -> Media:
        """Find what a file_id stands for."""
        found = self.files.get(file_id)
        if found is None:
            raise bad("wrong file identifier/HTTP URL specified")
        if not found.path.startswith(f"{kind}s/"):
            raise bad("type of file mismatch")
        return Media(kind, (found,))

    def _note_size(self, upload: Upload) -> None:
        if not upload.data:
            raise bad("file must be non-empty")
        if len(upload.data) > SLOW_UPLOAD:
            self.warnings.append(f"a file of {len(upload.data)} bytes: Telegram slows uploads above {SLOW_UPLOAD}")

    def _keep(self, upload: Upload, folder: str, size: tuple[int, int]) -> StoredFile:
        serial = next(self.ids)
        unique = hashlib.sha256(f"{serial}".encode()).hexdigest()[:16]
        suffix = upload.name.rsplit(".", 1)[-1] if "." in upload.name else "bin"
        path = f"{folder}/file_{serial}.{suffix}"
        kept = StoredFile(f"AgAC{unique}{serial:08d}", f"AQAD{unique}", path, upload.name, upload.data, *size)
        self.files[kept.file_id] = kept
        return kept
