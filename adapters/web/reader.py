"""What a visitor reads of themselves and of what is over: profile, matches, ranking, deals again, settings."""

from typing import Final

import msgspec
from aiohttp import web

from adapters.web.guard import Refusal
from adapters.web.identity import visitor_of
from adapters.web.speech import spoken
from adapters.web.visits import ButtonBody, answer_json, press_key, told
from adapters.web.wire import FILES, PICTURES, Reading, reading
from bot.app import App
from bot.desk import PictureDesk, PictureFailed
from bot.model import Person
from bot.pictures import ReadPicture
from bot.presenter.notices import name_needed_text, unknown_button_text
from bot.presenter.web import ranking_choice, unclear_text
from bot.replaying import REPLAY_VERBS
from bot.results.desk import RECORD_VERBS
from bot.results.places import place_mark
from bot.screens import Answer, Role
from bot.stakes.desk import COIN_VERBS
from bot.texts import Texts
from bot.tokens import NO_TABLE, Intent, TokenError, Verb, read_token

ROOM_PLACE: Final = "web:room"
"""The whole room as a place with a ranking: whoever knows its address may come in, as into a server or a group."""
READER_VERBS: Final = frozenset({*RECORD_VERBS, *REPLAY_VERBS, *COIN_VERBS, Verb.SETTINGS})
_DRAWN: Final = frozenset({Verb.PROFILE, Verb.REPLAY})


class ReaderAnswer(msgspec.Struct, frozen=True):
    """Something to read, a file to fetch, or a sentence."""

    ok: bool
    text: str = ""
    reading: Reading | None = None
    file: str = ""


def is_read(intent: Intent) -> bool:
    """Whether a press is about what is read here: of oneself, or of any table's deals that are over."""
    if intent.verb in REPLAY_VERBS:
        return intent.table_id != NO_TABLE
    return intent.verb in READER_VERBS and intent.table_id == NO_TABLE


async def told_of(app: App, t: Texts, person: Person, token: str, press_id: str) -> Answer:
    """What such a press comes to. The ranking of the room is everybody's who plays in it."""
    intent = read_token(token)
    here, *chosen = intent.arguments or ("",)
    if intent.verb is Verb.RANKING and here == place_mark(ROOM_PLACE):
        try:
            return await app.ranking(person, ROOM_PLACE, *chosen[:2])
        except TokenError:
            return Answer(unknown_button_text(t), ok=False)
    answer = await app.press(person, token, press_id)
    if intent.verb is Verb.PROFILE and not intent.arguments and answer.screen is not None:
        # In a room nobody can type the command for it.
        rows = (*answer.screen.rows, (ranking_choice(t, place_mark(ROOM_PLACE)),))
        answer = msgspec.structs.replace(answer, screen=msgspec.structs.replace(answer.screen, rows=rows))
    return answer


def file_address(answer: Answer, token: str) -> str:
    """Where the file of an answer is fetched; empty where it brings none."""
    return "" if answer.file is None else f"{FILES}?b={token}"


class ReaderRoutes:
    """Answers requests of those who have a name; the picture and the file of a press are fetched by its token."""

    def __init__(self, app: App, desk: PictureDesk) -> None:
        self._app = app
        self._desk = desk

    def add_to(self, server: web.Application) -> None:
        """Make the addresses known to a server."""
        server.router.add_post("/api/lectura/pulsar", self.press)
        server.router.add_get(PICTURES, self.picture)
        server.router.add_get(FILES, self.file)

    async def press(self, request: web.Request) -> web.Response:
        """A tapped button."""
        visitor, body = await told(request, ButtonBody)
        answer = await self._answer(request, body.token, READER_VERBS, body.press_id)
        shown = ReaderAnswer(answer.ok, answer.text, reading(answer.screen), file_address(answer, body.token))
        return answer_json(request, visitor, shown)

    async def picture(self, request: web.Request) -> web.Response:
        """The picture of something to read, for the visitor's eyes."""
        answer = await self._answer(request, request.query.get("b", ""), _DRAWN, "picture")
        screen = answer.screen
        if screen is None or screen.role is not Role.READING or not isinstance(screen.picture, ReadPicture):
            raise web.HTTPNotFound(text=answer.text or unclear_text(spoken(request)))
        try:
            png = await self._desk.read(screen.picture)
        except PictureFailed:
            return web.Response(status=503, headers={"Retry-After": "2"})
        response = web.Response(body=png, content_type="image/png")
        response.headers["Content-Disposition"] = 'inline; filename="buraco.png"'
        return response

    async def file(self, request: web.Request) -> web.Response:
        """The record of a deal or of a match."""
        answer = await self._answer(request, request.query.get("b", ""), frozenset({Verb.RECORD}), "file")
        if answer.file is None:
            raise Refusal(404, answer.text)
        response = web.Response(body=answer.file.data, content_type="application/octet-stream")
        response.headers["Content-Disposition"] = f'attachment; filename="{answer.file.name}"'
        return response

    async def _answer(self, request: web.Request, token: str, verbs: frozenset[Verb], press_id: str) -> Answer:
        visitor, t = visitor_of(request), spoken(request)
        try:
            intent = read_token(token)
        except TokenError:
            raise Refusal(400, unknown_button_text(t)) from None
        if not is_read(intent) or intent.verb not in verbs:
            raise Refusal(400, unknown_button_text(t))
        person = None if visitor.fresh else await self._app.person(visitor.key)
        if person is None:
            raise Refusal(403, name_needed_text(t))
        return await told_of(self._app, t, person, token, press_key(person, press_id))
