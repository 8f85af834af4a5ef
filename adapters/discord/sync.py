"""Registering the commands with Discord, only when they have changed: there is a daily limit to it."""

import hashlib
import json

import structlog
from discord import app_commands

from bot.app import App

log = structlog.get_logger(__name__)

_NOTE = "discord.commands"


async def fingerprint(tree: app_commands.CommandTree, translator: app_commands.Translator) -> str:
    """What the commands are, in one short text: the same for as long as nothing about them changes."""
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2s(text.encode(), digest_size=16).hexdigest()


async def sync_if_changed(app: App, tree: app_commands.CommandTree, translator: app_commands.Translator) -> bool:
    """Register the commands if they differ from those registered last for this application; one process does.

    Raises:
        discord.HTTPException: Discord refuses them.
    """
    application = tree.client.application_id
    key = f"{_NOTE}:{application}"
    mark = await fingerprint(tree, translator)
    if await app.note(key) == mark or not await app.leases.only(key):
        return False
    try:
        if await app.note(key) == mark:
            return False
        await tree.sync()
        await app.write_note(key, mark)
    finally:
        await app.leases.give_up(key)
    log.info("discord.commands_registered", count=len(tree.get_commands()))
    return True
