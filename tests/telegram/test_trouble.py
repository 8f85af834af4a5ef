"""Secrets, tokens in logs, webhooks, lines that break, and pictures that are slow."""

import asyncio
import hmac
import logging
import socket
import time
from contextlib import nullcontext
from pathlib import Path
from random import Random
from types import SimpleNamespace

import aiohttp
import pytest

from adapters.telegram import TelegramPlatform, TelegramUnavailable, WebhookSettings
from adapters.telegram.api import QuietBot, make_bot
from adapters.telegram.checkup import check
from bot.config import ConfigError, load_settings
from bot.pictures import TablePicture
from engine.cards import CODE
from tests.loud import logs_at_debug
from tests.telegram.fake import BotApi
from tests.telegram.fake.server import TOKEN
from tests.telegram.room import FlatRenderer, Room, board, hand_of, hands_of, have_hands, until
from tests.telegram.test_playing import on_turn, play_turn, started

SECRET = "s" * 40


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_nothing_hidden_gets_into_the_group(api: BotApi) -> None:
    renderer = FlatRenderer()
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    async with Room(api, renderer=renderer) as room:
        await eva.starts()
        group, table_id = await started(api, room, [ana, beto], "1v1")
        await until(lambda: have_hands(ana, beto))
        group.add(eva)
        for _ in range(4):
            await play_turn(room, table_id, await on_turn(room, table_id, [ana, beto]))
        forged = [button.data for button in hand_of(ana).buttons if button.data is not None]
        for data in forged:
            told = await eva.presses(board(group), data=data)
            assert not any(sign in told.text for sign in "♠♥♦♣★")
        await api.quiet()
        private = {message.photo for person in (ana, beto) for message in hands_of(person)}
        held = {CODE[card] for picture in renderer.hands for heap in picture.groups for card in heap}
        assert len(held) > 10
    assert all("Tu mano" not in (message.text or message.caption or "") for message in group.history)
    for call in api.calls:
        if call.chat_id == group.id:
            assert not {upload.data for upload in call.files.values()} & private
            assert '"s:' not in call.text("reply_markup")
        if call.method in ("sendPhoto", "editMessageMedia"):
            assert call.files, "each picture is sent for itself, none by the id under which another chat has it"
    assert eva.inbox
    assert not hands_of(eva)
    for message in (*eva.inbox, *group.history):
        assert message.photo not in private


async def test_the_token_is_never_told(
    api: BotApi, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with logs_at_debug(caplog):
        async with Room(api) as room:
            ana = api.user("Ana")
            api.fail("sendMessage", 500, "Internal Server Error", times=2)
            api.drop("sendPhoto")
            api.fail("answerCallbackQuery", 400, "Bad Request: query is too old", times=1)
            await started(api, room, [ana], "1v1")
            api.fail("*", 401, "Unauthorized", times=3)
            await ana.presses(hand_of(ana), data="zz", patience=0.2)
            logging.getLogger("adapters").error("bot %r", room.platform.__dict__["_bot"])
            await api.quiet()
        api.token = "8000001:BBanother-token-0123456789abcdefghijk"
        with pytest.raises(TelegramUnavailable) as refused:
            await room.platform.start()
        assert TOKEN not in str(refused.value)
    out = capsys.readouterr()
    assert "<Telegram bot>" in caplog.text + out.err
    assert TOKEN not in caplog.text + out.err + out.out
    assert TOKEN.partition(":")[2] not in caplog.text + out.err + out.out


def test_a_bot_is_printed_without_its_token() -> None:
    bot = make_bot(TOKEN, None)
    assert isinstance(bot, QuietBot)
    assert TOKEN not in f"{bot!r} {bot}"
    assert SECRET not in repr(WebhookSettings("https://example.org/x", SECRET))


@pytest.mark.parametrize("token", ["", "nonsense", "7000001:wrong"])
async def test_a_token_that_is_refused(api: BotApi, token: str) -> None:
    room = Room(api)
    platform = TelegramPlatform(room.app, room.renderer, token, api=f"http://127.0.0.1:{api.port}")
    with pytest.raises(TelegramUnavailable) as refused:
        await platform.start()
    assert "TELEGRAM_TOKEN" in refused.value.problem
    assert "@BotFather" in refused.value.advice
    await platform.stop()


async def test_a_look_at_the_bot(api: BotApi) -> None:
    server = f"http://127.0.0.1:{api.port}"
    assert await check(api.token, server) == "@buraco_bot"
    for token in ("", "7000001:wrong"):
        with pytest.raises(TelegramUnavailable, match="TELEGRAM_TOKEN"):
            await check(token, server)
    await api.stop()
    with pytest.raises(TelegramUnavailable, match="cannot be reached"):
        await check(api.token, server)


async def test_telegram_is_away_at_first(api: BotApi) -> None:
    await api.stop()
    room = Room(api)
    told: list[str] = []
    room.platform = TelegramPlatform(
        room.app, room.renderer, api.token, api=f"http://127.0.0.1:{api.port}", clock=room.clock, on_ready=told.append
    )
    room.app.add_platform(room.platform)
    assert await room.platform.start() == ""
    await room.app.start()
    await api.start()
    await until(lambda: told == ["@buraco_bot"])
    ana = api.user("Ana")
    await ana.starts()
    await until(lambda: ana.inbox)
    await room.platform.stop()
    await room.platform.stop()
    await room.app.stop()


async def test_the_line_breaks_and_comes_back(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group, table_id = await started(api, room, [ana], "1v1")
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    api.fail("getUpdates", 502, "Bad Gateway", times=2)
    api.fail("getUpdates", 409, "Conflict: terminated by other getUpdates request", times=1)
    api.drop("editMessageMedia", times=2)
    await play_turn(room, table_id, ana)
    await on_turn(room, table_id, [ana])
    await play_turn(room, table_id, ana)
    await until(lambda: "Ana" in (board(group).caption or ""))


async def test_a_webhook_needs_the_secret(api: BotApi) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram/hook"
    async with Room(api, webhook=WebhookSettings(url, SECRET, port=port)):
        ana = api.user("Ana")
        await ana.starts()
        await until(lambda: ana.inbox)
        update = {"update_id": 5, "message": {}}
        async with aiohttp.ClientSession() as session:
            for headers in (
                {},
                {"X-Telegram-Bot-Api-Secret-Token": "wrong"},
                {"X-Telegram-Bot-Api-Secret-Token": ""},
                {"X-Telegram-Bot-Api-Secret-Token": "ñ"},
            ):
                async with session.post(url, json=update, headers=headers) as answer:
                    assert answer.status == 403
            right = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
            for body in (b"", b"[]", b"{", b'{"update_id": "x"}'):
                async with session.post(url, data=body, headers=right) as answer:
                    assert answer.status == 400
            async with session.post(url, json={"update_id": 7, "new_thing": {"a": 1}}, headers=right) as answer:
                assert answer.status == 200
        await api.quiet()
    assert api.called("setWebhook")


async def test_a_webhook_address_that_is_taken(api: BotApi) -> None:
    room = Room(api, webhook=WebhookSettings("https://example.org/x", SECRET, port=api.port))
    with pytest.raises(TelegramUnavailable):
        await room.platform.start()


async def test_unknown_updates_are_passed_over(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    api.updates.pending.append({"update_id": 900, "callback_query": {"id": 5}})
    api.updates.pending.append({"update_id": 901, "message": {"message_id": 4, "chat": {"id": 1}}})
    api.updates.pending.append({"update_id": 902, "something_new": {"id": "x"}})
    await ana.starts()
    await until(lambda: ana.inbox)
    api.updates.delivered[:] = [update for update in api.updates.delivered if update["update_id"] > 902]


class SlowRenderer(FlatRenderer):
    """Takes its time for the tables of one name."""

    def table(self, picture: TablePicture) -> bytes:
        """A picture, some time."""
        if "Lenta" in picture.texts.names:
            time.sleep(0.8)
        return super().table(picture)


async def test_a_slow_picture_stalls_no_other_group(api: BotApi) -> None:
    lenta, ana = api.user("Lenta"), api.user("Ana")
    async with Room(api, renderer=SlowRenderer()) as room:
        slow, _ = await started(api, room, [lenta], "1v1")
        await api.quiet()
        await started(api, room, [ana], "1v1")
        await until(lambda: have_hands(ana, lenta))
        began = time.monotonic()
        pressed = await asyncio.gather(lenta.presses(board(slow), "⋯"), ana.presses(hand_of(ana), data="zz"))
        assert time.monotonic() - began < 0.6
        assert all(one.answered for one in pressed)


async def test_a_slow_press_holds_up_no_other_table(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    one, _ = await started(api, room, [ana], "1v1")
    two, _ = await started(api, room, [beto], "1v1")
    await api.quiet()
    api.slow("getChatMember", 3.0, chat=one)
    slow = asyncio.ensure_future(ana.presses(board(one), "⋯"))
    await until(lambda: api.called("getChatMember"))
    began = time.monotonic()
    assert (await beto.presses(board(two), "Últimas jugadas")).answered
    assert time.monotonic() - began < 1.5
    assert not slow.done()
    assert (await slow).answered


async def test_a_group_without_pictures_or_without_a_word(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    group = api.group("Amigos", ana)
    group.forbid("can_send_photos")
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    await ana.presses(board(group), "Empezar")
    await until(lambda: any("Mazo:" in (message.text or "") for message in group.messages))
    await until(lambda: have_hands(ana))
    group.forbid("can_send_messages")
    table_id = await room.table(group)
    for _ in range(2):
        await on_turn(room, table_id, [ana])
        await play_turn(room, table_id, ana)
    await ana.says(group, "/mesa")
    await ana.says(group, "/reglas")
    await api.quiet()
    group.allow("can_send_messages", "can_send_photos")
    await on_turn(room, table_id, [ana])
    await play_turn(room, table_id, ana)
    await until(lambda: board(group).photo)


async def test_a_deleted_hand_comes_back(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group, table_id = await started(api, room, [ana], "1v1")
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    gone = hand_of(ana)
    gone.deleted = True
    await until(lambda: "Turno de Ana" in (board(group).caption or ""))
    assert (await ana.presses(board(group), "Robar")).text.startswith("Robaste")
    await until(lambda: have_hands(ana) and "Robar" not in hand_of(ana).labels)
    await ana.says(None, "/mano")
    again = hand_of(ana)
    await until(lambda: hand_of(ana) is not again and again.deleted)


async def test_any_data_is_answered(api: BotApi, room: Room) -> None:
    ana, eva = api.user("Ana"), api.user("Eva")
    group, table_id = await started(api, room, [ana], "1v1")
    await until(lambda: have_hands(ana))
    await api.quiet()
    version = (await room.app.record(table_id)).version
    dice = Random(3)
    real = [button.data for message in (board(group), hand_of(ana)) for button in message.buttons if button.data]
    forged = ["".join(dice.choices("0123456789abcxyz:+spwoxbgrme", k=dice.randrange(1, 64))) for _ in range(40)]
    for data in dice.sample(real, min(len(real), 12)):
        place = dice.randrange(len(data))
        forged.append(data[:place] + dice.choice("0z:+") + data[place + 1 :])
    for data in forged:
        for person, message in ((eva, board(group)), (eva, hand_of(ana))):
            assert (await person.presses(message, data=data)).answered, data
    await api.quiet()
    assert (await room.app.record(table_id)).version == version


async def test_a_long_flood_in_private_is_no_block(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group, table_id = await started(api, room, [ana], "1v1")
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    api.flood("*", 300, times=1, chat=ana.chat)
    await ana.presses(hand_of(ana), "Robar")
    await until(lambda: "Robar" not in hand_of(ana).labels)
    assert "⚠" not in (board(group).caption or "")


async def test_after_an_outage_every_table_is_brought_up_to_date_without_another_move(
    api: BotApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.intake.POLL_SECONDS", 1)
    async with Room(api) as room:
        await _outage(api, room)


async def _outage(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group, table_id = await started(api, room, [ana], "1v1")
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    await api.quiet()
    before = board(group)

    async def shown() -> int:
        homes = await room.app.homes(table_id)
        return min(home.shown_version for home in homes if home.place == f"{group.id}")

    # Nothing gets through any more but this one press, whose effect is kept.
    for method in ("editMessageMedia", "editMessageCaption", "editMessageText", "sendPhoto", "sendMessage"):
        api.fail(method, 502, "Bad Gateway", times=10**6)
    await ana.presses(hand_of(ana), "Robar", patience=5)
    version = (await room.app.record(table_id)).version
    key = (table_id, "telegram", f"{group.id}")
    await until(lambda: api.called("editMessageMedia"))
    await until(lambda: not {key, (*key, "later")} & set(room.app._announcer._tasks))
    api.fail("getUpdates", 502, "Bad Gateway", times=10**6)
    await until(lambda: not room.platform.is_connected, 60)
    assert await shown() < version, "given up"
    api._faults.clear()
    async with asyncio.timeout(25):
        while await shown() < version:  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.01)
    assert board(group) is before, "the same message"
    await until(lambda: "Robar" not in hand_of(ana).labels)


async def test_the_secret_is_compared_in_constant_time(
    api: BotApi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: bytes, right: bytes) -> bool:
        compared.append((given, right))
        return hmac.compare_digest(given, right)

    monkeypatch.setattr("adapters.telegram.intake.hmac", SimpleNamespace(compare_digest=compare))
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram/hook"
    async with Room(api, webhook=WebhookSettings(url, SECRET, port=port)), aiohttp.ClientSession() as session:
        for given, status in (("wrong", 403), (SECRET, 400)):
            headers = {"X-Telegram-Bot-Api-Secret-Token": given}
            async with session.post(url, data=b"[" * 100_000, headers=headers) as answer:
                assert answer.status == status, "nothing is read before that"
    assert compared == [(b"wrong", SECRET.encode()), (SECRET.encode(), SECRET.encode())]
    for secret, works in (("s" * 31, False), ("s" * 32, True), ("ñ" * 40, False)):
        values = {"BURACO_TELEGRAM_WEBHOOK": "https://example.org/x", "BURACO_TELEGRAM_SECRET": secret}
        with nullcontext() if works else pytest.raises(ConfigError, match="32 to 256"):
            load_settings(tmp_path / "none", values)
