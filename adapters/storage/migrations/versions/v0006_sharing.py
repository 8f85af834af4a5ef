"""What several processes share: when something is due at a table, and who is at work on what."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Milliseconds, Text

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the leases, and what is due."""
    op.add_column("tables", sa.Column("due_ms", Milliseconds))
    op.create_table(
        "leases",
        sa.Column("key", Text, nullable=False),
        sa.Column("owner", Text, nullable=False),
        sa.Column("until_ms", Milliseconds, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_leases"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("ix_tables_due_ms", "tables", ["due_ms"])
        op.create_index("ix_tables_updated_ms", "tables", ["updated_ms"])
        op.create_index("ix_homes_unshown", "homes", ["table_id"], postgresql_where=sa.text("shown_version < 0"))
        # A lease is worth nothing after a crash of the database, and need not wait for its disk.
        op.execute("ALTER TABLE leases SET UNLOGGED")
