"""Presses of buttons: every one is answered, at once; what it changes on the screen follows behind."""

from enum import Enum
from typing import Final

import structlog
from telegram import CallbackQuery, Message, User

from adapters.telegram import data
from adapters.telegram.data import Data, DataError, Kind
from adapters.telegram.finished import OWN_VERBS
from adapters.telegram.hand import Pick
from adapters.telegram.limits import TOAST
from adapters.telegram.markup import units
from adapters.telegram.opening import Opening
from adapters.telegram.parts import Parts
from adapters.telegram.places import PLATFORM, is_group, place_of
from adapters.telegram.press import Press
from adapters.telegram.settings import Settings
from bot.intents import TURN_VERBS
from bot.model import Home, Person
from bot.pictures import SheetPicture
from bot.presenter.notices import stale_text, unknown_button_text
from bot.presenter.telegram import hand_in_private_text, in_private_text, pick_fewer_text, pick_more_text
from bot.reading import BOOK_VERBS
from bot.replaying import REPLAY_VERBS
from bot.screens import Answer, File, Role, Screen
from bot.texts import texts
from bot.tokens import NO_TABLE, Intent, TokenError, Verb, read_token, write_token

log = structlog.get_logger()

_OF_ORDER: Final = frozenset({Verb.MENU, Verb.END_TABLE, Verb.EXPEL})
"""What those who keep order may do, or are offered, beyond the others."""
_AS_LETTER: Final = frozenset({Role.RULES, Role.READING, Role.NOTE, Role.QUESTION})


class Where(Enum):
    """In what kind of message a button was pressed."""

    GROUP = "group"
    HAND = "hand"
    TABLE = "table"
    LETTER = "letter"


class Presses:
    """Answers presses."""

    def __init__(self, parts: Parts, opening: Opening, settings: Settings) -> None:
        self._parts = parts
        self._opening = opening
        self._settings = settings

    async def pressed(self, query: CallbackQuery) -> None:
        """A press."""
        parts = self._parts
        person = await parts.people.meet(query.from_user)
        pressed = query.data or ""
        message = query.message
        if message is None:
            self._answer(query.id, unknown_button_text(texts(person.locale)), alert=True)
            return
        thread = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
        press = Press(
            query.id,
            query.from_user,
            person,
            message.chat.id,
            thread,
            message.message_id,
            isinstance(message, Message) and bool(message.photo),
            isinstance(message, Message) and _has(message, pressed),
        )
        try:
            if data.is_token(pressed):
                await self._token(press, pressed)
            else:
                await self._own(press, data.read(pressed))
        except (DataError, TokenError):
            self._answer(query.id, unknown_button_text(texts(person.locale)), alert=True)

    def _answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> None:
        """Answer beside the rest: the next press at the table need not wait for Telegram."""
        self._parts.background.run(self._parts.api.answer(query_id, text, alert=alert, url=url), "answer")

    # tokens of the application

    async def _token(self, press: Press, token: str) -> None:
        intent = read_token(token)
        answer = await self._asked(press, token, intent.verb)
        if answer.document is not None:
            self._privately(press, "", in_private_text(texts(press.person.locale)), None, sheet=answer.document)
        elif answer.file is not None:
            told = answer.text if press.chat_id > 0 else in_private_text(texts(press.person.locale))
            self._privately(press, f"v_{Verb.REPLAY}_{intent.table_id}", told, None, file=(answer.file, answer.text))
        elif intent.verb is Verb.LESSON and answer.ok and answer.screen is not None:
            self._parts.background.run(self._lesson(press, answer.screen), "lesson")
        elif is_group(f"{press.chat_id}"):
            await self._in_group(press, intent, answer)
        else:
            await self._in_private(press, intent, answer)

    async def _asked(self, press: Press, token: str, verb: Verb) -> Answer:
        parts, moderates = self._parts, ""
        if verb in _OF_ORDER:
            moderates = await parts.people.moderates(read_token(token).table_id, press.user.id)
        return await parts.app.press(press.person, token, press.id, moderates=moderates, via=PLATFORM)

    async def _in_group(self, press: Press, intent: Intent, answer: Answer) -> None:
        """The group's message is everybody's: what only the presser sees comes in the private chat."""
        screen = answer.screen
        t = texts(press.person.locale)
        if answer.ok and intent.confirmed and not press.photo:
            # A question that a command had asked here is answered.
            self._parts.background.run(self._parts.api.delete(press.chat_id, press.message), "letter")
        if not answer.ok or screen is None:
            self._answer(press.id, answer.text, alert=not answer.ok and answer.reason != "stale")
        elif answer.public:
            self._answer(press.id, answer.text)
            parts = self._parts
            parts.background.run(parts.letters.send(t, press.chat_id, screen, thread=press.thread), "published")
        elif intent.verb is Verb.JOIN:
            self._parts.background.run(self._seated(press, intent.table_id, answer), "seated")
        elif intent.verb is Verb.SHOW_HAND and screen.role is Role.HAND:
            self._privately(press, f"h_{intent.table_id}", hand_in_private_text(t), None, hand=screen)
            self._hand(press, intent.table_id, None)
        elif screen.role is Role.QUESTION and intent.verb in TURN_VERBS:
            self._hand(press, intent.table_id, screen)
            self._privately(press, f"h_{intent.table_id}", f"{screen.title} {in_private_text(t)}", None)
        elif screen.role in _AS_LETTER and not intent.confirmed and intent.verb is not Verb.VOTE:
            await self._read(press, intent, screen)
        else:
            self._answer(press.id, answer.text)

    async def _read(self, press: Press, intent: Intent, screen: Screen) -> None:
        """Something to read: in the letter where it was asked for, at once if it is short, else in the private chat."""
        if intent.verb in BOOK_VERBS and press.genuine and not await self._is_table(press):
            self._answer(press.id)
            t = texts(press.person.locale)
            work = self._parts.letters.change(t, press, screen)
            self._parts.background.run(work, "letter")
            return
        told = "\n".join(screen.lines)
        if screen.role is Role.READING and intent.verb not in OWN_VERBS and units(told) <= TOAST:
            self._answer(press.id, told, alert=True)
            return
        t = texts(press.person.locale)
        self._privately(press, f"v_{intent.verb}_{intent.table_id}", in_private_text(t), screen)

    def _privately(
        self,
        press: Press,
        payload: str,
        told: str,
        screen: Screen | None,
        *,
        hand: Screen | None = None,
        sheet: SheetPicture | None = None,
        file: tuple[File, str] | None = None,
    ) -> None:
        self._parts.background.run(self._reach(press, payload, told, screen, hand, sheet, file), "privately")

    async def _reach(
        self,
        press: Press,
        payload: str,
        told: str,
        screen: Screen | None,
        hand: Screen | None,
        sheet: SheetPicture | None,
        file: tuple[File, str] | None,
    ) -> None:
        """Send something to the private chat; where nothing can be sent, open it."""
        parts = self._parts
        if not await parts.people.can_reach(press.user.id):
            peeked = hand is not None and await parts.peek.show(press, hand)
            await parts.api.answer(press.id, url=None if peeked else parts.api.deep_link(payload))
            return
        await parts.api.answer(press.id, told)
        if screen is not None:
            await parts.letters.send(texts(press.person.locale), press.user.id, screen)
        if sheet is not None:
            await parts.letters.sheet(texts(press.person.locale), press.user.id, sheet)
        if file is not None:
            await parts.letters.file(press.user.id, *file)

    async def _lesson(self, press: Press, screen: Screen) -> None:
        """A guided first deal has begun: its table and its hand come in the private chat."""
        parts = self._parts
        if not await parts.people.can_reach(press.user.id):
            await parts.api.answer(press.id, url=parts.api.deep_link(f"h_{screen.table_id}"))
        else:
            await parts.api.answer(press.id, hand_in_private_text(texts(press.person.locale)))
        await parts.app.add_home(Home(screen.table_id, PLATFORM, f"{press.user.id}"))

    async def _seated(self, press: Press, table_id: str, answer: Answer) -> None:
        """Somebody sat down: if nothing can be sent to them, their private chat is opened."""
        parts = self._parts
        if await parts.people.can_reach(press.user.id):
            await parts.api.answer(press.id, answer.text)
            return
        await parts.api.answer(press.id, url=parts.api.deep_link(f"h_{table_id}"))
        await self.show_homes(table_id)

    async def show_homes(self, table_id: str) -> None:
        """Show a table anew in all its groups: whom cards can be sent to has changed."""
        for home in await self._parts.app.homes(table_id):
            if home.platform == PLATFORM and is_group(home.place):
                self._parts.app.show_again(home)

    async def _in_private(self, press: Press, intent: Intent, answer: Answer) -> None:
        parts, screen = self._parts, answer.screen
        self._answer(press.id, answer.text, alert=not answer.ok and answer.reason != "stale")
        if screen is None:
            return
        where = await self._where(press, intent)
        if where is Where.HAND:
            hand = parts.hands.hand(press.user.id, intent.table_id)
            hand.more = None if answer.more is None else (screen.version, answer.more)
        t = texts(press.person.locale)
        if screen.role is Role.QUESTION and (where is Where.HAND or intent.verb in TURN_VERBS):
            self._hand(press, intent.table_id, screen, adopt=where is Where.HAND)
        elif screen.role in _AS_LETTER:
            work = (
                parts.letters.change(t, press, screen)
                if where is Where.LETTER
                else parts.letters.send(t, press.chat_id, screen)
            )
            parts.background.run(work, "letter")
        elif where is Where.LETTER:
            parts.background.run(parts.api.delete(press.chat_id, press.message), "letter")
        elif screen.role is Role.HAND:
            self._hand(press, intent.table_id, None, adopt=where is Where.HAND)
        elif intent.verb is Verb.SHOW_TABLE:
            await self._table(press, intent.table_id, screen)

    def _hand(self, press: Press, table_id: str, question: Screen | None, *, adopt: bool = False) -> None:
        """Bring the presser's hand up to date, or ask something in its place."""
        hand = self._parts.hands.hand(press.user.id, table_id)
        hand.question = question
        adopt = adopt and press.chat_id == press.user.id
        if adopt and hand.message is None:
            # The only trace of a message from before a restart.
            hand.message, hand.photo = press.message, press.photo
        elif adopt and hand.message != press.message:
            self._parts.background.run(self._parts.api.strip(press.chat_id, press.message), "strip")
        if not self._parts.people.is_out_of_reach(press.user.id):
            self._parts.hands.wake(hand)

    async def _table(self, press: Press, table_id: str, screen: Screen) -> None:
        """The table in the private chat: its own message there, or a copy to look at."""
        home = await self._parts.home(table_id, place_of(press.chat_id, press.thread))
        if home is not None:
            self._parts.tables.post_below(home)
            return
        t = texts(press.person.locale)
        self._parts.background.run(self._parts.tables.copy(press.user.id, screen, t), "table")

    async def _is_table(self, press: Press) -> bool:
        """Whether a message of a group is a table or its notice, which nobody may take away."""
        place = place_of(press.chat_id, press.thread)
        for table_id in await self._parts.app.tables_at(PLATFORM, place):
            home = await self._parts.home(table_id, place)
            posted = None if home is None else self._parts.tables.posted(home)
            if posted is None or press.message in (posted.message, posted.notice):
                return True
        return False

    async def _where(self, press: Press, intent: Intent) -> Where:
        if intent.table_id == NO_TABLE:
            return Where.LETTER
        table_id = intent.table_id
        hand = self._parts.hands.hand(press.user.id, table_id)
        await self._parts.hands.remember(hand)
        if hand.message == press.message:
            return Where.HAND
        home = await self._parts.home(table_id, f"{press.chat_id}")
        posted = None if home is None else self._parts.tables.posted(home)
        if home is not None and (posted is None or posted.message == press.message):
            return Where.TABLE
        if intent.verb in REPLAY_VERBS:
            # A picture too, but no hand has such a button.
            return Where.LETTER
        # A picture with buttons is a hand from before a restart, where nothing else is known to be one.
        return Where.HAND if press.photo and hand.message is None else Where.LETTER

    # what is purely of this chat

    async def _own(self, press: Press, pressed: Data) -> None:
        match pressed.kind:
            case Kind.PICK | Kind.PAGE:
                await self._pick(press, pressed)
            case Kind.WHY:
                await self._why(press, pressed)
            case Kind.BRING:
                await self._bring(press, pressed)
            case Kind.CLOSE:
                self._answer(press.id)
                if press.chat_id > 0 or (press.genuine and not await self._is_table(press)):
                    self._parts.background.run(self._parts.api.delete(press.chat_id, press.message), "close")
            case Kind.OPEN:
                text, ok = await self._opening.pressed(press, pressed.part(0))
                self._answer(press.id, text, alert=not ok)
            case Kind.GROUP_RULES | Kind.GROUP_PACE | Kind.GROUP_SWITCH | Kind.MINE:
                text, ok = await self._settings.pressed(press, pressed)
                self._answer(press.id, text, alert=not ok)

    async def _pick(self, press: Press, pressed: Data) -> None:
        """Pick a card, let it go, or turn the page."""
        hands, t = self._parts.hands, texts(press.person.locale)
        table_id, mark, mask, page = pressed.part(0), pressed.number(1), pressed.number(2), pressed.number(3)
        hand = hands.hand(press.user.id, table_id)
        await hands.remember(hand)
        screen = await self._parts.app.hand_screen(table_id, press.person)
        if screen is None or screen.picker is None or data.hand_mark(screen.picker) != mark:
            self._answer(press.id, stale_text(t))
            self._hand(press, table_id, None, adopt=True)
            return
        bit = pressed.number(4) if pressed.kind is Kind.PICK else 128
        hand.tapped(Pick(press.id, press.message, mark, mask, 1 << bit if bit < 128 else 0, page))
        hand.more = None
        self._answer(press.id)
        self._hand(press, table_id, None, adopt=True)

    async def _why(self, press: Press, pressed: Data) -> None:
        """Why a button is off, or how many cards it takes."""
        t, table_id = texts(press.person.locale), pressed.part(0)
        screen = await self._parts.app.hand_screen(table_id, press.person)
        told = ""
        if screen is not None:
            told = _why_choice(screen, pressed.part(1)) or ""
            for verb in screen.picker.verbs if screen.picker is not None else ():
                if read_token(verb.token).verb != pressed.part(1):
                    continue
                count = pressed.number(2).bit_count()
                if not verb.enabled:
                    told = verb.why
                elif count < verb.least:
                    told = pick_more_text(t, verb.label, verb.least)
                elif count > verb.most:
                    told = pick_fewer_text(t, verb.label, verb.most)
        self._answer(press.id, told or stale_text(t))
        self._hand(press, table_id, None, adopt=True)

    async def _bring(self, press: Press, pressed: Data) -> None:
        """Something of a table that was chosen from a list; the list goes."""
        table_id = pressed.part(0)
        try:
            verb = Verb(pressed.part(1))
        except ValueError:
            raise DataError(pressed.kind) from None
        token = write_token(Intent(table_id, 0, verb))
        answer = await self._asked(press, token, verb)
        self._parts.background.run(self._parts.api.delete(press.chat_id, press.message), "list")
        self._answer(press.id, answer.text, alert=not answer.ok)
        if answer.screen is not None and answer.ok:
            await self.bring(press.user, press.person, table_id, answer.screen)

    async def bring(self, user: User, person: Person, table_id: str, screen: Screen) -> None:
        """Put a screen at the end of somebody's private chat."""
        parts, t = self._parts, texts(person.locale)
        if screen.role is Role.HAND:
            hand = parts.hands.hand(user.id, table_id)
            hand.below, hand.question = True, None
            parts.hands.wake(hand)
        elif screen.role in _AS_LETTER:
            parts.background.run(parts.letters.send(t, user.id, screen), "letter")
        else:
            home = await parts.home(table_id, f"{user.id}")
            if home is not None:
                parts.tables.post_below(home)
            else:
                parts.background.run(parts.tables.copy(user.id, screen, t), "table")


def _why_choice(screen: Screen, verb: str) -> str | None:
    found = [choice for row in screen.rows for choice in row if read_token(choice.token).verb == verb]
    return next((choice.why for choice in found if not choice.enabled), None)


def _has(message: Message, pressed: str) -> bool:
    rows = message.reply_markup.inline_keyboard if message.reply_markup is not None else ()
    return any(item.callback_data == pressed for row in rows for item in row)
