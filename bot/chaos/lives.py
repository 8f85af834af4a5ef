"""The victims' lives as the hunter sees them: a mother process each, which bears one life after the other."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

PATIENCE_SECONDS: Final = 60.0
_LINE: Final = 1 << 20


class Line:
    """The connection to one victim."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: Callable[[Any], None]) -> None:
        self._reader = reader
        self._writer = writer
        self._seen = seen
        self._numbers = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._task = asyncio.create_task(self._listen())

    async def ask(self, do: str, **facts: str) -> dict[str, Any]:
        """What the victim answers.

        Raises:
            ConnectionError: it is dead; what it did last is not known.
        """
        if self._task.done():
            raise ConnectionError("dead")
        self._numbers += 1
        number = self._numbers
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._writer.write(msgspec.json.encode({"n": number, "do": do, **facts}) + b"\n")
        return await asyncio.wait_for(future, PATIENCE_SECONDS)

    async def _listen(self) -> None:
        try:
            while line := await self._reader.readline():
                if not line.endswith(b"\n"):
                    break  # cut short by the kill
                told = msgspec.json.decode(line)
                if "n" in told:
                    future = self._waiting.pop(told.pop("n"))
                    if not future.done():
                        future.set_result(told)
                else:
                    self._seen(told)
        except (ConnectionError, OSError):
            pass
        finally:
            self._writer.close()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionError("dead"))
                    future.exception()

    def leave(self) -> None:
        """Go; the victim ends in order then."""
        self._writer.close()

    async def closed(self) -> None:
        """Wait until it is dead and all that it had told is known."""
        await asyncio.wait([self._task])


class Lives:
    """One worker of the bot: killed, born again, and asked for as long as it lives."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], seen: Callable[[Any], None]) -> None:
        """``command`` starts the mother; ``seen`` is told of every screen that comes up."""
        self._command = command
        self._environment = environment
        self._seen = seen
        self._mother: asyncio.subprocess.Process | None = None
        self._victim = 0
        self._line: Line | None = None
        self.alive = asyncio.Event()
        self.shown: dict[str, int] = {}
        """What has come up in this life."""

    async def start(self) -> None:
        """Start the mother, and the first life."""
        self._mother = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=self._environment
        )
        await self.bear()

    async def bear(self) -> None:
        """Begin another life."""
        mother = self._mother
        if mother is None or mother.stdin is None:
            raise RuntimeError("there is no mother")
        mother.stdin.write(b"life\n")
        port = 0
        while not (port and self._victim):
            word, number = await self._heard()
            if word == "born":
                self._victim = number
            elif word == "port":
                port = number
            elif word == "dead":
                raise RuntimeError(f"the bot does not start again: exit status {number}")
        self.shown = {}
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LINE)
        self._line = Line(reader, writer, self._seen)
        self.alive.set()

    async def ask(self, do: str, **facts: str) -> dict[str, Any]:
        """What this life answers.

        Raises:
            ConnectionError: it is dead; what it did last is not known.
        """
        if self._line is None or not self.alive.is_set():
            raise ConnectionError("not born yet")
        return await self._line.ask(do, **facts)

    async def kill(self) -> None:
        """End this life at once, whatever it is doing."""
        self.alive.clear()
        os.kill(self._victim, signal.SIGKILL)
        await self._dead()

    async def end(self) -> int:
        """Let the last life go in order; its exit status."""
        self.alive.clear()
        if self._line is not None:
            self._line.leave()
        return await self._dead()

    async def stop(self) -> None:
        """End everything that is left."""
        mother, self._mother = self._mother, None
        if mother is None:
            return
        if self._victim:
            os.kill(self._victim, signal.SIGKILL)
        if mother.stdin is not None:
            mother.stdin.close()
        await mother.wait()

    async def _dead(self) -> int:
        while True:
            word, status = await self._heard()
            if word == "dead":
                break
        self._victim = 0
        if self._line is not None:
            await self._line.closed()
        return status

    async def _heard(self) -> tuple[str, int]:
        if self._mother is None or self._mother.stdout is None:
            raise RuntimeError("there is no mother")
        line = await asyncio.wait_for(self._mother.stdout.readline(), PATIENCE_SECONDS)
        word, _, number = line.decode().strip().partition(" ")
        if not word:
            raise RuntimeError("the mother of victims has gone")
        return word, int(number)
