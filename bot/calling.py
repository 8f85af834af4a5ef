"""Whom a public screen really calls: those of its people who want to be called."""

import msgspec

from bot.screens import Call, Screen
from bot.store import Store


async def called(store: Store, screen: Screen) -> Screen:
    """The screen without calls of people who have settled that they want none; without any where nobody is left."""
    call = screen.call
    if call is None:
        return screen
    people = tuple([person for person in call.people if await _wants(store, person, call)])
    return msgspec.structs.replace(screen, call=msgspec.structs.replace(call, people=people) if people else None)


async def _wants(store: Store, person_id: str, call: Call) -> bool:
    person = await store.person(person_id)
    return person is None or person.notices == "all" or (person.notices == "late" and call.late)
