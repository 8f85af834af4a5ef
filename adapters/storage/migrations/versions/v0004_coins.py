"""Coins: accounts, and the transfers between them by double entry."""

import sqlalchemy as sa
from alembic import op

from adapters.storage.columns import Big, Text

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the transfers, the accounts and their entries."""
    op.create_table(
        "transfers",
        sa.Column("id", Text, nullable=False),
        sa.Column("cause", Text, nullable=False),
        sa.Column("table_id", Text, nullable=False),
        sa.Column("at_ms", Big, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_transfers"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "accounts",
        sa.Column("name", Text, nullable=False),
        sa.Column("balance", Big, nullable=False),
        sa.CheckConstraint("balance >= 0 OR name LIKE '%/mint'", name="ck_accounts_owes"),
        sa.PrimaryKeyConstraint("name", name="pk_accounts"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "entries",
        sa.Column("account", Text, nullable=False),
        sa.Column("transfer_id", Text, nullable=False),
        sa.Column("amount", Big, nullable=False),
        sa.PrimaryKeyConstraint("account", "transfer_id", name="pk_entries"),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name="fk_entries_account"),
        sa.ForeignKeyConstraint(["transfer_id"], ["transfers.id"], name="fk_entries_transfer_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
