"""Drawing in processes of their own, which leaves the interpreter to the event loop.

The processes are started when there is something to draw and end when there has been nothing for long. One that dies
costs nothing: another draws its picture.
"""

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import structlog

from bot import metrics
from bot.drawing.base import KINDS, Drawable, Drawing, Drawn, NotDrawn
from bot.drawing.wire import Done, Failed, write_order
from bot.drawing.worker import Worker, WorkerLost
from bot.pictures import SheetForm, SheetPicture, TablePicture

log = structlog.get_logger()

MODULE: Final = "render.worker"
WAITING_MOST: Final = 256
"""Pictures that wait, for each process: more than it draws while somebody waits for one."""
LONGEST_SECONDS: Final = 30.0
"""A process that draws one picture for longer hangs."""
IDLE_SECONDS: Final = 600.0
"""A process that has drawn nothing for so long gives its memory back."""
PATIENCE_SECONDS: Final = 1.0
"""What has waited for longer nearly comes too late: where many wait, the others are drawn in time instead."""
_MANY: Final = 8
"""Pictures that wait, for each process: fewer are drawn before anybody's patience ends."""
_AHEAD: Final = 2
"""Pictures that a process has been told of: it draws the second while the event loop has no time for the first."""
_TRIES: Final = 2
_PAUSES: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Before a process is started, after so many in a row that did not come up."""
_LATER: Final = {TablePicture: 0.5, SheetPicture: 10.0}
"""Seconds by which others may be later and still go first: whoever has pressed waits for a hand."""


@dataclass(order=True, slots=True)
class _Wanted:
    """A picture that waits, in the order in which they are drawn."""

    due: float
    number: int
    since: float = field(compare=False)
    kind: str = field(compare=False)
    order: bytes = field(compare=False)
    drawn: asyncio.Future[Drawn] = field(compare=False)
    tries: int = field(default=0, compare=False)

    def fail(self, error: Exception) -> None:
        if not self.drawn.done():
            self.drawn.set_exception(error)


class Pool(Drawing):
    """So many processes that draw, for all desks together."""

    def __init__(
        self,
        workers: int,
        *,
        module: str = MODULE,
        most: int = WAITING_MOST,
        longest: float = LONGEST_SECONDS,
        idle: float = IDLE_SECONDS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """``workers`` processes at most run ``module``.

        ``most`` pictures for each of them may wait. Where many do, those are not drawn whose turn comes more than
        ``patience`` seconds late. One that draws for longer than ``longest`` seconds is killed, one
        that draws nothing for ``idle`` seconds ends.
        """
        self._workers = workers
        self._module = module
        self._most = most * workers
        self._longest = longest
        self._idle = idle
        self._patience = patience
        self._numbers = count()
        self._waiting: asyncio.PriorityQueue[_Wanted] = asyncio.PriorityQueue()
        self._serving: set[asyncio.Task[None]] = set()
        self._free = 0
        self._running: set[Worker] = set()
        self._stopped = False
        self._busy = 0.0
        self._cpu = 0.0

    @property
    def busy_seconds(self) -> float:
        """How long the processes have drawn so far, each on average."""
        return self._busy / self._workers

    @property
    def cpu_seconds(self) -> float:
        """The processor time that all processes have taken so far, their start included."""
        return self._cpu

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run, by their numbers."""
        return tuple(worker.pid for worker in self._running)

    async def draw(self, picture: Drawable, form: SheetForm = SheetForm.PNG) -> Drawn:
        """The picture. Where whoever asks is cancelled it is not drawn, if that has not begun.

        Raises:
            NotDrawn: the renderer failed, too many wait, it waited for too long, two processes died of it or one hung.
        """
        if self._stopped or self._waiting.qsize() >= self._most:
            metrics.PICTURES_REFUSED.inc()
            raise NotDrawn("stopped" if self._stopped else "too many wait")
        loop = asyncio.get_running_loop()
        now = loop.time()
        wanted = _Wanted(
            now + _LATER.get(type(picture), 0.0),
            next(self._numbers),
            now,
            KINDS[type(picture)],
            write_order(picture, form),
            loop.create_future(),
        )
        self._put(wanted)
        if self._free < self._waiting.qsize() and len(self._serving) < self._workers:
            task = asyncio.create_task(self._serve(), name=f"pictures {len(self._serving)}")
            self._serving.add(task)
        return await wanted.drawn

    async def stop(self) -> None:
        """Let the processes go; what they are drawing, and what waits, is given up. May be called twice."""
        self._stopped = True
        tasks = list(self._serving)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while not self._waiting.empty():
            self._waiting.get_nowait().fail(NotDrawn("stopped"))
        metrics.PICTURES_WAITING.set(0)

    def _put(self, wanted: _Wanted) -> None:
        self._waiting.put_nowait(wanted)
        metrics.PICTURES_WAITING.set(self._waiting.qsize())

    async def _next(self) -> _Wanted | None:
        """The next picture that somebody still waits for; None where there was none for long."""
        while True:
            self._free += 1
            try:
                async with asyncio.timeout(self._idle):
                    wanted = await self._waiting.get()
            except TimeoutError:
                if self._waiting.empty():
                    return None
                continue
            finally:
                self._free -= 1
            if self._is_wanted(wanted):
                return wanted

    def _next_at_once(self) -> _Wanted | None:
        """A picture that waits while every process is busy; None where there is none."""
        others = self._free + self._workers - len(self._running)
        while self._waiting.qsize() > others:
            wanted = self._waiting.get_nowait()
            if self._is_wanted(wanted):
                return wanted
        return None

    def _is_wanted(self, wanted: _Wanted) -> bool:
        metrics.PICTURES_WAITING.set(self._waiting.qsize())
        if self._is_too_late(wanted):
            metrics.PICTURES_REFUSED.inc()
            wanted.fail(NotDrawn("too late"))
        return not wanted.drawn.done()

    def _is_too_late(self, wanted: _Wanted) -> bool:
        """Whether a picture had better make room: else all of them would be drawn just when nobody waits any more."""
        late = asyncio.get_running_loop().time() - wanted.due
        return late > self._patience and self._waiting.qsize() > _MANY * self._workers and not wanted.tries

    async def _serve(self) -> None:
        """One process after the other, each for as long as it lives; ends where there has been nothing for long."""
        worker: Worker | None = None
        failures = 0
        told: list[_Wanted] = []
        sent = 0
        try:
            while True:
                if not told:
                    wanted = await self._next()
                    if wanted is None:
                        if worker is not None:
                            idle, worker = worker, None
                            await self._dismiss(idle)
                        if self._waiting.empty():
                            return
                        continue
                    told.append(wanted)
                    if worker is not None and worker.is_gone:
                        await self._lose(worker, "died")
                        worker = None
                try:
                    if worker is None:
                        await asyncio.sleep(_PAUSES[min(failures, len(_PAUSES) - 1)])
                        failures += 1
                        worker = await self._start()
                        failures = 0
                    while len(told) < _AHEAD and (wanted := self._next_at_once()) is not None:
                        told.append(wanted)
                    for wanted in told[sent:]:
                        self._tell(worker, wanted)
                    sent = len(told)
                    await self._take(worker, told[0])
                    del told[0]
                    sent -= 1
                except (WorkerLost, TimeoutError, OSError) as error:
                    hangs = worker is not None and isinstance(error, TimeoutError)
                    if worker is not None:
                        await self._lose(worker, "hangs" if hangs else "died")
                        worker = None
                    else:
                        log.error("picture.worker_not_started", error=repr(error))
                    self._try_again(told, hangs=hangs)
                    sent = 0
        finally:
            for wanted in told:
                wanted.fail(NotDrawn("stopped"))
            # Before anything is waited for: whoever asks from now on needs another task.
            self._serving.discard(asyncio.current_task())
            if worker is not None:
                await self._dismiss(worker)

    async def _start(self) -> Worker:
        worker = await Worker.start(self._module)
        self._cpu += worker.start_cpu
        metrics.PICTURE_CPU.inc(worker.start_cpu)
        self._running.add(worker)
        metrics.PICTURE_WORKERS.set(len(self._running))
        return worker

    def _tell(self, worker: Worker, wanted: _Wanted) -> None:
        metrics.RENDER_WAIT.labels(wanted.kind).observe(asyncio.get_running_loop().time() - wanted.since)
        worker.tell(wanted.order)

    async def _take(self, worker: Worker, wanted: _Wanted) -> None:
        """Wait for the picture that a process has been told of before all others."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with asyncio.timeout(self._longest):
            answer = await worker.answer()
        self._busy += loop.time() - began
        self._cpu += answer.cpu
        metrics.PICTURE_CPU.inc(answer.cpu)
        match answer:
            case Done():
                metrics.RENDER_SECONDS.labels(wanted.kind).observe(answer.seconds)
                metrics.RENDER_BYTES.labels(wanted.kind).observe(len(answer.data))
                if not wanted.drawn.done():
                    wanted.drawn.set_result(Drawn(answer.data, answer.mark))
            case Failed():
                log.error("picture.renderer_failed", what=wanted.kind, error=answer.error, trace=answer.trace)
                wanted.fail(NotDrawn(answer.error))
            case _:
                raise WorkerLost

    def _try_again(self, told: list[_Wanted], *, hangs: bool) -> None:
        """Have another process draw them, before all others; the first is the one that was being drawn.

        What kills two processes, or hangs, is not tried any more.
        """
        first, *innocent = told
        told.clear()
        first.tries += 1
        if hangs or first.tries >= _TRIES:
            first.fail(NotDrawn("its process hangs" if hangs else "its processes died"))
        for wanted in (first, *innocent):
            if not wanted.drawn.done():
                self._put(wanted)

    async def _lose(self, worker: Worker, why: str) -> None:
        self._running.discard(worker)
        metrics.PICTURE_WORKERS.set(len(self._running))
        metrics.PICTURE_WORKERS_LOST.inc()
        await worker.kill()
        log.warning("picture.worker_lost", why=why, status=worker.status)

    async def _dismiss(self, worker: Worker) -> None:
        self._running.discard(worker)
        metrics.PICTURE_WORKERS.set(len(self._running))
        await worker.end()
