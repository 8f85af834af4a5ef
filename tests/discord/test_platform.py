"""Discord as a platform: what it can do, and what it does while it is not connected."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest

from adapters.discord.answers import Answers
from adapters.discord.client import RIGHTS, BuracoClient
from adapters.discord.emojis import CardEmojis
from adapters.discord.faults import CLOSED, LATE, POST_ANEW, is_closed, is_late, must_post_anew
from adapters.discord.limits import ALTERNATIVE, CUSTOM_ID
from adapters.discord.people import (
    is_manager,
    is_moderator,
    key_of,
    missing_rights,
    moderated,
    place_key,
    user_of,
)
from adapters.discord.platform import CAPABILITIES, DiscordPlatform, DiscordUnavailable
from adapters.storage.memory import MemoryStore
from bot.announcing import PlaceClosed
from bot.app import App
from bot.clock import SystemClock
from bot.desk import PictureDesk
from bot.model import Home
from bot.presenter.chat import RIGHTS as NAMED_RIGHTS
from bot.texts import texts
from engine.seating import Seating
from tests.bot.tables import TABLE_ID, dealt, public_of
from tests.discord.conftest import dealer
from tests.discord.test_emojis import http_error
from tests.discord.world import FlatRenderer

HOME = Home(TABLE_ID, "discord", "77")


def make_app() -> App:
    """An application over a store in memory."""
    return App(MemoryStore(SystemClock().now_ms), SystemClock(), dealer(), {}, lot=random.Random(1))


@pytest.fixture
async def platform() -> AsyncIterator[DiscordPlatform]:
    """A platform that has not started; where it connects again, it does so at once."""
    platform = DiscordPlatform(make_app(), FlatRenderer(), "token", {}, retry_seconds=(0.0, 0.001))
    yield platform
    await platform.stop()
    await platform.stop()


def test_what_discord_can_do_is_told_within_its_limits() -> None:
    assert CAPABILITIES.name == "discord"
    assert CAPABILITIES.token_length == CUSTOM_ID
    assert CAPABILITIES.alternative_length == ALTERNATIVE
    assert not CAPABILITIES.pushes_hands
    assert 0 < CAPABILITIES.edits_a_minute <= 60


async def test_nothing_is_shown_before_there_is_a_connection(platform: DiscordPlatform) -> None:
    screen = public_of(dealt(Seating.ONE_ON_ONE, 1))
    with pytest.raises(PlaceClosed, match="not connected"):
        await platform.show(HOME, screen)
    platform.make_client()
    with pytest.raises(PlaceClosed, match="not connected"):
        await platform.show(HOME, screen)
    await platform.refresh_hands(TABLE_ID, 3)


async def test_a_client_asks_for_nothing_that_is_privileged_and_mentions_nobody(platform: DiscordPlatform) -> None:
    client = platform.make_client()
    assert not client.intents.members
    assert not client.intents.message_content
    assert not client.intents.presences
    assert client.intents == discord.Intents(guilds=True, guild_messages=True)
    mentions: Any = client.allowed_mentions
    assert mentions.to_dict() == {"parse": []}
    assert client.invitation() == ""
    client._connection.application_id = 5
    address = client.invitation()
    assert f"permissions={RIGHTS.value}" in address
    assert "applications.commands" in address
    assert platform.make_client() is not client


@pytest.mark.parametrize("fault", [http_error(503, 0, discord.DiscordServerError), http_error(429, 30034)], ids=repr)
async def test_commands_that_are_refused_do_not_keep_the_bot_away(
    platform: DiscordPlatform, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    client = platform.make_client()
    client._connection.application_id = 5
    monkeypatch.setattr(client.tree, "sync", AsyncMock(side_effect=fault))
    await client.setup_hook()


@pytest.mark.parametrize("place", ["", "abc", "²", "5"])
async def test_places_that_are_not_known_have_no_name(platform: DiscordPlatform, place: str) -> None:
    assert platform.make_client().place_name(place, texts()) == ""


class Connections:
    """What comes of each attempt to log in and to connect, one after the other; then all goes well."""

    def __init__(self) -> None:
        self.logins: list[BaseException | None] = []
        self.faults: list[BaseException | None] = []
        self.log: list[str] = []
        self.clients: list[discord.Client] = []
        self.stands = asyncio.Event()
        """Set once a connection stands."""


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Connections:
    """Clients that connect to nothing."""
    there = Connections()

    async def login(client: discord.Client, token: str) -> None:
        there.log.append("login")
        there.clients.append(client)
        fault = there.logins.pop(0) if there.logins else None
        if fault is not None:
            raise fault
        user: Any = SimpleNamespace(id=1)
        client._connection.user = user

    async def connect(client: discord.Client, **_: Any) -> None:
        there.log.append("connect")
        if there.faults:
            fault = there.faults.pop(0)
            if fault is None:
                return
            raise fault
        there.stands.set()
        await asyncio.Event().wait()

    async def close(client: discord.Client) -> None:
        there.log.append("close")

    monkeypatch.setattr(BuracoClient, "login", login)
    monkeypatch.setattr(BuracoClient, "connect", connect)
    monkeypatch.setattr(BuracoClient, "close", close)
    return there


async def test_a_token_that_is_refused_ends_the_start_with_advice(
    platform: DiscordPlatform, connections: Connections
) -> None:
    connections.logins = [discord.LoginFailure("no")]
    with pytest.raises(DiscordUnavailable) as caught:
        await platform.start()
    assert "Reset Token" in caught.value.advice
    assert connections.log == ["login", "close"]


@pytest.mark.parametrize(
    "fault",
    [
        OSError("no route"),
        TimeoutError(),
        aiohttp.ServerDisconnectedError(),
        http_error(503, 0, discord.DiscordServerError),
    ],
    ids=repr,
)
async def test_where_discord_is_away_the_start_goes_on_and_tries_again(
    platform: DiscordPlatform, connections: Connections, fault: BaseException
) -> None:
    connections.logins = [fault, fault, fault]
    assert await platform.start() == ""
    await asyncio.wait_for(connections.stands.wait(), 60)
    assert connections.log.count("login") == 4
    assert connections.log[-1] == "connect"
    assert len(set(connections.clients)) == 4, "a client that failed is not used again"


@pytest.mark.parametrize(
    "fault",
    [
        None,
        OSError("lost"),
        discord.ConnectionClosed(SimpleNamespace(close_code=4009), shard_id=None, code=4009),  # type: ignore[arg-type]
        discord.GatewayNotFound(),  # type: ignore[no-untyped-call]
        RuntimeError("something unforeseen"),
    ],
    ids=repr,
)
async def test_a_connection_that_is_lost_is_made_anew(
    platform: DiscordPlatform, connections: Connections, fault: BaseException | None
) -> None:
    connections.faults = [fault]
    await platform.start()
    await asyncio.wait_for(connections.stands.wait(), 60)
    assert connections.log == ["login", "connect", "close", "login", "connect"]
    await platform.stop()
    assert connections.log[-1] == "close"
    with pytest.raises(PlaceClosed):
        await platform.show(HOME, public_of(dealt(Seating.ONE_ON_ONE, 1)))


@pytest.mark.parametrize("fault", [discord.PrivilegedIntentsRequired(None), discord.LoginFailure("revoked")], ids=repr)
async def test_what_no_attempt_can_mend_is_not_tried_again(
    platform: DiscordPlatform, connections: Connections, fault: BaseException
) -> None:
    if isinstance(fault, discord.LoginFailure):
        connections.faults, connections.logins = [OSError("lost")], [None, fault]
    else:
        connections.faults = [fault]
    await platform.start()
    task = platform._connecting
    assert task is not None
    await asyncio.wait_for(asyncio.shield(task), 60)
    assert not connections.stands.is_set()


async def test_a_client_that_does_not_close_holds_nothing_up(
    platform: DiscordPlatform, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stuck(client: discord.Client) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(BuracoClient, "close", stuck)
    monkeypatch.setattr("adapters.discord.platform._CLOSE_SECONDS", 0.01)
    await platform.start()
    await asyncio.wait_for(platform.stop(), 60)


# what refusals mean


def test_every_refusal_means_one_thing() -> None:
    assert not LATE & POST_ANEW
    assert not LATE & CLOSED
    assert not POST_ANEW & CLOSED
    for code in LATE:
        assert is_late(http_error(404, code))  # type: ignore[arg-type]
    for code in POST_ANEW:
        assert must_post_anew(http_error(400, code))  # type: ignore[arg-type]
    for code in CLOSED:
        assert is_closed(http_error(403, code))  # type: ignore[arg-type]
    ours: Any = http_error(400, 50035)
    assert not any(means(ours) for means in (is_late, must_post_anew, is_closed)), "a fault of ours"


# people and rights


def interaction(guild: int | None = 7, **rights: bool) -> Any:
    """An interaction of somebody with these rights."""
    return SimpleNamespace(
        guild_id=guild,
        user=SimpleNamespace(id=5),
        permissions=discord.Permissions(**rights),
        app_permissions=discord.Permissions(**rights),
        channel=None,
    )


@pytest.mark.parametrize(("key", "user"), [("discord:5", 5), ("web:5", None), ("discord:x", None), ("discord", None)])
def test_keys_of_people(key: str, user: int | None) -> None:
    assert user_of(key) == user
    assert user_of(key_of(17)) == 17


@pytest.mark.parametrize(
    ("rights", "moderates", "manages"),
    [
        ({}, False, False),
        ({"send_messages": True, "manage_channels": True}, False, False),
        ({"manage_messages": True}, True, False),
        ({"manage_guild": True}, True, True),
        ({"administrator": True}, True, True),
    ],
)
def test_who_keeps_order(rights: dict[str, bool], moderates: bool, manages: bool) -> None:
    here, alone = interaction(**rights), interaction(None, **rights)
    assert is_moderator(here) is moderates
    assert is_manager(here) is manages
    assert moderated(here) == ("discord:server:7" if moderates else "")
    assert not is_moderator(alone)
    assert not is_manager(alone)
    assert moderated(alone) == ""
    assert place_key(here) != place_key(alone)


def test_missing_rights_can_be_named() -> None:
    assert set(missing_rights(interaction())) == {"view_channel", "send_messages", "attach_files"}
    assert not missing_rights(interaction(administrator=True))
    everything = dict.fromkeys(NAMED_RIGHTS, True)
    assert not missing_rights(interaction(**everything), thread=True)
    assert set(missing_rights(interaction(), thread=True)) <= set(NAMED_RIGHTS)


# acknowledging


@pytest.mark.parametrize(
    ("fault", "there"),
    [(None, True), (http_error(404, 10062, discord.NotFound), False), (http_error(400, 40060), False)],
)
async def test_an_interaction_that_came_too_late_is_known(
    fault: BaseException | None, there: bool, make_answers: Callable[[], Answers]
) -> None:
    deferred: list[dict[str, Any]] = []

    async def defer(**options: Any) -> None:
        deferred.append(options)
        if fault is not None:
            raise fault

    for kind, options in (
        (discord.InteractionType.component, {}),
        (discord.InteractionType.application_command, {"ephemeral": True, "thinking": True}),
    ):
        pressed: Any = SimpleNamespace(type=kind, response=SimpleNamespace(defer=defer))
        assert await make_answers().acknowledge(pressed) is there
        assert deferred.pop() == options


async def test_answered_already_is_answered(make_answers: Callable[[], Answers]) -> None:
    async def defer(**options: Any) -> None:
        raise discord.InteractionResponded(SimpleNamespace())  # type: ignore[arg-type]

    kind = discord.InteractionType.component
    pressed: Any = SimpleNamespace(type=kind, response=SimpleNamespace(defer=defer))
    assert await make_answers().acknowledge(pressed)


@pytest.fixture
async def make_answers() -> AsyncIterator[Callable[[], Answers]]:
    """Makes answers over nothing."""
    desk = PictureDesk(FlatRenderer())
    yield lambda: Answers(make_app(), desk, CardEmojis({}), lambda _, __: "")
    await desk.close()
