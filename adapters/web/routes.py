"""The room's addresses: pages, pictures, and the requests that the pages make."""

import msgspec
from aiohttp import web

from adapters.web.assets import Assets
from adapters.web.feed import Feeds
from adapters.web.identity import Visitor, visitor_of
from adapters.web.limits import CODE
from adapters.web.reader import READER_VERBS, file_address, is_read, told_of
from adapters.web.speech import spoken
from adapters.web.streams import Hub
from adapters.web.visits import PLATFORM, ButtonBody, answer_json, met, own_table, press_key, told
from adapters.web.wire import Pressed, RoomState, more_button, question, reading, room_state
from bot.app import App
from bot.desk import PictureDesk, PictureFailed
from bot.keeper import Unknown
from bot.model import Person
from bot.presenter.notices import (
    not_seated_text,
    suspended_text,
    unknown_button_text,
    unknown_table_text,
)
from bot.presenter.rules import rules_screen
from bot.reading import BOOK_VERBS
from bot.screens import Answer, Role, Screen
from bot.store import UnreadableSave
from bot.texts import texts
from bot.tokens import ANY_SIDE, Intent, TokenError, Verb, read_token, write_token


class JoinBody(msgspec.Struct, frozen=True):
    """A seat to take."""

    name: str
    press_id: str


class Routes:
    """Answers requests through the application; who asks is known from the cookie alone."""

    def __init__(self, app: App, desk: PictureDesk, hub: Hub, feeds: Feeds, assets: Assets) -> None:
        self._app = app
        self._desk = desk
        self._hub = hub
        self._feeds = feeds
        self._assets = assets

    def add_to(self, server: web.Application) -> None:
        """Make the addresses known to a server."""
        code = f"{{code:{CODE}}}"
        server.router.add_get("/", self.start_page)
        server.router.add_get("/static/{name}", self.static)
        server.router.add_get(f"/mesa/{code}", self.room_page)
        server.router.add_get(f"/mesa/{code}/tabla.png", self.picture)
        server.router.add_get(f"/api/mesas/{code}", self.state)
        server.router.add_post(f"/api/mesas/{code}/sentarse", self.join)
        server.router.add_post(f"/api/mesas/{code}/pulsar", self.press)
        server.router.add_get(f"/api/mesas/{code}/avisos", self.notices)

    # pages

    async def start_page(self, request: web.Request) -> web.Response:
        """The page on which tables are opened and entered."""
        return self._page(request, "index.html")

    async def room_page(self, request: web.Request) -> web.Response:
        """A table's page."""
        await self._table_id(request)
        return self._page(request, "room.html")

    async def static(self, request: web.Request) -> web.Response:
        """A script, a style sheet, a font."""
        asset = self._assets.files.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound
        return _cached(request, asset.body, asset.content_type, asset.etag)

    async def picture(self, request: web.Request) -> web.Response:
        """The public table as a picture; whatever version is asked for, the newest is given."""
        table_id = await self._table_id(request)
        screen = await self._app.public_screen(table_id)
        if screen is None or screen.picture is None:
            raise web.HTTPNotFound
        try:
            drawn = await self._desk.table(screen)
        except PictureFailed:
            return web.Response(status=503, headers={"Retry-After": "2"})
        response = _cached(request, drawn.png, "image/png", drawn.etag)
        response.headers["Content-Disposition"] = 'inline; filename="tabla.png"'
        return response

    # requests of the pages

    async def state(self, request: web.Request) -> web.Response:
        """What the visitor sees of a table."""
        table_id = await self._table_id(request)
        visitor = visitor_of(request)
        person = await self._app.person(visitor.key)
        return answer_json(request, visitor, await self._state(request, table_id, person))

    async def join(self, request: web.Request) -> web.Response:
        """Sit down under a name."""
        table_id = await self._table_id(request)
        visitor, body = await told(request, JoinBody)
        person = await met(self._app, request, visitor, body.name)
        # Whoever has the address knows the code.
        code = request.match_info["code"].upper()
        token = write_token(Intent(table_id, 0, Verb.JOIN, (ANY_SIDE, code)))
        answer = await self._app.press(person, token, press_key(person, body.press_id), via=PLATFORM)
        return await self._answered(request, visitor, table_id, person, answer)

    async def press(self, request: web.Request) -> web.Response:
        """A tapped button of the visitor's own screens."""
        table_id = await self._table_id(request)
        visitor, body = await told(request, ButtonBody)
        person = await self._app.person(visitor.key)
        verb = _verb_of(body.token, table_id)
        if verb is None or verb is Verb.LESSON:
            answer = Answer(unknown_button_text(spoken(request)), ok=False)
        elif person is None:
            answer = await self._to_a_stranger(request, table_id, verb, body.token)
        elif verb in READER_VERBS:
            answer = await told_of(self._app, spoken(request), person, body.token, press_key(person, body.press_id))
            # Their settings may be others now.
            person = await self._app.person(visitor.key)
        else:
            answer = await self._app.press(person, body.token, press_key(person, body.press_id), via=PLATFORM)
        return await self._answered(request, visitor, table_id, person, answer, file_address(answer, body.token))

    async def notices(self, request: web.Request) -> web.StreamResponse:
        """The stream that tells a page of new versions."""
        table_id = await self._table_id(request)
        screen = await self._screen(request, table_id, None)
        visitor = visitor_of(request)
        owner = f"address {request.remote}" if visitor.fresh else visitor.key
        return await self._hub.serve(request, table_id, owner, screen.version)

    # parts

    async def _answered(
        self,
        request: web.Request,
        visitor: Visitor,
        table_id: str,
        person: Person | None,
        answer: Answer,
        file: str = "",
    ) -> web.Response:
        state = await self._state(request, table_id, person)
        asked, given = question(answer.screen), reading(answer.screen)
        go = await self._elsewhere(table_id, answer.screen)
        return answer_json(
            request,
            visitor,
            Pressed(answer.text, answer.ok, answer.reason, state, asked, given, more_button(answer.more), go, file),
        )

    async def _elsewhere(self, table_id: str, screen: Screen | None) -> str:
        """The code of the table to which a press has led, where that is another one."""
        if screen is None or screen.role is Role.READING or screen.table_id in ("", table_id):
            return ""
        table = await own_table(self._app, screen.table_id)
        return "" if table is None else table.code

    async def _to_a_stranger(self, request: web.Request, table_id: str, verb: Verb, token: str) -> Answer:
        """What somebody is answered who has given no name yet: they may read."""
        if verb in BOOK_VERBS:
            reader = Person(id=visitor_of(request).key, name="", locale=spoken(request).locale)
            return await self._app.press(reader, token, "reading", via=PLATFORM)
        if verb is not Verb.RULES:
            return Answer(not_seated_text(spoken(request)), ok=False)
        try:
            record = await self._app.record(table_id)
        except UnreadableSave:
            return Answer(suspended_text(spoken(request)), ok=False)
        return Answer(screen=rules_screen(spoken(request), record.table, record.version))

    async def _state(self, request: web.Request, table_id: str, person: Person | None) -> RoomState:
        public = await self._screen(request, table_id, person)
        hand = None if person is None else await self._app.hand_screen(table_id, person)
        self._feeds.observe(texts(public.locale), public)
        code = request.match_info["code"].upper()
        name = "" if person is None else person.name
        return room_state(code, public, hand, self._feeds.lines(table_id), name, self._app.now_ms())

    async def _screen(self, request: web.Request, table_id: str, person: Person | None) -> Screen:
        screen = await self._app.public_screen(table_id, None if person is None else person.id)
        if screen is None:
            raise web.HTTPNotFound(text=unknown_table_text(spoken(request)))
        return screen

    async def _table_id(self, request: web.Request) -> str:
        try:
            return await self._app.find(request.match_info["code"])
        except Unknown:
            raise web.HTTPNotFound(text=unknown_table_text(spoken(request))) from None

    def _page(self, request: web.Request, name: str) -> web.Response:
        return web.Response(text=self._assets.page(name, spoken(request)), content_type="text/html")


def _verb_of(token: str, table_id: str) -> Verb | None:
    """What a token asks for; None where it is neither this table's nor something to read."""
    try:
        intent = read_token(token)
    except TokenError:
        return None
    return intent.verb if intent.table_id == table_id or is_read(intent) else None


def _cached(request: web.Request, body: bytes, content_type: str, etag: str) -> web.Response:
    """Something public that browsers keep and ask after."""
    held = any(tag.value in (etag, "*") for tag in request.if_none_match or ())
    response = web.Response(status=304) if held else web.Response(body=body, content_type=content_type)
    response.etag = etag
    response.headers["Cache-Control"] = "no-cache"
    return response
