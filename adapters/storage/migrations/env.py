"""What Alembic runs for every command: the migrations over the connection that the program hands it."""

from alembic import context

from adapters.storage.schema import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit(
        "migrations run at start by themselves; hand Alembic a connection through adapters.storage.migrate"
    )

# The caller has begun the transaction and commits it: all migrations of a start happen, or none.
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
