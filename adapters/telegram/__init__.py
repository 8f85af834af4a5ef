"""Telegram: tables in groups and topics, hands in the private chat."""

from adapters.telegram.intake import WebhookSettings
from adapters.telegram.platform import TelegramPlatform, TelegramUnavailable

__all__ = ["TelegramPlatform", "TelegramUnavailable", "WebhookSettings"]
