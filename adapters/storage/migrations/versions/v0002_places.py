"""What servers and groups have settled, small notes, and finding the tables of a place."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Text

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the places' settings, the notes and an index over the homes."""
    op.create_table(
        "places",
        sa.Column("key", Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_places"),
        sqlite_strict=True,
    )
    op.create_table(
        "notes",
        sa.Column("key", Text, nullable=False),
        sa.Column("text", Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_notes"),
        sqlite_strict=True,
    )
    op.create_index("ix_homes_platform_place", "homes", ["platform", "place"])
