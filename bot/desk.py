"""Pictures drawn beside the loop: public tables, kept for the newest version of each, and private hands."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec
import structlog

from bot import metrics
from bot.pictures import (
    CardsPicture,
    HandPicture,
    ProfilePicture,
    ReadPicture,
    Renderer,
    SheetForm,
    SheetPicture,
    TablePicture,
)
from bot.screens import Screen

log = structlog.get_logger()

PICTURE_SECONDS = 2.0
"""How long a picture is waited for."""
SHEET_SECONDS = 20.0
"""How long a page to print is waited for."""
PICTURES_KEPT = 64
"""Tables whose newest picture is kept."""


class PictureFailed(Exception):
    """There is no picture now: the renderer failed or is too slow. The table can still be read as text."""


class Drawn(msgspec.Struct, frozen=True):
    """A picture of a table."""

    version: int
    png: bytes
    etag: str


class PictureDesk:
    """Draws each table's newest version once, however many pages ask for it."""

    def __init__(self, renderer: Renderer, *, seconds: float = PICTURE_SECONDS, most: int = PICTURES_KEPT) -> None:
        """``seconds`` is how long a picture is waited for; ``most`` is how many tables' pictures are kept."""
        self._renderer = renderer
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[str, Drawn] = OrderedDict()
        self._drawing: dict[str, asyncio.Task[None]] = {}
        # Two threads: a hand, which somebody waits for, is not kept up by a table.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="table-pictures")
        self._hands = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hand-pictures")

    async def table(self, screen: Screen) -> Drawn:
        """The picture of a public screen, or of a newer one of the same table.

        Raises:
            PictureFailed: there is none, or not in time. What is being drawn is kept for the next who asks.
        """
        if not isinstance(screen.picture, TablePicture):
            raise PictureFailed
        try:
            async with asyncio.timeout(self._seconds):
                return await self._newest(screen, screen.picture)
        except TimeoutError:
            log.warning("picture.slow", table=screen.table_id, version=screen.version)
            raise PictureFailed from None

    async def hand(self, picture: HandPicture) -> bytes:
        """The PNG of a hand, drawn anew and kept nowhere.

        Raises:
            PictureFailed: there is none, or not in time.
        """
        return await self._drawn(self._seconds, self._renderer.hand, picture)

    async def read(self, picture: ReadPicture) -> bytes:
        """The PNG of something to read, drawn anew: a table's moment never takes the place of the live table.

        Raises:
            PictureFailed: there is none, or not in time.
        """
        match picture:
            case CardsPicture():
                return await self._drawn(self._seconds, self._renderer.cards, picture)
            case ProfilePicture():
                return await self._drawn(self._seconds, self._renderer.profile, picture)
            case _:
                return await self._drawn(self._seconds, self._renderer.table, picture.table)

    async def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """A page to print, as PNG or PDF; it takes longer than what is shown while somebody plays.

        Raises:
            PictureFailed: there is none, or not in time.
        """
        return await self._drawn(SHEET_SECONDS, self._renderer.sheet, picture, form)

    async def _drawn(self, seconds: float, draw: Callable[..., bytes], *arguments: object) -> bytes:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                return await loop.run_in_executor(self._hands, _measured, draw, *arguments)
        except TimeoutError:
            log.warning("picture.slow", what=draw.__name__)
            raise PictureFailed from None
        except Exception as error:
            log.exception("picture.failed", what=draw.__name__)
            raise PictureFailed from error

    async def close(self) -> None:
        """Draw nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._hands.shutdown(wait=False, cancel_futures=True)
        tasks = list(self._drawing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _newest(self, screen: Screen, picture: TablePicture) -> Drawn:
        while True:
            kept = self._kept.get(screen.table_id)
            if kept is not None and kept.version >= screen.version:
                self._kept.move_to_end(screen.table_id)
                return kept
            task = self._drawing.get(screen.table_id)
            if task is None:
                task = asyncio.create_task(self._draw(screen, picture), name=f"picture {screen.table_id}")
                self._drawing[screen.table_id] = task
                task.add_done_callback(_read)
            # Shielded: a page that goes away must not take the picture from the others. What was drawn for an older
            # version is followed by one more turn, with the newest.
            await asyncio.shield(task)

    async def _draw(self, screen: Screen, picture: TablePicture) -> None:
        loop = asyncio.get_running_loop()
        try:
            png, etag = await loop.run_in_executor(self._thread, _marked, self._renderer.table, picture)
        except Exception as error:
            log.exception("picture.failed", table=screen.table_id, version=screen.version)
            raise PictureFailed from error
        finally:
            # Here and not when the task has been done for a while: who comes in between would wait for it without end.
            self._drawing.pop(screen.table_id, None)
        self._kept[screen.table_id] = Drawn(screen.version, png, etag)
        self._kept.move_to_end(screen.table_id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


def _measured(draw: Callable[..., bytes], *arguments: object) -> bytes:
    kind = draw.__name__
    with metrics.RENDER_SECONDS.labels(kind).time():
        drawn = draw(*arguments)
    metrics.RENDER_BYTES.labels(kind).observe(len(drawn))
    return drawn


def _marked(draw: Callable[..., bytes], picture: TablePicture) -> tuple[bytes, str]:
    png = _measured(draw, picture)
    return png, hashlib.sha256(png).hexdigest()[:32]


def _read(task: asyncio.Task[None]) -> None:
    """Take note of a failure, for the case that every page that waited for it has gone."""
    if not task.cancelled():
        task.exception()
