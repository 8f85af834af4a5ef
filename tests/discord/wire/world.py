"""What exists in the fake Discord: users, guilds, channels, messages, interactions, and their JSON."""

import asyncio
import secrets
import struct
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]

# Message flags.
SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
V2 = 1 << 15

# Permissions.
ADMINISTRATOR = 1 << 3
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_HISTORY = 1 << 16
EXTERNAL_EMOJIS = 1 << 18
USE_COMMANDS = 1 << 31
MANAGE_THREADS = 1 << 34
PUBLIC_THREADS = 1 << 35
PRIVATE_THREADS = 1 << 36
SEND_IN_THREADS = 1 << 38

BOT_PERMISSIONS = (
    VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_HISTORY
    | EXTERNAL_EMOJIS
    | USE_COMMANDS
    | PUBLIC_THREADS
    | PRIVATE_THREADS
    | SEND_IN_THREADS
)
USER_PERMISSIONS = BOT_PERMISSIONS

# Kinds of channels.
TEXT, DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12

EPOCH_MS = 1_420_070_400_000


class ApiError(Exception):
    """An error answer of the API, with Discord's own status and code."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None, **extra: Any) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.body: Json = {"code": code, "message": message, **extra}
        if errors:
            self.body["errors"] = errors


@dataclass(eq=False)
class User:
    """An account."""

    id: int
    name: str
    bot: bool = False
    locale: str = "es-ES"
    dms_closed: bool = False
    """Whether messages to the DM with this user are refused (50007)."""
    permissions: int | None = None
    """Permissions in every guild channel, in place of the channel's `user_permissions`."""

    def json(self) -> Json:
        """Return the user object."""
        return {
            "id": str(self.id),
            "username": self.name.lower(),
            "global_name": None if self.bot else self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
        }


def member_json(user: User, *, with_user: bool = True) -> Json:
    """Return the guild member object of a user."""
    data: Json = {
        "nick": None,
        "avatar": None,
        "roles": [],
        "joined_at": "2024-01-01T00:00:00+00:00",
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
    }
    return {**data, "user": user.json()} if with_user else data


@dataclass(eq=False)
class Guild:
    """A guild; the bot may be a member of it (`installed`) or only some of its users have installed the app."""

    id: int
    name: str
    installed: bool = True
    locale: str = "es-ES"
    members: dict[int, User] = field(default_factory=dict)
    filtered: str = ""
    """What no public message may say (200000)."""


@dataclass(eq=False)
class Channel:
    """A text channel, a thread or a DM."""

    id: int
    kind: int
    name: str = ""
    guild: Guild | None = None
    parent: "Channel | None" = None
    owner_id: int = 0
    recipients: list[User] = field(default_factory=list)
    bot_permissions: int = BOT_PERMISSIONS
    user_permissions: int = USER_PERMISSIONS
    archived: bool = False
    locked: bool = False
    deleted: bool = False
    messages: "dict[int, Message]" = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread."""
        return self.kind in (PUBLIC_THREAD, PRIVATE_THREAD)

    def json(self, bot: User) -> Json:
        """Return the channel object."""
        data: Json = {
            "id": str(self.id),
            "type": self.kind,
            "last_message_id": str(max(self.messages)) if self.messages else None,
            "flags": 0,
        }
        if self.guild is None:
            return {**data, "recipients": [user.json() for user in self.recipients if user is not bot]}
        data |= {"guild_id": str(self.guild.id), "name": self.name, "rate_limit_per_user": 0, "nsfw": False}
        if self.parent is not None:
            stamp = stamp_of(self.id)
            return data | {
                "parent_id": str(self.parent.id),
                "owner_id": str(self.owner_id),
                "message_count": len(self.messages),
                "total_message_sent": len(self.messages),
                "member_count": 1,
                "thread_metadata": {
                    "archived": self.archived,
                    "locked": self.locked,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": stamp,
                    "create_timestamp": stamp,
                },
            }
        bits = {"allow": str(self.bot_permissions), "deny": str(BOT_PERMISSIONS & ~self.bot_permissions)}
        overwrites = [{"id": str(bot.id), "type": 1, **bits}]
        return data | {"topic": None, "position": 0, "parent_id": None, "permission_overwrites": overwrites}


@dataclass(eq=False)
class Attachment:
    """A file that was sent."""

    id: int
    filename: str
    content: bytes
    content_type: str
    url: str
    description: str | None = None

    def json(self) -> Json:
        """Return the attachment object."""
        data: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.content),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
        }
        if self.description is not None:
            data["description"] = self.description
        return data | self.dimensions()

    def dimensions(self) -> Json:
        """Return the width and height of a PNG."""
        if self.content[:8] != b"\x89PNG\r\n\x1a\n" or len(self.content) < 24:
            return {}
        width, height = struct.unpack(">II", self.content[16:24])
        return {"width": width, "height": height}


@dataclass(eq=False)
class Interaction:
    """Something that a user did and the bot has to answer."""

    id: int
    token: str
    kind: int
    """1 ping, 2 command, 3 component, 4 autocomplete, 5 modal submit."""
    user: User
    channel: Channel
    created: float
    source: "Message | None" = None
    """The message that carries the component."""
    ack: int | None = None
    """The type of the callback, or `None` while there is none."""
    ack_delay: float | None = None
    original: "Message | None" = None
    followups: "list[Message]" = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    acknowledged: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def state(self) -> str:
        """Return `unacknowledged`, `deferred` or `answered`."""
        if self.ack is None:
            return "unacknowledged"
        return "deferred" if self.original is not None and self.original.flags & LOADING else "answered"


@dataclass(eq=False)
class Message:
    """A message: public, or ephemeral and then only for `seen_by` and the token of its interaction."""

    id: int
    channel: Channel
    author: User
    created: float
    kind: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    nonce: str | int | None = None
    reference: Json | None = None
    pinned: bool = False
    edited: float | None = None
    edits: int = 0
    deleted: bool = False
    interaction: Interaction | None = None
    """The interaction that this message answers."""
    pinged: list[User] = field(default_factory=list)
    """Whom it notified by name when it was sent."""

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def seen_by(self) -> User | None:
        """The only user that sees it, or `None` where all do."""
        return self.interaction.user if self.ephemeral and self.interaction else None

    def json(self) -> Json:
        """Return the message object as the bot gets it."""
        data: Json = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "author": self.author.json(),
            "type": self.kind,
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "attachments": [attachment.json() for attachment in self.attachments],
            "flags": self.flags,
            "timestamp": datetime.fromtimestamp(self.created, UTC).isoformat(),
            "edited_timestamp": datetime.fromtimestamp(self.edited, UTC).isoformat() if self.edited else None,
            "mentions": [user.json() for user in self.pinged],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": self.pinned,
            "tts": False,
        }
        if self.nonce is not None:
            data["nonce"] = self.nonce
        if self.reference is not None:
            data["message_reference"] = self.reference
        if self.interaction is not None:
            app = str(self.author.id)
            data |= {"webhook_id": app, "application_id": app}
            data["interaction_metadata"] = {
                "id": str(self.interaction.id),
                "type": self.interaction.kind,
                "user": self.interaction.user.json(),
                "authorizing_integration_owners": {},
            }
        return data


def stamp_of(snowflake: int) -> str:
    """Return the time inside an id."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, UTC).isoformat()


class World:
    """All the state of the fake Discord, and its clock."""

    def __init__(self) -> None:
        self.skipped = 0.0
        self._serial = 0
        self.origin = ""
        self.bot = User(self.snowflake(), "Buraco", bot=True)
        self.owner = User(self.snowflake(), "Dueño")
        self.users: dict[int, User] = {self.bot.id: self.bot, self.owner.id: self.owner}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        self.emojis: dict[int, Json] = {}
        self.commands: list[Json] = []
        self.guild_commands: dict[int, list[Json]] = {}
        self.files: dict[str, Attachment] = {}

    def now(self) -> float:
        """Return the time of this Discord, in seconds since 1970."""
        return time.time() + self.skipped

    def advance(self, seconds: float) -> None:
        """Let time pass at once: for expired interactions and tokens, and for old messages."""
        self.skipped += seconds

    def snowflake(self) -> int:
        """Return a new id, which holds the time as Discord's do."""
        self._serial += 1
        return (int(self.now() * 1000) - EPOCH_MS) << 22 | self._serial & 0x3FFFFF

    def token(self) -> str:
        """Return a new token of an interaction."""
        return "aW50ZXJhY3Rpb246" + secrets.token_urlsafe(24)

    def all_messages(self) -> list[Message]:
        """Return all the messages that still stand, ephemeral ones too, oldest first."""
        found = {message.id: message for channel in self.channels.values() for message in channel.messages.values()}
        for interaction in self.interactions.values():
            shown = [interaction.original, *interaction.followups]
            found |= {message.id: message for message in shown if message is not None}
        return [found[key] for key in sorted(found) if not found[key].deleted]

    def begin(self, interaction: Interaction) -> None:
        """Make an interaction known, so that it can be answered."""
        self.interactions[interaction.id] = self._by_token[interaction.token] = interaction

    def interaction_of(self, token: str) -> Interaction | None:
        """Return the interaction with a token."""
        return self._by_token.get(token)

    def forget(self, keep: int) -> None:
        """Let go of all interactions and files but the newest."""
        for number in list(self.interactions)[:-keep]:
            del self._by_token[self.interactions.pop(number).token]
        for path in list(self.files)[:-keep]:
            del self.files[path]
