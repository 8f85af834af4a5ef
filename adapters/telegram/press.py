"""A press, read."""

import msgspec
from telegram import User

from bot.model import Person


class Press(msgspec.Struct, frozen=True):
    """A button that was pressed: by whom, and in which message."""

    id: str
    user: User
    person: Person
    chat_id: int
    thread: int | None
    message: int
    photo: bool
    """Whether that has a picture."""
    genuine: bool = True
    """Whether the message really has the button, as Telegram itself remembers it."""
