"""Methods about the bot itself: who it is, its commands and descriptions."""

import json
import re
from typing import TYPE_CHECKING

from tests.telegram.fake.calls import Call
from tests.telegram.fake.errors import Json, bad
from tests.telegram.fake.registry import method

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_SCOPES = {
    "default": (),
    "all_private_chats": (),
    "all_group_chats": (),
    "all_chat_administrators": (),
    "chat": ("chat_id",),
    "chat_administrators": ("chat_id",),
    "chat_member": ("chat_id", "user_id"),
}
_TEXTS = {"Name": ("name", 64), "Description": ("description", 512), "ShortDescription": ("short_description", 120)}


@method("getMe")
def get_me(world: "World", call: Call) -> Json:
    """Tell who the bot is."""
    abilities = {
        "can_join_groups": True,
        "can_read_all_group_messages": not world.privacy,
        "supports_inline_queries": True,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }
    return world.me | abilities


@method("logOut", "close")
def log_out(world: "World", call: Call) -> bool:
    """Let the bot go; it is recorded and changes nothing."""
    return True


def _where(world: "World", call: Call) -> tuple[str, str]:
    """Give the scope and language of commands, as one key."""
    scope: Json = call.json("scope") or {"type": "default"}
    needs = _SCOPES.get(scope.get("type", ""))
    if needs is None:
        raise bad("can't parse BotCommandScope: unsupported type specified")
    if any(name not in scope for name in needs):
        raise bad("chat_id is empty")
    if "chat_id" in scope and scope["chat_id"] not in world.chats:
        raise bad("chat not found")
    return json.dumps(scope, sort_keys=True), _language(call)


def _language(call: Call) -> str:
    language = call.text("language_code")
    if language and not re.fullmatch(r"[a-z]{2}", language):
        raise bad("invalid language code specified")
    return language


@method("setMyCommands")
def set_commands(world: "World", call: Call) -> bool:
    """Set the list of commands of a scope and language."""
    commands: list[Json] = call.json("commands") or []
    if len(commands) > 100:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        command["command"] = str(command.get("command", "")).removeprefix("/")
        if not _COMMAND.fullmatch(command["command"]):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(str(command.get("description", "")).strip()) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    world.settings.commands[_where(world, call)] = commands
    return True


@method("getMyCommands")
def get_commands(world: "World", call: Call) -> list[Json]:
    """Give the list of commands of exactly this scope and language."""
    return world.settings.commands.get(_where(world, call), [])


@method("deleteMyCommands")
def delete_commands(world: "World", call: Call) -> bool:
    """Forget the list of commands of a scope and language."""
    world.settings.commands.pop(_where(world, call), None)
    return True


@method(*(f"setMy{kind}" for kind in _TEXTS))
def set_text(world: "World", call: Call) -> bool:
    """Set the name or a description."""
    name, longest = _TEXTS[call.method.removeprefix("setMy")]
    if len(call.text(name)) > longest:
        raise bad(f"{name.replace('_', ' ')} is too long")
    world.settings.texts[name, _language(call)] = call.text(name)
    return True


@method(*(f"getMy{kind}" for kind in _TEXTS))
def get_text(world: "World", call: Call) -> Json:
    """Give the name or a description, in the default language where this one has none."""
    name, _ = _TEXTS[call.method.removeprefix("getMy")]
    texts = world.settings.texts
    return {name: texts.get((name, _language(call))) or texts.get((name, ""), "")}


@method("setChatMenuButton")
def set_menu_button(world: "World", call: Call) -> bool:
    """Set the button beside the text field."""
    world.settings.menu = call.json("menu_button") or {"type": "default"}
    return True


@method("getChatMenuButton")
def get_menu_button(world: "World", call: Call) -> Json:
    """Give the button beside the text field."""
    return world.settings.menu


@method("getWebhookInfo")
def webhook_info(world: "World", call: Call) -> Json:
    """Tell where updates go."""
    return world.updates.info()


@method("deleteWebhook")
def delete_webhook(world: "World", call: Call) -> bool:
    """Go back to long polling."""
    return world.updates.delete_webhook(call)
