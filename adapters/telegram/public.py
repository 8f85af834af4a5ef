"""The public table: one message a deal in each place, changed as the table changes, and the notice of whose turn it is.

What has been posted where stands in the home, so that a restart goes on with the same messages.
"""

from collections.abc import Awaitable, Callable

import msgspec
import structlog
from telegram import InlineKeyboardMarkup
from telegram.error import TelegramError

from adapters.telegram import data
from adapters.telegram.api import Api, Flooded, Gone, Moved, PhotoRefused
from adapters.telegram.data import Kind
from adapters.telegram.keyboard import Rows, button, choice_button, choice_rows, keyboard, link
from adapters.telegram.lanes import Background
from adapters.telegram.limits import CAPTION, PICTURE_PAUSE, PICTURE_TRIES, TEXT
from adapters.telegram.markup import escaped, mention, titled
from adapters.telegram.people import People
from adapters.telegram.places import chat_of, is_group
from bot.announcing import PlaceClosed
from bot.app import App
from bot.clock import Clock
from bot.desk import PictureDesk, PictureFailed
from bot.keeper import Unknown
from bot.model import Home, Table
from bot.presenter.chat import called_text
from bot.presenter.telegram import close_label, open_chat_label, out_of_reach_line, seat_link_label
from bot.screens import Call, Role, Screen
from bot.store import UnreadableSave
from bot.texts import Texts, texts

log = structlog.get_logger()


_MOST = 5000


class Posted(msgspec.Struct, frozen=True):
    """What a home shows: kept as JSON."""

    message: int
    photo: bool = False
    deal: int = -1
    notice: int | None = None
    key: str = ""
    """Of the last call."""


class Drawn(msgspec.Struct, frozen=True):
    """A screen, ready to be sent."""

    caption: str
    text: str
    markup: InlineKeyboardMarkup | None
    png: bytes | None
    missing: tuple[str, ...] = ()
    """Who cannot be sent their cards."""


AfterPosting = Callable[[str, str], Awaitable[None]]


def read_posted(posted: str | None) -> Posted | None:
    """What a home has kept; None before anything was shown, or where it makes no sense."""
    if not posted:
        return None
    try:
        return msgspec.json.decode(posted, type=Posted)
    except msgspec.DecodeError:
        return None


class Tables:
    """Shows tables in groups, topics and private chats."""

    def __init__(
        self,
        app: App,
        api: Api,
        people: People,
        desk: PictureDesk,
        background: Background,
        clock: Clock,
        after: AfterPosting,
    ) -> None:
        """``after`` is told where a message was posted anew: the table's id and the place."""
        self._app = app
        self._api = api
        self._people = people
        self._desk = desk
        self._background = background
        self._clock = clock
        self._after = after
        self._tries: dict[tuple[str, str, int], int] = {}
        """How often a version's picture has failed."""
        self._last: dict[tuple[str, str], Posted] = {}
        self._told: dict[tuple[str, str], str] = {}
        """What is kept of a home since this process showed it."""
        self._below: set[tuple[str, str]] = set()

    def post_below(self, home: Home) -> None:
        """Post a home's table anew, at the end of the chat."""
        self._below.add((home.table_id, home.place))
        self._app.show_again(home)

    def posted(self, home: Home) -> Posted | None:
        """What a home shows. What was posted before something failed stands nowhere else than here."""
        key = (home.table_id, home.place)
        if self._app.leases.is_shared and home.posted != self._told.get(key):
            # Another process has shown it since.
            return read_posted(home.posted)
        return self._last.get(key) or read_posted(home.posted)

    async def show(self, home: Home, screen: Screen) -> str:
        """Bring a home up to date.

        Raises:
            PlaceClosed: nothing can be shown there.
        """
        table = await self._table(home.table_id)
        t = texts(screen.locale)
        key = (home.table_id, home.place)
        old = self.posted(home)
        if len(self._last) > _MOST:
            self._last.clear()
            self._told.clear()
        while True:
            known = self._people.changes
            drawn = await self._draw(t, home, screen)
            new = await self._post(home, screen, old, drawn)
            self._last[key] = new
            if screen.picture is not None and drawn.png is None:
                self._background.run(self._draw_later(home, screen.version), "picture")
            self._last[key] = new = await self._call(t, home, screen, new, table)
            if old is None or new.message != old.message:
                await self._after(home.table_id, home.place)
            # Asked for again while this was being done, the announcer might take it for done.
            missing = drawn.missing
            while known != self._people.changes:
                known = self._people.changes
                missing = await self._missing(home, screen)
            if missing == drawn.missing and key not in self._below:
                self._told[key] = msgspec.json.encode(new).decode()
                return self._told[key]
            old = new

    async def _draw_later(self, home: Home, version: int) -> None:
        """Try the picture of a version again, a few times."""
        key = (home.table_id, home.place, version)
        if len(self._tries) > _MOST:
            self._tries.clear()
        self._tries[key] = self._tries.get(key, 0) + 1
        if self._tries[key] > PICTURE_TRIES:
            return
        await self._clock.sleep(PICTURE_PAUSE)
        self._app.show_again(home)

    async def _table(self, table_id: str) -> Table | None:
        try:
            return (await self._app.record(table_id)).table
        except (Unknown, UnreadableSave):
            return None

    async def copy(self, user_id: int, screen: Screen, t: Texts) -> None:
        """The table as it is now, to look at in a private chat.

        Raises:
            Unreachable: nothing can be sent there.
        """
        png = await self._png(screen)
        body = (*screen.lines, screen.alternative) if screen.role is Role.TABLE else screen.lines
        away = keyboard([[button(close_label(t), data.write(Kind.CLOSE))]])
        drawn = Drawn(titled(screen.title, body, CAPTION), titled(screen.title, body, TEXT), away, png)
        await self._send(f"{user_id}", drawn)

    # the message

    async def _png(self, screen: Screen) -> bytes | None:
        if screen.picture is None:
            return None
        try:
            return (await self._desk.table(screen)).png
        except PictureFailed:
            log.info("telegram.no_picture", table=screen.table_id)
            return None

    async def _missing(self, home: Home, screen: Screen) -> tuple[str, ...]:
        if screen.role not in (Role.LOBBY, Role.TABLE):
            return ()
        return tuple(await self._people.out_of_reach(home.table_id))

    async def _draw(self, t: Texts, home: Home, screen: Screen) -> Drawn:
        missing = await self._missing(home, screen)
        told = (out_of_reach_line(t, missing),) if missing else ()
        rows = choice_rows(screen.rows)
        if screen.role is Role.LOBBY and is_group(home.place):
            rows[1:1] = self._seat_links(t, screen)
        elif missing:
            rows.append([link(open_chat_label(t), self._api.deep_link(f"h_{home.table_id}"))])
        png = await self._png(screen)
        body = (*told, *screen.lines)
        if screen.role is Role.TABLE:
            body = (*told, *screen.lines, screen.alternative)
        return Drawn(
            titled(screen.title, body, CAPTION), titled(screen.title, body, TEXT), keyboard(rows), png, missing
        )

    def _seat_links(self, t: Texts, screen: Screen) -> Rows:
        """One tap that sits down and opens the private chat, for those whom the bot may not write to yet."""
        url = self._api.deep_link(f"j_{screen.table_id}_x")
        return [[link(seat_link_label(t, None), url)]]

    async def _post(self, home: Home, screen: Screen, old: Posted | None, drawn: Drawn) -> Posted:
        chat_id, _ = chat_of(home.place)
        below = (home.table_id, home.place) in self._below
        self._below.discard((home.table_id, home.place))
        if old is not None and not below and old.deal == screen.deal:
            try:
                photo = await self._edit(chat_id, old, drawn)
                return msgspec.structs.replace(old, photo=photo)
            except Gone:
                log.info("telegram.gone", table=home.table_id, place=home.place)
                old = msgspec.structs.replace(old, message=0)
        new = await self._send(home.place, drawn)
        if old is not None and old.message:
            # A finished deal stays to be looked at; the same deal twice would only be in the way.
            if old.deal == screen.deal:
                await self._api.delete(chat_id, old.message)
            else:
                await self._api.strip(chat_id, old.message)
        kept = old or Posted(0)
        return msgspec.structs.replace(new, deal=screen.deal, notice=kept.notice, key=kept.key)

    async def _edit(self, chat_id: int, old: Posted, drawn: Drawn) -> bool:
        """Change the message that is there; tells whether it has a picture then."""
        if drawn.png is None and old.photo:
            # The picture is a step behind for a moment; what stands under it is not.
            await self._api.edit_caption(chat_id, old.message, drawn.caption, drawn.markup)
            return True
        if drawn.png is None:
            await self._api.edit_text(chat_id, old.message, drawn.text, drawn.markup)
            return False
        try:
            await self._api.edit_photo(chat_id, old.message, drawn.png, drawn.caption, drawn.markup)
        except PhotoRefused:
            if old.photo:
                await self._api.edit_caption(chat_id, old.message, drawn.caption, drawn.markup)
                return True
            await self._api.edit_text(chat_id, old.message, drawn.text, drawn.markup)
            return False
        return True

    async def _send(self, place: str, drawn: Drawn) -> Posted:
        chat_id, thread = chat_of(place)
        if drawn.png is not None:
            try:
                message = await self._api.photo(chat_id, drawn.png, drawn.caption, drawn.markup, thread=thread)
                return Posted(message, photo=True)
            except PhotoRefused:
                log.info("telegram.no_photos", place=place)
        return Posted(await self._api.text(chat_id, drawn.text, drawn.markup, thread=thread))

    # the notice

    async def _call(self, t: Texts, home: Home, screen: Screen, posted: Posted, table: Table | None) -> Posted:
        """Call whoever is called, once; the notice before goes."""
        call = screen.call
        key = "" if call is None else call.key
        # In a private chat the hand says it, right below.
        if key == posted.key or not is_group(home.place):
            return posted
        chat_id, thread = chat_of(home.place)
        if posted.notice is not None:
            await self._api.delete(chat_id, posted.notice)
        notice = None
        if call is not None and table is not None:
            body, markup = await self._notice(t, call, table)
            try:
                notice = await self._api.text(chat_id, body, markup, thread=thread, loud=True)
            except Moved:
                raise
            except (PlaceClosed, Flooded, TelegramError) as error:
                # The table is shown all the same; whoever is still called then is called with its next version.
                log.warning("telegram.notice", table=home.table_id, error=type(error).__name__)
                return msgspec.structs.replace(posted, notice=None)
        return msgspec.structs.replace(posted, notice=notice, key=key)

    async def _notice(self, t: Texts, call: Call, table: Table) -> tuple[str, InlineKeyboardMarkup | None]:
        names = {chair.person: chair.name for chair in table.chairs if chair.person is not None}
        accounts = {person: await self._people.account(person) for person in call.people}
        called = [mention(names.get(person, ""), accounts[person]) for person in call.people]
        row = [choice_button(call.choice)]
        if any(account is not None and self._people.is_out_of_reach(account) for account in accounts.values()):
            row.append(link(open_chat_label(t), self._api.deep_link(f"h_{table.id}")))
        return called_text(t, called, escaped(call.text)), keyboard([row])
