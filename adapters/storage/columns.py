"""What a column holds in each kind of database, and the few expressions that they write in their own way.

Schema and migrations share this, so that a new database of either kind has the same columns.
"""

from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Dialect, Integer, func, literal
from sqlalchemy import Text as AnyText
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

_ESCAPE: Final = "\ufdd0"
"""A character that Unicode leaves to programs for their own use; no text of a person has it."""
_ESCAPED: Final = ((_ESCAPE, f"{_ESCAPE}1"), ("\0", f"{_ESCAPE}0"))


class PostgresText(TypeDecorator[str]):
    """Text that holds what SQLite's holds: also the NUL character, which PostgreSQL refuses.

    It is ordered by code points ("C"), as Python and SQLite order it, whatever the database's language; so no new
    version of the system's libraries can put an index out of order either.
    """

    impl = AnyText(collation="C")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Escape what PostgreSQL cannot hold."""
        del dialect
        if value is None or (_ESCAPE not in value and "\0" not in value):
            return value
        for plain, escaped in _ESCAPED:
            value = value.replace(plain, escaped)
        return value

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as it was."""
        del dialect
        if value is None or _ESCAPE not in value:
            return value
        for plain, escaped in reversed(_ESCAPED):
            value = value.replace(escaped, plain)
        return value


Text = AnyText().with_variant(PostgresText(), "postgresql")
Big = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits. SQLite's strict tables know only INTEGER, which has as many."""
Milliseconds = Big
"""Since the epoch."""


class _Position(FunctionElement[int]):
    """Where one text or string of bytes begins in another, from 1; 0 where it is not there."""

    name = "position_of"
    type = Integer()
    inherit_cache = True


@compiles(_Position, "sqlite")
def _position_in_sqlite(element: _Position, compiler: SQLCompiler, **options: Any) -> str:
    whole, part = element.clauses
    return f"instr({compiler.process(whole, **options)}, {compiler.process(part, **options)})"


@compiles(_Position, "postgresql")
def _position_in_postgres(element: _Position, compiler: SQLCompiler, **options: Any) -> str:
    whole, part = element.clauses
    return f"position({compiler.process(part, **options)} IN {compiler.process(whole, **options)})"


def holds(column: ColumnElement[Any], part: str | bytes) -> ColumnElement[bool]:
    """Whether a column's text or bytes have a part that is the same to the letter."""
    return _Position(column, literal(part, column.type)) > 0


def begins(column: ColumnElement[Any], start: str) -> ColumnElement[bool]:
    """Whether a column's text begins so, to the letter."""
    return func.substr(column, 1, len(start), type_=column.type) == literal(start, column.type)


def ends(column: ColumnElement[Any], end: str) -> ColumnElement[bool]:
    """Whether a column's text ends so, to the letter."""
    since = func.length(column) - (len(end) - 1)
    return func.substr(column, since, type_=column.type) == literal(end, column.type)
