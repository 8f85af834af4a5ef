"""``buraco backup``, ``restore``, ``migrate`` and ``drain``: what the one who runs the bot does to it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import typer

from bot.cli.exits import CONFIG, FAILED, TEMPORARY, fail
from bot.config import ConfigError, Settings, load_settings
from bot.logs import configure_logs
from bot.store import Store, StoreError, StoreInUse, StoreUnreachable, StoreUnusable

_ORDER_SECONDS = 5.0
_MOST_TOLD = 1000
_OWN = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - asked at, not bound to


class Drilled(Protocol):
    """What a copy was found to hold."""

    @property
    def tables(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def problems(self) -> tuple[str, ...]: ...


class Copies(Protocol):
    """How copies of a database are made and put back; :mod:`adapters.storage.backup` is one."""

    def file_of(self, url: str) -> Path: ...
    def back_up(self, file: Path, folder: Path, now: datetime) -> Path: ...
    def rotate(self, folder: Path) -> Sequence[Path]: ...
    def drill(self, copy: Path) -> Awaitable[Drilled]: ...
    def restore(self, copy: Path, file: Path, now: datetime) -> Path | None: ...


@contextmanager
def _told() -> Iterator[Settings]:
    """The settings; whatever goes wrong ends in one clear line."""
    try:
        settings = load_settings()
        configure_logs(settings.log, settings.log_format)
        yield settings
    except (StoreInUse, StoreUnreachable) as error:
        fail(str(error), TEMPORARY)
    except (ConfigError, StoreUnusable) as error:
        fail(str(error), CONFIG)
    except StoreError as error:
        fail(f"the database cannot be used: {error}", TEMPORARY)


def make_backup(copies: Copies, out: Path, *, keep_all: bool) -> None:
    """Copy the database into a folder, check the copy as the bot would open it, and thin out older ones."""
    with _told() as settings:
        copy = copies.back_up(copies.file_of(settings.database_url), out, datetime.now(UTC))
        _check(copies, copy)
        gone = [] if keep_all else copies.rotate(out)
        typer.echo(f"{copy} is whole ({copy.stat().st_size // 1024} KiB); {len(gone)} older copies deleted")


def put_back(copies: Copies, copy: Path, *, only_check: bool) -> None:
    """Put a copy in the database's place, after looking at all of it; the bot must be stopped."""
    with _told() as settings:
        file = copies.file_of(settings.database_url)
        if not copy.is_file():
            fail(f"{copy} is not there", FAILED)
        _check(copies, copy)
        if only_check:
            return
        aside = copies.restore(copy, file, datetime.now(UTC))
        typer.echo("Restored." if aside is None else f"Restored; what was there is now {aside}")


def _check(copies: Copies, copy: Path) -> None:
    found = asyncio.run(_wait(copies.drill(copy)))
    if found.problems:
        fail("\n".join((f"{copy} is not in order:", *found.problems)), FAILED)
    typer.echo(f"{copy}: {found.tables} open tables, {found.events} events played again, the books are right")


async def _wait(work: Awaitable[Drilled]) -> Drilled:
    return await work


def bring_up_to_date(open_store: Callable[[str], Awaitable[Store]]) -> None:
    """Bring the database to this version's schema, as every start does by itself."""

    async def opened(url: str) -> int:
        store = await open_store(url)
        try:
            return len(await store.open_tables())
        finally:
            await store.close()

    with _told() as settings:
        typer.echo(f"The database has this version's schema; {asyncio.run(opened(settings.database_url))} open tables")


def ask_health(*, ready: bool) -> None:
    """Ask the bot that runs here how it fares; ends with 1 where it does not, or is not there."""
    with _told() as settings:
        address = settings.health_address
        if address is None:
            fail("BURACO_HEALTH is off, so the bot cannot be asked", CONFIG)
        # Whoever listens on every address is asked on this computer's own.
        name = _OWN.get(address[0], address[0])
        host = f"[{name}]" if ":" in name else name
        try:
            with urlopen(f"http://{host}:{address[1]}/{'readyz' if ready else 'healthz'}", timeout=_ORDER_SECONDS):
                typer.echo("ready" if ready else "alive")
        except HTTPError as error:
            fail(f"{'not ready' if ready else 'not alive'}: {error.read(_MOST_TOLD).decode(errors='replace')}", FAILED)
        except (URLError, OSError) as error:
            fail(f"no bot answers on {host}:{address[1]}: {error}", FAILED)


def order_drain(*, on: bool) -> None:
    """Tell the bot that runs here to open no new tables, or to open them again."""
    with _told() as settings:
        address = settings.health_address
        if address is None:
            fail("BURACO_HEALTH is off, so the bot cannot be told; send it SIGUSR1", CONFIG)
        host = f"[{address[0]}]" if ":" in address[0] else address[0]
        order = Request(
            f"http://{host}:{address[1]}/drain", method="PUT" if on else "DELETE", headers={"X-Buraco-Order": "1"}
        )
        try:
            with urlopen(order, timeout=_ORDER_SECONDS) as answer:  # noqa: S310
                draining = json.load(answer)["draining"]
        except (URLError, OSError, ValueError, KeyError) as error:
            fail(f"no bot answers on {host}:{address[1]}: {error}", TEMPORARY)
        typer.echo("No new tables; matches that have begun go on." if draining else "New tables are opened again.")
