"""The limits of Discord that the fake enforces."""

import aiohttp
import discord
import pytest
from discord.http import Route

from tests.discord.wire.openapi import check_body, openapi
from tests.discord.wire.sample import Bot, board
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import EPHEMERAL, V2, Channel, Interaction, Json


def row(*components: Json) -> list[Json]:
    """Return an action row as the only component."""
    return [{"type": 1, "components": list(components)}]


BUTTON: Json = {"type": 2, "style": 1, "label": "x", "custom_id": "a"}
OPTION: Json = {"label": "x", "value": "x"}
SELECT: Json = {"type": 3, "custom_id": "s", "options": [OPTION]}
TEXT: Json = {"type": 10, "content": "x"}
LINK: Json = {"media": {"url": "https://a.b"}}
MANY: list[Json] = [{"label": "x", "value": str(number)} for number in range(26)]

WRONG: dict[str, list[Json]] = {
    "label": row({**BUTTON, "label": "x" * 81}),
    "no label": row({**BUTTON, "label": None}),
    "custom id": row({**BUTTON, "custom_id": "x" * 101}),
    "custom ids": row(BUTTON, BUTTON),
    "six buttons": row(*({**BUTTON, "custom_id": str(number)} for number in range(6))),
    "select and button": row(SELECT, BUTTON),
    "values": row({**SELECT, "options": [OPTION, OPTION]}),
    "options": row({**SELECT, "options": MANY}),
    "no options": row({**SELECT, "options": []}),
    "max": row({**SELECT, "max_values": 2}),
    "min": row({**SELECT, "options": MANY[:3], "min_values": 3, "max_values": 2}),
    "placeholder": row({**SELECT, "placeholder": "x" * 151}),
    "option label": row({**SELECT, "options": [{**OPTION, "label": "x" * 101}]}),
    "description": row({**SELECT, "options": [{**OPTION, "description": "x" * 101}]}),
    "emoji": row({**BUTTON, "emoji": {"id": "1", "name": "x"}}),
    "forty": [TEXT] * 41,
    "forty nested": [{"type": 17, "components": [TEXT] * 39}, TEXT],
    "text": [{"type": 10, "content": "x" * 2001}] * 2,
    "attachment": [{"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}],
    "alt": [{"type": 12, "items": [{**LINK, "description": "x" * 1025}]}],
    "gallery": [{"type": 12, "items": [LINK] * 11}],
    "nested container": [{"type": 17, "components": [{"type": 17, "components": [TEXT]}]}],
}
WRONG_BODIES: dict[str, Json] = {
    **{name: {"flags": V2, "components": components} for name, components in WRONG.items()},
    "content": {"content": "x" * 2001},
    "v2 content": {"flags": V2, "components": [TEXT], "content": "x"},
    "no flag": {"components": [TEXT]},
    "ephemeral": {"flags": EPHEMERAL, "content": "x"},
}


async def test_wrong_limits(server: DiscordServer, bot: Bot, place: Channel) -> None:
    for name, body in WRONG_BODIES.items():
        with pytest.raises(discord.HTTPException) as caught:
            await bot.http.request(Route("POST", f"/channels/{place.id}/messages"), json=body)
        assert (name, caught.value.status, caught.value.code) == (name, 400, 50035)
    server.problems.clear()
    assert place.messages == {}


async def test_the_v2_flag_stays(server: DiscordServer, bot: Bot, place: Channel) -> None:
    sent = await bot.get_partial_messageable(place.id).send(view=board("hola"))
    for body in ({"flags": 0}, {"content": "x"}):
        with pytest.raises(discord.HTTPException) as caught:
            await bot.http.request(Route("PATCH", f"/channels/{place.id}/messages/{sent.id}"), json=body)
        assert caught.value.code == 50035
    with pytest.raises(discord.HTTPException) as empty:
        await bot.http.request(Route("PATCH", f"/channels/{place.id}/messages/{sent.id}"), json={"components": []})
    assert empty.value.code == 50006


CALLBACKS: list[Json] = [
    {"type": 5, "data": {"flags": EPHEMERAL | V2}},
    {"type": 6},
    {"type": 8, "data": {"choices": []}},
    {"type": 9, "data": {"title": "x" * 46, "custom_id": "m", "components": [TEXT]}},
    {"type": 4, "data": {"flags": EPHEMERAL, "content": "x" * 2001}},
]


async def test_wrong_callbacks_leave_the_interaction_open(server: DiscordServer, place: Channel) -> None:
    bot = discord.Client(intents=discord.Intents.none())
    async with bot:
        await bot.login(server.bot_token)
        ana = server.user("Ana")
        interaction = Interaction(server.snowflake(), server.token(), 2, ana, place, server.now())
        server.begin(interaction)
        route = Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
        for body in CALLBACKS:
            with pytest.raises(discord.HTTPException) as caught:
                await bot.http.request(route, json=body)
            assert (body["type"], caught.value.code) == (body["type"], 50035)
        assert interaction.state == "unacknowledged"
        await bot.http.request(route, json={"type": 5})
        assert interaction.state == "deferred"
        hook = f"/webhooks/{server.bot.id}/{interaction.token}"
        await bot.http.request(Route("POST", hook), json={"content": "x"})
        assert interaction.state == "answered"
        assert interaction.followups == []


@pytest.mark.parametrize(
    ("identify", "code"),
    [
        ({"token": "wrong", "intents": 0}, 4004),
        ({"token": "wire-token"}, 4013),
        ({"token": "wire-token", "intents": 1 << 15}, 4014),
    ],
)
async def test_the_gateway_hangs_up(server: DiscordServer, identify: Json, code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": identify})
        await socket.receive()
        assert socket.close_code == code


@pytest.mark.skipif(openapi is None, reason="the description of the API is not at hand")
def test_openapi() -> None:
    assert check_body("POST", "/channels/1/messages", {"content": "x", "attachments": [{"id": 0}]}) == []
    assert check_body("POST", "/interactions/1/t/callback", {"type": 6}) == []
    found = check_body("POST", "/channels/1/messages", WRONG_BODIES["label"])
    assert len(found) == 1
    assert "components.0.components.0.label" in found[0]
