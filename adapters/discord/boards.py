"""Public tables in their channels: one message each, edited as the game moves, posted anew where that reads better."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import discord
import msgspec
import structlog

from adapters.discord.emojis import CardEmojis
from adapters.discord.faults import (
    FAILURES,
    is_filtered,
    is_gone,
    is_too_large,
    lacks_right,
    must_post_anew,
    takes_no_message,
)
from adapters.discord.in_words import tell_refused
from adapters.discord.layout import public_layout, text_layout
from adapters.discord.limits import (
    BOARD_AGE_SECONDS,
    BURIED,
    CLOSED_SECONDS,
    FILTERED_SECONDS,
    REVIVE_SECONDS,
    TOKEN_SECONDS,
)
from adapters.discord.notices import Notices
from adapters.discord.pictures import Pictures, table_picture, uploads
from bot.announcing import PlaceClosed
from bot.desk import PictureDesk
from bot.model import Home
from bot.presenter.chat import closed_board_text, nameless, rights_missing_text
from bot.screens import Role, Screen
from bot.texts import texts

log = structlog.get_logger(__name__)

_LIVE_KEPT = 500
_OF_DISCORD = 500
"""From this status on a failure is Discord's own, and what was asked for may have been done."""
NOBODY = discord.AllowedMentions.none()


class Posted(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is posted of a table in a channel; kept with the home, so that a restart finds it again."""

    message: int = 0
    deal: int = -1
    notice: int = 0
    called: str = ""
    """The key of the last call that was sent."""
    guild: int = 0
    """The server of the channel, where it was known; 0 where it was not."""


def read_posted(text: str | None) -> Posted:
    """What a home knows of its messages; nothing where it knows nothing."""
    try:
        return msgspec.json.decode(text or "{}", type=Posted)
    except msgspec.MsgspecError:
        return Posted()


class Boards:
    """Posts, edits and replaces the tables' messages."""

    def __init__(
        self,
        client: discord.Client,
        desk: PictureDesk,
        emojis: CardEmojis,
        notices: Notices,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._desk = desk
        self._emojis = emojis
        self._notices = notices
        self._now = now
        self._wall = wall
        self._below: dict[int, int] = {}
        """How many messages of others came after the table's, by channel."""
        self._live: OrderedDict[int, tuple[discord.Interaction, float]] = OrderedDict()
        """The last press under each public message: through it the message can be edited without a rate limit."""
        self._again: set[tuple[str, str]] = set()
        self._closed: dict[str, float] = {}
        self._filtered: dict[str, float] = {}
        """Until when places with a word filter are shown no names: moderators may be told of each that it stops."""
        self._unanswered: set[str] = set()
        """The nonces of messages that were sent without an answer: they may stand there, with an older screen."""
        self._revived: dict[str, float] = {}
        self._boards: dict[int, Home] = {}
        self._last: dict[tuple[str, str], Screen] = {}

    # what happens around the messages

    def pressed(self, interaction: discord.Interaction) -> None:
        """Somebody pressed under a public message."""
        if interaction.message is not None:
            self._live.pop(interaction.message.id, None)
            self._live[interaction.message.id] = (interaction, self._now())
            while len(self._live) > _LIVE_KEPT:
                self._live.popitem(last=False)
        if interaction.channel_id is not None:
            self._closed.pop(str(interaction.channel_id), None)

    def written(self, channel_id: int) -> None:
        """Somebody else wrote in a channel."""
        if channel_id in self._below:
            self._below[channel_id] += 1

    def deleted(self, message_id: int) -> Home | None:
        """The home whose message somebody deleted and that gets another; None where it was none of ours.

        Deleted again soon after, it stays away until the game goes on: somebody means it.
        """
        home = self._boards.pop(message_id, None)
        if home is None or self._now() < self._revived.get(home.place, 0.0):
            return None
        self._revived[home.place] = self._now() + REVIVE_SECONDS
        return home

    def post_anew(self, home: Home) -> None:
        """Next time, post the table at the bottom instead of editing its message."""
        self._again.add((home.table_id, home.place))
        self._closed.pop(home.place, None)

    def is_closed(self, place: str) -> bool:
        """Whether a channel refused its table's message not long ago."""
        return self._now() < self._closed.get(place, 0.0)

    def reopened(self, guild: int, place: str = "") -> Sequence[str]:
        """What may be done in a server has changed, or in one place of it: the closed places there, to be tried now."""
        found = [
            closed for closed in self._closed if closed == place or (not place and self._guild_of(closed) == guild)
        ]
        for closed in found:
            del self._closed[closed]
        return found

    # showing

    async def show(self, home: Home, screen: Screen) -> str:
        """Bring a channel's message up to date; what has been posted is returned.

        Raises:
            PlaceClosed: nothing can be posted in the channel.
            discord.HTTPException: Discord fails; trying again may help.
        """
        if not home.place.isdecimal() or self.is_closed(home.place):
            raise PlaceClosed(home.place)
        key = (home.table_id, home.place)
        try:
            posted = await self._show(home, screen, read_posted(home.posted))
        except discord.HTTPException as error:
            if not takes_no_message(error):
                raise
            self._closed[home.place] = self._now() + CLOSED_SECONDS
            raise PlaceClosed(f"{home.place}: {error.code}") from error
        self._again.discard(key)
        self._last[key] = screen
        self._boards[posted.message] = home
        if screen.role is Role.NOTE:
            self._last.pop(key, None)
            self._boards.pop(posted.message, None)
        return msgspec.json.encode(posted).decode()

    async def _show(self, home: Home, screen: Screen, before: Posted) -> Posted:
        pictures = await table_picture(self._desk, screen)
        if self._now() < self._filtered.get(home.place, 0.0):
            screen = nameless(texts(screen.locale), screen)
        try:
            return await self._show_with(pictures, home, screen, before)
        except discord.HTTPException as error:
            if is_filtered(error):
                # Nothing but names is of anybody's making.
                log.info("discord.filtered", place=home.place)
                self._filtered[home.place] = self._now() + FILTERED_SECONDS
                return await self._show_with(pictures, home, nameless(texts(screen.locale), screen), before)
            if pictures and is_too_large(error):
                # The words say the same; the next version has its picture again.
                tell_refused(pictures, error)
                return await self._show_with((), home, screen, before)
            if pictures and lacks_right(error):
                # Where it is the picture that is not allowed, there is room to say so.
                lacking = rights_missing_text(texts(screen.locale), ("attach_files",))
                told = msgspec.structs.replace(screen, lines=(*screen.lines, lacking))
                return await self._show_with((), home, told, before)
            raise

    async def _show_with(self, pictures: Pictures, home: Home, screen: Screen, before: Posted) -> Posted:
        channel = self._client.get_partial_messageable(int(home.place))
        view = public_layout(screen, picture=bool(pictures), signs=self._emojis.text)
        message = 0
        if before.message and not self._must_post_anew(home, screen, before):
            message = await self._edit(channel, before.message, view, pictures)
        if not message:
            message = await self._post(channel, home, view, pictures)
            if before.message and before.message != message:
                await self._retire(channel, home, screen, before)
        self._below.setdefault(int(home.place), 0)
        guild = before.guild or self._guild_of(home.place)
        posted = msgspec.structs.replace(before, message=message, deal=max(screen.deal, before.deal), guild=guild)
        return await self._call(channel, home, screen, posted)

    def _guild_of(self, place: str) -> int:
        found = self._client.get_channel(int(place))
        return found.guild.id if isinstance(found, discord.abc.GuildChannel | discord.Thread) else 0

    def _must_post_anew(self, home: Home, screen: Screen, before: Posted) -> bool:
        if (home.table_id, home.place) in self._again:
            return True
        if screen.deal >= 0 and screen.deal != before.deal:
            return True
        if self._below.get(int(home.place), 0) >= BURIED:
            return True
        age = self._wall() - discord.utils.snowflake_time(before.message).timestamp()
        return age > BOARD_AGE_SECONDS

    async def _edit(
        self,
        channel: discord.PartialMessageable,
        message_id: int,
        view: discord.ui.LayoutView,
        pictures: Pictures,
    ) -> int:
        """Edit a message; its id, or 0 where another has to be posted."""
        live = self._live.get(message_id)
        if live is not None and self._now() - live[1] < TOKEN_SECONDS:
            try:
                await live[0].edit_original_response(view=view, attachments=uploads(pictures))
            except discord.HTTPException as error:
                self._live.pop(message_id, None)
                if not is_gone(error):
                    raise
            else:
                return message_id
        try:
            message = channel.get_partial_message(message_id)
            await message.edit(view=view, attachments=uploads(pictures), allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if not must_post_anew(error):
                raise
            log.info("discord.posted_anew", code=error.code)
            return 0
        return message_id

    async def _post(
        self,
        channel: discord.PartialMessageable,
        home: Home,
        view: discord.ui.LayoutView,
        pictures: Pictures,
    ) -> int:
        # Sent again because the answer was lost, the same nonce gives the same message, as it was then.
        mark = f"{home.table_id}:{home.place}:{read_posted(home.posted).message}:{home.shown_version}"
        nonce = hashlib.blake2s(mark.encode(), digest_size=12).hexdigest()
        before = nonce in self._unanswered
        self._unanswered.add(nonce)
        try:
            sent = await channel.send(view=view, files=uploads(pictures), nonce=nonce, silent=True)
        except discord.HTTPException as error:
            if error.status < _OF_DISCORD:
                self._unanswered.discard(nonce)  # refused, so it stands nowhere
            raise
        if before:
            await sent.edit(view=view, attachments=uploads(pictures), allowed_mentions=NOBODY)
        self._unanswered.discard(nonce)
        self._below[int(home.place)] = 0
        return sent.id

    async def _retire(self, channel: discord.PartialMessageable, home: Home, screen: Screen, before: Posted) -> None:
        """Take the older message away; of a deal that is over its result stays, without buttons."""
        self._boards.pop(before.message, None)
        self._live.pop(before.message, None)
        old = channel.get_partial_message(before.message)
        last = self._last.get((home.table_id, home.place))
        keeps = last is not None and last.deal >= 0 and last.deal == before.deal != screen.deal
        try:
            if last is not None and keeps and last.lines:
                result = "\n".join((last.title, *last.lines))
                await old.edit(view=text_layout(result), attachments=[], allowed_mentions=NOBODY)
            else:
                await old.delete()
        except discord.HTTPException as error:
            if error.status != 404:
                log.info("discord.old_message_stays", code=error.code)
                await self._strip(old, screen.locale)

    async def _strip(self, old: discord.PartialMessage, locale: str) -> None:
        try:
            await old.edit(view=text_layout(closed_board_text(texts(locale))), attachments=[], allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            log.info("discord.old_buttons_stay", code=error.code)

    async def _call(self, channel: discord.PartialMessageable, home: Home, screen: Screen, posted: Posted) -> Posted:
        """Call whom the screen calls, once; the table is shown whatever becomes of that."""
        call = screen.call
        key = "" if call is None else call.key
        if key == posted.called:
            return posted
        try:
            notice = 0 if call is None else await self._notices.send(channel, home.table_id, call, screen.locale)
            if posted.notice and posted.notice != notice:
                await self._notices.remove(channel, posted.notice)
        except FAILURES as error:
            log.warning("discord.not_called", table=home.table_id, error=repr(error))
            if isinstance(error, discord.HTTPException) and is_filtered(error):
                return msgspec.structs.replace(posted, called=key)  # it would be stopped again
            return posted
        return msgspec.structs.replace(posted, notice=notice, called=key)
