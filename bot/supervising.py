"""Telling systemd how the process fares, where it started it with ``Type=notify``; elsewhere nothing is told.

The protocol is a line in a datagram (sd_notify(3)); no library is needed for it.
"""

import asyncio
import os
import socket
from collections.abc import Mapping
from typing import Final

import structlog

from bot.vitals import Vitals

log = structlog.get_logger()

SOCKET: Final = "NOTIFY_SOCKET"
WATCHDOG: Final = "WATCHDOG_USEC"
_READY: Final = "READY=1"
_STOPPING: Final = "STOPPING=1"
_ALIVE: Final = "WATCHDOG=1"


class Supervised:
    """Tells when everything is up, that the event loop comes round, and when the end begins."""

    def __init__(self, vitals: Vitals, environment: Mapping[str, str] | None = None) -> None:
        found = os.environ if environment is None else environment
        self._vitals = vitals
        self._address = found.get(SOCKET, "")
        microseconds = found.get(WATCHDOG, "")
        self._pause = int(microseconds) / 2_000_000 if microseconds.isdecimal() else 0.0
        self._task: asyncio.Task[None] | None = None

    def started(self) -> None:
        """Everything is up."""
        self._tell(_READY)
        if self._pause and self._address:
            self._task = asyncio.get_running_loop().create_task(self._watched(), name="watchdog")

    async def stop(self) -> None:
        """The end begins."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._tell(_STOPPING)

    async def _watched(self) -> None:
        while True:
            if self._vitals.health().live:
                self._tell(_ALIVE)
            await asyncio.sleep(self._pause)

    def _tell(self, line: str) -> None:
        if not self._address:
            return
        # An address that begins with @ is an abstract one, whose first byte is zero.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line_out:
                line_out.connect(address)
                line_out.sendall(line.encode())
        except OSError as error:
            log.warning("supervisor.not_told", error=type(error).__name__)
