"""Updates that failed at every try."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Milliseconds, Text

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the dead letters."""
    op.create_table(
        "dead_letters",
        sa.Column("platform", Text, nullable=False),
        sa.Column("number", Text, nullable=False),
        sa.Column("error", Text, nullable=False),
        sa.Column("error_id", Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("at_ms", Milliseconds, nullable=False),
        sa.Column("outline", Text, nullable=False),
        sa.PrimaryKeyConstraint("platform", "number", name="pk_dead_letters"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
