"""Who pressed or typed, what they may do in the place, and what the bot may do there."""

from collections.abc import Sequence

import discord

from bot.app import App
from bot.model import Person
from bot.texts import Texts, texts

PLATFORM = "discord"


def key_of(user_id: int) -> str:
    """The key under which a user of Discord is known."""
    return f"{PLATFORM}:{user_id}"


def user_of(key: str) -> int | None:
    """The user behind a key; None for another platform's."""
    platform, _, number = key.partition(":")
    return int(number) if platform == PLATFORM and number.isdecimal() else None


_MOST = 10_000
_chosen: dict[int, str] = {}
"""The languages of users who have chosen one that is not their app's, as far as they were met since the start."""


def texts_of(interaction: discord.Interaction) -> Texts:
    """The texts in the language of who is answered."""
    return texts(_chosen.get(interaction.user.id) or str(interaction.locale))


async def met(app: App, interaction: discord.Interaction) -> Person:
    """The person who pressed or typed."""
    user = interaction.user
    person = await app.meet(key_of(user.id), user.display_name, str(interaction.locale))
    if len(_chosen) > _MOST:
        _chosen.clear()
    if person.language:
        _chosen[user.id] = person.language
    else:
        _chosen.pop(user.id, None)
    return person


def is_moderator(interaction: discord.Interaction) -> bool:
    """Whether they keep order in the place: a right that Discord tells with every interaction."""
    if interaction.guild_id is None:
        return False
    rights = interaction.permissions
    return rights.administrator or rights.manage_guild or rights.manage_messages


def place_key(interaction: discord.Interaction) -> str:
    """The key of the place whose settings count: the server, or outside servers the person alone."""
    guild = interaction.guild_id
    return f"{PLATFORM}:server:{guild}" if guild is not None else f"{key_of(interaction.user.id)}:alone"


def origin_of(interaction: discord.Interaction) -> str:
    """The key of the server to which a table belongs that is opened here; empty outside servers."""
    return place_key(interaction) if interaction.guild_id is not None else ""


def channels_of(interaction: discord.Interaction) -> tuple[str, ...]:
    """The channel of an interaction, and for a thread the channel that it belongs to."""
    channel = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    return tuple(str(one) for one in (interaction.channel_id, parent) if one is not None)


def channel_name(interaction: discord.Interaction, channel_id: str) -> str:
    """What a channel of the server is called; its number where it is gone, empty for none."""
    if not channel_id:
        return ""
    found = interaction.guild.get_channel(int(channel_id)) if interaction.guild is not None else None
    return f"#{channel_id if found is None else found.name}"


def moderated(interaction: discord.Interaction) -> str:
    """The key of the server in which they keep order; empty where they do not."""
    return place_key(interaction) if is_moderator(interaction) else ""


def is_manager(interaction: discord.Interaction) -> bool:
    """Whether they may change the server's settings."""
    rights = interaction.permissions
    return interaction.guild_id is not None and (rights.administrator or rights.manage_guild)


def is_group_place(interaction: discord.Interaction) -> bool:
    """Whether the bot itself is in the place, so that others can sit down; not in a direct message."""
    if interaction.guild_id is None:
        return False
    if not getattr(interaction.client, "knows_servers", True):
        # Without the gateway the interaction itself tells whether the server or only the person has installed the bot.
        return interaction.is_guild_integration()
    return interaction.client.get_guild(interaction.guild_id) is not None


def missing_rights(interaction: discord.Interaction, *, thread: bool = False) -> Sequence[str]:
    """The rights that the bot lacks to show a table in the place, by the names of :data:`bot.presenter.chat.RIGHTS`."""
    rights = interaction.app_permissions
    if rights.administrator:
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    wanted = ["view_channel", "attach_files"]
    wanted.append("send_messages_in_threads" if in_thread or thread else "send_messages")
    if thread:
        wanted.append("create_public_threads")
    return [right for right in wanted if not getattr(rights, right)]
