"""Results of finished matches, who played them, and ratings."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Milliseconds, Text

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the results, their people and the ratings."""
    op.create_table(
        "results",
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("table_id", Text, nullable=False),
        sa.Column("place", Text, nullable=False),
        sa.Column("ended_ms", Milliseconds, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_results"),
        sa.UniqueConstraint("table_id", name="uq_results_table_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_results_table_id"),
        sqlite_strict=True,
    )
    op.create_index("ix_results_place_ended_ms", "results", ["place", "ended_ms"])
    op.create_table(
        "result_people",
        sa.Column("person_id", Text, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "seq", name="pk_result_people"),
        sa.ForeignKeyConstraint(["seq"], ["results.seq"], name="fk_result_people_seq"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        sa.Column("person_id", Text, nullable=False),
        sa.Column("seating", Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "seating", name="pk_ratings"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
