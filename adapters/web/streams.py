"""Telling open pages that their table has changed: server-sent events that carry a version and nothing else."""

import asyncio
from typing import Final

from aiohttp import web

from adapters.web.limits import HEARTBEAT_SECONDS, STREAMS, STREAMS_A_PERSON, WRITE_SECONDS

_RETRY_MS: Final = 2000
_HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}


class Page:
    """One open page: the newest version it is to hear of. Changes that come faster than it reads are taken together."""

    def __init__(self, table_id: str, owner: str, version: int) -> None:
        self.table_id = table_id
        self.owner = owner
        self.version = version
        self.ended = False
        self.told = asyncio.Event()
        self.told.set()

    def tell(self, version: int) -> None:
        """There is a new version."""
        self.version = max(version, self.version)
        self.told.set()

    def end(self) -> None:
        """The page has to ask for itself from now on."""
        self.ended = True
        self.told.set()


class Hub:
    """The open pages of all tables."""

    def __init__(self, heartbeat: float = HEARTBEAT_SECONDS) -> None:
        self._heartbeat = heartbeat
        self._pages: list[Page] = []
        self._closed = False

    def __len__(self) -> int:
        """How many pages are open."""
        return len(self._pages)

    def wake(self, table_id: str, version: int) -> None:
        """Tell a table's pages of a version. Returns at once."""
        for page in self._pages:
            if page.table_id == table_id:
                page.tell(version)

    def tables(self) -> set[str]:
        """The tables of which a page is open."""
        return {page.table_id for page in self._pages}

    def close(self) -> None:
        """End all streams, and those that would still open."""
        self._closed = True
        for page in self._pages:
            page.end()

    async def serve(self, request: web.Request, table_id: str, owner: str, version: int) -> web.StreamResponse:
        """Keep a page informed until it goes away; the longest open of a person's many pages is sent away first."""
        if self._closed or len(self._pages) >= STREAMS:
            return web.Response(status=503, headers={"Retry-After": "5"})
        theirs = [page for page in self._pages if page.owner == owner and not page.ended]
        for page in theirs[: max(0, len(theirs) + 1 - STREAMS_A_PERSON)]:
            page.end()
        page = Page(table_id, owner, version)
        self._pages.append(page)
        response = web.StreamResponse(headers=_HEADERS)
        try:
            await response.prepare(request)
            await self._write(response, f"retry: {_RETRY_MS}\n\n")
            await self._follow(page, response)
        except (ConnectionError, TimeoutError):
            pass  # the page is gone
        finally:
            self._pages.remove(page)
        return response

    async def _follow(self, page: Page, response: web.StreamResponse) -> None:
        while True:
            try:
                async with asyncio.timeout(self._heartbeat):
                    await page.told.wait()
            except TimeoutError:
                await self._write(response, ": \n\n")
                continue
            page.told.clear()
            if page.ended:
                await self._write(response, "event: apart\ndata: {}\n\n")
                return
            await self._write(response, f'event: version\ndata: {{"version":{page.version}}}\n\n')

    async def _write(self, response: web.StreamResponse, text: str) -> None:
        async with asyncio.timeout(WRITE_SECONDS):
            await response.write(text.encode())
