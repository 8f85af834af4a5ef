"""Which schema a database has and which this program wants; known without Alembic, which takes long to load."""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

SCRIPTS: Final = Path(__file__).parent / "migrations"
_TABLE: Final = "alembic_version"


def newest_in(scripts: Path) -> str:
    """The newest schema, by the names of the migrations: ``v0007_dead_letters.py`` leads to ``0007``."""
    return max(file.name[1:5] for file in (scripts / "versions").glob("v*.py"))


def version_of(connection: Connection) -> str | None:
    """The schema that a database has; None where it has none of ours."""
    if not inspect(connection).has_table(_TABLE):
        return None
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {_TABLE}"))  # noqa: S608 - a name of ours
    return found
