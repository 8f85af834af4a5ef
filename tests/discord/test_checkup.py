"""The doctor's look at Discord: who the bot is, where it is, and what it lacks; every problem comes with advice."""

from typing import Any

import aiohttp
import discord
import pytest
from discord.http import HTTPClient, Route

from adapters.discord import checkup
from adapters.discord.checkup import check
from adapters.discord.client import RIGHTS
from adapters.discord.platform import DiscordUnavailable
from tests.discord.test_emojis import http_error

ADMINISTRATOR = discord.Permissions(administrator=True)
USER = {"id": "1", "username": "buraco", "discriminator": "0", "avatar": None, "bot": True, "public_flags": 0}
APPLICATION = {
    "id": "1",
    "name": "Buraco",
    "icon": None,
    "description": "",
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "0",
    "flags": 0,
    "owner": USER,
}


class Api:
    """What Discord answers."""

    def __init__(self) -> None:
        self.guilds: list[dict[str, Any]] = []
        self.fault: BaseException | None = None
        self.fault_on_guilds: BaseException | None = None
        self.pages: list[int | None] = []
        self.closed = 0

    def join(self, name: str, rights: discord.Permissions = RIGHTS) -> None:
        """Put the bot in a server."""
        guild_id = str(1000 + len(self.guilds))
        self.guilds.append({"id": guild_id, "name": name, "permissions": str(rights.value)})

    async def static_login(self, token: str) -> dict[str, Any]:
        """Log in."""
        if self.fault is not None:
            raise self.fault
        return USER

    async def application_info(self) -> dict[str, Any]:
        """The application."""
        return APPLICATION

    async def get_guilds(self, limit: int, before: int | None = None, after: int | None = None) -> Any:
        """A page of servers."""
        if self.fault_on_guilds is not None:
            raise self.fault_on_guilds
        self.pages.append(after)
        later = [guild for guild in self.guilds if after is None or int(guild["id"]) > after]
        return later[:limit]


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Api:
    """Discord's answers in place of its servers."""
    api = Api()
    for name in ("static_login", "application_info", "get_guilds"):
        answer = getattr(api, name)
        monkeypatch.setattr(HTTPClient, name, lambda _, *args, answer=answer, **kwargs: answer(*args, **kwargs))

    close = discord.Client.close

    async def closing(client: discord.Client) -> None:
        api.closed += 1
        await close(client)

    monkeypatch.setattr(discord.Client, "close", closing)
    return api


async def test_all_is_well(api: Api) -> None:
    assert await check("token") == "buraco, in 0 servers with all its rights"
    api.join("Uno")
    api.join("Dos", ADMINISTRATOR)
    assert await check("token") == "buraco, in 2 servers with all its rights"
    assert api.closed == 2


async def test_missing_rights_are_named_with_their_server(api: Api) -> None:
    api.join("Uno")
    lacking = discord.Permissions(RIGHTS.value)
    lacking.update(attach_files=False, view_channel=False)
    api.join("Dos", lacking)
    with pytest.raises(DiscordUnavailable) as caught:
        await check("token")
    assert "Dos: " in caught.value.problem
    assert "attach_files" in caught.value.problem
    assert "view_channel" in caught.value.problem, "as Discord calls it"
    assert "Uno" not in caught.value.problem
    assert "invite it again" in caught.value.advice
    assert api.closed == 1


async def test_many_servers_that_lack_something_are_counted(api: Api) -> None:
    for number in range(8):
        api.join(f"Servidor {number}", discord.Permissions.none())
    with pytest.raises(DiscordUnavailable, match="and 3 more servers"):
        await check("token")


async def test_servers_are_read_page_by_page(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "_PAGE", 2)
    for number in range(5):
        api.join(str(number))
    assert "in 5 servers" in await check("token")
    assert api.pages == [None, 1001, 1003]
    api.pages.clear()
    api.guilds = api.guilds[:4]
    assert "in 4 servers" in await check("token")
    assert api.pages == [None, 1001, 1003], "a full page may be the last"


async def test_a_token_that_is_refused(api: Api) -> None:
    api.fault = discord.LoginFailure("no")
    with pytest.raises(DiscordUnavailable) as caught:
        await check("token")
    assert "not accepted" in caught.value.problem
    assert "Reset Token" in caught.value.advice
    assert "token" not in str(caught.value.__cause__)
    assert api.closed == 1


@pytest.mark.parametrize(
    "fault",
    [
        OSError("no route"),
        TimeoutError(),
        aiohttp.ServerDisconnectedError(),
        http_error(503, 0, discord.DiscordServerError),
        http_error(429, 0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("where", ["fault", "fault_on_guilds"])
async def test_discord_is_away(api: Api, fault: BaseException, where: str) -> None:
    setattr(api, where, fault)
    with pytest.raises(DiscordUnavailable, match="cannot be reached"):
        await check("token")
    assert api.closed == 1


async def test_another_server_may_stand_for_discord(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    await check("token", "http://localhost:8080/api/v10/")
    assert Route.BASE == "http://localhost:8080/api/v10"


def test_the_rights_that_are_checked_are_those_of_the_invitation() -> None:
    from bot.presenter.chat import RIGHTS as NAMED
    from bot.presenter.chat import right_name
    from bot.texts import texts

    assert discord.Permissions(**dict.fromkeys(NAMED, True)) == RIGHTS
    assert all(right_name(texts(), right) for right in NAMED)
    assert not RIGHTS.administrator
    assert not RIGHTS.manage_messages
