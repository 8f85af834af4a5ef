"""Which schema a database has and which this program wants; known without Alembic, which takes long to load."""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, String, column, inspect, select, table

SCRIPTS: Final = Path(__file__).parent / "migrations"
_NUMBER: Final = column("version_num", String)
_TABLE: Final = table("alembic_version", _NUMBER)


def newest_in(scripts: Path) -> str:
    """The newest schema, by the names of the migrations: ``v0007_dead_letters.py`` leads to ``0007``."""
    return max(file.name[1:5] for file in (scripts / "versions").glob("v*.py"))


def version_of(connection: Connection) -> str | None:
    """The schema that a database has; None where it has none of ours."""
    if not inspect(connection).has_table(_TABLE.name):
        return None
    return connection.scalar(select(_NUMBER).select_from(_TABLE))
