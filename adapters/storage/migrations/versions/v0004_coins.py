"""Coins: accounts, and the transfers between them by double entry."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the transfers, the accounts and their entries."""
    op.create_table(
        "transfers",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("at_ms", Big, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_transfers"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "accounts",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("balance", Big, nullable=False),
        sa.CheckConstraint("balance >= 0 OR name LIKE '%/mint'", name="ck_accounts_owes"),
        sa.PrimaryKeyConstraint("name", name="pk_accounts"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "entries",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("transfer_id", sa.Text, nullable=False),
        sa.Column("amount", Big, nullable=False),
        sa.PrimaryKeyConstraint("account", "transfer_id", name="pk_entries"),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name="fk_entries_account"),
        sa.ForeignKeyConstraint(["transfer_id"], ["transfers.id"], name="fk_entries_transfer_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
