"""Who is who: persons behind accounts, who can be written to, and who keeps order in a chat."""

import structlog
from telegram import ChatMember, User
from telegram.error import TelegramError

from adapters.telegram.api import Api
from adapters.telegram.limits import ADMIN_SECONDS
from adapters.telegram.moving import Moving
from adapters.telegram.places import PLATFORM, is_group
from bot.app import App
from bot.clock import Clock
from bot.keeper import Unknown
from bot.model import Person
from bot.store import UnreadableSave
from bot.texts import SOURCE_LOCALE, language, languages

log = structlog.get_logger()

_KEY = f"{PLATFORM}:"
_MOST = 10_000


def locale_of(code: str | None) -> str:
    """The locale for somebody whose app speaks this language."""
    return language(code) if code else SOURCE_LOCALE


def spoken() -> dict[str, str]:
    """The locale for each language, in two letters, in which the lists of commands are given."""
    # The source stands first, so that a region's Spanish does not take its place.
    return {locale[:2]: locale for locale in reversed(languages())}


class People:
    """The people that this platform knows."""

    def __init__(self, app: App, api: Api, clock: Clock, moving: Moving) -> None:
        self._app = app
        self._api = api
        self._moving = moving
        self._clock = clock
        self._accounts: dict[str, int | None] = {}
        self._reached: dict[int, bool] = {}
        self.changes = 0
        """How often it has changed who can be written to."""
        self._admins: dict[tuple[int, int], tuple[float, bool]] = {}

    async def meet(self, user: User) -> Person:
        """The person behind an account, made known if new."""
        person = await self._app.meet(f"{_KEY}{user.id}", user.full_name, user.language_code or "")
        self._accounts[person.id] = user.id
        return person

    async def person(self, user_id: int) -> Person | None:
        """The person behind an account, if known."""
        return await self._app.person(f"{_KEY}{user_id}")

    async def account(self, person_id: str) -> int | None:
        """The account of a person; None for somebody who plays elsewhere."""
        if person_id not in self._accounts:
            if len(self._accounts) > _MOST:
                self._accounts.clear()
            keys = await self._app.keys_of(person_id)
            found = next((key.removeprefix(_KEY) for key in keys if key.startswith(_KEY)), "")
            self._accounts[person_id] = int(found) if found.isdecimal() else None
        return self._accounts[person_id]

    # who can be written to

    def reached(self, user_id: int, yes: bool) -> bool:
        """Somebody could be written to, or could not. Tells whether that is news."""
        before = self._reached.get(user_id)
        self._note_reach(user_id, yes)
        return before is not yes and not (before is None and yes)

    def _note_reach(self, user_id: int, yes: bool) -> None:
        if self._reached.get(user_id, True) is not yes:
            self.changes += 1
        self._reached[user_id] = yes

    def is_out_of_reach(self, user_id: int) -> bool:
        """Whether somebody is known not to be reachable."""
        return self._reached.get(user_id) is False

    async def can_reach(self, user_id: int) -> bool:
        """Whether somebody can be written to; tried out where that is not known."""
        known = self._reached.get(user_id)
        if known is None:
            known = await self._api.can_reach(user_id)
            if known is not None:
                self._note_reach(user_id, known)
        return known is not False

    async def out_of_reach(self, table_id: str) -> list[str]:
        """Names of those at a table to whom their cards cannot be sent."""
        try:
            table = (await self._app.record(table_id)).table
        except (Unknown, UnreadableSave):
            return []
        names = []
        for chair in table.chairs:
            account = None if chair.person is None else await self.account(chair.person)
            if account is not None and self.is_out_of_reach(account):
                names.append(chair.name)
        return names

    # who keeps order

    async def keeps_order(self, chat_id: int, user_id: int) -> bool:
        """Whether somebody is an administrator of a group."""
        if chat_id >= 0:
            return False
        now = self._clock.now_ms() / 1000
        known = self._admins.get((chat_id, user_id))
        if known is not None and now - known[0] < ADMIN_SECONDS:
            return known[1]
        try:
            member = await self._api.bot.get_chat_member(chat_id, user_id)
        except TelegramError as error:
            log.info("telegram.member", chat=chat_id, error=type(error).__name__)
            return False
        yes = member.status in (ChatMember.OWNER, ChatMember.ADMINISTRATOR)
        if len(self._admins) > _MOST:
            self._admins.clear()
        self._admins[chat_id, user_id] = (now, yes)
        return yes

    async def moderates(self, table_id: str, user_id: int) -> str:
        """The group in which the table was opened, as a key, where somebody keeps order there; else nothing."""
        try:
            origin = (await self._app.record(table_id)).table.origin
        except (Unknown, UnreadableSave):
            return ""
        chat_id = origin.removeprefix(_KEY)
        if not origin.startswith(_KEY) or not is_group(chat_id):
            return ""
        now = await self._moving.now(int(chat_id))
        return origin if await self.keeps_order(now, user_id) else ""
