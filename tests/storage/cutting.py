"""A way to a PostgreSQL server that breaks just when a commit is on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum
from urllib.parse import parse_qs, urlsplit, urlunsplit

COMMIT = b"COMMIT;\0"


class Cut(Enum):
    """Where the way breaks."""

    NOWHERE = "nowhere"
    BEFORE = "before"
    """The server never hears of the commit."""
    BEHIND = "behind"
    """The server commits, and nobody hears of it."""


class Way:
    """What lies between a store and its server."""

    def __init__(self, host: str, port: int) -> None:
        """The server is at ``host``, which may be the folder of a socket, and ``port``."""
        self._host = host
        self._port = port
        self.cut = Cut.NOWHERE
        self.times = 0
        """How many more commits are cut."""
        self.closed = False
        """Whether nobody gets through any more."""
        self.closes_after = False
        """Whether it is closed with the last cut."""
        self.cuts = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self.closed:
            writer.close()
            return
        if self._host.startswith("/"):
            back, there = await asyncio.open_unix_connection(f"{self._host}/.s.PGSQL.{self._port}")
        else:
            back, there = await asyncio.open_connection(self._host, self._port)
        answers = asyncio.create_task(self._carry_back(back, writer))
        try:
            with suppress(ConnectionError):
                await self._carry(reader, there, answers)
        finally:
            answers.cancel()
            there.close()
            writer.close()

    async def _carry(
        self, reader: asyncio.StreamReader, there: asyncio.StreamWriter, answers: asyncio.Task[None]
    ) -> None:
        while data := await reader.read(1 << 16):
            if COMMIT in data and self.times > 0 and self.cut is not Cut.NOWHERE:
                self.times -= 1
                self.cuts += 1
                self.closed = self.closes_after and self.times == 0
                if self.cut is Cut.BEHIND:
                    answers.cancel()
                    there.write(data)
                    await there.drain()
                    there.write_eof()
                return
            there.write(data)
            await there.drain()

    async def _carry_back(self, back: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await back.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def end(self) -> None:
        """Break what is left."""
        for task in set(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks))


@asynccontextmanager
async def way_to(url: str) -> AsyncIterator[tuple[Way, str]]:
    """A way to a database, and its address over that way."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    host = query["host"][0] if "host" in query else parts.hostname or "localhost"
    way = Way(host, parts.port or 5432)
    server = await asyncio.start_server(way.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    user = parts.netloc.rpartition("@")[0]
    try:
        yield way, urlunsplit((parts.scheme, f"{user}@127.0.0.1:{port}", parts.path, "sslmode=disable", ""))
    finally:
        server.close()
        await way.end()
