"""In which language a browser is answered: what its person has chosen, else what it says that it speaks."""

from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web

from adapters.web.identity import visitor_of
from bot.app import App
from bot.texts import Texts, is_spoken, texts

_SPOKEN: Final = web.RequestKey("spoken", Texts)
_ASSETS: Final = "/static/"
_MOST: Final = 20
"""So many languages of a header are looked at."""


def spoken(request: web.Request) -> Texts:
    """The texts in the language of whoever asks."""
    return request[_SPOKEN]


class Speech:
    """The middleware that finds out."""

    def __init__(self, app: App, locale: str) -> None:
        """``locale`` is for browsers that say nothing, or nothing that there is."""
        self._app = app
        self._locale = locale

    @web.middleware
    async def middleware(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Note the language of a request."""
        said = accepted(request.headers.get("Accept-Language", "")) or self._locale
        visitor = visitor_of(request)
        person = None if visitor.fresh or request.path.startswith(_ASSETS) else await self._app.person(visitor.key)
        request[_SPOKEN] = texts(said if person is None else person.language or said)
        return await handler(request)


def accepted(header: str) -> str:
    """The first of the languages of an ``Accept-Language`` header that there is, by weight; empty for none."""
    weighed: list[tuple[float, str]] = []
    for entry in header.split(",")[:_MOST]:
        locale, _, weight = entry.partition(";")
        try:
            weighed.append((-float(weight.strip().removeprefix("q=") or 1), locale.strip()))
        except ValueError:
            continue
    weighed.sort(key=lambda entry: entry[0])
    return next((locale for weight, locale in weighed if weight and is_spoken(locale)), "")
