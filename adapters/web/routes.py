"""The room's addresses: pages, pictures, and the requests that the pages make."""

import asyncio
import re
from typing import Any, Final, TypeVar

import msgspec
from aiohttp import web

from adapters.web.assets import Assets
from adapters.web.feed import Feeds
from adapters.web.guard import Refusal
from adapters.web.identity import Visitor, remember, visitor_of
from adapters.web.limits import BODY_SECONDS, CODE, PRESS_ID
from adapters.web.streams import Hub
from adapters.web.wire import Pressed, RoomState, more_button, question, reading, room_state
from bot.app import App
from bot.commands import CommandError
from bot.desk import PictureDesk, PictureFailed
from bot.keeper import Unknown
from bot.model import Home, Pace, Person
from bot.names import safe_name
from bot.presenter.commands import command_problem_text
from bot.presenter.house_rules import house_rules_of
from bot.presenter.notices import (
    name_needed_text,
    not_seated_text,
    suspended_text,
    unknown_button_text,
    unknown_table_text,
)
from bot.presenter.rules import rules_screen
from bot.presenter.web import (
    Option,
    RuleChoice,
    clashing_rules_text,
    cookies_text,
    no_such_rules_text,
    pace_choices,
    rule_choices,
    unclear_text,
)
from bot.reading import BOOK_VERBS
from bot.results.desk import RECORD_VERBS
from bot.rulesets import RulesetNotFound, load
from bot.screens import Answer, Screen
from bot.stakes.desk import COIN_VERBS
from bot.store import UnreadableSave
from bot.texts import Texts
from bot.tokens import ANY_SIDE, NO_TABLE, Intent, TokenError, Verb, read_token, write_token
from engine.ruleset import RulesetError
from engine.seating import Seating

PLATFORM: Final = "web"
_MOST_TABLES: Final = 12
_LONGEST_NAME: Final = 200

_Body = TypeVar("_Body")


class OpenBody(msgspec.Struct, frozen=True):
    """A table to open."""

    name: str
    ruleset: str
    seating: str
    press_id: str
    target: int | None = None
    options: dict[str, Any] = {}
    """House rules by field name."""
    pace: str = Pace.FREE.value


class JoinBody(msgspec.Struct, frozen=True):
    """A seat to take."""

    name: str
    press_id: str


class PressBody(msgspec.Struct, frozen=True):
    """A button that was tapped."""

    token: str
    press_id: str


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which the visitor sits."""

    code: str
    title: str


class Start(msgspec.Struct, frozen=True):
    """What the start page shows."""

    name: str
    rules: tuple[RuleChoice, ...]
    tables: tuple[OwnTable, ...]
    paces: tuple[Option, ...] = ()


class Routes:
    """Answers requests through the application; who asks is known from the cookie alone."""

    def __init__(self, app: App, desk: PictureDesk, hub: Hub, feeds: Feeds, assets: Assets, t: Texts) -> None:
        self._app = app
        self._desk = desk
        self._hub = hub
        self._feeds = feeds
        self._assets = assets
        self._t = t
        self._rules = rule_choices(t)

    def add_to(self, server: web.Application) -> None:
        """Make the addresses known to a server."""
        code = f"{{code:{CODE}}}"
        server.router.add_get("/", self.start_page)
        server.router.add_get("/static/{name}", self.static)
        server.router.add_get(f"/mesa/{code}", self.room_page)
        server.router.add_get(f"/mesa/{code}/tabla.png", self.picture)
        server.router.add_get("/api/inicio", self.start)
        server.router.add_get("/api/reglas/{ruleset:[a-z0-9-]{1,40}}", self.house)
        server.router.add_post("/api/mesas", self.open_table)
        server.router.add_get(f"/api/mesas/{code}", self.state)
        server.router.add_post(f"/api/mesas/{code}/sentarse", self.join)
        server.router.add_post(f"/api/mesas/{code}/pulsar", self.press)
        server.router.add_get(f"/api/mesas/{code}/avisos", self.notices)

    # pages

    async def start_page(self, _request: web.Request) -> web.Response:
        """The page on which tables are opened and entered."""
        return self._page("index.html")

    async def room_page(self, request: web.Request) -> web.Response:
        """A table's page."""
        await self._table_id(request)
        return self._page("room.html")

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

    async def start(self, request: web.Request) -> web.Response:
        """What can be chosen, and the visitor's own tables."""
        visitor = visitor_of(request)
        person = await self._app.person(visitor.key)
        tables = [] if person is None else (await self._app.tables_of(person.id))[:_MOST_TABLES]
        own = [table for table_id in tables if (table := await self._own_table(table_id)) is not None]
        name = "" if person is None else person.name
        return _json(request, visitor, Start(name, self._rules, tuple(own), pace_choices(self._t)))

    async def house(self, request: web.Request) -> web.Response:
        """What a table of a rule set can change."""
        try:
            # Off the loop: the first time, every value of every field is tried.
            found = await asyncio.to_thread(house_rules_of, self._t.locale, request.match_info["ruleset"])
        except RulesetNotFound:
            raise Refusal(404, no_such_rules_text(self._t)) from None
        # The target has its own place on the page.
        rules = [rule for rule in found if rule.field != "target"]
        return _json(request, visitor_of(request), {"ok": True, "rules": rules})

    async def open_table(self, request: web.Request) -> web.Response:
        """Open a table; its code is the answer."""
        visitor, body = await self._told(request, OpenBody)
        try:
            seating = Seating(body.seating)
            rules = load(body.ruleset)
            if body.target is not None and body.target not in {rules.target, *rules.target_options}:
                raise ValueError(body.target)
            person = await self._met(visitor, body.name)
            record = await self._app.open_table(
                person,
                ruleset_id=body.ruleset,
                seating=seating,
                options={**({} if body.target in (None, rules.target) else {"target": body.target}), **body.options},
                pace=Pace(body.pace),
                press_id=_press_id(person, body.press_id),
            )
        except CommandError as error:
            raise Refusal(503, command_problem_text(self._t, error)) from None
        except RulesetError:
            raise Refusal(400, clashing_rules_text(self._t)) from None
        except (ValueError, RulesetNotFound):
            raise Refusal(400, no_such_rules_text(self._t)) from None
        await self._app.add_home(Home(record.table.id, PLATFORM, record.table.code))
        return _json(request, visitor, {"ok": True, "code": record.table.code})

    async def state(self, request: web.Request) -> web.Response:
        """What the visitor sees of a table."""
        table_id = await self._table_id(request)
        visitor = visitor_of(request)
        person = await self._app.person(visitor.key)
        return _json(request, visitor, await self._state(request, table_id, person))

    async def join(self, request: web.Request) -> web.Response:
        """Sit down under a name."""
        table_id = await self._table_id(request)
        visitor, body = await self._told(request, JoinBody)
        person = await self._met(visitor, body.name)
        # Whoever has the address knows the code.
        code = request.match_info["code"].upper()
        token = write_token(Intent(table_id, 0, Verb.JOIN, (ANY_SIDE, code)))
        answer = await self._app.press(person, token, _press_id(person, body.press_id), via=PLATFORM)
        return await self._answered(request, visitor, table_id, person, answer)

    async def press(self, request: web.Request) -> web.Response:
        """A tapped button of the visitor's own screens."""
        table_id = await self._table_id(request)
        visitor, body = await self._told(request, PressBody)
        person = await self._app.person(visitor.key)
        verb = _verb_of(body.token, table_id)
        if verb is None or verb is Verb.LESSON:
            answer = Answer(unknown_button_text(self._t), ok=False)
        elif person is None:
            answer = await self._to_a_stranger(visitor, table_id, verb, body.token)
        else:
            answer = await self._app.press(person, body.token, _press_id(person, body.press_id), via=PLATFORM)
        return await self._answered(request, visitor, table_id, person, answer)

    async def notices(self, request: web.Request) -> web.StreamResponse:
        """The stream that tells a page of new versions."""
        table_id = await self._table_id(request)
        screen = await self._screen(table_id, None)
        visitor = visitor_of(request)
        owner = f"address {request.remote}" if visitor.fresh else visitor.key
        return await self._hub.serve(request, table_id, owner, screen.version)

    # parts

    async def _answered(
        self, request: web.Request, visitor: Visitor, table_id: str, person: Person | None, answer: Answer
    ) -> web.Response:
        state = await self._state(request, table_id, person)
        asked, given = question(answer.screen), reading(answer.screen)
        go = await self._elsewhere(table_id, answer.screen)
        return _json(
            request,
            visitor,
            Pressed(answer.text, answer.ok, answer.reason, state, asked, given, more_button(answer.more), go),
        )

    async def _elsewhere(self, table_id: str, screen: Screen | None) -> str:
        """The code of the table to which a press has led, where that is another one."""
        if screen is None or screen.table_id in ("", table_id):
            return ""
        table = await self._own_table(screen.table_id)
        return "" if table is None else table.code

    async def _to_a_stranger(self, visitor: Visitor, table_id: str, verb: Verb, token: str) -> Answer:
        """What somebody is answered who has given no name yet: they may read."""
        if verb in BOOK_VERBS:
            reader = Person(id=visitor.key, name="", locale=self._t.locale)
            return await self._app.press(reader, token, "reading", via=PLATFORM)
        if verb is not Verb.RULES:
            return Answer(not_seated_text(self._t), ok=False)
        try:
            record = await self._app.record(table_id)
        except UnreadableSave:
            return Answer(suspended_text(self._t), ok=False)
        return Answer(screen=rules_screen(self._t, record.table, record.version))

    async def _state(self, request: web.Request, table_id: str, person: Person | None) -> RoomState:
        public = await self._screen(table_id, person)
        hand = None if person is None else await self._app.hand_screen(table_id, person)
        self._feeds.observe(self._t, public)
        code = request.match_info["code"].upper()
        name = "" if person is None else person.name
        return room_state(code, public, hand, self._feeds.lines(table_id), name, self._app.now_ms())

    async def _screen(self, table_id: str, person: Person | None) -> Screen:
        screen = await self._app.public_screen(table_id, None if person is None else person.id)
        if screen is None:
            raise web.HTTPNotFound(text=unknown_table_text(self._t))
        return screen

    async def _table_id(self, request: web.Request) -> str:
        try:
            return await self._app.find(request.match_info["code"])
        except Unknown:
            raise web.HTTPNotFound(text=unknown_table_text(self._t)) from None

    async def _own_table(self, table_id: str) -> OwnTable | None:
        try:
            table = (await self._app.record(table_id)).table
        except (Unknown, UnreadableSave):
            return None
        return OwnTable(table.code, table.name)

    async def _told(self, request: web.Request, kind: type[_Body]) -> tuple[Visitor, _Body]:
        """The visitor and what their page sent."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = msgspec.json.decode(await request.read(), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, TimeoutError):
            raise Refusal(400, unclear_text(self._t)) from None
        press_id = getattr(body, "press_id", "")
        if not re.fullmatch(PRESS_ID, press_id):
            raise Refusal(400, unclear_text(self._t))
        return visitor_of(request), body

    async def _met(self, visitor: Visitor, name: str) -> Person:
        if visitor.fresh:
            raise Refusal(403, cookies_text(self._t))
        name = name[:_LONGEST_NAME]
        known = await self._app.person(visitor.key)
        if known is None and not safe_name(name):
            raise Refusal(400, name_needed_text(self._t))
        return await self._app.meet(visitor.key, name, self._t.locale)

    def _page(self, name: str) -> web.Response:
        return web.Response(text=self._assets.page(name), content_type="text/html")


def _press_id(person: Person, press_id: str) -> str:
    """Unique for each press; nobody can name somebody else's."""
    return f"{PLATFORM}:{person.id}:{press_id}"


def _verb_of(token: str, table_id: str) -> Verb | None:
    """What a token asks for; None where it is neither this table's nor about finished matches."""
    try:
        intent = read_token(token)
    except TokenError:
        return None
    finished = intent.table_id == NO_TABLE and intent.verb in RECORD_VERBS | COIN_VERBS
    return intent.verb if intent.table_id == table_id or finished else None


def _json(request: web.Request, visitor: Visitor, value: object) -> web.Response:
    response = web.Response(body=msgspec.json.encode(value), content_type="application/json")
    remember(request, response, visitor)
    return response


def _cached(request: web.Request, body: bytes, content_type: str, etag: str) -> web.Response:
    """Something public that browsers keep and ask after."""
    held = any(tag.value in (etag, "*") for tag in request.if_none_match or ())
    response = web.Response(status=304) if held else web.Response(body=body, content_type=content_type)
    response.etag = etag
    response.headers["Cache-Control"] = "no-cache"
    return response
