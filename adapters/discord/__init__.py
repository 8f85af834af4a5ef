"""Buraco in Discord: slash commands, public tables in channels, private hands in ephemeral messages."""

from adapters.discord.platform import DiscordPlatform, DiscordUnavailable

__all__ = ["DiscordPlatform", "DiscordUnavailable"]
