"""Places of Telegram: chats, topics in them, and the private hands that are homes of their tables too."""

from bot.model import PERSONAL_PLACE

PLATFORM = "telegram"
HAND_PLACE = PERSONAL_PLACE
"""Before the account in the place of a private hand."""


def place_of(chat_id: int, thread: int | None) -> str:
    """The place of a chat or of a topic in it."""
    return f"{chat_id}" if thread is None else f"{chat_id}:{thread}"


def chat_of(place: str) -> tuple[int, int | None]:
    """The chat and topic of a place."""
    chat_id, _, thread = place.partition(":")
    return int(chat_id), int(thread) if thread else None


def is_group(place: str) -> bool:
    """Whether a place is in a group, where many look at it."""
    return place.startswith("-")


def topic_of(thread: int | None) -> str:
    """What a topic is called in the settings of its group; the group's first one has no number of its own."""
    return str(thread or 0)
