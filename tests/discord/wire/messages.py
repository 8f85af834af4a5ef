"""Creates, edits and deletes messages: permissions, rules, files, and the events that follow."""

import json
import mimetypes
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.discord.wire.rules import Form, check_message
from tests.discord.wire.world import (
    ATTACH_FILES,
    DM,
    EPHEMERAL,
    LOADING,
    MANAGE_MESSAGES,
    SEND_IN_THREADS,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    ApiError,
    Attachment,
    Channel,
    Interaction,
    Json,
    Message,
    User,
)

if TYPE_CHECKING:
    from tests.discord.wire.server import DiscordServer

Files = dict[str, tuple[str, bytes]]
"""What a multipart request brings: the name of each field, its file name and its content."""

GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 9, 1 << 12
_EMPTY: Json = {"content": "", "embeds": [], "components": [], "flags": 0}


def need(channel: Channel, permissions: int, bot: User) -> None:
    """Raise what Discord answers where the bot may not do something in a channel."""
    if channel.guild is None:
        if bot not in channel.recipients:
            raise ApiError(403, 50001, "Missing Access")
        return
    if not channel.guild.installed or not channel.bot_permissions & VIEW_CHANNEL:
        raise ApiError(403, 50001, "Missing Access")
    if channel.bot_permissions & permissions != permissions:
        raise ApiError(403, 50013, "Missing Permissions")


def post(server: "DiscordServer", channel: Channel, body: Json, files: Files) -> Message:
    """Create a message of the bot in a channel."""
    sending = SEND_IN_THREADS if channel.is_thread else SEND_MESSAGES
    need(channel, sending | (ATTACH_FILES if files else 0), server.bot)
    if channel.kind == DM and any(user.dms_closed for user in channel.recipients):
        raise ApiError(403, 50007, "Cannot send messages to this user")
    if channel.archived and channel.locked:
        raise ApiError(400, 50083, "Thread is archived")
    channel.archived = False
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce"):
        for old in reversed(channel.messages.values()):
            if old.nonce == nonce and old.author is server.bot and server.now() - old.created < server.nonce_life:
                return old
    message = Message(server.snowflake(), channel, server.bot, server.now(), nonce=nonce)
    if body.get("message_reference"):
        message.kind, message.reference = 19, body["message_reference"]
    fill(server, message, body, files, is_answer=False, is_new=True)
    publish(server, message)
    return message


def answer(server: "DiscordServer", interaction: Interaction, body: Json, files: Files, flags: int = 0) -> Message:
    """Create a message that answers an interaction."""
    kind = 20 if interaction.kind == 2 else 0
    message = Message(server.snowflake(), interaction.channel, server.bot, server.now(), kind, interaction=interaction)
    if flags & LOADING:
        message.flags = flags
    else:
        fill(server, message, body, files, is_answer=True, is_new=True)
    publish(server, message)
    return message


def publish(server: "DiscordServer", message: Message) -> None:
    """Put a message where it belongs, and tell the bot of one that is not ephemeral."""
    if message.ephemeral:
        return
    message.channel.messages[message.id] = message
    _tell(server, "MESSAGE_CREATE", message)


def edit(server: "DiscordServer", message: Message, body: Json, files: Files, *, is_answer: bool = False) -> None:
    """Edit a message of the bot."""
    if message.author is not server.bot:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    if message.channel.archived:
        raise ApiError(400, 50083, "Thread is archived")
    if not is_answer and server.now() - message.created > 3600:
        server.spend_old_edit(message)
    if files and not is_answer:
        need(message.channel, ATTACH_FILES, server.bot)
    was_loading = message.flags & LOADING
    fill(server, message, body, files, is_answer=is_answer, is_new=False)
    message.edits += 1
    if not was_loading:
        message.edited = server.now()
    if not message.ephemeral:
        _tell(server, "MESSAGE_UPDATE", message)


def delete(server: "DiscordServer", message: Message) -> None:
    """Delete a message, and tell the bot of one that was not ephemeral."""
    message.deleted = True
    if message.channel.messages.pop(message.id, None) is not None:
        channel = message.channel
        data: Json = {"id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild is not None:
            data["guild_id"] = str(channel.guild.id)
        _dispatch(server, "MESSAGE_DELETE", data, channel)


def need_manage(server: "DiscordServer", message: Message) -> None:
    """Raise unless the bot may delete a message."""
    need(message.channel, 0 if message.author is server.bot else MANAGE_MESSAGES, server.bot)


def fill(server: "DiscordServer", message: Message, body: Json, files: Files, *, is_answer: bool, is_new: bool) -> None:
    """Check what a request says of a message, and make it so."""
    before = message.flags & ~LOADING
    given = {name: value for name, value in body.items() if value is not None or name in ("content", "components")}
    flags = given.get("flags")
    if flags is None:
        flags = before
    elif not is_new:  # who sees it stays
        flags = flags & ~EPHEMERAL | before & EPHEMERAL
    whole: Json = {
        name: (given[name] or empty) if name in given else getattr(message, name) for name, empty in _EMPTY.items()
    }
    whole["flags"] = flags
    new = _uploads(server, message, body, files)
    kept = _kept(message, body)
    form = Form({item.filename for item in (*kept, *new)}, set(server.emojis))
    check_message(form, whole, given, flags_before=before, is_answer=is_answer)
    if not (whole["content"] or whole["embeds"] or whole["components"] or new or kept or body.get("sticker_ids")):
        raise ApiError(400, 50006, "Cannot send an empty message")
    _filter(message.channel, flags, whole)
    message.content, message.flags = whole["content"], flags
    message.attachments = [*kept, *new]
    server.files |= {item.url.removeprefix(server.origin): item for item in new}
    message.embeds = _embeds(whole["embeds"], message)
    if "components" in given:
        numbers = iter(range(1, 1 << 20))
        used = {item["id"] for item in walk(whole["components"]) if item.get("id")}
        message.components = [_resolved(item, message, numbers, used) for item in whole["components"]]
    if is_new and not message.ephemeral:
        message.pinged = _pinged(server, message, body.get("allowed_mentions"))


def _filter(channel: Channel, flags: int, whole: Json) -> None:
    """Raise where the server's word filter takes offence at a public message."""
    word = "" if channel.guild is None or flags & EPHEMERAL else channel.guild.filtered
    if word and word in json.dumps(whole, ensure_ascii=False):
        raise ApiError(400, 200000, "Message was blocked by automatic moderation")


def _pinged(server: "DiscordServer", message: Message, allowed: Json | None) -> list[User]:
    """Return whom a new message notifies by name."""
    said = [message.content, *(item.get("content") or "" for item in walk(message.components))]
    ids = dict.fromkeys(re.findall(r"<@!?(\d+)>", "\n".join(said)))
    if allowed is not None and "users" not in (allowed.get("parse") or []):
        named = {str(number) for number in allowed.get("users") or []}
        ids = dict.fromkeys(number for number in ids if number in named)
    return [server.users[int(number)] for number in ids if int(number) in server.users]


def _kept(message: Message, body: Json) -> list[Attachment]:
    entries = body.get("attachments")
    if entries is None:
        return message.attachments
    ids = {str(entry["id"]) for entry in entries}
    return [item for item in message.attachments if str(item.id) in ids]


def _uploads(server: "DiscordServer", message: Message, body: Json, files: Files) -> list[Attachment]:
    if len(files) > 10:
        raise ApiError(400, 40005, "Too many files: 10 at most")
    about = {f"files[{entry['id']}]": entry for entry in body.get("attachments") or []}
    found = []
    for name, (filename, content) in files.items():
        if len(content) > server.attachment_limit:
            raise ApiError(413, 40005, "Request entity too large")
        entry = about.get(name, {})
        filename = entry.get("filename") or filename
        description = entry.get("description")
        if description is not None and len(description) > 1024:
            form = Form()
            form.add(
                f"attachments.{entry['id']}.description", "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length."
            )
            form.check()
        number = server.snowflake()
        url = f"{server.origin}/attachments/{message.channel.id}/{number}/{quote(filename)}"
        kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        found.append(Attachment(number, filename, content, kind, url, description))
    return found


def walk(components: list[Json]) -> Iterator[Json]:
    """Yield components and all that is inside them, in the order of reading."""
    for item in components:
        yield item
        yield from walk(item.get("components") or [])
        if item.get("accessory"):
            yield item["accessory"]


def _resolved(item: Json, message: Message, numbers: Iterator[int], used: set[int]) -> Json:
    """Return a component as Discord gives it back: with an id, and with real links to files."""
    item = {name: value for name, value in item.items() if value is not None}
    if not item.get("id"):
        item["id"] = next(number for number in numbers if number not in used)
    if "components" in item:
        item["components"] = [_resolved(child, message, numbers, used) for child in item["components"]]
    if "accessory" in item:
        item["accessory"] = _resolved(item["accessory"], message, numbers, used)
    if "items" in item:
        item["items"] = [{**entry, "media": _media(entry["media"], message)} for entry in item["items"]]
    for name in ("media", "file"):
        if name in item:
            item[name] = _media(item[name], message)
    return item


def _media(media: Json, message: Message) -> Json:
    url = media["url"]
    files = {f"attachment://{item.filename}": item for item in message.attachments}
    if (found := files.get(url)) is None:
        return {"url": url, "proxy_url": url, "loading_state": 0}
    data = {"url": found.url, "proxy_url": found.url, "content_type": found.content_type, "loading_state": 2}
    return data | {"attachment_id": str(found.id), "flags": 0} | found.dimensions()


def _embeds(embeds: list[Json], message: Message) -> list[Json]:
    done = []
    for embed in embeds:
        embed = {"type": "rich", **embed}
        for part in ("image", "thumbnail"):
            if embed.get(part):
                embed[part] = {**embed[part], **_media(embed[part], message)}
        done.append(embed)
    return done


def _tell(server: "DiscordServer", event: str, message: Message) -> None:
    channel, data = message.channel, message.json()
    if channel.guild is not None:
        data |= {"guild_id": str(channel.guild.id)}
    _dispatch(server, event, data, channel)


def _dispatch(server: "DiscordServer", event: str, data: Json, channel: Channel) -> None:
    if channel.guild is not None and not channel.guild.installed:
        return
    if channel.guild is None and server.bot not in channel.recipients:
        return
    server.gateway.dispatch(event, data, GUILD_MESSAGES if channel.guild else DIRECT_MESSAGES)
