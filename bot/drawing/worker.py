"""A process that draws, as the bot sees it: started, asked one picture at a time, ended."""

import asyncio
import contextlib
import os
import sys
from asyncio import subprocess
from typing import Final, Self

import msgspec

from bot.config import NAMES
from bot.drawing.wire import LENGTH, Answer, Ready, read_answer

START_SECONDS: Final = 20.0
"""How long a process may take to start and warm up."""
END_SECONDS: Final = 1.0
"""How long a process may take to end by itself: any picture but a page to print is ready by then."""
_BUFFER_BYTES: Final = 1 << 20
"""Of answers that have come and not been read: more than any picture of a game."""


class WorkerLost(Exception):
    """The process is gone, or says what makes no sense."""


class Worker:
    """One process. It answers orders in their order; nobody gives it many at once, which would fill the pipe."""

    def __init__(
        self, process: subprocess.Process, orders: asyncio.StreamWriter, answers: asyncio.StreamReader
    ) -> None:
        self._process = process
        self._orders = orders
        self._answers = answers
        self.start_cpu = 0.0
        """Seconds of processor time that its start took."""

    @classmethod
    async def start(cls, module: str) -> Self:
        """Start a process that runs a module, and wait until it is ready.

        Raises:
            WorkerLost: it ended, or said something else.
            TimeoutError: it took too long.
            OSError: no process can be started now.
        """
        process = await subprocess.create_subprocess_exec(
            sys.executable, "-P", "-m", module,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(), limit=_BUFFER_BYTES,
        )  # fmt: skip
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both were asked for")
        worker = cls(process, process.stdin, process.stdout)
        try:
            async with asyncio.timeout(START_SECONDS):
                ready = await worker.answer()
            if not isinstance(ready, Ready):
                raise WorkerLost
        except BaseException:
            await worker.kill()
            raise
        worker.start_cpu = ready.cpu
        return worker

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """What the process ended with; None while it runs."""
        return self._process.returncode

    @property
    def is_gone(self) -> bool:
        """Whether it has ended, as far as that is known yet."""
        return self.status is not None or self._answers.at_eof()

    def tell(self, order: bytes) -> None:
        """Give it something to draw, after what it was given before."""
        self._orders.write(order)

    async def answer(self) -> Answer:
        """What it says to the first order that it has not answered yet.

        Raises:
            WorkerLost: the process is gone.
        """
        try:
            (length,) = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
            return read_answer(await self._answers.readexactly(length))
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            raise WorkerLost from None

    async def end(self) -> None:
        """Let the process end after what it is drawing; it is killed where that takes long."""
        self._orders.close()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_SECONDS):
                    await self._process.wait()
        finally:
            await self.kill()

    async def kill(self) -> None:
        """End the process at once, and clear up after it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._orders.close()
        await self._process.wait()
        # To the end of the pipe, so that it is closed before the loop may be.
        with contextlib.suppress(OSError):
            await self._answers.read()


def _environment() -> dict[str, str]:
    """What the process is given: where modules are found, and none of the bot's own settings, tokens among them."""
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    return {**kept, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
