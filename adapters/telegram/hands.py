"""Private hands: one message for each player and table in the private chat, kept up to date by a task of its own.

What is shown is always read anew from the application, so that whatever comes in between (a press, another player's
move, a restart) only wakes the task. The message's id stands in a home of the table, ``hand:<account>``.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import structlog
from telegram import InlineKeyboardMarkup
from telegram.error import TelegramError

from adapters.telegram import data
from adapters.telegram.api import Api, Flooded, Gone, PhotoRefused, Unreachable, is_passing
from adapters.telegram.keyboard import choice_button, choice_rows, hand_rows, keyboard, mask_within
from adapters.telegram.lanes import Background
from adapters.telegram.limits import CAPTION, PAUSES, PICTURE_PAUSE, PICTURE_TRIES, TEXT
from adapters.telegram.markup import titled
from adapters.telegram.people import People
from adapters.telegram.places import HAND_PLACE, PLATFORM, is_group
from adapters.telegram.public import read_posted
from adapters.telegram.shared_hands import SharedHands
from bot.app import App
from bot.clock import Clock
from bot.desk import PictureDesk, PictureFailed
from bot.intents import TURN_VERBS
from bot.keeper import Unknown
from bot.model import Home, Person
from bot.pictures import HandPicture
from bot.screens import Choice, Screen
from bot.store import StoreError, UnreadableSave
from bot.texts import texts
from bot.tokens import TokenError, Verb, read_token

log = structlog.get_logger()

_MOST = 5000


class Shown(msgspec.Struct, frozen=True):
    """What a hand's message shows: what is equal need not be sent again."""

    picture: HandPicture | None
    caption: str
    labels: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]
    """What the buttons carry, where it matters: out of turn nothing that carries a version does anything."""


class Hand:
    """The message of one player's hand at one table, and what is picked in it."""

    def __init__(self, user_id: int, table_id: str) -> None:
        self.user_id = user_id
        self.table_id = table_id
        self.message: int | None = None
        self.photo = False
        self.deal = -1
        self.shown: Shown | None = None
        self.mark = 0
        """Of the cards that the mask stands for."""
        self.mask = 0
        self.page = 0
        self.question: Screen | None = None
        """Asked in place of the hand, until the table has another version or it is answered."""
        self.more: tuple[int, Choice] | None = None
        """Where to read on after a refusal, with the version that was refused."""
        self.below = False
        """To be posted anew, at the end of the chat."""
        self.loud = False
        self.on_turn = False
        self.failures = 0
        """Pictures in a row that there were none of."""
        self.known = False
        """Whether it has been looked up what was posted before."""
        self.kept: str | None = None
        """What is kept of it since this process changed the message last, where others may change it too."""
        self.task: asyncio.Task[None] | None = None
        self.again = False


class Hands:
    """Sends and changes private hands."""

    def __init__(
        self,
        app: App,
        api: Api,
        people: People,
        desk: PictureDesk,
        background: Background,
        clock: Clock,
        lost: Callable[[str], Awaitable[None]],
    ) -> None:
        """``lost`` is told of tables where somebody turned out not to be reachable, or to be so again."""
        self._app = app
        self._api = api
        self._people = people
        self._desk = desk
        self._background = background
        self._clock = clock
        self._lost = lost
        self._hands: dict[tuple[int, str], Hand] = {}
        self._shared = SharedHands(app) if app.leases.is_shared else None

    def hand(self, user_id: int, table_id: str) -> Hand:
        """The hand of an account at a table."""
        key = (user_id, table_id)
        if key not in self._hands:
            if len(self._hands) >= _MOST:
                idle = [known for known, hand in self._hands.items() if hand.task is None][: _MOST // 2]
                for known in idle:
                    del self._hands[known]
            self._hands[key] = Hand(user_id, table_id)
        return self._hands[key]

    async def refresh(self, table_id: str) -> None:
        """Wake the hands of everybody at a table who plays here."""
        try:
            record = await self._app.record(table_id)
        except (Unknown, UnreadableSave):
            return
        for person in record.table.people:
            account = await self._people.account(person)
            if account is not None and not self._people.is_out_of_reach(account):
                self.wake(self.hand(account, table_id))
        here = {await self._people.account(person) for person in record.table.people}
        for hand in [hand for hand in self._hands.values() if hand.table_id == table_id]:
            if hand.user_id not in here and hand.message:
                self.wake(hand)

    async def posted(self, home: Home) -> str:
        """Bring the hand of such a home up to date; returns what is to be kept of it."""
        hand = self.hand(int(home.place.removeprefix(HAND_PLACE)), home.table_id)
        await self.remember(hand)
        if not self._people.is_out_of_reach(hand.user_id):
            self.wake(hand)
            if self._shared is not None and hand.task is not None:
                # What is called shown here is not looked at by any other process.
                await asyncio.wait([hand.task])
        if self._shared is not None:
            return self._shared.text(hand)
        return msgspec.json.encode({"message": hand.message or 0, "photo": hand.photo, "deal": hand.deal}).decode()

    def wake(self, hand: Hand) -> None:
        """Bring a hand up to date soon; asked for meanwhile, once more afterwards."""
        if hand.task is not None:
            hand.again = True
            return
        hand.task = self._background.run(self._until_done(hand), f"hand {hand.table_id}")

    async def _until_done(self, hand: Hand) -> None:
        try:
            if self._shared is None:
                await self._bring_patiently(hand)
            else:
                async with self._shared.turn(hand):
                    await self._bring_patiently(hand)
        finally:
            hand.task = None

    async def _bring_patiently(self, hand: Hand) -> None:
        for pause in (*PAUSES, None):
            try:
                hand.again = True
                while hand.again:
                    hand.again = False
                    await self._bring(hand)
                return
            except Unreachable as error:
                log.info("telegram.out_of_reach", table=hand.table_id, error=type(error).__name__)
                if hand.again:
                    # Heard from while this failed: perhaps that has changed just now.
                    continue
                hand.shown, hand.message = None, None
                if self._people.reached(hand.user_id, False):
                    await self._lost(hand.table_id)
                return
            except (StoreError, Flooded) as error:
                log.warning("telegram.hand", table=hand.table_id, error=type(error).__name__)
            except TelegramError as error:
                log.warning("telegram.hand", table=hand.table_id, error=type(error).__name__)
                hand.shown = None
                if not is_passing(error):
                    return
            if pause is not None:
                await self._clock.sleep(pause)

    # one hand

    async def remember(self, hand: Hand) -> None:
        """Find the message of the last process, or that of another one which has changed it since."""
        if self._shared is not None:
            await self._shared.recall(hand)
            return
        if hand.known:
            return
        homes = await self._app.homes(hand.table_id)
        place = f"{HAND_PLACE}{hand.user_id}"
        home = next((home for home in homes if (home.platform, home.place) == (PLATFORM, place)), None)
        posted = None if home is None else read_posted(home.posted)
        if hand.message is None and posted is not None and posted.message:
            hand.message, hand.photo, hand.deal = posted.message, posted.photo, posted.deal
        hand.known = True

    async def _bring(self, hand: Hand) -> None:
        await self.remember(hand)
        person = await self._people.person(hand.user_id)
        screen = None if person is None else await self._app.hand_screen(hand.table_id, person)
        if person is None or screen is None:
            await self._put_away(hand)
            return
        deal = await self._deal(hand.table_id)
        new = hand.message is None or hand.deal != deal
        if new and not hand.below and await self._waits_for_table(hand, deal):
            return
        if hand.question is not None and hand.question.version != screen.version:
            hand.question = None
        turn = on_turn(screen)
        wanted = turn and not hand.on_turn and person.notices == "all"
        hand.loud = wanted and await self._nobody_calls(hand.table_id)
        hand.on_turn = turn
        # Looked at before anything is awaited that could let a press in between change what is picked.
        markup = self._buttons(hand, person, screen)
        asked = hand.question
        await self._send(hand, screen, asked, markup, deal)

    async def _deal(self, table_id: str) -> int:
        match = (await self._app.record(table_id)).match
        return -1 if match is None or match.deal is None else match.deal.number

    def _buttons(self, hand: Hand, person: Person, screen: Screen) -> InlineKeyboardMarkup | None:
        if hand.question is not None:
            return keyboard(choice_rows(hand.question.rows))
        mark = 0 if screen.picker is None else data.hand_mark(screen.picker)
        if mark != hand.mark:
            hand.mark, hand.mask = mark, 0
        hand.mask = mask_within(screen.picker, hand.mask)
        rows = hand_rows(texts(person.locale), screen, hand.mask, hand.page)
        if hand.more is not None and hand.more[0] == screen.version:
            rows.insert(0, [choice_button(hand.more[1])])
        return keyboard(rows)

    async def _send(
        self, hand: Hand, screen: Screen, asked: Screen | None, markup: InlineKeyboardMarkup | None, deal: int
    ) -> None:
        picture = screen.picture if isinstance(screen.picture, HandPicture) else None
        told = (*screen.lines, screen.alternative) if asked is None else (asked.title, screen.alternative)
        caption = titled(screen.title, told, CAPTION)
        shown = Shown(picture, caption, _labels(markup), _tokens(markup, hand.on_turn or asked is not None))
        fresh = hand.message is None or hand.below or hand.deal != deal or hand.loud
        if not fresh and shown == hand.shown:
            return
        if not fresh and await self._edit(hand, shown, markup):
            hand.shown = shown
            return
        png = await self._png(hand, picture)
        old = hand.message
        hand.message, hand.photo = await self._post(hand, png, caption, titled(screen.title, told, TEXT), markup)
        hand.shown, hand.deal, hand.below = shown, deal, False
        self._people.reached(hand.user_id, True)
        if old:
            await self._api.delete(hand.user_id, old)
        if old is None:
            await self._app.add_home(Home(hand.table_id, PLATFORM, f"{HAND_PLACE}{hand.user_id}"))

    async def _edit(self, hand: Hand, shown: Shown, markup: InlineKeyboardMarkup | None) -> bool:
        """Change what is there, and only what has changed of it; tells whether it could be."""
        before, message = hand.shown, hand.message or 0
        try:
            if before is not None and (before.picture, before.caption) == (shown.picture, shown.caption):
                await self._api.edit_markup(hand.user_id, message, markup)
                return True
            if hand.photo and before is not None and before.picture == shown.picture:
                await self._api.edit_caption(hand.user_id, message, shown.caption, markup)
                return True
            png = await self._png(hand, shown.picture)
            if png is None and hand.photo:
                # A step behind for a moment: what stands under the picture names the cards.
                await self._api.edit_caption(hand.user_id, message, shown.caption, markup)
                self._background.run(self._draw_later(hand), "picture")
            elif png is None:
                await self._api.edit_text(hand.user_id, message, shown.caption, markup)
            else:
                await self._api.edit_photo(hand.user_id, message, png, shown.caption, markup)
                hand.photo = True
        except (Gone, PhotoRefused):
            return False
        return True

    async def _post(
        self, hand: Hand, png: bytes | None, caption: str, text: str, markup: InlineKeyboardMarkup | None
    ) -> tuple[int, bool]:
        if png is not None:
            try:
                return await self._api.photo(hand.user_id, png, caption, markup, loud=hand.loud), True
            except PhotoRefused:
                log.info("telegram.no_photos", table=hand.table_id)
        return await self._api.text(hand.user_id, text, markup, loud=hand.loud), False

    async def _png(self, hand: Hand, picture: HandPicture | None) -> bytes | None:
        if picture is None:
            return None
        try:
            png = await self._desk.hand(picture)
        except PictureFailed:
            return None
        hand.failures = 0
        return png

    async def _draw_later(self, hand: Hand) -> None:
        """Try the picture again, a few times in a row."""
        hand.failures += 1
        if hand.failures > PICTURE_TRIES:
            return
        await self._clock.sleep(PICTURE_PAUSE)
        hand.shown = None
        self.wake(hand)

    async def _put_away(self, hand: Hand) -> None:
        """Nobody holds this hand any more: its buttons go."""
        if hand.message is not None:
            await self._api.strip(hand.user_id, hand.message)
        self._hands.pop((hand.user_id, hand.table_id), None)

    async def _waits_for_table(self, hand: Hand, deal: int) -> bool:
        """Where the table is shown in the same chat, the hand comes below it: the table's message wakes it."""
        for home in await self._app.homes(hand.table_id):
            if (home.platform, home.place) == (PLATFORM, f"{hand.user_id}"):
                posted = read_posted(home.posted)
                return posted is None or posted.deal != deal
        return False

    async def _nobody_calls(self, table_id: str) -> bool:
        """Whether a turn has to be told here, loudly: several people play, and no group is told of it."""
        record = await self._app.record(table_id)
        if len(record.table.people) < 2:
            return False
        homes = await self._app.homes(table_id)
        return not any(home.platform == PLATFORM and is_group(home.place) for home in homes)


def on_turn(screen: Screen) -> bool:
    """Whether a hand can do something now."""
    if screen.picker is not None and any(verb.enabled for verb in screen.picker.verbs):
        return True
    return any(choice.enabled and _is_of_turn(choice.token) for row in screen.rows for choice in row)


def _is_of_turn(token: str) -> bool:
    try:
        verb = read_token(token).verb
    except TokenError:
        return False
    return verb in TURN_VERBS or verb is Verb.CUT


def _labels(markup: InlineKeyboardMarkup | None) -> tuple[tuple[str, ...], ...]:
    return () if markup is None else tuple(tuple(item.text for item in row) for row in markup.inline_keyboard)


def _tokens(markup: InlineKeyboardMarkup | None, matter: bool) -> tuple[str, ...]:
    if markup is None or not matter:
        return ()
    return tuple(str(item.callback_data) for row in markup.inline_keyboard for item in row)
