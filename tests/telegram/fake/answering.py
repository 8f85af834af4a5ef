"""Answers to presses and to inline queries."""

from typing import TYPE_CHECKING

from tests.telegram.fake.calls import Call
from tests.telegram.fake.content import MAX_TEXT, caption_of, checked_keyboard, formatted
from tests.telegram.fake.errors import Json, bad
from tests.telegram.fake.keyboards import START_PAYLOAD
from tests.telegram.fake.people import Query
from tests.telegram.fake.registry import method

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

MAX_TOAST = 200
MAX_RESULTS = 50


def _query(world: "World", query_id: str, lifetime: float) -> Query:
    query = world.queries.get(query_id)
    if query is None or world.clock() - query.created > lifetime:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    return query


def _settle(world: "World", query: Query, answer: Json) -> bool:
    if query.answer.done():
        world.warnings.append(f"query {query.id} was answered twice")
    else:
        query.answer.set_result(answer)
    return True


@method("answerCallbackQuery")
def answer_callback(world: "World", call: Call) -> bool:
    """Answer a press with a toast, an alert or nothing to see."""
    query = _query(world, call.text("callback_query_id"), world.callback_seconds)
    if len(call.text("text")) > MAX_TOAST:
        raise bad("MESSAGE_TOO_LONG")
    if "url" in call.params and not call.text("url").startswith(
        (f"https://t.me/{world.me['username']}?start=", "tg://")
    ):
        raise bad("URL_INVALID")
    answer: Json = {"text": call.text("text"), "show_alert": call.flag("show_alert"), "url": call.params.get("url")}
    return _settle(world, query, answer)


@method("answerInlineQuery")
def answer_inline(world: "World", call: Call) -> bool:
    """Answer an inline query with results."""
    query = _query(world, call.text("inline_query_id"), world.inline_seconds)
    results: list[Json] = call.json("results") or []
    if len(results) > MAX_RESULTS:
        raise bad("RESULTS_TOO_MUCH")
    ids = [str(result.get("id", "")) for result in results]
    if any(not 1 <= len(name.encode()) <= 64 for name in ids):
        raise bad("RESULT_ID_INVALID")
    if len(set(ids)) < len(ids):
        raise bad("RESULT_ID_DUPLICATE")
    if len(call.text("next_offset").encode()) > 64:
        raise bad("NEXT_OFFSET_INVALID")
    button: Json | None = call.json("button")
    if button and "start_parameter" in button and not START_PAYLOAD.fullmatch(button["start_parameter"]):
        raise bad("START_PARAM_INVALID")
    answer = {
        "results": [_result(world, result) for result in results],
        "personal": call.flag("is_personal"),
        "cache_time": call.number("cache_time", 300),
        "next_offset": call.text("next_offset"),
        "button": button,
    }
    return _settle(world, query, answer)


def _result(world: "World", result: Json) -> Json:
    """Check one result; `_body` and `_media` are what it would send."""
    content = result.get("input_message_content")
    if result.get("type") == "article":
        if not result.get("title"):
            raise bad("can't parse inline query result: Can't find field \"title\"")
        if not content:
            raise bad("can't parse inline query result: message content is not specified")
    if content and "message_text" in content:
        body = formatted(world, content["message_text"], content.get("parse_mode", ""), content.get("entities"))
        if not body.text:
            raise bad("message text is empty")
        if len(body.text) > MAX_TEXT:
            raise bad("message is too long")
    else:
        entities = result.get("caption_entities")
        body = caption_of(world, result.get("caption", ""), result.get("parse_mode", ""), entities)
    picture = result.get("photo_file_id") if result["type"] == "photo" and not content else None
    checked = {**result, "_body": body, "_media": world.stored("photo", picture) if picture else None}
    if result.get("reply_markup"):
        checked["reply_markup"] = checked_keyboard(world, result["reply_markup"], private=False)
    return checked
