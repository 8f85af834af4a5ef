"""Addresses of PostgreSQL databases: understood as PostgreSQL's own tools do, and shown without their password."""

import re
import shlex
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from bot.store import StoreUnusable

SCHEMES: Final = ("postgresql", "postgres", "postgresql+asyncpg")
_HOSTS: Final = re.compile(r"[\w.,:%\[\]-]*")
_ADVICE: Final = "write postgresql://user:password@host:5432/database, with %40 for @, %2F for / in the password"


class Address:
    """Where a database is. Only :attr:`secret` has the password; it is for the driver alone."""

    def __init__(self, url: str) -> None:
        """Understand an address.

        Raises:
            StoreUnusable: it makes no sense. Nothing of it is told: it may hold a password.
        """
        try:
            parts = urlsplit(url)
            query = parse_qsl(parts.query, keep_blank_values=True)
        except ValueError:
            raise _refused() from None
        user, _, hosts = parts.netloc.rpartition("@")
        # An @ behind the host ends a password that holds a /, ? or #: what was taken for the host is part of it.
        if parts.fragment or "@" in parts.path + parts.query or not _HOSTS.fullmatch(hosts):
            raise _refused()
        self.secret: Final = _joined(parts.netloc, parts.path, parts.query)
        named = dict(query)
        host, port = named.get("host") or hosts, named.get("port")
        self.host: Final = (f"{host}:{port}" if port else host) or "this computer"
        self.database: Final = unquote(parts.path.lstrip("/")) or named.get("dbname") or named.get("database") or ""
        open_query = [(name, value) for name, value in query if name != "password"]
        name, _, _ = user.partition(":")
        netloc = f"{name}@{hosts}" if name else hosts
        self.shown: Final = _joined(netloc, parts.path, urlencode(open_query, quote_via=quote, safe="/"))
        """The address without the password."""

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    __str__ = __repr__

    def copying(self, file: str) -> str:
        """The commands that copy the database to a file and put it back; they ask for the password."""
        copy = shlex.join(("pg_dump", "--format=custom", f"--file={file}", self.shown))
        into = f"--dbname={self.shown}"
        back = shlex.join(("pg_restore", "--clean", "--if-exists", "--single-transaction", into, file))
        return f"{copy}\nput it back, with all bots stopped: {back}\n(both look for the password in ~/.pgpass)"


def _joined(netloc: str, path: str, query: str) -> str:
    return f"postgresql://{netloc}{path}{f'?{query}' if query else ''}"


def is_postgres(url: str) -> bool:
    """Whether an address is that of a PostgreSQL database, well written or not."""
    return url.partition("://")[0] in SCHEMES


def _refused() -> StoreUnusable:
    return StoreUnusable("the address of the PostgreSQL database cannot be understood", _ADVICE)
