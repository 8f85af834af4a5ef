"""The first tables: people, tables with their events, presses and homes."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Milliseconds, Text

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "tables",
        sa.Column("id", Text, nullable=False),
        sa.Column("code", Text, nullable=False),
        sa.Column("status", Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("first_starter", sa.Integer),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("snapshot", sa.LargeBinary),
        sa.Column("digest", sa.LargeBinary),
        sa.Column("deadline_ms", Milliseconds),
        sa.Column("created_ms", Milliseconds, nullable=False),
        sa.Column("updated_ms", Milliseconds, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("code", name="uq_tables_code"),
        sqlite_strict=True,
    )
    op.create_index("ix_tables_status_deadline_ms", "tables", ["status", "deadline_ms"])
    op.create_table(
        "table_data",
        sa.Column("table_id", Text, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.LargeBinary),
        sa.PrimaryKeyConstraint("table_id", name="pk_table_data"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_table_data_table_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "events",
        sa.Column("table_id", Text, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("at_ms", Milliseconds, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_events_table_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "presses",
        sa.Column("press_id", Text, nullable=False),
        sa.Column("table_id", Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("answer", Text, nullable=False),
        sa.Column("at_ms", Milliseconds, nullable=False),
        sa.PrimaryKeyConstraint("press_id", name="pk_presses"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_presses_table_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "people",
        sa.Column("id", Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sqlite_strict=True,
    )
    op.create_table(
        "person_keys",
        sa.Column("key", Text, nullable=False),
        sa.Column("person_id", Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_person_keys"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_person_keys_person_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_person_keys_person_id", "person_keys", ["person_id"])
    op.create_table(
        "seats",
        sa.Column("table_id", Text, nullable=False),
        sa.Column("person_id", Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "person_id", name="pk_seats"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seats_table_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_person_id", "seats", ["person_id"])
    op.create_table(
        "homes",
        sa.Column("table_id", Text, nullable=False),
        sa.Column("platform", Text, nullable=False),
        sa.Column("place", Text, nullable=False),
        sa.Column("posted", Text),
        sa.Column("shown_version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "platform", "place", name="pk_homes"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_homes_table_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
