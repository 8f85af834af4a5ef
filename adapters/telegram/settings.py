"""``/ajustes``: what a person and a group have settled, with buttons to change it."""

from typing import Final

import msgspec

from adapters.telegram import data
from adapters.telegram.api import Gone
from adapters.telegram.data import Data, Kind
from adapters.telegram.keyboard import Rows, broken, button, choice_button, choice_rows, keyboard
from adapters.telegram.limits import TEXT
from adapters.telegram.markup import titled
from adapters.telegram.parts import Parts
from adapters.telegram.places import PLATFORM, is_group, topic_of
from adapters.telegram.press import Press
from bot import rulesets
from bot.commands import default_rules, matching_rulesets
from bot.model import Pace, Person, PlaceSettings
from bot.presenter.commands import only_moderators_text, saved_text
from bot.presenter.settings import own_settings_screen, settings_button
from bot.presenter.telegram import (
    PICKED,
    close_label,
    group_languages,
    group_settings,
    pace_settings,
    settings_lines,
    settings_title,
)
from bot.screens import Style
from bot.texts import languages, texts

_SWITCHES: Final = {"p": "pings", "c": "coins", "k": "cutting"}
"""What is on or off in a group, by the letter in its button."""


class Settings:
    """Shows and changes settings."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def show(self, person: Person, chat_id: int, thread: int | None, reply_to: int) -> None:
        """Send what is settled here."""
        body, rows = await self._screen(person, chat_id, thread)
        await self._parts.api.text(chat_id, body, keyboard(rows), thread=thread, reply_to=reply_to)

    async def _screen(self, person: Person, chat_id: int, thread: int | None) -> tuple[str, Rows]:
        t = texts(person.locale)
        rows: Rows = []
        place: PlaceSettings | None = None
        if is_group(f"{chat_id}"):
            place = await self._parts.app.place_settings(f"{PLATFORM}:{chat_id}")
            chosen = default_rules(place).id
            rules = [
                button(
                    f"{PICKED} {rules.name}" if rules.id == chosen else rules.name,
                    data.write(Kind.GROUP_RULES, rules.id),
                    Style.PRIMARY if rules.id == chosen else Style.PLAIN,
                )
                for rules in matching_rulesets("")
            ]
            paces = [
                button(f"{PICKED} {label}" if now else label, data.write(Kind.GROUP_PACE, value))
                for value, label, now in pace_settings(t, place)
            ]
            switches = [
                button(label, data.write(Kind.GROUP_SWITCH, *value.split(":")))
                for value, label in group_settings(t, place, topic_of(thread))
            ]
            spoken = [
                button(f"{PICKED} {label}" if now else label, data.write(Kind.GROUP_SWITCH, "l", value))
                for value, label, now in group_languages(t, place)
            ]
            rows = [*broken(rules), *broken(paces), *broken(switches), *broken(spoken)]
            rows.append([choice_button(settings_button(t))])
        else:
            own = own_settings_screen(t, person)
            rows = [*choice_rows(own.rows), [button(close_label(t), data.write(Kind.CLOSE))]]
            return titled(own.title, own.lines, TEXT), rows
        rows.append([button(close_label(t), data.write(Kind.CLOSE))])
        return titled(settings_title(t), settings_lines(t, person, place, topic_of(thread)), TEXT), rows

    async def pressed(self, press: Press, pressed: Data) -> tuple[str, bool]:
        """A setting was chosen; returns what is to be answered and whether it is done.

        Raises:
            DataError: it makes no sense.
        """
        person, t = press.person, texts(press.person.locale)
        if pressed.kind is Kind.MINE:
            what, value = pressed.part(0), pressed.part(1)
            if (what, value) in (("o", "suit"), ("o", "rank")):
                person = await self._parts.app.prefer(person, hand_order=value)
            elif (what, value) in (("c", "two"), ("c", "four")):
                person = await self._parts.app.prefer(person, suit_colours=value)
            else:
                raise data.DataError(value)
        elif not await self._parts.people.keeps_order(press.chat_id, press.user.id):
            return only_moderators_text(t), False
        else:
            await self._settle(press, pressed)
        self._parts.background.run(self._shown(press, person), "settings")
        return saved_text(t), True

    async def _settle(self, press: Press, pressed: Data) -> None:
        key = f"{PLATFORM}:{press.chat_id}"
        place = await self._parts.app.place_settings(key)
        value = pressed.part(0)
        if pressed.kind is Kind.GROUP_PACE and value in set(Pace):
            place = msgspec.structs.replace(place, pace=Pace(value))
        elif pressed.kind is Kind.GROUP_RULES and value in rulesets.ids():
            place = msgspec.structs.replace(place, ruleset_id=value)
        elif pressed.kind is Kind.GROUP_SWITCH:
            place = _switched(place, value, pressed.part(1))
        else:
            raise data.DataError(value)
        await self._parts.app.save_place_settings(key, place)

    async def _shown(self, press: Press, person: Person) -> None:
        body, rows = await self._screen(person, press.chat_id, press.thread)
        try:
            await self._parts.api.edit_text(press.chat_id, press.message, body, keyboard(rows))
        except Gone:
            return


def _switched(place: PlaceSettings, what: str, value: str) -> PlaceSettings:
    """The settings with one of them switched.

    Raises:
        DataError: it makes no sense.
    """
    if what == "t" and (value == "" or (value.isdecimal() and len(value) < 16)):
        return msgspec.structs.replace(place, channel=value)
    if what == "l" and value in ("", *languages()):
        return msgspec.structs.replace(place, locale=value)
    if what in _SWITCHES and value in ("0", "1"):
        return msgspec.structs.replace(place, **{_SWITCHES[what]: value == "1"})
    raise data.DataError(what)
