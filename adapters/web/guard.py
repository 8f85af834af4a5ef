"""What stands before every request: where it came from, how much of it, and how answers are dressed."""

import ipaddress
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec
import structlog
from aiohttp import web

from adapters.web.assets import Assets
from adapters.web.identity import visitor_of
from adapters.web.limits import (
    ADDRESS_TIMES,
    PRESSES_A_SECOND,
    PRESSES_AT_ONCE,
    READS_A_SECOND,
    READS_AT_ONCE,
)
from adapters.web.speech import spoken
from bot.buckets import Buckets
from bot.presenter.notices import busy_text, too_fast_text
from bot.presenter.web import fault_text, refused_text, unclear_text
from bot.store import StoreBusy

log = structlog.get_logger()

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

API: Final = "/api/"
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_OWN_SITES: Final = ("", "same-origin", "none")


class Refusal(Exception):
    """A request that is not done, with a status and what the visitor is told."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class Guard:
    """The middleware of the room."""

    def __init__(self, assets: Assets, host: str) -> None:
        """``host`` is what the server is bound to: on a loopback address only loopback names are answered."""
        self._assets = assets
        self._local = is_loopback(host)
        self._presses = Buckets(PRESSES_A_SECOND, PRESSES_AT_ONCE)
        self._reads = Buckets(READS_A_SECOND, READS_AT_ONCE)
        self._address_presses = Buckets(PRESSES_A_SECOND * ADDRESS_TIMES, PRESSES_AT_ONCE * ADDRESS_TIMES)
        self._address_reads = Buckets(READS_A_SECOND * ADDRESS_TIMES, READS_AT_ONCE * ADDRESS_TIMES)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what does not come from the room's own pages or comes too fast; answer faults kindly."""
        if not self._host_is_ours(request):
            return self.problem(request, 403, refused_text(spoken(request)))
        if request.path.startswith(API) and not _from_own_page(request):
            return self.problem(request, 403, refused_text(spoken(request)))
        if not self._in_time(request):
            return self.problem(request, 429, too_fast_text(spoken(request)))
        try:
            return await handler(request)
        except Refusal as refusal:
            return self.problem(request, refusal.status, refusal.text)
        except web.HTTPException as error:
            if error.status < 400:
                raise
            return self.problem(request, error.status, error.text if error.status == 404 else None)
        except StoreBusy as error:
            log.warning("web.store_busy", path=_route(request), error=str(error))
            return self.problem(request, 503, busy_text(spoken(request)))
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("web.failed", path=_route(request), error_id=error_id)
            return self.problem(request, 500, fault_text(spoken(request), error_id))

    def problem(self, request: web.Request, status: int, text: str | None = None) -> web.Response:
        """A refusal that people can read: JSON for the pages' requests, else a page."""
        if status == 404 and not request.path.startswith(API):
            return web.Response(
                status=404, text=self._assets.page("missing.html", spoken(request)), content_type="text/html"
            )
        told = text or unclear_text(spoken(request))
        headers = {"Retry-After": "1"} if status in (429, 503) else None
        body = msgspec.json.encode({"text": told, "ok": False})
        return web.Response(status=status, body=body, content_type="application/json", headers=headers)

    def _host_is_ours(self, request: web.Request) -> bool:
        """A page elsewhere can have its name point at this computer; then ``Host`` bears that other name."""
        host = request.headers.get("Host", "")
        if not host:
            return False
        if not self._local:
            return True
        name, port = _split(host)
        socket = request.get_extra_info("sockname")
        own_port = socket[1] if socket else None
        return name is not None and (name == "localhost" or is_loopback(name)) and (port or 80) == own_port

    def _in_time(self, request: web.Request) -> bool:
        if not request.path.startswith((API, "/mesa/", "/reglas/")):
            return True
        visitor, address = visitor_of(request), request.remote or ""
        person = f"address {address}" if visitor.fresh else visitor.key
        if request.method == "POST":
            return self._presses.take(person) and self._address_presses.take(address)
        return self._reads.take(person) and self._address_reads.take(address)


async def dress(_request: web.Request, response: web.StreamResponse) -> None:
    """Put the security headers on every answer."""
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-store")


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this computer alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _from_own_page(request: web.Request) -> bool:
    """Whether an API request comes from a page of this very room, as far as the browser tells."""
    if request.headers.get("Sec-Fetch-Site", "") not in _OWN_SITES:
        return False
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower():
        return False
    # A form of another site cannot send this type without the browser asking first.
    return request.method in ("GET", "HEAD") or request.content_type == "application/json"


def _split(host: str) -> tuple[str | None, int | None]:
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname, parts.port
    except ValueError:
        return None, None


def _route(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else ""
