"""Bringing a PostgreSQL database to the newest schema: in one transaction, by one of all processes that start at once.

No copy is made before: that is what the server's own backups are for (docs/operations.md).
"""

from pathlib import Path
from typing import Final

import structlog
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from adapters.storage.migrate import config_for
from adapters.storage.schema_version import SCRIPTS, version_of
from bot.store import StoreUnusable

_KEY: Final = 0x62757261636F
"""Of the advisory lock: "buraco" in ASCII."""
_WAIT: Final = "120s"
"""For whoever migrates before us, and for statements of processes that still run."""
_SETTINGS: Final = (f"lock_timeout = '{_WAIT}'", "statement_timeout = 0", "idle_in_transaction_session_timeout = 0")

_log = structlog.get_logger(__name__)


def migrate_postgres(connection: Connection, name: str, scripts: Path = SCRIPTS) -> None:
    """Bring a database to the newest schema.

    Args:
        connection: outside any transaction.
        name: of the database, for messages.
        scripts: the migrations.

    Raises:
        StoreUnusable: it comes from a newer version, or is not ours.
    """
    script = ScriptDirectory.from_config(config_for(scripts))
    newest = script.get_current_head()
    current = version_of(connection)
    connection.rollback()
    if current == newest:
        return
    try:
        for setting in (
            f"lock_timeout = '{_WAIT}'",
            "statement_timeout = 0",
            "idle_in_transaction_session_timeout = 0",
        ):
            connection.exec_driver_sql(f"SET LOCAL {setting}")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_KEY})")
        current = version_of(connection)  # somebody may have been faster
        if current != newest:
            _check(connection, script, current, newest, name)
            command.upgrade(config_for(scripts, connection), "head")
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    _log.info("storage.migrated", database=name, before=current, now=newest)


def _check(connection: Connection, script: ScriptDirectory, current: str | None, newest: str | None, name: str) -> None:
    if current is not None:
        if current not in {revision.revision for revision in script.walk_revisions()}:
            raise StoreUnusable(
                f"the database {name} was written by a newer version (schema {current}, this one knows {newest})",
                "update the program, or put back the copy that was made before the update",
            )
    elif inspect(connection).get_table_names():
        raise StoreUnusable(
            f"the database {name} holds other tables", "make another one: this one belongs to another program"
        )
