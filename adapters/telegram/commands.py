"""What is typed: one method a command, each in a group, in a topic or in the private chat."""

from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec
from telegram import Message, User

from adapters.telegram.blocking import QUIET, blocked_here
from adapters.telegram.finished import READABLE, replied_to, told_of
from adapters.telegram.keyboard import Rows, choice_rows, keyboard, link
from adapters.telegram.markup import escaped
from adapters.telegram.opening import Opening
from adapters.telegram.pacing import Allowance
from adapters.telegram.parts import Parts
from adapters.telegram.places import PLATFORM, is_group
from adapters.telegram.presses import Presses
from adapters.telegram.settings import Settings
from adapters.telegram.typed import Typed, command_of
from bot.commands import CommandError, CommandProblem, default_rules, find_ruleset
from bot.keeper import Unknown
from bot.model import Home, Person, Status
from bot.presenter.commands import (
    choose_table_screen,
    command_problem_text,
    no_hand_text,
    no_table_here_text,
    ruleset_screen,
    solo_text,
    tables_screen,
)
from bot.presenter.notices import unknown_table_text
from bot.presenter.telegram import (
    code_needed_text,
    in_private_text,
    nothing_to_leave_text,
    open_chat_label,
    start_me_text,
    welcome_lines,
    welcome_title,
    who_text,
)
from bot.screens import Answer, Role, Screen
from bot.store import Record
from bot.texts import SOURCE_LOCALE, texts
from bot.tokens import ANY_SIDE, NO_TABLE, Intent, Verb, write_token


class Commands:
    """Does what is typed."""

    def __init__(
        self, parts: Parts, opening: Opening, settings: Settings, presses: Presses, allowance: Allowance
    ) -> None:
        self._parts = parts
        self._allowance = allowance
        self._opening = opening
        self._settings = settings
        self._presses = presses

    async def typed(self, message: Message, update_id: int) -> None:
        """A message that may be a command."""
        user, text = message.from_user, message.text or ""
        found = command_of(text, self._parts.api.username, in_group=message.chat.id < 0)
        if found is None and message.chat.id > 0 and text:
            found = ("ayuda", ())
        if found is None or user is None or (message.chat.id < 0 and not self._allowance.takes(user.id)):
            return
        thread = message.message_thread_id if message.is_topic_message else None
        if message.sender_chat is not None:
            place = await self._parts.app.place_settings(f"{PLATFORM}:{message.chat.id}")
            told = who_text(texts(place.locale or SOURCE_LOCALE))
            self._later(self._parts.letters.say(message.chat.id, told, thread=thread, reply_to=message.message_id))
            return
        person = await self._parts.people.meet(user)
        command, words = found
        typed = Typed(command, words, user, person, message.chat.id, thread, message.message_id, f"{update_id}")
        match command:
            case "buraco":
                await self._open(typed)
            case "unirse":
                await self._join(typed)
            case "mano":
                await self._hand(typed)
            case "mesa":
                await self._table(typed)
            case "mistandas":
                await self._mine(typed)
            case "salir" | "terminar":
                await self._of_table(typed, Verb.LEAVE if command == "salir" else Verb.END_TABLE)
            case "reglas":
                await self._rules(typed)
            case "ajustes":
                self._later(self._settings.show(person, typed.chat_id, thread, typed.message))
            case "perfil" | "historial" | "ranking" | "monedas" | "abiertas":
                await self._finished(typed, replied_to(message))
            case "bloquear" | "desbloquear" | "bloqueados":
                await self._blocking(typed, replied_to(message))
            case "mis_datos" | "borrar_mis_datos":
                await self._data(typed, Verb.MY_DATA if command == "mis_datos" else Verb.ERASE)
            case "start" if not typed.in_group:
                await self._start(typed)
            case _:
                self._help(typed)

    # tables

    async def _open(self, typed: Typed) -> None:
        if not typed.words:
            self._later(self._opening.ask(typed.person, typed.chat_id, typed.thread, typed.message))
            return
        if typed.in_group and await self._parts.app.blocking.is_blocked(f"{PLATFORM}:{typed.chat_id}", typed.person):
            await self._quietly(typed, command_problem_text(typed.t, CommandError(CommandProblem.BLOCKED)), "mine")
            return
        told = await self._opening.open(
            typed.person, typed.user, typed.chat_id, typed.thread, typed.words, f"{PLATFORM}:{typed.id}"
        )
        if told:
            self._say(typed, told)
        elif not typed.in_group:
            self._say(typed, solo_text(typed.t))

    async def _join(self, typed: Typed) -> None:
        """Sit down by code; without one, at the newest table here that has not begun."""
        if typed.words:
            await self._join_by_code(typed, typed.words[0])
            return
        records = await self._here(typed)
        waiting = [record.table.id for record in records if record.table.status is Status.LOBBY]
        if not waiting:
            self._say(typed, code_needed_text(typed.t))
            return
        table_id = waiting[0]
        await self.join(typed, table_id, ())

    async def _join_by_code(self, typed: Typed, code: str) -> None:
        try:
            table_id = await self._parts.app.find(code)
        except Unknown:
            self._say(typed, unknown_table_text(typed.t))
            return
        await self.join(typed, table_id, (ANY_SIDE, code.strip().upper()))

    async def join(self, typed: Typed, table_id: str, side: Sequence[str]) -> None:
        """Sit down at a table."""
        answer = await self._press(typed, table_id, Verb.JOIN, *side)
        if answer.reason in QUIET:
            await self._quietly(typed, answer.text, f"j_{table_id}")
            return
        self._say(typed, answer.text)
        if typed.in_group:
            if not await self._parts.people.can_reach(typed.user.id):
                await self._presses.show_homes(table_id)
        elif answer.screen is not None and answer.ok:
            await self._show_here(typed, table_id)

    async def _show_here(self, typed: Typed, table_id: str) -> None:
        """A table that is in no group is shown in the private chats of its people."""
        homes = await self._parts.app.homes(table_id)
        if not any(home.platform == PLATFORM and is_group(home.place) for home in homes):
            await self._parts.app.add_home(Home(table_id, PLATFORM, typed.place))

    async def _hand(self, typed: Typed) -> None:
        parts = self._parts
        here = await self._here(typed) if typed.in_group else []
        records = [record for record in here if self._holds(record, typed.person)] or [
            record for record in await self._mine_records(typed) if self._holds(record, typed.person)
        ]
        if not records:
            self._say(typed, no_hand_text(typed.t))
        elif not await parts.people.can_reach(typed.user.id):
            self._open_chat(typed, f"h_{records[0].table.id}")
        elif len(records) > 1:
            self._later(
                parts.letters.send(typed.t, typed.user.id, choose_table_screen(typed.t, records, Verb.SHOW_HAND))
            )
        else:
            hand = parts.hands.hand(typed.user.id, records[0].table.id)
            hand.below, hand.question = True, None
            parts.hands.wake(hand)

    async def _table(self, typed: Typed) -> None:
        here = await self._here(typed)
        if here:
            home = await self._parts.home(here[0].table.id, typed.place)
            if home is not None:
                self._parts.tables.post_below(home)
            return
        records = [] if typed.in_group else await self._mine_records(typed)
        if not records:
            self._say(typed, no_table_here_text(typed.t))
        elif len(records) > 1:
            screen = choose_table_screen(typed.t, records, Verb.SHOW_TABLE)
            self._later(self._parts.letters.send(typed.t, typed.chat_id, screen))
        else:
            answer = await self._press(typed, records[0].table.id, Verb.SHOW_TABLE)
            if answer.screen is not None:
                await self._presses.bring(typed.user, typed.person, records[0].table.id, answer.screen)

    async def _mine(self, typed: Typed) -> None:
        """A list that is nobody else's business."""
        if not await self._parts.people.can_reach(typed.user.id):
            self._open_chat(typed, "mine")
            return
        screen = tables_screen(typed.t, await self._mine_records(typed), typed.person)
        self._later(self._parts.letters.send(typed.t, typed.user.id, screen))
        if typed.in_group:
            self._say(typed, in_private_text(typed.t))

    async def _finished(self, typed: Typed, about: User | None) -> None:
        """Finished matches, in the private chat; the profile of whoever was replied to."""
        people = self._parts.people
        origin = f"{PLATFORM}:{typed.chat_id}" if typed.in_group else ""
        answer = await told_of(self._parts.app, people, typed.command, typed.person, origin, about)
        if answer.screen is None:
            self._say(typed, answer.text)
        elif not await people.can_reach(typed.user.id):
            self._open_chat(typed, typed.command)
        else:
            self._later(self._parts.letters.send(typed.t, typed.user.id, answer.screen))
            if typed.in_group:
                self._say(typed, in_private_text(typed.t))

    async def _blocking(self, typed: Typed, about: User | None) -> None:
        """Who may not sit down here is settled in front of everybody, and told to whoever settles it alone."""
        parts = self._parts
        answer = await blocked_here(
            parts.app, parts.people, typed.command, typed.words, typed.person, typed.user, typed.chat_id, about
        )
        if answer.screen is not None and await parts.people.can_reach(typed.user.id):
            self._later(parts.letters.send(typed.t, typed.user.id, answer.screen))
        else:
            await self._quietly(typed, answer.text, typed.command)

    async def _quietly(self, typed: Typed, text: str, payload: str) -> None:
        """Say something that is nobody else's business; where nothing can be sent, open the private chat."""
        if not typed.in_group or await self._parts.people.can_reach(typed.user.id):
            self._later(self._parts.letters.say(typed.user.id, text))
        else:
            self._open_chat(typed, payload)

    async def _data(self, typed: Typed, verb: Verb) -> None:
        """What is kept of somebody is nobody else's business."""
        parts, t = self._parts, typed.t
        if not await parts.people.can_reach(typed.user.id):
            self._open_chat(typed, f"data_{verb}")
            return
        answer = await parts.app.press(typed.person, write_token(Intent(NO_TABLE, 0, verb)), typed.id, via=PLATFORM)
        if answer.file is not None:
            self._later(parts.letters.file(typed.user.id, answer.file, answer.text))
        elif answer.screen is not None:
            self._later(parts.letters.send(t, typed.user.id, answer.screen))
        else:
            self._say(typed, answer.text)
            return
        if typed.in_group:
            self._say(typed, in_private_text(t))

    async def _of_table(self, typed: Typed, verb: Verb) -> None:
        """Leave the table, or end it: the one here, else one's own."""
        here = await self._here(typed)
        own = [record for record in here if record.table.seat_of(typed.person.id) is not None]
        records = (own or here if verb is Verb.END_TABLE else own)[:1]
        if not records and not typed.in_group:
            records = await self._mine_records(typed)
        if not records:
            none = no_table_here_text(typed.t) if verb is Verb.END_TABLE else nothing_to_leave_text(typed.t)
            self._say(typed, none)
        elif len(records) > 1:
            screen = choose_table_screen(typed.t, records, verb)
            self._later(self._parts.letters.send(typed.t, typed.chat_id, screen))
        else:
            answer = await self._press(typed, records[0].table.id, verb)
            if answer.screen is not None and answer.ok and answer.screen.role is Role.QUESTION:
                self._letter(typed, answer.screen)
            else:
                self._say(typed, answer.text)

    async def _rules(self, typed: Typed) -> None:
        """A rule set in short and the book behind it, or whatever is asked of the book."""
        app, text = self._parts.app, " ".join(typed.words)
        rules, table_id = find_ruleset(text) if text else None, ""
        asked = "" if rules is not None else text
        if rules is None:
            here = await self._here(typed) or ([] if typed.in_group else await self._mine_records(typed))
            if here:
                rules, table_id = here[0].table.rules, here[0].table.id
            else:
                rules = default_rules(await app.place_settings(f"{PLATFORM}:{typed.chat_id}"))
        answer = await app.look_up(typed.person, asked, table_id=table_id, ruleset_id=rules.id)
        if answer.document is not None:
            self._later(self._parts.letters.sheet(typed.t, typed.chat_id, answer.document, typed.thread))
        elif answer.screen is None:
            self._say(typed, answer.text)
        elif asked:
            self._letter(typed, answer.screen)
        else:
            self._letter(typed, ruleset_screen(typed.t, rules), choice_rows(answer.screen.rows))

    # the private chat

    async def _start(self, typed: Typed) -> None:
        """Somebody comes in, perhaps by a link that says what for."""
        what, _, rest = (typed.words[0] if typed.words else "").partition("_")
        match what:
            case "j" if rest:
                table_id, _, side = rest.partition("_")
                await self.join(typed, table_id, () if side in ("", "x") else (side,))
            case "c" if rest:
                await self._join_by_code(typed, rest)
            case "h" if rest:
                await self._bring(typed, rest, Verb.SHOW_HAND)
            case "v" if rest:
                verb, _, table_id = rest.partition("_")
                known = next((one for one in READABLE if one == verb), Verb.SHOW_TABLE)
                await self._bring(typed, table_id, known)
            case "r" if rest and find_ruleset(rest) is not None:
                await self._rules(msgspec.structs.replace(typed, words=(rest,)))
            case "mine":
                await self._mine(typed)
            case "perfil" | "historial" | "ranking":
                await self._finished(msgspec.structs.replace(typed, command=what), None)
            case "data":
                await self._data(typed, Verb.ERASE if rest == Verb.ERASE else Verb.MY_DATA)
            case _:
                self._help(typed)

    async def _bring(self, typed: Typed, table_id: str, verb: Verb) -> None:
        answer = await self._press(typed, table_id, verb)
        if answer.screen is None or (not answer.ok and verb is not Verb.SHOW_HAND):
            self._say(typed, answer.text)
            return
        if answer.text:
            self._say(typed, answer.text)
        if answer.screen.role is Role.LOBBY:
            return
        await self._presses.bring(typed.user, typed.person, table_id, answer.screen)

    def _help(self, typed: Typed) -> None:
        t = typed.t
        screen = Screen(Role.READING, "", 0, welcome_title(t), lines=welcome_lines(t))
        self._letter(typed, screen)

    # parts

    async def _here(self, typed: Typed) -> list[Record]:
        """The open tables that are shown where the command was typed, the newest first."""
        app = self._parts.app
        return await app.records_of(await app.tables_at(PLATFORM, typed.place))

    async def _mine_records(self, typed: Typed) -> list[Record]:
        app = self._parts.app
        return await app.records_of(await app.tables_of(typed.person.id))

    @staticmethod
    def _holds(record: Record, person: Person) -> bool:
        table = record.table
        return (record.match is not None or table.awaited_cut is not None) and table.seat_of(person.id) is not None

    async def _press(self, typed: Typed, table_id: str, verb: Verb, *arguments: str) -> Answer:
        parts = self._parts
        if not table_id.isalnum() or len(table_id) > 16 or not all(argument.isalnum() for argument in arguments):
            return Answer(unknown_table_text(typed.t), ok=False)
        token = write_token(Intent(table_id, 0, verb, arguments))
        orders = verb in (Verb.END_TABLE, Verb.MENU)
        moderates = await parts.people.moderates(table_id, typed.user.id) if orders else ""
        return await parts.app.press(typed.person, token, typed.id, moderates=moderates, via=PLATFORM)

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Send something beside the rest: a chat that has to wait for its turn must not hold up others' updates."""
        self._parts.background.run(work, "sent")

    def _letter(self, typed: Typed, screen: Screen, more: Rows | None = None) -> None:
        reply = typed.message if typed.in_group else None
        letters = self._parts.letters
        self._later(letters.send(typed.t, typed.chat_id, screen, thread=typed.thread, reply_to=reply, more=more))

    def _say(self, typed: Typed, text: str) -> None:
        reply = typed.message if typed.in_group else None
        if text:
            self._later(self._parts.letters.say(typed.chat_id, text, thread=typed.thread, reply_to=reply))

    def _open_chat(self, typed: Typed, payload: str) -> None:
        """Nothing can be sent to whoever asks: a button opens the private chat."""
        api = self._parts.api
        markup = keyboard([[link(open_chat_label(typed.t), api.deep_link(payload))]])
        body = escaped(start_me_text(typed.t))
        self._later(api.text(typed.chat_id, body, markup, thread=typed.thread, reply_to=typed.message))
