"""Who may not sit down where."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Milliseconds, Text

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the block lists."""
    op.create_table(
        "blocks",
        sa.Column("owner", Text, nullable=False),
        sa.Column("person_id", Text, nullable=False),
        sa.Column("at_ms", Milliseconds, nullable=False),
        sa.PrimaryKeyConstraint("owner", "person_id", name="pk_blocks"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_blocks_person_id", "blocks", ["person_id"])
