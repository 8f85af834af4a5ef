"""A typed command: who typed it, where, and the words behind it."""

import msgspec
from telegram import User

from adapters.telegram.limits import COMMAND_TEXT
from adapters.telegram.places import is_group, place_of
from bot.commands import fold
from bot.model import Person
from bot.presenter.telegram import NEW_WORDS, command_words, own_commands
from bot.texts import Texts, texts


class Typed(msgspec.Struct, frozen=True):
    """A command: who typed it, where, and the words behind it."""

    command: str
    words: tuple[str, ...]
    user: User
    person: Person
    chat_id: int
    thread: int | None
    message: int
    id: str

    @property
    def place(self) -> str:
        """The place that the command is about."""
        return place_of(self.chat_id, self.thread)

    @property
    def in_group(self) -> bool:
        """Whether others read the answer."""
        return is_group(self.place)

    @property
    def t(self) -> Texts:
        """The texts of whoever typed it."""
        return texts(self.person.locale)


def command_of(text: str, username: str, *, in_group: bool = False) -> tuple[str, tuple[str, ...]] | None:
    """The command and the words of a message; None where it is none, or another bot's.

    In a group, names that other bots have too only count where this bot is named.
    """
    if not text.startswith("/"):
        return None
    first, *words = text[:COMMAND_TEXT].split()
    name, _, addressed = first[1:].partition("@")
    if addressed and addressed.lower() != username.lower():
        return None
    known = command_words()
    command = known.get(name.lower())
    if command is None or (in_group and not addressed and name.lower() not in own_commands()):
        return None
    if command == "buraco" and words and fold(words[0]) in known:
        command = known[fold(words[0])]
        words = words[1:]
    elif command == "buraco" and words and fold(words[0]) in NEW_WORDS:
        # "nueva" alone opens what the place plays; nothing at all asks.
        words = words[1:] or [""]
    return command, tuple(words)
