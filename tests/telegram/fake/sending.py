"""Methods that send, edit, delete and pin messages."""

from typing import TYPE_CHECKING, Any

from tests.telegram.fake.calls import Call
from tests.telegram.fake.content import caption_in, caption_of, markup_in, media_in, same, text_of
from tests.telegram.fake.errors import Json, bad
from tests.telegram.fake.markup import Formatted
from tests.telegram.fake.registry import method
from tests.telegram.fake.rooms import Group
from tests.telegram.fake.state import Chat, Media, Message

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

HOURS_48 = 48 * 3600
_CHAT_ACTIONS = {
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
}


def _target(world: "World", call: Call, permission: str, what: str) -> tuple[Chat, dict[str, Any]]:
    """Find the chat to send to, and where in it."""
    chat = world.reachable(call)
    if isinstance(chat, Group):
        chat.let_send(permission, what)
    fields: dict[str, Any] = {"silent": call.flag("disable_notification"), "protected": call.flag("protect_content")}
    thread = call.number("message_thread_id")
    if thread:
        if thread not in chat.topics:
            raise bad("message thread not found")
        if thread in chat.closed_topics and not chat.members[world.me["id"]].may("can_manage_topics"):
            raise bad("TOPIC_CLOSED")
        fields["thread_id"] = thread
    reply: Json = call.json("reply_parameters") or {}
    if reply:
        fields["reply_to"] = chat.find(int(reply["message_id"]))
        if fields["reply_to"] is None and not reply.get("allow_sending_without_reply"):
            raise bad("message to be replied not found")
    return chat, fields


def _send(world: "World", call: Call, chat: Chat, body: Formatted, fields: dict[str, Any]) -> Json:
    fields["markup"] = markup_in(world, call, chat)
    return world.post(chat, world.me, body, **fields).to_json()


@method("sendMessage", counted=True)
def send_message(world: "World", call: Call) -> Json:
    """Send a text."""
    chat, fields = _target(world, call, "can_send_messages", "text messages")
    return _send(world, call, chat, text_of(world, call), fields)


@method("sendPhoto", "sendDocument", counted=True)
def send_media(world: "World", call: Call) -> Json:
    """Send a photo or a document."""
    kind = call.method.removeprefix("send").lower()
    chat, fields = _target(world, call, f"can_send_{kind}s", f"{kind}s")
    body = caption_in(world, call)
    fields["media"] = media_in(world, call, kind, call.text(kind))
    return _send(world, call, chat, body, fields)


@method("sendChatAction")
def send_chat_action(world: "World", call: Call) -> bool:
    """Show that the bot is busy."""
    if call.text("action") not in _CHAT_ACTIONS:
        raise bad("wrong parameter action in request")
    world.reachable(call).actions.append(call.text("action"))
    return True


# Edits


def _edited(world: "World", call: Call) -> Message:
    """Find the message to edit, in a chat or sent through inline mode."""
    inline_id = call.text("inline_message_id")
    if inline_id:
        found = world.inline_messages.get(inline_id)
        if found is None or found.deleted:
            raise bad("MESSAGE_ID_INVALID")
        return found
    chat = world.reachable(call)
    if not call.number("message_id"):
        raise bad("message identifier is not specified")
    found = chat.find(call.number("message_id"))
    if found is None:
        raise bad("message to edit not found")
    if not found.mine or found.service:
        raise bad("message can't be edited")
    return found


def _apply(world: "World", call: Call, message: Message, body: Formatted, media: Media | None) -> Any:
    """Change a message, unless nothing would change."""
    markup = markup_in(world, call, message.chat)
    old = message.content()
    new = {
        "text": body.text,
        "entities": body.entities,
        "media": media.best.unique_id if media else None,
        "markup": markup,
    }
    if same(old, new):
        raise bad(
            "message is not modified: specified new message content and reply markup are exactly the same "
            "as a current content and reply markup of the message"
        )
    message.versions.append(old)
    message.body, message.media, message.markup = body, media, markup
    message.edited += 1
    message.edit_date = world.now()
    return True if message.inline_id else message.to_json()


@method("editMessageText", counted=True)
def edit_text(world: "World", call: Call) -> Any:
    """Change a text."""
    message = _edited(world, call)
    if message.media:
        raise bad("there is no text in the message to edit")
    return _apply(world, call, message, text_of(world, call, editing=True), None)


@method("editMessageCaption", counted=True)
def edit_caption(world: "World", call: Call) -> Any:
    """Change what stands under a picture or document."""
    message = _edited(world, call)
    if not message.media:
        raise bad("there is no caption in the message to edit")
    return _apply(world, call, message, caption_in(world, call), message.media)


@method("editMessageMedia", counted=True)
def edit_media(world: "World", call: Call) -> Any:
    """Change a picture or document, with its caption."""
    message = _edited(world, call)
    given: Json = call.json("media") or {}
    if given.get("type") not in {"photo", "document"}:
        raise bad("can't parse InputMedia: media type is invalid")
    if message.inline_id and str(given.get("media", "")).startswith("attach://"):
        raise bad("can't upload a file for an inline message")
    entities = given.get("caption_entities")
    body = caption_of(world, given.get("caption", ""), given.get("parse_mode", ""), entities)
    media = media_in(world, call, given["type"], given.get("media", ""))
    return _apply(world, call, message, body, media)


@method("editMessageReplyMarkup", counted=True)
def edit_markup(world: "World", call: Call) -> Any:
    """Change the buttons under a message."""
    message = _edited(world, call)
    return _apply(world, call, message, message.body, message.media)


# Deletions and pins


def _deletable(world: "World", chat: Chat, message: Message) -> None:
    admin = isinstance(chat, Group) and chat.bot.may("can_delete_messages")
    if admin:
        return
    if not message.mine and not chat.private:
        raise bad("message can't be deleted")
    if world.clock() - message.date > HOURS_48:
        raise bad("message can't be deleted for everyone")


@method("deleteMessage")
def delete_message(world: "World", call: Call) -> bool:
    """Delete a message."""
    chat = world.reachable(call)
    message = chat.find(call.number("message_id"))
    if message is None:
        raise bad("message to delete not found")
    _deletable(world, chat, message)
    message.deleted = True
    return True


@method("deleteMessages")
def delete_messages(world: "World", call: Call) -> bool:
    """Delete several messages; those that are gone are passed over."""
    chat = world.reachable(call)
    ids = call.json("message_ids") or []
    if not 1 <= len(ids) <= 100:
        raise bad("message identifiers are not specified" if not ids else "too many message identifiers specified")
    found = [message for message in map(chat.find, ids) if message is not None]
    for message in found:
        _deletable(world, chat, message)
    for message in found:
        message.deleted = True
    return True


def _may_pin(chat: Chat) -> None:
    if isinstance(chat, Group):
        right = "can_edit_messages" if chat.type == "channel" else "can_pin_messages"
        if not chat.bot.may(right):
            raise bad("not enough rights to manage pinned messages in the chat")


@method("pinChatMessage")
def pin(world: "World", call: Call) -> bool:
    """Pin a message; the chat gets a service message about it."""
    chat = world.reachable(call)
    _may_pin(chat)
    message = chat.find(call.number("message_id"))
    if message is None:
        raise bad("message to pin not found")
    if message not in chat.pinned:
        chat.pinned.append(message)
        world.service(chat, world.me, pinned_message=message.to_json(nested=True))
    return True


@method("unpinChatMessage")
def unpin(world: "World", call: Call) -> bool:
    """Unpin a message, or the newest pinned one."""
    chat = world.reachable(call)
    _may_pin(chat)
    if "message_id" in call.params:
        message = chat.find(call.number("message_id"))
        if message is None or message not in chat.pinned:
            raise bad("message to unpin not found")
        chat.pinned.remove(message)
    elif chat.pinned:
        chat.pinned.pop()
    return True


@method("unpinAllChatMessages")
def unpin_all(world: "World", call: Call) -> bool:
    """Unpin everything."""
    chat = world.reachable(call)
    _may_pin(chat)
    chat.pinned.clear()
    return True
