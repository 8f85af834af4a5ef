"""The browser room: a small server on one address, and the platform ``web`` towards the application."""

import errno
import socket
from collections.abc import Collection

import structlog
from aiohttp import web

from adapters.web.assets import Assets
from adapters.web.book import BookRoutes
from adapters.web.feed import Feeds
from adapters.web.guard import Guard, dress, is_loopback
from adapters.web.limits import BODY_BYTES, HEARTBEAT_SECONDS
from adapters.web.personal import PersonalRoutes
from adapters.web.reader import ReaderRoutes
from adapters.web.routes import Routes
from adapters.web.speech import Speech
from adapters.web.starting import StartRoutes
from adapters.web.streams import Hub
from adapters.web.visits import PLATFORM
from bot.app import App
from bot.desk import PICTURE_SECONDS, PictureDesk
from bot.drawing.base import Draws
from bot.model import Home
from bot.presenter.web import page_words
from bot.screens import Capabilities, Screen
from bot.texts import SOURCE_LOCALE, texts

log = structlog.get_logger()

_SHUTDOWN_SECONDS = 2.0
_ANY = ("", "0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


class RoomUnavailable(Exception):
    """The room cannot be opened; ``advice`` says what to do."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


class WebRoom:
    """Serves the room. Make it known with ``app.add_platform(room)`` before ``app.start()``."""

    def __init__(
        self,
        app: App,
        draws: Draws,
        host: str,
        port: int,
        *,
        locale: str = SOURCE_LOCALE,
        picture_seconds: float = PICTURE_SECONDS,
        heartbeat: float = HEARTBEAT_SECONDS,
    ) -> None:
        """Port 0 takes any free one; ``locale`` is for browsers that do not say what they speak."""
        self._host = host
        self._port = port
        self._hub = Hub(heartbeat)
        self._feeds = Feeds()
        self._desk = PictureDesk(draws, seconds=picture_seconds)
        assets = Assets(page_words)
        guard = Guard(assets, host)
        speech = Speech(app, locale)
        self._server = web.Application(middlewares=[speech.middleware, guard.middleware], client_max_size=BODY_BYTES)
        self._server.on_response_prepare.append(dress)
        Routes(app, self._desk, self._hub, self._feeds, assets).add_to(self._server)
        StartRoutes(app).add_to(self._server)
        BookRoutes(app, self._desk, assets).add_to(self._server)
        ReaderRoutes(app, self._desk).add_to(self._server)
        PersonalRoutes(app).add_to(self._server)
        self._runner: web.AppRunner | None = None

    async def start(self) -> str:
        """Open the room; returns its address.

        Raises:
            RoomUnavailable: the host or port cannot be used.
        """
        runner = web.AppRunner(self._server, access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host or None, self._port).start()
        except (OSError, OverflowError, UnicodeError) as error:
            await runner.cleanup()
            raise _unavailable(self._host, self._port, error) from None
        self._runner = runner
        port = runner.addresses[0][1]
        log.info("web.open", host=self._host, port=port)
        return f"http://{_shown(self._host)}:{port}/"

    async def stop(self) -> None:
        """Close the room: streams end, requests under way are answered. May be called twice."""
        self._hub.close()
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
        await self._desk.close()

    # the platform

    @property
    def is_connected(self) -> bool:
        """Whether the room is open."""
        return self._runner is not None

    @property
    def capabilities(self) -> Capabilities:
        """A page holds as much as anybody wants."""
        return Capabilities(
            name=PLATFORM,
            token_length=64,
            most_buttons=200,
            most_picks=200,
            alternative_length=4096,
            pushes_hands=True,
            edits_a_minute=1200,
        )

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Wake the table's pages; they fetch what they may see."""
        self._feeds.observe(texts(screen.locale), screen)
        self._hub.wake(home.table_id, screen.version)
        return None

    # several processes

    @property
    def keeps_hands(self) -> bool:
        """Pages are open in the browsers of this room alone."""
        return False

    def reaches(self, home: Home) -> bool:
        """A table is shown by whichever room comes first; the pages of the others watch it."""
        del home
        return True

    def watched(self) -> Collection[str]:
        """The tables of which somebody has a page open here."""
        return self._hub.tables()

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Wake the table's pages, also where the table was opened on another platform."""
        self._hub.wake(table_id, version)


def _unavailable(host: str, port: int, error: BaseException) -> RoomUnavailable:
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return RoomUnavailable(
            f"port {port} is in use", "stop the other program or choose another port with BURACO_WEB_PORT"
        )
    if code in (errno.EACCES, errno.EPERM):
        return RoomUnavailable(f"port {port} is not allowed", "choose one above 1023 with BURACO_WEB_PORT")
    advice = "set BURACO_WEB_HOST to 127.0.0.1 or to an address of this computer"
    return RoomUnavailable(f"cannot listen on {host or 'any address'}, port {port}", advice)


def _shown(host: str) -> str:
    """The host by which the room is reached."""
    if host in _ANY:
        return _own_address()
    if is_loopback(host) and ":" not in host:
        return host
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """This computer's address towards its network. Nothing is sent: a datagram socket only looks up the way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
