"""Bringing a database to the newest schema, in one transaction, with a copy beside it first.

The scripts are Alembic's (``migrations/versions``), run by the program itself: nobody needs the ``alembic`` command.
They go forward only; the way back is the copy.
"""

import os
from pathlib import Path

import structlog
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from adapters.storage.schema_version import SCRIPTS, version_of
from bot.store import StoreUnusable

_log = structlog.get_logger(__name__)


def config_for(scripts: Path, connection: Connection | None = None) -> Config:
    """Alembic's configuration, without any file of settings."""
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def migrate(connection: Connection, file: Path, scripts: Path = SCRIPTS) -> None:
    """Bring a SQLite database to the newest schema.

    Raises:
        StoreUnusable: it comes from a newer version, or is not ours.
    """
    script = ScriptDirectory.from_config(config_for(scripts))
    newest = script.get_current_head()
    current = version_of(connection)
    if current == newest:
        return
    if current is not None:
        if current not in {revision.revision for revision in script.walk_revisions()}:
            raise StoreUnusable(
                f"{file} was written by a newer version (schema {current}, this one knows {newest})",
                "update the program, or put back the copy that lies beside the database",
            )
        _back_up(connection, file.with_name(f"{file.name}.before-{newest}"))
    elif _has_tables(connection):
        raise StoreUnusable(f"{file} holds other tables", "choose another file: this one belongs to another program")
    _upgrade(connection, scripts)
    _log.info("storage.migrated", file=file.name, before=current, now=newest)


def _has_tables(connection: Connection) -> bool:
    return bool(inspect(connection).get_table_names())


def _back_up(connection: Connection, copy: Path) -> None:
    """Copy the database as it is; a copy that was cut short never gets the final name.

    Raises:
        StoreUnusable: there is no room or no right for a copy; then nothing is migrated.
    """
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    try:
        _make_private(unfinished)
        connection.exec_driver_sql("VACUUM INTO ?", (str(unfinished),))
        _sync(unfinished)
        unfinished.replace(copy)
    except (OSError, DBAPIError) as error:
        problem = error.orig if isinstance(error, DBAPIError) else error.strerror
        raise StoreUnusable(
            f"the copy {copy} that is made before every migration failed: {problem}",
            "make room for a second copy of the database beside it",
        ) from error
    _log.info("storage.backed_up", copy=copy.name)


def _make_private(path: Path) -> None:
    """An empty file that only its owner reads, for SQLite to fill: the hands of all players will be in it."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _upgrade(connection: Connection, scripts: Path) -> None:
    # Making a table anew needs the foreign keys off, and that is possible only outside a transaction.
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        command.upgrade(config_for(scripts, connection), "head")
        astray = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if astray is not None:
            raise StoreUnusable(f"a migration would leave rows of {astray[0]} without their table", "report this")
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    connection.exec_driver_sql("PRAGMA foreign_keys=ON")
