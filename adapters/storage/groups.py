"""What happens on the connection for a group of jobs: reads between transactions, writes in one transaction.

All of it is one synchronous function of a SQLAlchemy connection, so that a whole group costs one hop into the driver's
thread and nothing can come in between.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from adapters.storage.changes import Draft
from adapters.storage.commits import apply_changes

_T = TypeVar("_T")
Work = Callable[[Connection], _T]
Translate = Callable[[SQLAlchemyError], Exception]

_log = structlog.get_logger(__name__)


class Server:
    """Serves groups on a connection in autocommit mode. Outcomes are results or exceptions, one for each job."""

    def __init__(self, begin: str, translate: Translate) -> None:
        """Know the database.

        Args:
            begin: the statement that begins a writing transaction.
            translate: from the driver's errors to the store's.
        """
        self._begin: Final = begin
        self._translate: Final = translate

    def read(self, connection: Connection, work: Work[Any]) -> object:
        """The outcome of something that only reads."""
        try:
            return work(connection)
        except SQLAlchemyError as error:
            return self._translate(error)
        except Exception as error:  # noqa: BLE001 - goes to the caller; the others' jobs go on
            return error

    def write(self, connection: Connection, jobs: Sequence[Work[Any] | Draft]) -> Sequence[object]:
        """The outcomes of a transaction for all jobs: where it fails, the same error for all, with nothing written."""
        try:
            connection.exec_driver_sql(self._begin)
            try:
                # Hardly ever does one fail, and a savepoint for each costs more than its statements.
                outcomes = _outcomes(connection, jobs, lambda c, job: job(c), apply_changes)
            except Exception as error:
                # Whose it is, is found out by doing each apart.
                if isinstance(error, SQLAlchemyError) and not isinstance(error, IntegrityError):
                    raise
                connection.rollback()
                connection.exec_driver_sql(self._begin)
                outcomes = _outcomes(connection, jobs, self._apart, self._changes)
            connection.commit()
        except Exception as error:  # noqa: BLE001 - goes to the callers; the others' jobs go on
            self._roll_back(connection)
            problem = self._translate(error) if isinstance(error, SQLAlchemyError) else error
            _log.warning("storage.group_failed", writes=len(jobs), problem=repr(problem))
            return [problem] * len(jobs)
        return outcomes

    def _roll_back(self, connection: Connection) -> None:
        try:
            connection.rollback()
        except SQLAlchemyError as error:
            _log.error("storage.rollback_failed", problem=repr(self._translate(error)))

    def _changes(self, connection: Connection, changes: Sequence[Draft]) -> Sequence[object]:
        together = self._apart(connection, lambda c: apply_changes(c, changes))
        if not isinstance(together, Exception):
            return together
        if len(changes) == 1:
            return [together]
        # One of them is impossible, and the others must not suffer from it: each for itself.
        return [outcome for change in changes for outcome in self._changes(connection, [change])]

    def _apart(self, connection: Connection, work: Work[_T]) -> _T | Exception:
        """Do some work under a savepoint, so that what it may not do leaves no trace in the transaction.

        Any other error of the database ends the whole transaction: SQLite has often rolled it back by itself.
        """
        nested = connection.begin_nested()
        try:
            result = work(connection)
        except IntegrityError as error:
            nested.rollback()
            return self._translate(error)
        except SQLAlchemyError:
            raise
        except Exception as error:  # noqa: BLE001 - goes to the caller of this work alone
            nested.rollback()
            return error
        nested.commit()
        return result


def _outcomes(
    connection: Connection,
    jobs: Sequence[Work[Any] | Draft],
    one: Callable[[Connection, Work[Any]], object],
    all_changes: Callable[[Connection, Sequence[Draft]], Sequence[object]],
) -> Sequence[object]:
    """The outcomes of all jobs, in their order: each for itself but for the changes, which go together."""
    outcomes: dict[int, object] = {}
    changes: dict[int, Draft] = {}
    for number, job in enumerate(jobs):
        if isinstance(job, Draft):
            changes[number] = job
        else:
            outcomes[number] = one(connection, job)
    if changes:
        outcomes.update(zip(changes, all_changes(connection, list(changes.values())), strict=True))
    return [outcomes[number] for number in range(len(jobs))]
