"""The fake Discord against the real discord.py: what one sends is what the other takes."""

import asyncio
import io

import aiohttp
import discord
import pytest
from discord.http import Route

from tests.discord.wire.looks import text_of
from tests.discord.wire.people import Outcome, Refused
from tests.discord.wire.sample import PNG, Bot
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import EPHEMERAL, SEND_MESSAGES, V2, VIEW_CHANNEL, Channel


async def table(server: DiscordServer, place: Channel) -> Outcome:
    """Open a table as Ana."""
    return await server.user("Ana").slash(place, "buraco", "nueva", modo="2v2")


async def test_login_sync_and_ready(server: DiscordServer, bot: Bot, place: Channel) -> None:
    assert [item["name"] for item in server.commands] == ["buraco"]
    assert bot.user is not None
    assert bot.user.id == server.bot.id
    assert bot.get_channel(place.id) is not None
    assert server.gateway.identifies[0]["intents"] == bot.intents.value
    assert server.problems == []


async def test_slash_defer_edit_with_layout_and_file(server: DiscordServer, bot: Bot, place: Channel) -> None:
    ana, beto = server.user("Ana"), server.user("Beto")
    outcome = await ana.slash(place, "buraco", "nueva", modo="2v2", rival=beto)
    message = outcome.message
    assert outcome.ack == 5
    assert outcome.delay is not None
    assert outcome.delay < 3
    assert message is not None
    assert message is outcome.ephemeral
    assert message.flags == EPHEMERAL | V2
    assert "mesa de 2v2 contra Beto" in outcome.text()
    assert [item.filename for item in message.attachments] == ["mesa.png"]
    assert message.attachments[0].content == PNG
    media = message.components[0]["components"][1]["items"][0]["media"]
    assert (media["width"], media["height"]) == (2, 3)
    assert await bot.http.get_from_cdn(media["url"]) == PNG
    assert place.messages == {}
    assert not beto.sees(message)
    assert [button.label for button in outcome.buttons][:2] == ["Callar", "Cambiar"]
    assert outcome.selects[0].values == ["a", "b", "c"]
    assert server.problems == []
    assert bot.errors == []


async def test_refusals_of_people(server: DiscordServer, bot: Bot, place: Channel) -> None:
    outcome = await table(server, place)
    ana, beto = server.user("Ana"), server.user("Beto")
    with pytest.raises(Refused, match="disabled"):
        await ana.press(outcome, "Nada")
    with pytest.raises(Refused, match="no button"):
        await ana.press(outcome, "Ganar")
    with pytest.raises(Refused, match="sees no such"):
        await beto.press(outcome, "Callar")
    with pytest.raises(Refused, match="takes 1 to 2"):
        await ana.pick(outcome, "pick", ["a", "b", "c"])
    with pytest.raises(Refused, match="required"):
        await ana.slash(place, "buraco", "nueva")
    with pytest.raises(Refused, match="no command"):
        await ana.slash(place, "canasta")


async def test_components(server: DiscordServer, bot: Bot, place: Channel) -> None:
    ana = server.user("Ana")
    outcome = await table(server, place)
    quiet = await ana.press(outcome, "Callar")
    assert quiet.ack == 6
    assert quiet.message is outcome.message
    assert [text_of(message) for message in quiet.followups] == ["aparte"]
    assert quiet.followups[0].ephemeral
    picked = await ana.pick(outcome, "pick", ["a", "c"])
    assert picked.text() == "elegido ['a', 'c']"
    changed = await ana.press(outcome, custom_id="go:change")
    assert changed.ack == 7
    assert changed.message is outcome.message
    assert changed.message is not None
    assert changed.message.attachments == []
    assert outcome.text() == "cambiado"
    assert server.problems == []
    assert bot.errors == []


async def test_modal(server: DiscordServer, bot: Bot, place: Channel) -> None:
    ana = server.user("Ana")
    opened = await ana.press(await table(server, place), "Formulario")
    assert opened.ack == 9
    assert (await ana.submit(opened, name="Ana")).text() == "hola Ana"
    assert server.problems == []


async def test_a_second_callback_is_refused(server: DiscordServer, bot: Bot, place: Channel) -> None:
    outcome = await server.user("Ana").press(await table(server, place), "Dos")
    assert outcome.ack == 6
    call = server.calls[-1]
    assert (call.status, call.result["code"]) == (400, 40060)


async def test_dm_and_user_install(server: DiscordServer, bot: Bot) -> None:
    ana, beto = server.user("Ana"), server.user("Beto")
    assert (await ana.slash(server.dm(ana), "buraco", "hablar", texto="hola")).text() == "hola"
    assert [text_of(item) for item in server.dm(ana).messages.values()] == ["hola"]
    elsewhere = server.channel(server.guild("Otra", installed=False), "general")
    with pytest.raises(Refused, match="user has installed"):
        await ana.slash(elsewhere, "buraco", "hablar", texto="hola")
    server.commands[0]["integration_types"] = [0, 1]
    for place in (elsewhere, server.private(ana, beto)):
        outcome = await ana.slash(place, "buraco", "hablar", texto="hola")
        assert outcome.text() == "hola"
        with pytest.raises(discord.Forbidden) as caught:
            await bot.get_partial_messageable(place.id).send("hola")
        assert caught.value.code == 50001
    assert bot.errors == []
    assert server.problems == []


async def test_channel_messages_threads_and_dms(server: DiscordServer, bot: Bot, place: Channel) -> None:
    channel = bot.get_channel(place.id)
    assert isinstance(channel, discord.TextChannel)
    first = await channel.send("uno", nonce="n1")
    again = await channel.send("uno", nonce="n1")
    assert first.id == again.id
    await first.edit(content="dos")
    assert (await channel.fetch_message(first.id)).content == "dos"
    thread = await first.create_thread(name="hilo")
    await thread.send("dentro")
    other = await channel.create_thread(name="otro", type=discord.ChannelType.public_thread)
    assert [item.name for item in await channel.guild.active_threads()] == ["hilo", "otro"]
    await other.edit(archived=True)
    user = await bot.fetch_user(server.user("Ana").id)
    await user.send("hola")
    await first.delete()
    with pytest.raises(discord.NotFound) as caught:
        await channel.fetch_message(first.id)
    assert caught.value.code == 10008
    assert [item.content async for item in channel.history()] == []
    assert server.problems == []


@pytest.mark.parametrize(("lost", "code"), [(VIEW_CHANNEL, 50001), (SEND_MESSAGES, 50013)])
async def test_permissions(server: DiscordServer, bot: Bot, place: Channel, lost: int, code: int) -> None:
    place.bot_permissions &= ~lost
    with pytest.raises(discord.Forbidden) as caught:
        await bot.get_partial_messageable(place.id).send("hola")
    assert caught.value.code == code


async def test_closed_dm_and_unknown_channel(server: DiscordServer, bot: Bot) -> None:
    ana = server.user("Ana")
    ana.dms_closed = True
    with pytest.raises(discord.Forbidden) as closed:
        await bot.get_partial_messageable(server.dm(ana).id).send("hola")
    assert closed.value.code == 50007
    with pytest.raises(discord.NotFound) as unknown:
        await bot.fetch_channel(1)
    assert unknown.value.code == 10003


async def test_time(server: DiscordServer, bot: Bot, place: Channel) -> None:
    target = bot.get_partial_messageable(place.id)
    message = await target.send("hola")
    outcome = await table(server, place)
    server.advance(901)
    hook = f"/webhooks/{server.bot.id}/{outcome.interaction.token}/messages/@original"
    with pytest.raises(discord.HTTPException) as expired:
        await bot.http.request(Route("PATCH", hook), json={"content": "tarde"})
    assert (expired.value.status, expired.value.code) == (401, 50027)
    server.advance(3600)
    server.old_edits = 1
    await message.edit(content="una")
    with pytest.raises(discord.HTTPException) as spent:
        await message.edit(content="dos")
    assert spent.value.code == 30046
    assert server.problems == []


async def test_late_callback(server: DiscordServer, bot: Bot, place: Channel) -> None:
    server.ack_window, server.patience = -1.0, 0.3
    outcome = await server.user("Ana").slash(place, "buraco", "hablar", texto="hola")
    assert outcome.ack is None
    assert server.calls[-1].result["code"] == 10062
    assert len(bot.errors) == 1


async def test_what_is_forgotten(server: DiscordServer, bot: Bot, place: Channel, at_once: None) -> None:
    """A bot that was away for less than what is remembered resumes; one that was away for longer begins anew."""
    ana = server.user("Ana")
    told = [await ana.slash(place, "buraco", "hablar", texto="hola") for _ in range(4)]
    (session,) = server.gateway.sessions.values()
    sent = session.sent
    server.forget(2)
    assert (len(session.log), session.sent) == (2, sent)
    assert (len(server.calls), len(server.interactions)) == (2, 2)
    known = [server.interaction_of(outcome.interaction.token) is not None for outcome in told]
    assert known == [False, False, True, True]
    server.drop()
    assert (await ana.slash(place, "buraco", "hablar", texto="sigo aquí")).text() == "sigo aquí"
    assert (server.gateway.resumes, len(server.gateway.identifies)) == (1, 1)
    server.drop()
    assert place.guild is not None
    for name in "abc":
        server.channel(place.guild, name)
    server.forget(2)
    await server.until(lambda: len(server.gateway.identifies) == 2)
    assert server.gateway.resumes == 1
    await server.connected()
    assert (await ana.slash(place, "buraco", "hablar", texto="otra vez")).text() == "otra vez"
    assert server.problems == []


async def test_resume_after_drop(server: DiscordServer, bot: Bot, place: Channel) -> None:
    server.drop()
    outcome = await server.user("Ana").slash(place, "buraco", "hablar", texto="sigo aquí")
    assert outcome.text() == "sigo aquí"
    assert server.gateway.resumes == 1
    assert bot.seen == ["resumed"]
    server.gateway.reconnect()
    await server.until(lambda: server.gateway.resumes == 2)
    server.drop(4000, resumable=False)
    await server.connected()
    assert len(server.gateway.identifies) == 2
    assert (await server.user("Ana").slash(place, "buraco", "hablar", texto="otra vez")).text() == "otra vez"
    assert server.problems == []


@pytest.mark.parametrize("everywhere", [False, True])
async def test_rate_limit(server: DiscordServer, bot: Bot, place: Channel, everywhere: bool) -> None:
    server.fail("POST", "/channels/{channel_id}/messages", 429, times=2, retry_after=0.02, everywhere=everywhere)
    await bot.get_partial_messageable(place.id).send("hola")
    assert [call.status for call in server.calls_to("POST", "/channels")] == [429, 429, 200]
    assert server.problems == []


async def test_faults(server: DiscordServer, bot: Bot, place: Channel) -> None:
    target = bot.get_partial_messageable(place.id)
    server.fail("POST", "/channels", 503)
    with pytest.raises(discord.DiscordServerError):
        await target.send("hola")
    server.fail("POST", "/channels", drop=True, applied=True)
    with pytest.raises((OSError, aiohttp.ClientError)):
        await target.send("hola", nonce="n1")
    await target.send("hola", nonce="n1")
    assert len(place.messages) == 1


async def test_emojis(server: DiscordServer, bot: Bot) -> None:
    emoji = await bot.create_application_emoji(name="picas", image=PNG)
    assert [item.name for item in await bot.fetch_application_emojis()] == ["picas"]
    with pytest.raises(discord.HTTPException) as taken:
        await bot.create_application_emoji(name="picas", image=PNG)
    assert taken.value.code == 50035
    await emoji.delete()
    assert server.emojis == {}


@pytest.mark.parametrize(
    ("token", "intents", "error"),
    [
        ("wrong", discord.Intents.none(), discord.LoginFailure),
        (None, discord.Intents(guilds=True, message_content=True), discord.PrivilegedIntentsRequired),
    ],
)
async def test_rejected_logins(
    server: DiscordServer, token: str | None, intents: discord.Intents, error: type[Exception]
) -> None:
    bot = Bot(intents)
    with pytest.raises(error):
        await bot.start(token or server.bot_token)
    await bot.close()


async def test_an_unknown_route_is_a_problem(server: DiscordServer, bot: Bot) -> None:
    with pytest.raises(discord.NotFound):
        await bot.http.request(Route("GET", "/no/such/thing"))
    assert server.problems == ["unknown route: GET /no/such/thing"]
    with pytest.raises(AssertionError, match="unknown route"):
        server.check()


async def test_autocomplete(server: DiscordServer, bot: Bot, place: Channel) -> None:
    outcome = await server.user("Ana").autocomplete(place, "buraco", "nueva", focus="modo", modo="2")
    assert (outcome.ack, outcome.choices) == (8, [{"name": "2v2", "value": "2v2"}])
    with pytest.raises(Refused, match="no autocompletion"):
        await server.user("Ana").autocomplete(place, "buraco", "nueva", focus="rival")


async def test_a_late_press_and_a_dismissed_message(server: DiscordServer, bot: Bot, place: Channel) -> None:
    ana = server.user("Ana")
    outcome = await table(server, place)
    message = outcome.message
    assert message is not None
    await ana.press(outcome, "Cambiar")
    with pytest.raises(Refused):
        await ana.press(outcome, custom_id="go:gone")
    server.patience = 0.1
    assert (await ana.press(outcome, custom_id="go:gone", stale=True)).ack is None
    ana.dismiss(message)
    assert outcome.message is None
    hook = f"/webhooks/{server.bot.id}/{outcome.interaction.token}/messages/@original"
    with pytest.raises(discord.NotFound) as caught:
        await bot.http.request(Route("GET", hook))
    assert caught.value.code == 10008
    with pytest.raises(discord.NotFound) as unknown:
        await bot.http.request(Route("POST", f"/webhooks/{server.bot.id}/nothing"), json={"content": "x"})
    assert unknown.value.code == 10015


async def test_events(server: DiscordServer, bot: Bot, place: Channel) -> None:
    ana = server.user("Ana")
    await ana.say(place, "hola, bot")
    said = await ana.say(server.dm(ana), "a solas")
    server.delete_message(said)
    server.channel(place.guild or server.guild("Otra"), "nuevo")
    late = server.guild("Nueva")
    await server.until(lambda: bot.get_guild(late.id) is not None)
    server.remove_bot(late)
    await server.until(lambda: bot.get_guild(late.id) is None)
    assert bot.seen == ["", "a solas"]
    assert [item.name for item in bot.get_all_channels()] == ["general", "nuevo"]


async def test_mentions(server: DiscordServer, bot: Bot, place: Channel) -> None:
    ana, target = server.user("Ana"), bot.get_partial_messageable(place.id)
    await target.send(f"<@{ana.id}>", allowed_mentions=discord.AllowedMentions.none())
    await target.send(f"<@{ana.id}>")
    assert [message.pinged for message in place.messages.values()] == [[], [ana]]


async def test_kept_attachments(server: DiscordServer, bot: Bot, place: Channel) -> None:
    target = bot.get_partial_messageable(place.id)
    sent = await target.send(files=[discord.File(io.BytesIO(PNG), name) for name in ("a.png", "b.png")])
    await sent.edit(attachments=[sent.attachments[1], discord.File(io.BytesIO(PNG), "c.png")])
    assert [item.filename for item in place.messages[sent.id].attachments] == ["b.png", "c.png"]
    await sent.edit(content="igual")
    assert [item.filename for item in place.messages[sent.id].attachments] == ["b.png", "c.png"]
    server.attachment_limit = 10
    with pytest.raises(discord.HTTPException) as caught:
        await target.send(file=discord.File(io.BytesIO(PNG), "d.png"))
    assert (caught.value.status, caught.value.code) == (413, 40005)
    assert server.refused == [server.calls[-1]]


async def test_threads_are_places(server: DiscordServer, bot: Bot, place: Channel) -> None:
    thread = server.thread(place, "mesa")
    await server.user("Ana").slash(thread, "buraco", "hablar", texto="hola")
    assert [text_of(message) for message in thread.messages.values()] == ["hola"]
    thread.archived = True
    with pytest.raises(discord.HTTPException) as caught:
        await bot.get_partial_messageable(thread.id).get_partial_message(max(thread.messages)).edit(content="x")
    assert caught.value.code == 50083


async def test_a_bot_that_has_gone(server: DiscordServer, place: Channel) -> None:
    bot = Bot(discord.Intents(guilds=True))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(bot.start(server.bot_token))
        await server.connected()
        await bot.wait_until_ready()
        await bot.close()
    await server.until(lambda: not server.gateway.connected)
    server.patience = 0.1
    assert (await table(server, place)).ack is None


async def test_invalid_session(server: DiscordServer, bot: Bot, place: Channel) -> None:
    server.gateway.invalidate()
    await server.until(lambda: len(server.gateway.identifies) == 2)
    await server.connected()
    assert (await server.user("Ana").slash(place, "buraco", "hablar", texto="hola")).text() == "hola"
