"""A person's own settings: shown on one screen, changed by its buttons, kept with the person."""

from collections.abc import Mapping
from typing import Final

import msgspec

from bot.model import Person
from bot.presenter.commands import saved_text
from bot.presenter.settings import AS_APP, language_mark, own_settings_screen
from bot.screens import Answer
from bot.store import Store
from bot.texts import languages, texts
from bot.tokens import Intent, TokenError, Verb

_LANGUAGES: Final = {language_mark(locale): locale for locale in languages()}
_FIELDS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "o": ("hand_order", frozenset({"suit", "rank"})),
    "c": ("suit_colours", frozenset({"four", "two"})),
    "n": ("notices", frozenset({"all", "late", "none"})),
    "w": ("cautions", frozenset({"always", "grave", "never"})),
    "l": ("language", frozenset({AS_APP, *_LANGUAGES})),
}
"""What a token names: a field of the person and its values."""
_OF_HAND: Final = {Verb.SORT: "o", Verb.COLOURS: "c"}


class SettingsDesk:
    """Shows and keeps settings."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def press(self, person: Person, intent: Intent) -> Answer:
        """Show what is settled, after a change where one is asked for.

        Raises:
            TokenError: there is no such setting or value.
        """
        if not intent.arguments:
            kept = await self._store.person(person.id) or person
            return Answer(screen=own_settings_screen(texts(kept.locale), kept))
        if len(intent.arguments) != 2:
            raise TokenError(intent.verb)
        person = await self._settle(person, *intent.arguments)
        t = texts(person.locale)
        return Answer(saved_text(t), screen=own_settings_screen(t, person))

    async def of_hand(self, person: Person, intent: Intent) -> Person:
        """The person after a button of the hand that sorts or colours it.

        Raises:
            TokenError: there is no such value.
        """
        return await self._settle(person, _OF_HAND[intent.verb], *(intent.arguments[:1] or ("",)))

    async def prefer(self, person: Person, **wanted: str | None) -> Person:
        """The person with other settings, by the names of their fields; those that are None stay as they are.

        A language is named by its mark; :data:`AS_APP` leaves it to the app again, which says it as they are met next.
        """
        changes = {name: value for name, value in wanted.items() if value}
        if changes.get("language"):
            chosen = _LANGUAGES.get(changes["language"], "")
            changes |= {"language": chosen, "locale": chosen or person.locale}
        # Somebody else's press may have changed another setting since the person was read.
        kept = await self._store.person(person.id)
        if kept is None:
            return person
        person = msgspec.structs.replace(kept, **changes)
        await self._store.save_person(person)
        return person

    async def _settle(self, person: Person, which: str, value: str) -> Person:
        field, values = _FIELDS.get(which, ("", frozenset()))
        if value not in values:
            raise TokenError(value)
        return await self.prefer(person, **{field: value})
