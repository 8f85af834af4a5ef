"""A small HTTP server on one address, for what is sent to the program rather than asked by browsers."""

from collections.abc import Sequence

from aiohttp import web


class Listener:
    """Listens until it is stopped."""

    def __init__(
        self, host: str, port: int, routes: Sequence[web.RouteDef], *, body_bytes: int, shutdown_seconds: float
    ) -> None:
        """Port 0 takes any free one, an empty host every address; larger bodies than ``body_bytes`` are refused."""
        self._host = host
        self._port = port
        self._routes = routes
        self._body_bytes = body_bytes
        self._shutdown_seconds = shutdown_seconds
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the address cannot be used.
            OverflowError: the port is none.
            UnicodeError: the host is none.
        """
        server = web.Application(client_max_size=self._body_bytes)
        server.add_routes(self._routes)
        runner = web.AppRunner(server, access_log=None, shutdown_timeout=self._shutdown_seconds)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host or None, self._port).start()
        except (OSError, OverflowError, UnicodeError):
            await runner.cleanup()
            raise
        self._runner = runner

    @property
    def port(self) -> int:
        """The port that is listened on; 0 where none is."""
        return int(self._runner.addresses[0][1]) if self._runner is not None else 0

    async def stop(self) -> None:
        """Listen no more: requests under way are answered. May be called twice."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
