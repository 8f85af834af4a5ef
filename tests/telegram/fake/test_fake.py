"""The simulated Bot API as the real python-telegram-bot sees it: updates, presses and trouble."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from telegram import (
    Bot,
    InlineQueryResultArticle,
    InputMediaPhoto,
    InputTextMessageContent,
    Update,
)
from telegram.error import BadRequest, Conflict, NetworkError, RetryAfter, TimedOut
from telegram.ext import Application, ApplicationBuilder, TypeHandler

from tests.telegram.fake import BotApi
from tests.telegram.fake.samples import Clock, keys, png

Handle = Callable[[Update, Bot], Awaitable[None]]


def builder(server: BotApi) -> Any:
    """Prepare an application for this server."""
    return ApplicationBuilder().token(server.token).base_url(server.base_url).base_file_url(server.base_file_url)


@asynccontextmanager
async def polling(server: BotApi, handle: Handle) -> AsyncIterator[Application[Any, Any, Any, Any, Any, Any]]:
    """Run an application that polls."""
    app = builder(server).build()

    async def on_update(update: Update, context: Any) -> None:
        await handle(update, context.bot)

    app.add_handler(TypeHandler(Update, on_update))
    async with app:
        await app.start()
        await app.updater.start_polling(poll_interval=0, timeout=5, allowed_updates=Update.ALL_TYPES)
        try:
            yield app
        finally:
            await app.updater.stop()
            await app.stop()


async def table(update: Update, bot: Bot) -> None:
    """Be a tiny game: a picture with buttons, changed at each press."""
    if update.callback_query:
        query = update.callback_query
        await query.answer(f"You pressed {query.data}", show_alert=query.data == "loud")
        if query.inline_message_id:
            await query.edit_message_text("over")
            return
        await query.edit_message_media(InputMediaPhoto(png(40), caption=f"<b>{query.data}</b>", parse_mode="HTML"))
    elif update.inline_query:
        texts = [InputTextMessageContent(f"<i>{name}</i>", parse_mode="HTML") for name in ("muerto", "canasta")]
        results = [InlineQueryResultArticle(t.message_text, t.message_text[3:-4], t, keys("ok")) for t in texts]
        await update.inline_query.answer(results, cache_time=0, is_personal=True)
    elif update.message and (update.message.text or "").startswith("/"):
        await update.message.reply_photo(png(), caption="hand", reply_markup=keys("draw", "loud"))


async def test_a_person_starts_presses_and_sees_the_picture_change(server: BotApi) -> None:
    ana = server.user("Ana", language="es")
    async with polling(server, table):
        await ana.starts("j_42")
        await server.quiet(200)
        (hand,) = ana.inbox
        assert (hand.caption, hand.labels, hand.photo) == ("hand", ["draw", "loud"], png())
        pressed = await ana.presses(hand, "draw")
        assert (pressed.answered, pressed.text, pressed.alert) == (True, "You pressed draw", False)
        await server.quiet(200)
        assert (hand.caption, hand.edited, hand.labels, hand.photo) == ("draw", 1, [], png(40))
        assert hand.entities == [{"type": "bold", "offset": 0, "length": 4}]
        assert (await ana.presses(hand, data="loud")).alert
        await server.quiet(200)
        assert hand.edited == 2
    assert server.problems == []
    assert server.warnings == []


async def test_a_group_hears_only_what_is_for_the_bot(server: BotApi) -> None:
    ana, beto = server.user("Ana"), server.user("Beto")
    group = server.group("Amigos", ana, beto)
    heard: list[str] = []

    async def listen(update: Update, bot: Bot) -> None:
        if update.message:
            heard.append(update.message.text or "service")
            if update.message.text == "/buraco@buraco_bot new 2v2":
                await update.message.reply_text("table", do_quote=True)

    async with polling(server, listen):
        await ana.says(group, "hola")
        await ana.says(group, "/buraco@otro_bot")
        await ana.says(group, "/buraco@buraco_bot new 2v2")
        await server.quiet(200)
        await beto.says(group, "gracias", reply_to=group.last)
        group.add(server.user("Carla"))
        beto.leaves(group)
        await server.quiet(200)
    assert heard == ["/buraco@buraco_bot new 2v2", "gracias", "service", "service"]
    assert group.last.reply_to is not None
    assert group.last.reply_to.entities[0]["length"] == len("/buraco@buraco_bot")


async def test_updates_come_twice_when_asked(server: BotApi) -> None:
    ana, seen = server.user("Ana"), []

    async def listen(update: Update, bot: Bot) -> None:
        seen.append(update.update_id)

    async with polling(server, listen):
        await ana.starts()
        await ana.says(None, "again")
        await server.quiet(200)
        server.redeliver(2)
        await server.quiet(200)
    assert seen == [1001, 1002, 1001, 1002]


async def test_inline_queries(server: BotApi) -> None:
    ana = server.user("Ana")
    group = server.group("Amigos", ana)
    async with polling(server, table):
        answer = await ana.inline("reglas muerto")
        assert (answer.titles, answer.personal, answer.cache_time) == (["muerto", "canasta"], True, 0)
        message = await ana.chooses(answer, 0, group)
        assert (message.text, message.labels, message.entities[0]["type"]) == ("muerto", ["ok"], "italic")
        assert (await ana.presses(message, "ok")).answered
        await server.quiet(200)
        assert (message.text, message.labels, message.edited) == ("over", [], 1)
    assert server.problems == []


async def test_two_pollers_and_a_webhook_are_in_conflict(server: BotApi, bot: Bot) -> None:
    async with Bot(server.token, base_url=server.base_url) as other:
        first = asyncio.create_task(bot.get_updates(timeout=5))
        await asyncio.sleep(0.2)
        second = asyncio.create_task(other.get_updates(timeout=5))
        with pytest.raises(Conflict, match="terminated by other getUpdates"):
            await first
        await server.user("Ana").starts()
        assert len(await second) == 1
    assert len(await bot.get_updates(offset=1001)) == 1
    assert await bot.get_updates(offset=1002) == ()
    await bot.set_webhook("https://example.org/hook")
    with pytest.raises(Conflict, match="webhook is active"):
        await bot.get_updates()


async def test_a_webhook_gets_updates_with_its_secret_until_it_says_ok(server: BotApi, bot: Bot) -> None:
    got: list[tuple[int, str | None]] = []

    async def hook(request: web.Request) -> web.Response:
        update = await request.json()
        got.append((update["update_id"], request.headers.get("X-Telegram-Bot-Api-Secret-Token")))
        return web.Response(status=500 if len(got) == 1 else 200)

    app = web.Application()
    app.router.add_post("/hook", hook)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    await bot.set_webhook(f"http://127.0.0.1:{runner.addresses[0][1]}/hook", secret_token="s" * 32)
    await server.user("Ana").starts()
    await server.quiet(200)
    assert got == [(1001, "s" * 32)] * 2
    info = await bot.get_webhook_info()
    assert info.pending_update_count == 0
    assert "500" in (info.last_error_message or "")
    await bot.delete_webhook()
    await runner.cleanup()


async def test_presses_expire_and_toasts_are_short(server: BotApi, bot: Bot) -> None:
    hand = Clock()
    server.clock = hand
    ana = server.user("Ana")
    await ana.starts()
    await bot.send_message(ana.id, "x", reply_markup=keys("a"))
    press = asyncio.create_task(ana.presses(ana.inbox[0], "a", patience=1))
    updates = await bot.get_updates(offset=1002, timeout=1)
    query = updates[0].callback_query
    assert query is not None
    with pytest.raises(BadRequest, match=r"(?i)message_too_long"):
        await bot.answer_callback_query(query.id, "x" * 200, api_kwargs={"text": "x" * 201})
    hand.at += 151
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query(query.id)
    hand.at -= 151
    await bot.answer_callback_query(query.id, "ok")
    assert (await press).text == "ok"


async def test_trouble_on_demand(server: BotApi, bot: Bot) -> None:
    group, other = server.group("Amigos"), server.group("Otros")
    server.flood("sendMessage", 7, chat=group)
    await bot.send_message(other.id, "x")
    with pytest.raises(RetryAfter):
        await bot.send_message(group.id, "x")
    server.fail("*", 502, "Bad Gateway", times=2)
    for _ in range(2):
        with pytest.raises(NetworkError, match="Bad Gateway"):
            await bot.send_message(group.id, "x")
    server.drop("sendMessage", executed=True)
    with pytest.raises(NetworkError):
        await bot.send_message(group.id, "lost answer")
    server.slow("sendMessage", 5)
    with pytest.raises(TimedOut):
        await bot.send_message(group.id, "late", read_timeout=0.1)
    assert [m.text for m in group.messages] == ["lost answer", "late"]
    await server.quiet(20)
    await server.stop()
    with pytest.raises(NetworkError):
        await bot.send_message(group.id, "nobody there")
    await server.start()
    await bot.send_message(group.id, "back")


async def test_channels(server: BotApi, bot: Bot) -> None:
    ana = server.user("Ana")
    channel = server.channel("Noticias", ana)
    await ana.says(channel, "hola")
    (update,) = await bot.get_updates()
    assert update.channel_post is not None
    assert update.channel_post.from_user is None
    assert update.channel_post.sender_chat is not None
    await bot.send_message(channel.id, "x")
    channel.add_bot()
    with pytest.raises(BadRequest, match="administrator rights in the channel"):
        await bot.send_message(channel.id, "x")
