"""What the simulated Bot API refuses, in the words of Telegram."""

from datetime import timedelta

import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeChat,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    MessageEntity,
    ReplyParameters,
    Update,
)
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter

from tests.telegram.fake import BotApi
from tests.telegram.fake.markup import parse_html
from tests.telegram.fake.samples import Clock, keys, png


async def test_whom_the_bot_cannot_write_to(server: BotApi, bot: Bot) -> None:
    ana = server.user("Ana")
    with pytest.raises(Forbidden, match="can't initiate conversation"):
        await bot.send_message(ana.id, "hola")
    await ana.starts()
    assert (await bot.send_message(ana.id, "hola")).text == "hola"
    ana.blocks_bot()
    with pytest.raises(Forbidden, match="blocked by the user"):
        await bot.send_message(ana.id, "hola")
    ana.deletes_account()
    with pytest.raises(Forbidden, match="deactivated"):
        await bot.send_message(ana.id, "hola")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(5, "hola")


async def test_the_bot_is_thrown_out_and_groups_grow(server: BotApi, bot: Bot) -> None:
    group = server.group("Amigos", server.user("Ana"))
    message = await bot.send_message(group.id, "table")
    old = group.migrate()
    with pytest.raises(ChatMigrated) as moved:
        await bot.send_message(old, "table")
    assert moved.value.new_chat_id == group.id
    with pytest.raises(BadRequest, match="to edit not found"):
        await bot.edit_message_text("new", group.id, message.message_id)
    await bot.send_message(group.id, "table again")
    assert [m.text for m in group.messages] == ["table again"]
    group.remove_bot()
    with pytest.raises(Forbidden, match="kicked from the supergroup"):
        await bot.send_message(group.id, "table")
    kinds = [next(key for key in update if key != "update_id") for update in server.updates.pending]
    assert kinds == ["message", "message", "my_chat_member"]
    updates = await bot.get_updates()
    assert updates[0].message is not None
    assert updates[1].message is not None
    assert updates[2].my_chat_member is not None
    assert updates[0].message.migrate_to_chat_id == group.id
    assert updates[1].message.migrate_from_chat_id == old
    assert updates[2].my_chat_member.new_chat_member.status == "kicked"


async def test_edits_are_compared_and_need_their_message(server: BotApi, bot: Bot) -> None:
    ana = server.user("Ana")
    await ana.starts()
    message = await bot.send_message(ana.id, "<b>x</b>", parse_mode=ParseMode.HTML, reply_markup=keys("a"))
    same = {"entities": [MessageEntity("bold", 0, 1)], "reply_markup": keys("a")}
    with pytest.raises(BadRequest, match="not modified"):
        await bot.edit_message_text("x", ana.id, message.message_id, **same)  # type: ignore[arg-type]
    await bot.edit_message_text("x", ana.id, message.message_id, reply_markup=keys("a"))
    with pytest.raises(BadRequest, match="no caption"):
        await bot.edit_message_caption(ana.id, message.message_id, caption="x")
    await bot.edit_message_reply_markup(ana.id, message.message_id)
    assert ana.inbox[0].keyboard == []
    photo = await bot.send_photo(ana.id, png(), caption="one")
    again = InputMediaPhoto(photo.photo[-1].file_id, caption="one")
    with pytest.raises(BadRequest, match="not modified"):
        await bot.edit_message_media(again, ana.id, photo.message_id)
    with pytest.raises(BadRequest, match="no text in the message"):
        await bot.edit_message_text("x", ana.id, photo.message_id)
    await bot.edit_message_caption(ana.id, photo.message_id, caption="two")
    await bot.delete_message(ana.id, message.message_id)
    with pytest.raises(BadRequest, match="to edit not found"):
        await bot.edit_message_text("y", ana.id, message.message_id)
    with pytest.raises(BadRequest, match="to delete not found"):
        await bot.delete_message(ana.id, message.message_id)
    server.clock = lambda: 1_800_000_000.0 + 49 * 3600
    with pytest.raises(BadRequest, match="can't be deleted for everyone"):
        await bot.delete_message(ana.id, photo.message_id)


async def test_photos_are_kept_and_fetched(server: BotApi, bot: Bot) -> None:
    ana = server.user("Ana")
    await ana.starts()
    sent = await bot.send_photo(ana.id, png(), reply_markup=keys("a"))
    again = await bot.send_photo(ana.id, sent.photo[-1].file_id)
    assert again.photo[-1].file_unique_id == sent.photo[-1].file_unique_id
    file = await bot.get_file(sent.photo[-1].file_id)
    assert bytes(await file.download_as_bytearray()) == png()
    for wrong, said in (
        (png(6000, 5000), "dimensions"),
        (b"no picture", "IMAGE_PROCESS_FAILED"),
        (png(filler=11_000_000), "too big for a photo"),
    ):
        with pytest.raises(BadRequest, match=f"(?i){said}"):
            await bot.send_photo(ana.id, wrong)
    with pytest.raises(BadRequest, match=r"(?i)wrong file identifier"):
        await bot.send_photo(ana.id, "AgACnothing")
    assert len(server.warnings) == 1
    await bot.send_document(ana.id, b"moves", filename="match.json")
    assert ana.inbox[-1].document == b"moves"


async def test_limits_of_keyboards_and_texts(server: BotApi, bot: Bot) -> None:
    ana = server.user("Ana")
    group = server.group("Amigos", ana)

    async def refused(said: str, rows: list[list[InlineKeyboardButton]] | None = None, text: str = "x") -> None:
        with pytest.raises(BadRequest, match=f"(?i){said}"):
            await bot.send_message(group.id, text, reply_markup=InlineKeyboardMarkup(rows) if rows else None)

    key = InlineKeyboardButton
    await bot.send_message(group.id, "x" * 4096, reply_markup=keys("é" * 32))
    await refused("button_data_invalid", [[key("a", callback_data="é" * 32 + "a")]])
    await refused("text buttons are unallowed", [[key("a")]])
    await refused("non-empty", [[key(" ", callback_data="a")]])
    await refused("too long", [[key(str(i), callback_data="a") for i in range(9)]])
    await refused("too long", [[key(str(i), callback_data="a") for i in range(8)] for _ in range(13)])
    await refused("wrong http url", [[key("a", url="https://nowhere")]])
    await refused("unsupported url protocol", [[key("a", url="ftp://example.com")]])
    await refused("message is too long", text="x" * 4097)
    await refused("text is empty", text=" \n ")
    with pytest.raises(BadRequest, match="caption is too long"):
        await bot.send_photo(group.id, png(), caption="x" * 1025)
    await bot.send_photo(group.id, png(), caption="<b>" + "x" * 1024 + "</b>", parse_mode="HTML")
    link = "https://t.me/buraco_bot?start="
    await bot.send_message(group.id, "x", reply_markup=InlineKeyboardMarkup([[key("a", url=link + "x" * 65)]]))
    assert len(server.warnings) == 1
    await bot.send_message(group.id, "x", reply_markup=InlineKeyboardMarkup([[key("a", url=link + "j_1")]]))
    url = (await ana.presses(group.last, "a")).url
    assert url is not None
    assert (await ana.opens(url)).text == "/start j_1"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("ñ<x>y</x>", 'Unsupported start tag "x" at byte offset 2'),
        ("1 < 2", 'Unsupported start tag "" at byte offset 2'),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<a href='x", "Unclosed start tag"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler"'),
    ],
)
async def test_html_that_is_wrong(server: BotApi, bot: Bot, source: str, said: str) -> None:
    group = server.group("Amigos")
    with pytest.raises(BadRequest) as refused:
        await bot.send_message(group.id, source, parse_mode="HTML")
    assert str(refused.value).startswith(f"Can't parse entities: {said.lower()[0]}"[:22])
    assert said.lower() in str(refused.value).lower()


def test_html_that_is_right() -> None:
    parsed = parse_html(
        '  🂡<b>a<i>&lt;ñ</i></b> <a href="https://x.org/?a=1&amp;b=2">l</a>&nbsp;<code>c</code> '
    ).trimmed()
    assert parsed.text == "🂡a<ñ l&nbsp;c"
    assert parsed.entities == [
        {"type": "bold", "offset": 2, "length": 3},
        {"type": "italic", "offset": 3, "length": 2},
        {"type": "text_link", "url": "https://x.org/?a=1&b=2", "offset": 6, "length": 1},
        {"type": "code", "offset": 13, "length": 1},
    ]


async def test_budget_of_a_group_and_of_a_person(server: BotApi, bot: Bot) -> None:
    hand = Clock()
    server.clock = hand
    server.budget.enforced = True
    ana = server.user("Ana")
    group, other = server.group("Amigos"), server.group("Otros")
    await ana.starts()
    message = await bot.send_message(group.id, "0")
    for number in range(1, 20):
        hand.at += 1
        await bot.edit_message_text(str(number), group.id, message.message_id)
    with pytest.raises(RetryAfter) as refused:
        await bot.send_message(group.id, "x")
    assert refused.value.retry_after == timedelta(seconds=41)
    await bot.send_message(other.id, "x")
    hand.at += 41
    await bot.send_message(group.id, "x")
    for _ in range(5):
        await bot.send_message(ana.id, "x")
    with pytest.raises(RetryAfter):
        await bot.send_message(ana.id, "x")
    hand.at += 1
    await bot.send_message(ana.id, "x")
    assert [chat for _, chat in server.budget.exceeded] == [group.id, ana.id]


async def test_members_pins_topics_and_files_of_a_forum(server: BotApi, bot: Bot) -> None:
    ana, beto = server.user("Ana"), server.user("Beto")
    forum = server.group("Foro", ana, forum=True)
    thread = forum.topic("Mesa 1")
    sent = await bot.send_message(forum.id, "table", message_thread_id=thread)
    assert sent.is_topic_message
    with pytest.raises(BadRequest, match="thread not found"):
        await bot.send_message(forum.id, "table", message_thread_id=1)
    with pytest.raises(BadRequest, match="replied not found"):
        await bot.send_message(forum.id, "x", reply_parameters=ReplyParameters(999))
    with pytest.raises(BadRequest, match="pinned messages"):
        await bot.pin_chat_message(forum.id, sent.message_id)
    forum.promote_bot()
    await bot.pin_chat_message(forum.id, sent.message_id)
    chat = await bot.get_chat(forum.id)
    assert chat.pinned_message is not None
    assert chat.pinned_message.text == "table"
    assert (await bot.get_chat_member(forum.id, ana.id)).status == "creator"
    assert (await bot.get_chat_member(forum.id, beto.id)).status == "left"
    forum.add(beto)
    forum.promote(beto)
    assert {m.user.first_name for m in await bot.get_chat_administrators(forum.id)} == {"Ana", "Beto", "Buraco"}
    said = await ana.says(forum, "hola", topic=thread)
    await bot.delete_messages(forum.id, [said.message_id, 999])
    assert said.deleted
    admin = await ana.says(forum, "/buraco", anonymous=True)
    assert (await bot.send_message(forum.id, "x", reply_parameters=ReplyParameters(admin.message_id))).reply_to_message
    forum.forbid("can_send_photos")
    forum.add_bot()
    with pytest.raises(BadRequest, match="Not enough rights to send photos"):
        await bot.send_photo(forum.id, png())
    await bot.leave_chat(forum.id)
    with pytest.raises(Forbidden, match="not a member"):
        await bot.send_chat_action(forum.id, "typing")
    assert all(update.effective_chat for update in await bot.get_updates(allowed_updates=Update.ALL_TYPES))
    assert server.problems == []


async def test_commands_and_descriptions(server: BotApi, bot: Bot) -> None:
    group = server.group("Amigos")
    await bot.set_my_commands([BotCommand("buraco", "Jugar")], BotCommandScopeAllGroupChats(), "es")
    assert [c.command for c in await bot.get_my_commands(BotCommandScopeAllGroupChats(), "es")] == ["buraco"]
    assert await bot.get_my_commands() == ()
    await bot.set_my_commands([BotCommand("x", "y")], BotCommandScopeChat(group.id))
    await bot.delete_my_commands(BotCommandScopeChat(group.id))
    assert await bot.get_my_commands(BotCommandScopeChat(group.id)) == ()
    for command, said in ((BotCommand("Buraco", "x"), "command_invalid"), (BotCommand("b", "x" * 257), "description")):
        with pytest.raises(BadRequest, match=f"(?i){said}"):
            await bot.set_my_commands([command])
    with pytest.raises(BadRequest, match="language code"):
        await bot.set_my_commands([BotCommand("x", "y")], language_code="pt-BR")
    await bot.set_my_description("Cartas")
    assert (await bot.get_my_description("es")).description == "Cartas"
    assert (await bot.get_me()).username == "buraco_bot"
