"""The rule book in the browser: look up, read, practise, print; also without a table and without a name."""

import msgspec
from aiohttp import web

from adapters.web.assets import Assets
from adapters.web.guard import Refusal
from adapters.web.identity import Visitor, visitor_of
from adapters.web.speech import spoken
from adapters.web.visits import PLATFORM, ButtonBody, answer_json, press_key, told
from adapters.web.wire import Reading, reading
from bot import rulesets
from bot.app import App
from bot.commands import DEFAULT_RULESET, CommandError
from bot.desk import PictureDesk, PictureFailed
from bot.model import Home, Person
from bot.pictures import SheetForm
from bot.presenter.commands import command_problem_text
from bot.presenter.notices import unknown_button_text
from bot.presenter.sheet import sheet_of
from bot.presenter.web import cookies_text, no_such_rules_text, too_slow_text
from bot.rulesets import RulesetNotFound, load
from bot.screens import Answer, Role
from bot.tokens import NO_TABLE, TokenError, Verb, read_token

_LONGEST = 400


class BookAnswer(msgspec.Struct, frozen=True):
    """What the book answers: something to read, a sentence, or the table to go to."""

    ok: bool
    text: str = ""
    reading: Reading | None = None
    code: str = ""
    """The table of a guided deal that has begun."""


class BookRoutes:
    """Answers requests about the rules."""

    def __init__(self, app: App, desk: PictureDesk, assets: Assets) -> None:
        self._app = app
        self._desk = desk
        self._assets = assets
        self._sheets: dict[tuple[str, str, SheetForm], bytes] = {}
        """Every page that has been printed: a rule set's never changes while the program runs."""

    def add_to(self, server: web.Application) -> None:
        """Make the addresses known to a server."""
        ruleset = "{ruleset:[a-z0-9-]{1,40}}"
        server.router.add_get("/reglas", self.page)
        server.router.add_get(f"/reglas/hoja/{ruleset}.{{form:pdf|png}}", self.sheet)
        server.router.add_get("/api/libro", self.look_up)
        server.router.add_post("/api/libro/pulsar", self.press)

    async def page(self, request: web.Request) -> web.Response:
        """The page on which rules are looked up."""
        return web.Response(text=self._assets.page("rules.html", spoken(request)), content_type="text/html")

    async def sheet(self, request: web.Request) -> web.Response:
        """The page to print of a rule set."""
        form = SheetForm(request.match_info["form"])
        try:
            rules = load(request.match_info["ruleset"])
        except RulesetNotFound:
            raise web.HTTPNotFound(text=no_such_rules_text(spoken(request))) from None
        drawn = self._sheets.get((spoken(request).locale, rules.id, form))
        if drawn is None:
            try:
                drawn = await self._desk.sheet(sheet_of(spoken(request), rules), form)
            except PictureFailed:
                raise web.HTTPServiceUnavailable(
                    text=too_slow_text(spoken(request)), headers={"Retry-After": "5"}
                ) from None
            self._sheets[spoken(request).locale, rules.id, form] = drawn
        kind = "application/pdf" if form is SheetForm.PDF else "image/png"
        response = web.Response(body=drawn, content_type=kind)
        response.headers["Content-Disposition"] = f'inline; filename="buraco-{rules.id}.{form.value}"'
        return response

    async def look_up(self, request: web.Request) -> web.Response:
        """What somebody asks in their own words: ``q``, by the rules ``reglas``."""
        visitor = visitor_of(request)
        person = await self._reader(request, visitor)
        query = request.query.get("q", "")[:_LONGEST]
        try:
            answer = await self._app.look_up(person, query, ruleset_id=request.query.get("reglas", "")[:40])
        except RulesetNotFound:
            raise Refusal(404, no_such_rules_text(spoken(request))) from None
        return answer_json(request, visitor, self._answer(answer, request.query.get("reglas", "")))

    async def press(self, request: web.Request) -> web.Response:
        """A tapped button of the book."""
        visitor, body = await told(request, ButtonBody)
        try:
            intent = read_token(body.token)
        except TokenError:
            raise Refusal(400, unknown_button_text(spoken(request))) from None
        if intent.table_id != NO_TABLE:
            raise Refusal(400, unknown_button_text(spoken(request)))
        person = await self._reader(request, visitor)
        if intent.verb is Verb.LESSON:
            return await self._begin_lesson(request, visitor, body.press_id)
        answer = await self._app.press(person, body.token, press_key(person, body.press_id), via=PLATFORM)
        mark = intent.arguments[-1] if intent.arguments else ""
        return answer_json(request, visitor, self._answer(answer, mark))

    async def _begin_lesson(self, request: web.Request, visitor: Visitor, press_id: str) -> web.Response:
        if visitor.fresh:
            raise Refusal(403, cookies_text(spoken(request)))
        person = await self._app.person(visitor.key) or await self._app.meet(visitor.key, "", spoken(request).locale)
        try:
            answer = await self._app.begin_lesson(person, press_key(person, press_id))
        except CommandError as error:
            raise Refusal(503, command_problem_text(spoken(request), error)) from None
        if answer.screen is None or answer.screen.role is not Role.HAND:
            return answer_json(request, visitor, BookAnswer(ok=False, text=answer.text))
        table = (await self._app.record(answer.screen.table_id)).table
        await self._app.add_home(Home(table.id, PLATFORM, table.code))
        return answer_json(request, visitor, BookAnswer(ok=True, text=answer.text, code=table.code))

    async def _reader(self, request: web.Request, visitor: Visitor) -> Person:
        """Who reads: a person who is known, or somebody of whom nothing is kept."""
        known = None if visitor.fresh else await self._app.person(visitor.key)
        return known or Person(id="reader", name="", locale=spoken(request).locale)

    def _answer(self, answer: Answer, ruleset: str) -> BookAnswer:
        shown = reading(answer.screen)
        if answer.document is not None:
            mark = ruleset.replace("-", "")
            shown = Reading(answer.document.title, (answer.document.subtitle,), sheet=f"/reglas/hoja/{_id_of(mark)}")
        return BookAnswer(ok=answer.ok, text=answer.text, reading=shown)


def _id_of(mark: str) -> str:
    """The rule set that a token's mark names; the program's own where it names none."""
    return next((name for name in rulesets.ids() if name.replace("-", "") == mark), DEFAULT_RULESET)
