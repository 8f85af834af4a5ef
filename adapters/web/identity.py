"""Who asks: a secret in a cookie, of which the server keeps only the hash."""

import hashlib
import re
import secrets
from typing import Final

import msgspec
from aiohttp import web

COOKIE: Final = "buraco"
_SECRET_BYTES: Final = 32
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_YEARS_SECONDS: Final = 3 * 365 * 24 * 3600


class Visitor(msgspec.Struct, frozen=True):
    """The browser behind a request. ``key`` names its person to the application; the secret never leaves here."""

    secret: str
    fresh: bool
    """Whether the secret was made for this request and has yet to reach the browser."""

    def __repr__(self) -> str:
        """Without the secret, which must not get into a log."""
        return f"Visitor(fresh={self.fresh})"

    @property
    def key(self) -> str:
        """The person's key: nobody can find the cookie from it."""
        return "web:" + hashlib.sha256(self.secret.encode()).hexdigest()


def visitor_of(request: web.Request) -> Visitor:
    """The visitor of a request; a new one where the cookie is missing or none of ours."""
    secret = request.cookies.get(COOKIE, "")
    if _SECRET.fullmatch(secret):
        return Visitor(secret, fresh=False)
    return Visitor(secrets.token_urlsafe(_SECRET_BYTES), fresh=True)


def remember(request: web.Request, response: web.StreamResponse, visitor: Visitor) -> None:
    """Give the browser its secret.

    Only answers to the pages' own requests do this. A link from a chat opens the page without the cookie, as
    ``SameSite=Strict`` demands; an answer to that would replace the secret, and the player's hand would be lost.
    """
    if not visitor.fresh:
        return
    response.set_cookie(
        COOKIE,
        visitor.secret,
        max_age=_YEARS_SECONDS,
        path="/",
        httponly=True,
        samesite="Strict",
        secure=request.secure or request.headers.get("X-Forwarded-Proto", "").lower() == "https",
    )
