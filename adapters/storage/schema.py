"""The tables, as SQLAlchemy Core knows them: one description for SQLite and PostgreSQL.

The migrations make them; a test holds the two together. JSON is kept as bytes, not as text or a JSON type: a digest is
of exact bytes, and a damaged value must still be readable as what it is. What changes with every action (``tables``) is
apart from what changes when somebody sits down (``table_data``), because SQLite rewrites whole rows. Without row ids,
rows stand in the order of their key, so that what belongs together is read together.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    text,
)

from adapters.storage.columns import Big, Milliseconds, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text, nullable=False, unique=True),  # casefolded
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("events", Integer, nullable=False),  # how many rows of events belong to it
    Column("first_starter", Integer),  # with rules and seating all that a match has before its first deal
    Column("schema", Integer, nullable=False),  # of the snapshot
    Column("snapshot", LargeBinary),
    Column("digest", LargeBinary),  # of the snapshot; NULL after a repair by hand: not checked
    Column("deadline_ms", Milliseconds),
    Column("created_ms", Milliseconds, nullable=False),
    Column("updated_ms", Milliseconds, nullable=False),
    Column("due_ms", Milliseconds),  # NULL for nothing, and always where one process has the database for itself
    Index(None, "status", "deadline_ms"),
    # Only where several processes look every moment for what they have not seen.
    Index(None, "due_ms").ddl_if(dialect="postgresql"),
    Index(None, "updated_ms").ddl_if(dialect="postgresql"),
    sqlite_strict=True,
)

table_data = Table(
    "table_data",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("schema", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("digest", LargeBinary),
    sqlite_strict=True,
)

events = Table(
    "events",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # from 1, without gaps
    Column("payload", LargeBinary, nullable=False),
    Column("at_ms", Milliseconds, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

presses = Table(
    "presses",
    metadata,
    Column("press_id", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("version", Integer, nullable=False),  # that it led to
    Column("answer", Text, nullable=False),
    Column("at_ms", Milliseconds, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)

person_keys = Table(
    "person_keys",
    metadata,
    Column("key", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id"), nullable=False, index=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("person_id", Text, primary_key=True, index=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

homes = Table(
    "homes",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("platform", Text, primary_key=True),
    Column("place", Text, primary_key=True),
    Column("posted", Text),
    Column("shown_version", Integer, nullable=False),
    Index(None, "platform", "place"),
    Index("ix_homes_unshown", "table_id", postgresql_where=text("shown_version < 0")).ddl_if(dialect="postgresql"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

places = Table(
    "places",
    metadata,
    Column("key", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)

notes = Table(
    "notes",
    metadata,
    Column("key", Text, primary_key=True),
    Column("text", Text, nullable=False),
    sqlite_strict=True,
)

results = Table(
    "results",
    metadata,
    Column("seq", Integer, primary_key=True),  # the order in which they were kept, which ratings follow
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False, unique=True),
    Column("place", Text, nullable=False),  # its mark; empty for none
    Column("ended_ms", Milliseconds, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Index(None, "place", "ended_ms"),
    sqlite_strict=True,
)

result_people = Table(
    "result_people",
    metadata,
    Column("person_id", Text, primary_key=True),
    Column("seq", Integer, ForeignKey("results.seq"), primary_key=True, autoincrement=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

ratings = Table(
    "ratings",
    metadata,
    Column("person_id", Text, primary_key=True),
    Column("seating", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

transfers = Table(
    "transfers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("cause", Text, nullable=False),
    Column("table_id", Text, nullable=False),  # empty for none
    Column("at_ms", Milliseconds, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

accounts = Table(
    "accounts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("balance", Big, nullable=False),
    # Whatever the program does: nobody but a mint owes anything.
    CheckConstraint("balance >= 0 OR name LIKE '%/mint'", name="owes"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

entries = Table(
    "entries",
    metadata,
    Column("account", Text, ForeignKey("accounts.name"), primary_key=True),
    Column("transfer_id", Text, ForeignKey("transfers.id"), primary_key=True),
    Column("amount", Big, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

blocks = Table(
    "blocks",
    metadata,
    Column("owner", Text, primary_key=True),  # a server or group, or a person for their own tables
    Column("person_id", Text, primary_key=True, index=True),
    Column("at_ms", Milliseconds, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

dead_letters = Table(
    "dead_letters",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("number", Text, primary_key=True),
    Column("error", Text, nullable=False),
    Column("error_id", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("at_ms", Milliseconds, nullable=False),
    Column("outline", Text, nullable=False),  # fields and kinds of values, never what people wrote
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

leases = Table(
    "leases",
    metadata,
    Column("key", Text, primary_key=True),
    Column("owner", Text, nullable=False),  # a process; empty where nobody gets it for a while
    Column("until_ms", Milliseconds, nullable=False),  # by the database's clock
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
