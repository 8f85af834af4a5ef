"""What requests say: texts, captions, media and keyboards, with the limits of Telegram."""

import json
from typing import TYPE_CHECKING, Any

from tests.telegram.fake.calls import Call
from tests.telegram.fake.errors import Json, bad
from tests.telegram.fake.keyboards import bad_deep_links, inline_keyboard
from tests.telegram.fake.markup import Formatted, checked_entities, loose_ampersands, parse_html
from tests.telegram.fake.state import Chat, Media

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_ENTITIES = 100


def formatted(world: "World", raw: str, mode: str, entities: list[Json] | None) -> Formatted:
    """Read a text in its parse mode, or with the entities given for it."""
    if mode.lower() == "html":
        world.warnings += [f"{found} is no entity of Telegram's HTML" for found in loose_ampersands(raw)]
        body = parse_html(raw)
    elif mode.lower() in {"markdown", "markdownv2"}:
        world.problems.append(f"parse mode {mode} is not simulated")
        body = Formatted(raw)
    elif mode:
        raise bad("unsupported parse_mode")
    else:
        body = Formatted(raw, checked_entities(raw, entities or []))
    for entity in body.entities:
        known = world.people.get(entity.get("user", {}).get("id", 0))
        if known:
            entity["user"] = known.user
    body = body.trimmed()
    if len(body.entities) > MAX_ENTITIES:
        world.warnings.append(f"a text with {len(body.entities)} entities: Telegram drops those after {MAX_ENTITIES}")
        body.entities = body.entities[:MAX_ENTITIES]
    return body


def text_of(world: "World", call: Call, *, editing: bool = False) -> Formatted:
    """Read the text of a message."""
    body = formatted(world, call.text("text"), call.text("parse_mode"), call.json("entities"))
    if not body.text:
        raise bad("message text is empty")
    if len(body.text) > MAX_TEXT:
        raise bad("MESSAGE_TOO_LONG" if editing else "message is too long")
    return body


def caption_of(world: "World", raw: str, mode: str, entities: list[Json] | None) -> Formatted:
    """Read the text under a picture or document."""
    body = formatted(world, raw, mode, entities)
    if len(body.text) > MAX_CAPTION:
        raise bad("message caption is too long")
    return body


def caption_in(world: "World", call: Call) -> Formatted:
    """Read the caption in the parameters of a request."""
    return caption_of(world, call.text("caption"), call.text("parse_mode"), call.json("caption_entities"))


def media_in(world: "World", call: Call, kind: str, address: str) -> Media:
    """Find the photo or document of a request: an upload or a file_id."""
    upload = call.files.get(kind) if not address else call.attached(address)
    if upload is not None:
        return world.photo(upload) if kind == "photo" else world.file(upload)
    if not address:
        raise bad(f"there is no {kind} in the request")
    if address.startswith(("http://", "https://")):
        world.problems.append(f"{call.method}: files by address are not simulated")
    return world.stored(kind, address)


def markup_in(world: "World", call: Call, chat: Chat | None) -> Json | None:
    """Read the inline keyboard of a request."""
    markup = call.json("reply_markup")
    return None if markup is None else checked_keyboard(world, markup, private=chat is not None and chat.private)


def checked_keyboard(world: "World", markup: Any, *, private: bool) -> Json | None:
    """Check a keyboard; warn of deep links that would not carry their payload."""
    keyboard = inline_keyboard(markup, private=private)
    wrong = bad_deep_links(keyboard, world.me["username"])
    world.warnings += [f"deep link with a payload Telegram does not carry: {url}" for url in wrong]
    return keyboard


def same(first: Json, second: Json) -> bool:
    """Compare two contents."""
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
