"""What the room's requests have in common: who asks, what they sent, and how they are answered."""

import asyncio
import re
from typing import Final, TypeVar

import msgspec
from aiohttp import web

from adapters.web.guard import Refusal
from adapters.web.identity import Visitor, remember, visitor_of
from adapters.web.limits import BODY_SECONDS, PRESS_ID
from adapters.web.speech import spoken
from bot.app import App
from bot.keeper import Unknown
from bot.model import Person
from bot.names import safe_name
from bot.presenter.notices import (
    name_needed_text,
)
from bot.presenter.web import (
    cookies_text,
    unclear_text,
)
from bot.store import UnreadableSave

PLATFORM: Final = "web"
LONGEST_NAME: Final = 200

_Body = TypeVar("_Body")


class ButtonBody(msgspec.Struct, frozen=True):
    """A button that was tapped."""

    token: str
    press_id: str


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which the visitor sits."""

    code: str
    title: str


async def told(request: web.Request, kind: type[_Body]) -> tuple[Visitor, _Body]:
    """The visitor and what their page sent; where that is a press, its id is one that pages make."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, TimeoutError):
        raise Refusal(400, unclear_text(spoken(request))) from None
    press_id = getattr(body, "press_id", None)
    if press_id is not None and not re.fullmatch(PRESS_ID, press_id):
        raise Refusal(400, unclear_text(spoken(request)))
    return visitor_of(request), body


async def met(app: App, request: web.Request, visitor: Visitor, name: str) -> Person:
    """The visitor as a person, made known under a name if new."""
    if visitor.fresh:
        raise Refusal(403, cookies_text(spoken(request)))
    name = name[:LONGEST_NAME]
    known = await app.person(visitor.key)
    if known is None and not safe_name(name):
        raise Refusal(400, name_needed_text(spoken(request)))
    return await app.meet(visitor.key, name, spoken(request).locale)


async def own_table(app: App, table_id: str) -> OwnTable | None:
    """A table by id; None where it cannot be read."""
    try:
        table = (await app.record(table_id)).table
    except (Unknown, UnreadableSave):
        return None
    return OwnTable(table.code, table.name)


def press_key(person: Person, press_id: str) -> str:
    """Unique for each press; nobody can name somebody else's."""
    return f"{PLATFORM}:{person.id}:{press_id}"


def answer_json(request: web.Request, visitor: Visitor, value: object) -> web.Response:
    """An answer as JSON, with which the browser is remembered."""
    response = web.Response(body=msgspec.json.encode(value), content_type="application/json")
    remember(request, response, visitor)
    return response
