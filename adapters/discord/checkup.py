"""Looking at the application and at the bot's rights in its servers, without connecting: for ``buraco doctor``."""

from typing import Any, Final

import discord
from discord.http import HTTPClient, Route

from adapters.discord.faults import FAILURES
from adapters.discord.platform import DiscordUnavailable
from bot.presenter.chat import RIGHTS

_PAGE: Final = 200
_SHOWN: Final = 5


async def check(token: str, api: str | None = None) -> str:
    """Who the bot is, in how many servers, and that it has its rights in each.

    Raises:
        DiscordUnavailable: the token is refused, Discord cannot be reached, or rights are missing in some server.
    """
    if api is not None:
        Route.BASE = api.rstrip("/")
    client = discord.Client(intents=discord.Intents.none())
    try:
        await client.login(token)
        servers = await _servers(client.http)
    except discord.LoginFailure:
        raise DiscordUnavailable(
            "DISCORD_TOKEN is not accepted by Discord",
            "copy the bot's token again from the Developer Portal (Bot, Reset Token)",
        ) from None
    except FAILURES as error:
        raise DiscordUnavailable(f"Discord cannot be reached ({error})", "look at the network and try again") from None
    finally:
        await client.close()
    lacking = [f"{name}: {', '.join(rights)}" for name, rights in servers if rights]
    if lacking:
        more = f" and {len(lacking) - _SHOWN} more servers" if len(lacking) > _SHOWN else ""
        raise DiscordUnavailable(
            f"{client.user} lacks rights in {'; '.join(lacking[:_SHOWN])}{more}",
            "invite it again with the link in README.md, or give its role these rights",
        )
    return f"{client.user}, in {len(servers)} servers with all its rights"


async def _servers(http: HTTPClient) -> list[tuple[str, list[str]]]:
    """The servers, each with the rights that the bot lacks there."""
    found: list[tuple[str, list[str]]] = []
    after: int | None = None
    while True:
        page: list[Any] = await http.get_guilds(_PAGE, after=after)
        for guild in page:
            rights = discord.Permissions(int(guild["permissions"]))
            missing = [name for name in RIGHTS if not getattr(rights, name)]
            found.append((str(guild["name"]), [] if rights.administrator else missing))
        if len(page) < _PAGE:
            return found
        after = int(page[-1]["id"])
