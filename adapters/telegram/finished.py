"""``/perfil``, ``/historial``, ``/ranking``, ``/monedas`` and ``/abiertas``: what they are about."""

from typing import Final

from telegram import Message, User

from adapters.telegram.people import People
from bot.app import App
from bot.model import Person
from bot.replaying import REPLAY_VERBS
from bot.results.desk import RECORD_VERBS
from bot.screens import Answer
from bot.stakes.desk import COIN_VERBS
from bot.tokens import Verb

_NOBODY = "-"
OWN_VERBS: Final = frozenset({*RECORD_VERBS, *REPLAY_VERBS, *COIN_VERBS, Verb.SETTINGS})
"""What is told with buttons that lead on, in a letter of its own and never in a toast."""
READABLE: Final = frozenset(
    {
        *(Verb.RULES, Verb.PLAYS, Verb.MENU, Verb.WORDS, Verb.SHOW_TABLE, Verb.REPLAY, Verb.PROFILE, Verb.SETTINGS),
        *(Verb.PROPOSE, Verb.HAND_OVER, Verb.SHUN),
    }
)
"""What a link into the private chat may bring."""


def replied_to(message: Message) -> User | None:
    """Whose message a command replies to. In a topic, every message replies to the one that opened it."""
    replied = message.reply_to_message
    if replied is None or replied.message_id == message.message_thread_id:
        return None
    return replied.from_user


async def told_of(app: App, people: People, command: str, person: Person, origin: str, about: User | None) -> Answer:
    """What is told of finished matches, coins and waiting tables; the profile is that of whoever was replied to."""
    if command == "monedas":
        return await app.purse(person, origin)
    if command == "abiertas":
        return await app.waiting(person, origin)
    if command == "ranking":
        return await app.ranking(person, origin)
    if command == "historial":
        return await app.history(person)
    other = person if about is None else await people.person(about.id)
    return await app.profile(person, _NOBODY if other is None else other.id)
