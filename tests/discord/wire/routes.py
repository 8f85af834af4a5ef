"""REST of everything but interactions: login, commands, emojis, channels, threads and messages."""

import base64
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.discord.wire import interactions, messages
from tests.discord.wire.messages import need
from tests.discord.wire.rules import Form
from tests.discord.wire.world import (
    DM,
    MANAGE_MESSAGES,
    MANAGE_THREADS,
    PRIVATE_THREAD,
    PRIVATE_THREADS,
    PUBLIC_THREAD,
    PUBLIC_THREADS,
    READ_HISTORY,
    SEND_MESSAGES,
    ApiError,
    Channel,
    Json,
    Message,
    member_json,
)

if TYPE_CHECKING:
    from tests.discord.wire.server import Call, DiscordServer

Handler = Callable[["DiscordServer", "Call"], Any]


def _me(server: "DiscordServer", _: "Call") -> Json:
    return server.bot.json() | {"verified": True, "mfa_enabled": True, "email": None, "flags": 0, "locale": "en-US"}


def _application(server: "DiscordServer", _: "Call") -> Json:
    return {
        "id": str(server.bot.id),
        "name": server.bot.name,
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": server.owner.json(),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "tags": [],
        "bot": server.bot.json(),
        "interactions_endpoint_url": None,
        "integration_types_config": {"0": {}, "1": {}},
    }


def _gateway(server: "DiscordServer", _: "Call") -> Json:
    limit = {"total": 1000, "remaining": server.sessions_left, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": server.gateway_url, "shards": 1, "session_start_limit": limit}


# Commands.


def _command_scope(server: "DiscordServer", call: "Call") -> tuple[list[Json], Json]:
    if (guild := call.args.get("guild_id")) is None:
        return server.commands, {}
    if int(guild) not in server.guilds:
        raise ApiError(403, 50001, "Missing Access")
    return server.guild_commands.setdefault(int(guild), []), {"guild_id": guild}


def _list_commands(server: "DiscordServer", call: "Call") -> list[Json]:
    return _command_scope(server, call)[0]


def _put_commands(server: "DiscordServer", call: "Call") -> list[Json]:
    known, extra = _command_scope(server, call)
    names = [item.get("name") for item in call.body]
    if len(set(names)) < len(names):
        form = Form()
        form.add("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
        form.check()
    ids = {item["name"]: item["id"] for item in known}
    known[:] = [_command(server, item, ids.get(item["name"])) | extra for item in call.body]
    return known


def _post_command(server: "DiscordServer", call: "Call") -> Json:
    known, extra = _command_scope(server, call)
    old = next((item for item in known if item["name"] == call.body["name"]), None)
    made = _command(server, call.body, old["id"] if old else None) | extra
    known[:] = [item for item in known if item is not old] + [made]
    return made


def _command(server: "DiscordServer", given: Json, number: str | None) -> Json:
    return {
        "type": 1,
        "description": "",
        "options": [],
        "default_member_permissions": None,
        "nsfw": False,
        "contexts": None,
        "integration_types": [0],
        "dm_permission": True,
        **given,
        "id": number or str(server.snowflake()),
        "application_id": str(server.bot.id),
        "version": str(server.snowflake()),
    }


def _delete_command(server: "DiscordServer", call: "Call") -> None:
    known, _ = _command_scope(server, call)
    kept = [item for item in known if item["id"] != call.args["command_id"]]
    if len(kept) == len(known):
        raise ApiError(404, 10063, "Unknown application command")
    known[:] = kept


# Emojis.


def _list_emojis(server: "DiscordServer", _: "Call") -> Json:
    return {"items": list(server.emojis.values())}


def _post_emoji(server: "DiscordServer", call: "Call") -> Json:
    name, image = str(call.body.get("name")), str(call.body.get("image"))
    form = Form()
    form.length("name", name, 2, 32)
    if not re.fullmatch(r"\w+", name, re.ASCII):
        form.add("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(item["name"] == name for item in server.emojis.values()):
        form.add("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with this name already exists")
    kind, _, data = image.partition(";base64,")
    if not kind.startswith("data:image/"):
        form.add("image", "IMAGE_INVALID", "Invalid image data")
    elif len(base64.b64decode(data)) > 256 * 1024:
        form.add("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    form.check()
    if len(server.emojis) >= 2000:
        raise ApiError(400, 30008, "Maximum number of emojis reached (2000)")
    number = server.snowflake()
    flags = {"require_colons": True, "managed": False, "animated": kind == "data:image/gif", "available": True}
    server.emojis[number] = {"id": str(number), "name": name, "roles": [], "user": server.bot.json(), **flags}
    return server.emojis[number]


def _emoji(server: "DiscordServer", call: "Call") -> Json:
    found = server.emojis.get(int(call.args["emoji_id"]))
    if found is None:
        raise ApiError(404, 10014, "Unknown Emoji")
    return found


def _patch_emoji(server: "DiscordServer", call: "Call") -> Json:
    found = _emoji(server, call)
    found["name"] = call.body["name"]
    return found


def _delete_emoji(server: "DiscordServer", call: "Call") -> None:
    del server.emojis[int(_emoji(server, call)["id"])]


# Channels and threads.


def _channel(server: "DiscordServer", call: "Call", permissions: int = 0) -> Channel:
    channel = server.channels.get(int(call.args["channel_id"]))
    if channel is None or channel.deleted:
        raise ApiError(404, 10003, "Unknown Channel")
    need(channel, permissions, server.bot)
    return channel


def _get_channel(server: "DiscordServer", call: "Call") -> Json:
    return _channel(server, call).json(server.bot)


def _patch_channel(server: "DiscordServer", call: "Call") -> Json:
    channel = _channel(server, call)
    own = channel.is_thread and channel.owner_id == server.bot.id
    need(channel, 0 if own and not call.body.get("locked") else MANAGE_THREADS, server.bot)
    for name in ("name", "archived", "locked"):
        setattr(channel, name, call.body.get(name, getattr(channel, name)))
    server.gateway.tell_channel("UPDATE", channel)
    return channel.json(server.bot)


def _delete_channel(server: "DiscordServer", call: "Call") -> Json:
    channel = _channel(server, call, MANAGE_THREADS)
    server.delete_channel(channel)
    return channel.json(server.bot)


def _typing(server: "DiscordServer", call: "Call") -> None:
    _channel(server, call, SEND_MESSAGES)


def _create_dm(server: "DiscordServer", call: "Call") -> Json:
    user = server.users.get(int(call.body.get("recipient_id") or 0))
    if user is None:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    return server.dm(user).json(server.bot)


def _create_thread(server: "DiscordServer", call: "Call") -> Json:
    kind = call.body.get("type", PRIVATE_THREAD)
    channel = _channel(server, call, PUBLIC_THREADS if kind == PUBLIC_THREAD else PRIVATE_THREADS)
    return _thread(server, call, channel, kind).json(server.bot)


def _thread_of_message(server: "DiscordServer", call: "Call") -> Json:
    message = _message(server, call, PUBLIC_THREADS)
    if message.id in server.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    return _thread(server, call, message.channel, PUBLIC_THREAD, message.id).json(server.bot)


def _thread(server: "DiscordServer", call: "Call", channel: Channel, kind: int, number: int | None = None) -> Channel:
    form = Form()
    form.length("name", call.body.get("name"), 1, 100)
    form.check()
    return server.thread(channel, call.body["name"], kind=kind, number=number)


def _active_threads(server: "DiscordServer", call: "Call") -> Json:
    guild = server.guilds.get(int(call.args["guild_id"]))
    threads = [item for item in server.channels.values() if item.guild is guild and item.is_thread]
    return {"threads": [item.json(server.bot) for item in threads if not item.archived], "members": []}


def _thread_member(server: "DiscordServer", call: "Call") -> None:
    _channel(server, call)


# Messages.


def _message(server: "DiscordServer", call: "Call", permissions: int = 0) -> Message:
    message = _channel(server, call, permissions).messages.get(int(call.args["message_id"]))
    if message is None:
        raise ApiError(404, 10008, "Unknown Message")
    return message


def _list_messages(server: "DiscordServer", call: "Call") -> list[Json]:
    channel = _channel(server, call)
    if channel.kind != DM and not channel.bot_permissions & READ_HISTORY:
        return []
    after, before = int(call.query.get("after", 0)), int(call.query.get("before", 1 << 63))
    found = [message for key, message in sorted(channel.messages.items()) if after < key < before]
    limit = int(call.query.get("limit", 50))
    found = found[:limit] if "after" in call.query else found[-limit:]
    return [message.json() for message in reversed(found)]


def _get_message(server: "DiscordServer", call: "Call") -> Json:
    return _message(server, call, READ_HISTORY).json()


def _post_message(server: "DiscordServer", call: "Call") -> Json:
    return messages.post(server, _channel(server, call), call.body, call.files).json()


def _edit_message(server: "DiscordServer", call: "Call") -> Json:
    message = _message(server, call)
    messages.edit(server, message, call.body, call.files)
    return message.json()


def _delete_message(server: "DiscordServer", call: "Call") -> None:
    message = _message(server, call)
    messages.need_manage(server, message)
    messages.delete(server, message)


def _pin(server: "DiscordServer", call: "Call") -> None:
    _message(server, call, MANAGE_MESSAGES).pinned = call.method == "PUT"


# Users.


def _user(server: "DiscordServer", call: "Call") -> Json:
    found = server.users.get(int(call.args["user_id"]))
    if found is None:
        raise ApiError(404, 10013, "Unknown User")
    return found.json()


def _member(server: "DiscordServer", call: "Call") -> Json:
    guild = server.guilds.get(int(call.args["guild_id"]))
    if guild is None or not guild.installed:
        raise ApiError(404, 10004, "Unknown Guild")
    found = guild.members.get(int(call.args["user_id"]))
    if found is None:
        raise ApiError(404, 10007, "Unknown Member")
    return member_json(found)


_APP, _CHANNEL, _HOOK = (
    "/applications/{application_id}",
    "/channels/{channel_id}",
    "/webhooks/{webhook_id}/{webhook_token}",
)

ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/users/@me", _me),
    ("GET", "/oauth2/applications/@me", _application),
    ("GET", "/applications/@me", _application),
    ("GET", "/gateway", lambda server, _: {"url": server.gateway_url}),
    ("GET", "/gateway/bot", _gateway),
    *(
        route
        for scope in (f"{_APP}/commands", f"{_APP}/guilds/{{guild_id}}/commands")
        for route in (
            ("GET", scope, _list_commands),
            ("PUT", scope, _put_commands),
            ("POST", scope, _post_command),
            ("DELETE", f"{scope}/{{command_id}}", _delete_command),
        )
    ),
    ("GET", f"{_APP}/emojis", _list_emojis),
    ("POST", f"{_APP}/emojis", _post_emoji),
    ("GET", f"{_APP}/emojis/{{emoji_id}}", _emoji),
    ("PATCH", f"{_APP}/emojis/{{emoji_id}}", _patch_emoji),
    ("DELETE", f"{_APP}/emojis/{{emoji_id}}", _delete_emoji),
    ("POST", "/users/@me/channels", _create_dm),
    ("GET", _CHANNEL, _get_channel),
    ("PATCH", _CHANNEL, _patch_channel),
    ("DELETE", _CHANNEL, _delete_channel),
    ("POST", f"{_CHANNEL}/typing", _typing),
    ("POST", f"{_CHANNEL}/threads", _create_thread),
    ("PUT", f"{_CHANNEL}/thread-members/{{user_id}}", _thread_member),
    ("GET", f"{_CHANNEL}/messages", _list_messages),
    ("POST", f"{_CHANNEL}/messages", _post_message),
    ("PUT", f"{_CHANNEL}/messages/pins/{{message_id}}", _pin),
    ("DELETE", f"{_CHANNEL}/messages/pins/{{message_id}}", _pin),
    ("GET", f"{_CHANNEL}/messages/{{message_id}}", _get_message),
    ("PATCH", f"{_CHANNEL}/messages/{{message_id}}", _edit_message),
    ("DELETE", f"{_CHANNEL}/messages/{{message_id}}", _delete_message),
    ("POST", f"{_CHANNEL}/messages/{{message_id}}/threads", _thread_of_message),
    ("GET", "/guilds/{guild_id}/threads/active", _active_threads),
    ("GET", "/guilds/{guild_id}/members/{user_id}", _member),
    ("GET", "/users/{user_id}", _user),
    ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", interactions.callback),
    ("POST", _HOOK, interactions.follow_up),
    ("GET", f"{_HOOK}/messages/{{message_id}}", interactions.get_answer),
    ("PATCH", f"{_HOOK}/messages/{{message_id}}", interactions.edit_answer),
    ("DELETE", f"{_HOOK}/messages/{{message_id}}", interactions.delete_answer),
]

_PATTERNS = [
    (method, template, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)), handler)
    for method, template, handler in ROUTES
]
_IDS = ("application_id", "guild_id", "channel_id", "user_id", "emoji_id", "webhook_id", "interaction_id")


def find(method: str, path: str) -> tuple[str, dict[str, str], Handler] | None:
    """Return the template, the variables and the handler of a request, or `None` where there is no such route."""
    for known, template, pattern, handler in _PATTERNS:
        if known == method and (match := pattern.fullmatch(path)):
            args = match.groupdict()
            is_hook = "webhook_token" in args
            numbers = [value for name, value in args.items() if name in _IDS or (name == "message_id" and not is_hook)]
            if all(value.isdecimal() or value == "@me" for value in numbers):
                return template, args, handler
    return None
