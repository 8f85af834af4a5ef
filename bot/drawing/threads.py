"""Drawing in threads of this process."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from bot import metrics
from bot.drawing.base import KINDS, Drawable, Drawing, Drawn, draw
from bot.pictures import Renderer, SheetForm, TablePicture


class Threads(Drawing):
    """Two threads: a hand, which somebody waits for, is not kept up by a table."""

    def __init__(self, renderer: Renderer) -> None:
        """``renderer`` is called in both threads at the same time."""
        self._renderer = renderer
        self._tables = ThreadPoolExecutor(max_workers=1, thread_name_prefix="table-pictures")
        self._others = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hand-pictures")

    async def draw(self, picture: Drawable, form: SheetForm = SheetForm.PNG) -> Drawn:
        """The picture.

        Raises:
            Exception: whatever the renderer raises.
        """
        threads = self._tables if isinstance(picture, TablePicture) else self._others
        return await asyncio.get_running_loop().run_in_executor(threads, self._measured, picture, form)

    async def stop(self) -> None:
        """Draw nothing more; what is under way is not waited for."""
        self._tables.shutdown(wait=False, cancel_futures=True)
        self._others.shutdown(wait=False, cancel_futures=True)

    def _measured(self, picture: Drawable, form: SheetForm) -> Drawn:
        kind = KINDS[type(picture)]
        with metrics.RENDER_SECONDS.labels(kind).time():
            drawn = draw(self._renderer, picture, form)
        metrics.RENDER_BYTES.labels(kind).observe(len(drawn.data))
        return drawn
