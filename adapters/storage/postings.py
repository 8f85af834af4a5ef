"""Writing transfers: the statements of the ledger that run inside a transaction, also that of a table's change.

Accounts are locked in the order of their names, so that two transactions never wait for each other.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from adapters.storage.books import Books
from adapters.storage.changes import Stale
from adapters.storage.schema import accounts, entries, transfers
from bot.stakes.ledger import Short, Transfer

_BALANCES: Final = (
    select(accounts.c.name, accounts.c.balance)
    .where(accounts.c.name.in_(bindparam("names", expanding=True)))
    .order_by(accounts.c.name)
    .with_for_update()
)
_OPENED: Final = select(accounts.c.name).where(accounts.c.name.in_(bindparam("names", expanding=True)))
KNOWN: Final = select(transfers.c.id).where(transfers.c.id.in_(bindparam("ids", expanding=True)))
OPEN: Final = insert(accounts)
_ADD: Final = (
    update(accounts)
    .where(accounts.c.name == bindparam("name_"))
    .values(balance=accounts.c.balance + bindparam("amount_"))
)


def open_books(connection: Connection, posting: Iterable[Transfer]) -> Books:
    """The books as far as some transfers are about them; their accounts are locked until the transaction ends.

    Raises:
        Stale: an account was opened while others were waited for; locked now, it would be out of the order of names.
    """
    posting = tuple(posting)
    if not posting:
        return Books({}, ())
    names = sorted({entry.account for transfer in posting for entry in transfer.entries})
    found = {row.name: row.balance for row in connection.execute(_BALANCES, {"names": names})}
    missing = [name for name in names if name not in found]
    if missing and connection.scalars(_OPENED, {"names": missing}).first() is not None:
        raise Stale
    known = connection.scalars(KNOWN, {"ids": [transfer.id for transfer in posting]})
    return Books(found, known)


def write_books(connection: Connection, books: Books, at_ms: int) -> None:
    """Write what was posted in books."""
    if not books.posted:
        return
    connection.execute(
        insert(transfers),
        [{"id": one.id, "cause": one.cause.value, "table_id": one.table_id, "at_ms": at_ms} for one in books.posted],
    )
    names = sorted(books.touched)
    there = set(connection.scalars(select(accounts.c.name).where(accounts.c.name.in_(names))))
    new = [{"name": name, "balance": 0} for name in names if name not in there]
    if new:
        connection.execute(OPEN, new)
    connection.execute(_ADD, [{"name_": name, "amount_": books.touched[name]} for name in names])
    connection.execute(
        insert(entries),
        [
            {"account": entry.account, "transfer_id": one.id, "amount": entry.amount}
            for one in books.posted
            for entry in one.entries
        ],
    )


def post(connection: Connection, transfer: Transfer, at_ms: int) -> bool | Short:
    """Post a transfer once; False where it has been posted before, and where somebody cannot pay nothing is done."""
    books = open_books(connection, (transfer,))
    if books.is_known(transfer):
        return False
    short = books.short((transfer,))
    if short is not None:
        return short
    books.post((transfer,))
    write_books(connection, books, at_ms)
    return True
