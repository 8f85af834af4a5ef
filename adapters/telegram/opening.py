"""Opening tables: from what was typed, or from the buttons that ask which."""

from collections.abc import Sequence

from telegram import User

from adapters.telegram import data
from adapters.telegram.data import DataError, Kind
from adapters.telegram.keyboard import Rows, button, keyboard
from adapters.telegram.limits import TABLES_A_PLACE
from adapters.telegram.markup import titled
from adapters.telegram.parts import Parts
from adapters.telegram.places import PLATFORM, is_group, place_of, topic_of
from adapters.telegram.press import Press
from bot.commands import CommandError, wanted_table
from bot.model import Home, Person
from bot.presenter.coins import stake_refused_text
from bot.presenter.commands import command_problem_text, many_tables_text, opened_text
from bot.presenter.telegram import (
    close_label,
    invite_text,
    mode_options,
    modes_line,
    modes_title,
    other_topic_text,
)
from bot.presenter.web import clashing_rules_text
from bot.stakes.rules import StakeRefused
from bot.texts import texts
from engine.ruleset import RulesetError


class Opening:
    """Opens tables in chats and topics."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def open(
        self, person: Person, user: User, chat_id: int, thread: int | None, words: Sequence[str], press_id: str
    ) -> str:
        """Open the table that words ask for, shown here; returns why not, empty where it is done."""
        app, t = self._parts.app, texts(person.locale)
        place = place_of(chat_id, thread)
        if len(await app.tables_at(PLATFORM, place)) >= TABLES_A_PLACE:
            return many_tables_text(t, TABLES_A_PLACE)
        settings = await app.place_settings(f"{PLATFORM}:{chat_id}")
        if settings.channel and settings.channel != topic_of(thread):
            return other_topic_text(t)
        try:
            wanted = wanted_table(words, settings)
            record = await app.open_table(
                person,
                ruleset_id=wanted.ruleset_id,
                seating=wanted.seating,
                home=Home("", PLATFORM, place),
                options=wanted.options,
                pace=wanted.pace,
                stake=wanted.stake,
                private=wanted.private,
                name=wanted.name,
                origin=f"{PLATFORM}:{chat_id}" if is_group(place) else "",
                press_id=press_id,
            )
        except CommandError as error:
            return command_problem_text(t, error)
        except RulesetError:
            return clashing_rules_text(t)
        except StakeRefused as error:
            return stake_refused_text(t, error)
        # Whoever opened a table and cannot be written to is shown there, with what to do.
        reached = await self._parts.people.can_reach(user.id)
        if reached and wanted.private and is_group(place):
            # The code of a private table is nothing for the group.
            link = self._parts.api.deep_link(f"c_{record.table.code}")
            told = f"{opened_text(t, record.table)}\n{invite_text(t, link)}"
            self._parts.background.run(self._parts.letters.say(user.id, told), "opened")
        return ""

    async def ask(self, person: Person, chat_id: int, thread: int | None, reply_to: int) -> None:
        """Ask which table is wanted."""
        t = texts(person.locale)
        settings = await self._parts.app.place_settings(f"{PLATFORM}:{chat_id}")
        rows: Rows = [[button(label, data.write(Kind.OPEN, value))] for value, label in mode_options(t, settings)]
        rows.append([button(close_label(t), data.write(Kind.CLOSE))])
        body = titled(modes_title(t), (modes_line(t, settings),), 1000)
        await self._parts.api.text(chat_id, body, keyboard(rows), thread=thread, reply_to=reply_to)

    async def pressed(self, press: Press, seating: str) -> tuple[str, bool]:
        """A mode was chosen; returns what is to be answered and whether it is done.

        Raises:
            DataError: the mode makes no sense.
        """
        if not seating or len(seating) > 8:
            raise DataError(seating)
        # One question opens one table, however many press it at once.
        once = f"{press.chat_id}:{press.message}"
        told = await self.open(press.person, press.user, press.chat_id, press.thread, (seating,), once)
        if not told:
            api = self._parts.api
            self._parts.background.run(api.delete(press.chat_id, press.message), "asked")
        return told, not told
