"""Pictures drawn beside the loop: public tables, kept for the newest version of each, and private hands."""

import asyncio
from collections import OrderedDict

import msgspec
import structlog

from bot.drawing.base import KINDS, Drawable, Drawing, Draws, NotDrawn
from bot.drawing.threads import Threads
from bot.pictures import (
    HandPicture,
    ReadPicture,
    SheetForm,
    SheetPicture,
    StillPicture,
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


class KeptPicture(msgspec.Struct, frozen=True):
    """A picture of a table."""

    version: int
    png: bytes
    etag: str


class PictureDesk:
    """Draws each table's newest version once, however many pages ask for it."""

    def __init__(self, draws: Draws, *, seconds: float = PICTURE_SECONDS, most: int = PICTURES_KEPT) -> None:
        """``seconds`` is how long a picture is waited for; ``most`` is how many tables' pictures are kept.

        A renderer draws in threads of this desk; a place that draws is its owner's to stop.
        """
        self._is_own = not isinstance(draws, Drawing)
        self._place = draws if isinstance(draws, Drawing) else Threads(draws)
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[str, KeptPicture] = OrderedDict()
        self._drawing: dict[str, asyncio.Task[None]] = {}

    async def table(self, screen: Screen) -> KeptPicture:
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
        return await self._drawn(self._seconds, picture)

    async def read(self, picture: ReadPicture) -> bytes:
        """The PNG of something to read, drawn anew: a table's moment never takes the place of the live table.

        Raises:
            PictureFailed: there is none, or not in time.
        """
        what = picture.table if isinstance(picture, StillPicture) else picture
        return await self._drawn(self._seconds, what)

    async def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """A page to print, as PNG or PDF; it takes longer than what is shown while somebody plays.

        Raises:
            PictureFailed: there is none, or not in time.
        """
        return await self._drawn(SHEET_SECONDS, picture, form)

    async def _drawn(self, seconds: float, picture: Drawable, form: SheetForm = SheetForm.PNG) -> bytes:
        what = KINDS[type(picture)]
        try:
            async with asyncio.timeout(seconds):
                return (await self._place.draw(picture, form)).data
        except TimeoutError:
            log.warning("picture.slow", what=what)
            raise PictureFailed from None
        except NotDrawn as error:
            log.warning("picture.not_drawn", what=what, why=str(error))
            raise PictureFailed from None
        except Exception as error:
            log.exception("picture.failed", what=what)
            raise PictureFailed from error

    async def close(self) -> None:
        """Draw nothing more."""
        if self._is_own:
            await self._place.stop()
        tasks = list(self._drawing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _newest(self, screen: Screen, picture: TablePicture) -> KeptPicture:
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
        try:
            drawn = await self._place.draw(picture)
        except NotDrawn as error:
            log.warning("picture.not_drawn", table=screen.table_id, version=screen.version, why=str(error))
            raise PictureFailed from None
        except Exception as error:
            log.exception("picture.failed", table=screen.table_id, version=screen.version)
            raise PictureFailed from error
        finally:
            # Here and not when the task has been done for a while: who comes in between would wait for it without end.
            self._drawing.pop(screen.table_id, None)
        self._kept[screen.table_id] = KeptPicture(screen.version, drawn.data, drawn.mark)
        self._kept.move_to_end(screen.table_id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


def _read(task: asyncio.Task[None]) -> None:
    """Take note of a failure, for the case that every page that waited for it has gone."""
    if not task.cancelled():
        task.exception()
