"""The emojis of the application: uploaded where missing, used as far as they are there, never in the way."""

import asyncio
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, create_autospec

import aiohttp
import discord
import pytest
from structlog.testing import capture_logs

from adapters.discord.emojis import CardEmojis

CODES = ("7h", "Th", "JK", "back0")


def names(version: int = 2) -> list[str]:
    """The names of one version of the drawings."""
    return [f"buraco_{code}_{version}" for code in CODES]


def drawings(version: int = 2) -> dict[str, Callable[[], bytes]]:
    """How to draw each of them."""
    return {name: name.encode for name in names(version)}


def http_error(status: int, code: int, kind: type[discord.HTTPException] = discord.HTTPException) -> Exception:
    """What discord.py raises for a refused request."""
    response = Mock(spec=aiohttp.ClientResponse, status=status, reason="refused")
    return kind(response, {"code": code, "message": "refused"})


class FakeApplication:
    """The emojis that Discord keeps for an application, behind a client with discord.py's own signatures."""

    def __init__(self, *there: str) -> None:
        self.names: dict[int, str] = dict(enumerate(there, 100))
        self.images: dict[str, bytes] = {}
        self.deleted: list[str] = []
        self.fail: dict[str, BaseException] = {}
        """By the name of the emoji that is being uploaded or deleted."""
        self.fetching: BaseException | None = None
        self.client: Any = create_autospec(discord.Client, instance=True)
        self.client.fetch_application_emojis.side_effect = self._fetch
        self.client.create_application_emoji.side_effect = self._create
        http = SimpleNamespace(delete_application_emoji=self._delete)
        self._state: Any = SimpleNamespace(application_id=1, http=http)

    @property
    def uploads(self) -> int:
        """How many uploads were tried."""
        return int(self.client.create_application_emoji.await_count)

    def _emoji(self, number: int) -> discord.Emoji:
        data: Any = {"id": str(number), "name": self.names[number], "require_colons": True, "managed": False}
        return discord.Emoji(guild=discord.Object(0), state=self._state, data=data)

    async def _fetch(self) -> list[discord.Emoji]:
        if self.fetching:
            raise self.fetching
        return [self._emoji(number) for number in self.names]

    async def _create(self, *, name: str, image: bytes) -> discord.Emoji:
        await asyncio.sleep(0)
        if name in self.fail:
            raise self.fail[name]
        assert name not in self.names.values(), "names are unique"
        number = max(self.names, default=99) + 1
        self.names[number] = name
        self.images[name] = image
        return self._emoji(number)

    async def _delete(self, _: int, number: int) -> None:
        name = self.names[number]
        if name in self.fail:
            raise self.fail[name]
        del self.names[number]
        self.deleted.append(name)


async def load(application: FakeApplication, draw: Mapping[str, Callable[[], bytes]]) -> tuple[CardEmojis, list[Any]]:
    """Load once; returns the emojis and the warnings that were logged."""
    emojis = CardEmojis(draw)
    with capture_logs() as logs:
        await emojis.load(application.client)
    return emojis, [entry for entry in logs if entry["log_level"] != "info"]


async def test_all_are_uploaded_where_there_is_none() -> None:
    application = FakeApplication("logo", "buraco_logo_1")
    emojis, warnings = await load(application, drawings())
    assert application.images == {name: name.encode() for name in names()}
    assert not warnings
    assert emojis.of("7h") == discord.PartialEmoji(name="buraco_7h_2", id=102)
    assert emojis.text("7h") == "<:buraco_7h_2:102>"
    assert emojis.back(0) == discord.PartialEmoji(name="buraco_back0_2", id=105)
    assert not application.deleted


async def test_only_the_missing_ones_are_uploaded() -> None:
    application = FakeApplication("buraco_Th_2", "buraco_JK_2")
    emojis, _ = await load(application, drawings())
    assert list(application.images) == ["buraco_7h_2", "buraco_back0_2"]
    assert emojis.text("Th") == "<:buraco_Th_2:100>"
    again, _ = await load(application, drawings())
    assert application.uploads == 2
    assert [again.text(code) for code in CODES] == [emojis.text(code) for code in CODES]
    assert all(again.text(code) for code in CODES)


async def test_before_loading_and_for_unknown_cards_there_is_none() -> None:
    emojis = CardEmojis(drawings())
    assert (emojis.of("7h"), emojis.back(0), emojis.text("7h")) == (None, None, "")
    await emojis.load(FakeApplication().client)
    assert (emojis.of("8h"), emojis.back(1), emojis.text("8h")) == (None, None, "")


@pytest.mark.parametrize(
    "failure",
    [
        http_error(400, 30008),
        http_error(429, 0),
        http_error(403, 50013, discord.Forbidden),
        http_error(503, 0, discord.DiscordServerError),
        discord.RateLimited(3600.0),
        aiohttp.ServerDisconnectedError(),
        OSError("network unreachable"),
        TimeoutError(),
    ],
    ids=repr,
)
async def test_the_first_failure_ends_the_upload_and_is_logged_once(failure: Exception) -> None:
    application = FakeApplication("buraco_back0_1")
    application.fail["buraco_JK_2"] = failure
    emojis, warnings = await load(application, drawings())
    assert list(application.images) == ["buraco_7h_2", "buraco_Th_2"]
    assert application.uploads == 3
    assert [entry["event"] for entry in warnings] == ["emojis_incomplete"]
    assert (warnings[0]["there"], warnings[0]["wanted"]) == (2, 4)
    assert warnings[0]["code"] == getattr(failure, "code", None)
    assert emojis.text("7h")
    assert not emojis.text("JK")
    assert emojis.text("back0") == "<:buraco_back0_1:100>", "an older drawing is better than none"
    assert not application.deleted
    application.fail.clear()
    await emojis.load(application.client)
    assert application.uploads == 5
    assert emojis.of("JK") is not None
    assert application.deleted == ["buraco_back0_1"]


async def test_where_nothing_can_be_fetched_nothing_is_uploaded() -> None:
    application = FakeApplication()
    application.fetching = discord.app_commands.MissingApplicationID()
    emojis, warnings = await load(application, drawings())
    assert len(warnings) == 1
    assert application.uploads == 0
    assert emojis.of("7h") is None


async def test_a_drawing_that_fails_ends_the_upload() -> None:
    def broken() -> bytes:
        raise RuntimeError("no fonts")

    application = FakeApplication()
    emojis, warnings = await load(application, {**drawings(), "buraco_Th_2": broken})
    assert len(warnings) == 1
    assert list(application.images) == ["buraco_7h_2"]
    assert emojis.of("7h") is not None


async def test_older_drawings_are_deleted_once_all_new_ones_are_there() -> None:
    application = FakeApplication(*names(1), "buraco_7h_0", "buraco_7h_3", "buraco_9x_1", "buraco_logo_1", "logo")
    emojis, warnings = await load(application, drawings())
    assert not warnings
    assert sorted(application.deleted) == sorted([*names(1), "buraco_7h_0"])
    assert sorted(application.names.values()) == sorted(
        [*names(2), "buraco_7h_3", "buraco_9x_1", "buraco_logo_1", "logo"]
    )
    assert [emoji.name for code in CODES if (emoji := emojis.of(code))] == names(2)


async def test_an_older_drawing_that_is_gone_already_does_not_matter() -> None:
    application = FakeApplication(*names(1), *names(2))
    application.fail["buraco_7h_1"] = http_error(404, 10014, discord.NotFound)
    _, warnings = await load(application, drawings())
    assert not warnings
    assert application.deleted == names(1)[1:]


async def test_a_refused_deletion_is_logged_and_the_new_ones_are_used() -> None:
    application = FakeApplication(*names(1), *names(2))
    application.fail["buraco_7h_1"] = http_error(403, 50013, discord.Forbidden)
    emojis, warnings = await load(application, drawings())
    assert len(warnings) == 1
    assert not application.deleted
    assert [emoji.name for code in CODES if (emoji := emojis.of(code))] == names(2)


async def test_what_was_uploaded_before_a_cancellation_is_used_at_the_next_start() -> None:
    application = FakeApplication()
    application.fail["buraco_JK_2"] = asyncio.CancelledError()
    emojis = CardEmojis(drawings())
    with pytest.raises(asyncio.CancelledError):
        await emojis.load(application.client)
    assert emojis.text("Th")
    application.fail.clear()
    await load(application, drawings())
    assert application.uploads == 5
    assert sorted(application.names.values()) == sorted(names())


async def test_two_loads_at_once_upload_nothing_twice() -> None:
    application = FakeApplication()
    emojis = CardEmojis(drawings())
    await asyncio.gather(emojis.load(application.client), emojis.load(application.client))
    assert application.uploads == len(CODES)


def test_a_name_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="logo"):
        CardEmojis({"logo": bytes})
