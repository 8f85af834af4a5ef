"""What is kept of a visitor: as a file to download, and to be forgotten."""

from typing import Final

import msgspec
from aiohttp import web

from adapters.web.guard import Refusal
from adapters.web.identity import COOKIE, visitor_of
from adapters.web.speech import spoken
from adapters.web.visits import PLATFORM, told
from bot.app import App
from bot.model import Person
from bot.presenter.notices import unknown_button_text
from bot.presenter.privacy import nothing_kept_text
from bot.privacy import asked_of_data
from bot.screens import Answer
from bot.tokens import NO_TABLE, Intent, Verb, write_token

PATH: Final = "/api/mis-datos"


class YesBody(msgspec.Struct, frozen=True):
    """The answer to the question."""

    token: str


class Asked(msgspec.Struct, frozen=True):
    """A question or what was done, in words; ``token`` says yes."""

    ok: bool
    text: str
    token: str = ""


class PersonalRoutes:
    """Answers requests about what is kept of the visitor, who is known from the cookie alone."""

    def __init__(self, app: App) -> None:
        self._app = app

    def add_to(self, server: web.Application) -> None:
        """Make the addresses known to a server."""
        server.router.add_get(PATH, self.download)
        server.router.add_get(f"{PATH}/borrar", self.ask)
        server.router.add_post(f"{PATH}/borrar", self.erase)

    async def download(self, request: web.Request) -> web.Response:
        """All that is kept of the visitor."""
        answer = await self._answer(await self._person(request), Verb.MY_DATA)
        if answer.file is None:
            raise Refusal(503, answer.text)
        response = web.Response(body=answer.file.data, content_type="application/json")
        response.headers["Content-Disposition"] = f'attachment; filename="{answer.file.name}"'
        return response

    async def ask(self, request: web.Request) -> web.Response:
        """The question, with what becomes of the visitor's seats."""
        answer = await self._answer(await self._person(request), Verb.ERASE)
        return _json(answer)

    async def erase(self, request: web.Request) -> web.Response:
        """Forget the visitor, who has said yes; then the browser forgets its secret."""
        _visitor, body = await told(request, YesBody)
        if asked_of_data(body.token) is None:
            raise Refusal(400, unknown_button_text(spoken(request)))
        response = _json(await self._app.press(await self._person(request), body.token, "data", via=PLATFORM))
        if await self._app.person(visitor_of(request).key) is None:
            response.del_cookie(COOKIE, path="/")
        return response

    async def _person(self, request: web.Request) -> Person:
        person = await self._app.person(visitor_of(request).key)
        if person is None:
            raise Refusal(404, nothing_kept_text(spoken(request)))
        return person

    async def _answer(self, person: Person, verb: Verb) -> Answer:
        return await self._app.press(person, write_token(Intent(NO_TABLE, 0, verb)), "data", via=PLATFORM)


def _json(answer: Answer) -> web.Response:
    screen = answer.screen
    told = answer.text if screen is None else "\n\n".join((screen.title, *screen.lines))
    token = screen.rows[0][0].token if screen is not None and screen.rows else ""
    return web.Response(body=msgspec.json.encode(Asked(answer.ok, told, token)), content_type="application/json")
