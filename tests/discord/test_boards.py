"""Boards: one message a table in a channel, edited while that is cheap, posted anew where that reads better."""

import datetime
from types import SimpleNamespace
from typing import Any

import discord
import msgspec
import pytest

from adapters.discord.boards import Boards, Posted, read_posted
from adapters.discord.emojis import CardEmojis
from adapters.discord.limits import (
    BOARD_AGE_SECONDS,
    BURIED,
    CLOSED_SECONDS,
    FILTERED_SECONDS,
    REVIVE_SECONDS,
    TOKEN_SECONDS,
)
from bot.announcing import PlaceClosed
from bot.desk import PictureDesk
from bot.model import Home
from bot.presenter.lobby import note_screen
from bot.screens import Call, Choice, Role, Screen
from bot.texts import texts
from bot.tokens import Intent, Verb, write_token
from engine.seating import Seating
from tests.bot.tables import TABLE_ID, dealt, public_of, table_of
from tests.discord.looks import sent, text_of, walk
from tests.discord.test_emojis import http_error
from tests.discord.world import FlatRenderer

CHANNEL = 77
NOON = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)


class Channel:
    """A channel that keeps what is sent to it; ``faults`` are raised once each by what is done."""

    def __init__(self, time: "Time") -> None:
        self._time = time
        self._sent = 0
        self.messages: dict[int, str] = {}
        """What each message says."""
        self.done: list[str] = []
        self.faults: dict[str, list[BaseException]] = {}
        self.nonces: list[str] = []
        self.silent: list[bool] = []

    def do(self, what: str) -> None:
        """Note an action, which may fail."""
        self.done.append(what)
        if self.faults.get(what):
            raise self.faults[what].pop(0)

    async def send(self, content: str = "", **options: Any) -> Any:
        """Post a message."""
        self.do("notice" if content else "send")
        self._sent += 1
        number = discord.utils.time_snowflake(NOON + datetime.timedelta(seconds=self._time.now)) + self._sent
        self.messages[number] = content or _words(options["view"])
        self.nonces.append(options["nonce"])
        self.silent.append(options.get("silent", False))
        return self.get_partial_message(number)

    def get_partial_message(self, number: int) -> Any:
        """A message by its id."""

        async def edit(*, view: discord.ui.LayoutView, attachments: list[discord.File], **options: Any) -> None:
            self.do("edit")
            self._there(number)
            self.messages[number] = _words(view)

        async def delete() -> None:
            self.do("delete")
            self._there(number)
            del self.messages[number]

        return SimpleNamespace(id=number, edit=edit, delete=delete)

    def _there(self, number: int) -> None:
        if number not in self.messages:
            raise http_error(404, 10008, discord.NotFound)


def _words(view: discord.ui.LayoutView) -> str:
    return text_of(list(walk(sent(view))))


class Time:
    """Seconds since noon."""

    def __init__(self) -> None:
        self.now = 0.0


class Notices:
    """Sends calls as sentences."""

    def __init__(self) -> None:
        self.removed: list[int] = []

    async def send(self, channel: Any, table_id: str, call: Call, locale: str) -> int:
        """A call's message."""
        return int((await channel.send(call.text, nonce=call.key)).id)

    async def remove(self, channel: Any, notice: int) -> None:
        """Take a call away."""
        self.removed.append(notice)
        await channel.get_partial_message(notice).delete()


class Street:
    """Boards over a channel, and a table that goes on."""

    def __init__(self) -> None:
        self.time = Time()
        self.channel = Channel(self.time)
        self.notices = Notices()
        self.desk = PictureDesk(FlatRenderer())
        self.home = Home(TABLE_ID, "discord", str(CHANNEL))
        self.version = 0
        self.boards = self.again()

    def again(self) -> Boards:
        """The boards of the next process."""
        client: Any = SimpleNamespace(get_partial_messageable=lambda _: self.channel, get_channel=lambda _: None)
        notices: Any = self.notices
        self.boards = Boards(
            client,
            self.desk,
            CardEmojis({}),
            notices,
            now=lambda: self.time.now,
            wall=lambda: NOON.timestamp() + self.time.now,
        )
        return self.boards

    async def show(self, screen: Screen | None = None) -> Posted:
        """Show the next version; what is posted is kept."""
        self.version += 1
        screen = screen or public(self.version)
        posted = await self.boards.show(self.home, screen)
        self.home = msgspec.structs.replace(self.home, posted=posted, shown_version=screen.version)
        return read_posted(posted)

    def since(self) -> list[str]:
        """What was done in the channel since the last look."""
        done, self.channel.done = self.channel.done, []
        return done

    def press(self, message: int, edit: Any = None) -> list[str]:
        """Somebody presses; what is shown through the press is noted."""
        shown: list[str] = []

        async def edit_original_response(*, view: discord.ui.LayoutView, attachments: list[discord.File]) -> None:
            if edit is not None:
                raise edit
            shown.append(_words(view))

        pressed: Any = SimpleNamespace(
            message=SimpleNamespace(id=message), channel_id=CHANNEL, edit_original_response=edit_original_response
        )
        self.boards.pressed(pressed)
        return shown


def public(version: int, deal: int = 0, call: Call | None = None) -> Screen:
    """A table at a version, calling nobody unless told."""
    return msgspec.structs.replace(public_of(dealt(Seating.ONE_ON_ONE, 1), version), deal=deal, call=call)


def call(key: str) -> Call:
    """A call."""
    return Call(key, ("p0",), "te toca.", Choice("Mi mano", write_token(Intent(TABLE_ID, 1, Verb.SHOW_HAND))))


@pytest.fixture
async def street() -> Any:
    """Boards over a channel."""
    street = Street()
    yield street
    await street.desk.close()


async def test_one_message_is_edited_as_the_game_goes_on(street: Street) -> None:
    first = await street.show()
    second = await street.show()
    assert first.message == second.message
    assert street.since() == ["send", "edit"]
    assert street.channel.silent == [True]


async def test_a_press_is_the_way_to_edit_as_long_as_its_token_lives(street: Street) -> None:
    posted = await street.show()
    shown = street.press(posted.message)
    street.time.now = TOKEN_SECONDS - 1
    await street.show()
    assert len(shown) == 1
    assert street.since() == ["send"]
    street.time.now = TOKEN_SECONDS + 1
    await street.show()
    assert len(shown) == 1
    assert street.since() == ["edit"]


@pytest.mark.parametrize(
    "error", [http_error(401, 50027), http_error(404, 10015), http_error(404, 10062), http_error(404, 10008)]
)
async def test_a_press_that_came_too_late_leaves_the_ordinary_way(street: Street, error: Exception) -> None:
    posted = await street.show()
    street.press(posted.message, error)
    assert (await street.show()).message == posted.message
    assert street.since() == ["send", "edit"]


async def test_another_failure_of_a_press_is_tried_again_without_it(street: Street) -> None:
    posted = await street.show()
    street.press(posted.message, http_error(500, 0, discord.DiscordServerError))
    with pytest.raises(discord.DiscordServerError):
        await street.show()
    await street.show()
    assert street.since() == ["send", "edit"]


async def test_an_old_message_is_posted_anew_and_goes(street: Street) -> None:
    first = await street.show()
    street.time.now = BOARD_AGE_SECONDS - 1
    assert (await street.show()).message == first.message
    street.time.now = BOARD_AGE_SECONDS + 1
    second = await street.show()
    assert second.message != first.message
    assert list(street.channel.messages) == [second.message]


async def test_a_buried_message_is_posted_anew(street: Street) -> None:
    first = await street.show()
    for _ in range(BURIED - 1):
        street.boards.written(CHANNEL)
    street.boards.written(CHANNEL + 1)
    assert (await street.show()).message == first.message
    street.boards.written(CHANNEL)
    second = await street.show()
    assert list(street.channel.messages) == [second.message]
    assert (await street.show()).message == second.message, "it is counted anew"


async def test_messages_are_counted_after_a_restart_too(street: Street) -> None:
    first = await street.show()
    street.again()
    await street.show()
    for _ in range(BURIED):
        street.boards.written(CHANNEL)
    assert (await street.show()).message != first.message


@pytest.mark.parametrize("code", [10008, 30046, 50005, 50083])
async def test_a_message_that_cannot_be_edited_is_replaced(street: Street, code: int) -> None:
    first = await street.show()
    street.channel.faults["edit"] = [http_error(400, code)]
    second = await street.show()
    assert second.message != first.message
    assert street.since() == ["send", "edit", "send", "delete"]


async def test_one_that_is_gone_is_replaced(street: Street) -> None:
    first = await street.show()
    street.channel.messages.clear()
    second = await street.show()
    assert list(street.channel.messages) == [second.message] != [first.message]


async def test_asked_for_anew_it_moves_down_once(street: Street) -> None:
    first = await street.show()
    street.boards.post_anew(street.home)
    second = await street.show()
    third = await street.show()
    assert first.message != second.message == third.message


async def test_asked_for_anew_in_vain_it_is_asked_for_still(street: Street) -> None:
    first = await street.show()
    street.boards.post_anew(street.home)
    street.channel.faults["send"] = [http_error(500, 0, discord.DiscordServerError)]
    with pytest.raises(discord.DiscordServerError):
        await street.show()
    assert (await street.show()).message != first.message


async def test_each_deal_has_a_message_and_the_last_one_s_result_stays(street: Street) -> None:
    first = await street.show(public(1, deal=0))
    ended = msgspec.structs.replace(public(2, deal=0), lines=("Ana 320", "Luis −40"))
    assert (await street.show(ended)).message == first.message
    second = await street.show(public(3, deal=1))
    assert second.message != first.message
    assert "Ana 320" in street.channel.messages[first.message]
    assert "Robar" not in street.channel.messages[first.message]
    cancelled = note_screen(texts(), table_of(dealt(Seating.ONE_ON_ONE, 1)), 4)
    assert (await street.show(cancelled)).message == second.message, "a note takes the table's place"


async def test_an_older_message_that_cannot_be_deleted_loses_its_buttons(street: Street) -> None:
    first = await street.show()
    street.channel.faults["delete"] = [http_error(403, 50013, discord.Forbidden)]
    street.boards.post_anew(street.home)
    await street.show()
    assert street.channel.messages[first.message] == "La mesa sigue más abajo."
    street.channel.faults = {"delete": [http_error(403, 50013)], "edit": [http_error(403, 50013)]}
    street.boards.post_anew(street.home)
    await street.show()


# closed places


@pytest.mark.parametrize(
    ("status", "code", "asked"),
    [
        (404, 10003, 1),
        (403, 50001, 1),
        (403, 50013, 2),
        (400, 50083, 1),
        (403, 160005, 1),
        (400, 200000, 2),
        (403, 0, 1),
    ],
)
async def test_a_place_that_refuses_is_left_alone_for_a_while(
    street: Street, status: int, code: int, asked: int
) -> None:
    """Asked once, and where less of the message may be taken once more."""
    street.channel.faults["send"] = [http_error(status, code) for _ in range(asked)]
    for _ in range(3):
        with pytest.raises(PlaceClosed):
            await street.show()
    assert street.since() == ["send"] * asked
    assert street.boards.is_closed(str(CHANNEL))
    street.time.now += CLOSED_SECONDS + 1
    assert not street.boards.is_closed(str(CHANNEL))
    assert (await street.show()).message in street.channel.messages


async def test_names_are_tried_again_where_a_word_filter_took_offence_long_ago(street: Street) -> None:
    street.channel.faults["send"] = [http_error(400, 200000)]
    first = (await street.show()).message
    assert "Ana" not in street.channel.messages[first]
    await street.show()
    assert "Ana" not in street.channel.messages[first]
    assert street.since() == ["send", "send", "edit"]
    street.time.now += FILTERED_SECONDS + 1
    shown = (await street.show()).message
    assert "Ana" in street.channel.messages[shown]


@pytest.mark.parametrize("how", ["press", "command"])
async def test_whoever_calls_from_there_opens_it_at_once(street: Street, how: str) -> None:
    street.channel.faults["send"] = [http_error(403, 50001)]
    with pytest.raises(PlaceClosed):
        await street.show()
    if how == "press":
        street.press(1)
    else:
        street.boards.post_anew(street.home)
    assert (await street.show()).message in street.channel.messages


@pytest.mark.parametrize("place", ["", "abc", "-1", "²"])
async def test_a_place_that_is_none_is_closed(street: Street, place: str) -> None:
    with pytest.raises(PlaceClosed):
        await street.boards.show(Home(TABLE_ID, "discord", place), public(1))
    assert not street.since()


async def test_what_discord_fails_at_is_not_the_place_s_fault(street: Street) -> None:
    street.channel.faults["send"] = [http_error(503, 0, discord.DiscordServerError)]
    with pytest.raises(discord.DiscordServerError):
        await street.show()
    assert not street.boards.is_closed(str(CHANNEL))


async def test_a_lost_answer_is_asked_for_with_the_same_nonce(street: Street) -> None:
    street.channel.faults["send"] = [http_error(503, 0, discord.DiscordServerError)]
    with pytest.raises(discord.DiscordServerError):
        await street.boards.show(street.home, public(1))
    sends: list[str] = []
    send = street.channel.send

    async def noting(*args: Any, **options: Any) -> Any:
        sends.append(options["nonce"])
        return await send(*args, **options)

    street.channel.send = noting  # type: ignore[method-assign]
    street.channel.faults["send"] = [http_error(503, 0, discord.DiscordServerError)]
    with pytest.raises(discord.DiscordServerError):
        await street.boards.show(street.home, public(1))
    await street.boards.show(street.home, public(1))
    assert len(set(sends)) == 1
    assert 1 <= len(sends[0]) <= 25


# deleted messages


async def test_a_deleted_board_comes_back_once_a_minute(street: Street) -> None:
    first = await street.show()
    assert street.boards.deleted(first.message + 5) is None
    assert street.boards.deleted(first.message) is not None
    assert street.boards.deleted(first.message) is None, "told once"
    street.channel.messages.clear()
    second = await street.show()
    assert street.boards.deleted(second.message) is None, "deleted again so soon it is meant"
    street.channel.messages.clear()
    street.time.now += REVIVE_SECONDS + 1
    third = await street.show()
    found = street.boards.deleted(third.message)
    assert found is not None
    assert (found.table_id, found.place) == (TABLE_ID, str(CHANNEL))
    assert street.boards.deleted(third.message) is None


async def test_a_note_that_is_deleted_stays_away(street: Street) -> None:
    await street.show()
    posted = await street.show(note_screen(texts(), table_of(dealt(Seating.ONE_ON_ONE, 1)), 2))
    assert street.boards.deleted(posted.message) is None


async def test_our_own_deletion_is_not_taken_for_somebody_s(street: Street) -> None:
    first = await street.show()
    street.boards.post_anew(street.home)
    await street.show()
    assert street.boards.deleted(first.message) is None


# calls


async def test_each_call_is_sent_once_and_the_one_before_goes(street: Street) -> None:
    first = await street.show(public(1, call=call("a")))
    assert first.notice
    same = await street.show(public(2, call=call("a")))
    assert same.notice == first.notice
    street.again()
    other = await street.show(public(3, call=call("b")))
    assert other.notice != first.notice
    assert street.notices.removed == [first.notice]
    none = await street.show(public(4))
    assert none.notice == 0
    assert street.notices.removed == [first.notice, other.notice]
    assert street.since().count("notice") == 2


@pytest.mark.parametrize("error", [http_error(403, 50013), TimeoutError(), OSError("away")])
async def test_a_call_that_fails_does_not_hold_up_the_table_and_is_sent_later(street: Street, error: Exception) -> None:
    street.channel.faults["notice"] = [error]
    first = await street.show(public(1, call=call("a")))
    assert first.notice == 0
    assert first.message in street.channel.messages
    assert (await street.show(public(2, call=call("a")))).notice


@pytest.mark.parametrize("text", [None, "", "{}", "nonsense", "[]", '{"message":"x"}', "17"])
def test_what_a_home_knows_may_be_nothing(text: str | None) -> None:
    assert read_posted(text) == Posted()


def test_the_roles_that_are_shown_in_channels() -> None:
    assert public(1).role is Role.TABLE
