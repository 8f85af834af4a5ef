"""Copies of a SQLite database: made while the bot runs, checked, thinned out, and put back.

The copy is made by a connection of its own that can only read. SQLite's damage by two connections (sqlite.org/wal.html,
"WAL-reset bug") needs two that write or checkpoint; this one does neither, in any version. ``VACUUM INTO`` reads one
moment of the database, whatever is written meanwhile, and what it writes is whole or does not bear the copy's name.
"""

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from adapters.storage.lock import FileLock
from adapters.storage.postgres_address import Address, is_postgres
from adapters.storage.sqlite import open_sqlite
from bot.store import StoreInUse, StoreUnusable, UnreadableSave
from engine.evolve import evolve_all
from engine.state import new_match

DAYS: Final = 7
WEEKS: Final = 4
_NAME: Final = re.compile(r"buraco-(\d{4}-\d{2}-\d{2}T\d{6}Z)\.sqlite3")
_STAMP: Final = "%Y-%m-%dT%H%M%SZ"
_BESIDE: Final = ("", "-wal", "-shm")


class Drill(msgspec.Struct, frozen=True):
    """What a copy was found to hold, opened as the bot would open it."""

    tables: int
    """Tables in the lobby or playing, each of them read."""
    events: int
    """Events played again, each match standing where its snapshot says."""
    problems: tuple[str, ...] = ()
    """What is wrong; nothing where the copy can be put back."""


def file_of(url: str) -> Path:
    """The file of a database's address.

    Raises:
        StoreUnusable: it is no SQLite file.
    """
    if is_postgres(url):
        raise StoreUnusable("PostgreSQL is copied by its own tools", Address(url).copying("buraco.dump"))
    if "://" not in url and url != "memory:":
        return Path(url).expanduser().resolve()
    try:
        address = make_url(url)
    except ArgumentError:
        address = None
    if address is None or not address.drivername.startswith("sqlite") or not address.database:
        raise StoreUnusable("only a SQLite file is copied so", "set BURACO_DATABASE_URL as the bot has it")
    return Path(address.database).expanduser().resolve()


def back_up(file: Path, folder: Path, now: datetime) -> Path:
    """A checked copy of the database in a folder, for its owner's eyes alone; the bot may run meanwhile.

    Raises:
        StoreUnusable: there is no such database, no room or right for a copy, or the copy is damaged.
    """
    if not file.is_file():
        raise StoreUnusable(f"{file} is not there", "set BURACO_DATABASE_URL as the bot has it")
    copy = folder / f"buraco-{now.astimezone(UTC).strftime(_STAMP)}.sqlite3"
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(_reader(file)) as connection:
            connection.execute("VACUUM INTO ?", (str(unfinished),))
        check_whole(unfinished)
        with unfinished.open("rb+") as stream:
            os.fsync(stream.fileno())
        unfinished.replace(copy)
        _sync_folder(folder)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        problem = getattr(error, "strerror", None) or str(error)
        raise StoreUnusable(
            f"{file.name} cannot be copied to {folder}: {problem}", "make room there, and give the right to write"
        ) from error
    return copy


def check_whole(file: Path) -> None:
    """Look at every page of a database.

    Raises:
        StoreUnusable: it is damaged, or none.
    """
    try:
        with closing(_reader(file)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as error:
        raise StoreUnusable(f"{file} cannot be read: {error}", "take another copy") from error
    if found != ["ok"]:
        raise StoreUnusable(f"{file} is damaged: {found[0]}", "take another copy")


def rotate(folder: Path, *, days: int = DAYS, weeks: int = WEEKS) -> Sequence[Path]:
    """Delete older copies: of the newest days and weeks that have any, the newest of each stays.

    Returns what was deleted. Nothing is touched whose name is not that of a copy.
    """
    stamped = ((_stamp_of(path), path) for path in folder.iterdir())
    copies = sorted(((stamp, path) for stamp, path in stamped if stamp is not None), reverse=True)
    kept = {copies[0][1]} if copies else set()
    for most, period in ((days, "%Y-%m-%d"), (weeks, "%G-%V")):
        newest: dict[str, Path] = {}
        for stamp, path in copies:
            newest.setdefault(stamp.strftime(period), path)
        kept |= set(list(newest.values())[:most])
    gone = [path for _, path in copies if path not in kept]
    for path in gone:
        path.unlink()
    return gone


async def drill(copy: Path) -> Drill:
    """Open a copy of the copy as the bot would, and play every open match again.

    Raises:
        StoreUnusable: it cannot be opened.
    """
    check_whole(copy)
    with TemporaryDirectory(prefix="buraco-drill-") as folder:
        tried = Path(folder) / "drill.sqlite3"
        with closing(_reader(copy)) as connection:
            connection.execute("VACUUM INTO ?", (str(tried),))
        store = await open_sqlite(tried, lambda: int(datetime.now(UTC).timestamp() * 1000))
        tables, events, problems = 0, 0, list(await store.audit())
        try:
            for table_id in await store.open_tables():
                tables += 1
                try:
                    record = await store.load(table_id)
                    played = await store.events(table_id)
                except UnreadableSave as error:
                    problems.append(str(error))
                    continue
                events += len(played)
                if record is None or record.match is None:
                    continue
                begun = new_match(record.table.rules, record.table.seating, record.match.first_starter)
                if evolve_all(begun, played) != record.match:
                    problems.append(f"{table_id}: the events and the snapshot disagree")
        finally:
            await store.close()
    return Drill(tables, events, tuple(problems))


def restore(copy: Path, file: Path, now: datetime) -> Path | None:
    """Put a copy in the database's place; returns where what was there lies now, None where nothing was.

    Raises:
        StoreInUse: the bot runs.
        StoreUnusable: the copy is damaged, or there is no room or right.
    """
    check_whole(copy)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(file.with_name(f"{file.name}.lock"))
    except BlockingIOError as error:
        raise StoreInUse(f"{file} is in use", "stop the bot first") from error
    except OSError as error:
        raise StoreUnusable(f"{file} cannot be replaced: {error.strerror}", "give the right to write there") from error
    coming = file.with_name(f"{file.name}.coming")
    aside = file.with_name(f"{file.name}.replaced-{now.astimezone(UTC).strftime(_STAMP)}")
    try:
        coming.unlink(missing_ok=True)
        os.close(os.open(coming, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(_reader(copy)) as connection:
            connection.execute("VACUUM INTO ?", (str(coming),))
        with coming.open("rb+") as stream:
            os.fsync(stream.fileno())
        had_one = file.exists()
        # The log goes along with its database: beside another one it would be taken for that one's.
        for ending in reversed(_BESIDE):
            beside = file.with_name(file.name + ending)
            if beside.exists():
                beside.replace(aside.with_name(aside.name + ending))
        coming.replace(file)
        _sync_folder(file.parent)
    except (OSError, sqlite3.Error) as error:
        coming.unlink(missing_ok=True)
        problem = getattr(error, "strerror", None) or str(error)
        raise StoreUnusable(f"{file} cannot be replaced: {problem}", "make room there") from error
    finally:
        lock.release()
    return aside if had_one else None


def _reader(file: Path) -> sqlite3.Connection:
    """A connection that writes nothing and brings no log into the database."""
    connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5.0)
    connection.execute("PRAGMA wal_autocheckpoint=0")
    return connection


def _stamp_of(path: Path) -> datetime | None:
    found = _NAME.fullmatch(path.name)
    try:
        return datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
