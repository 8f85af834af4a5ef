"""Coins over SQL: accounts, transfers and their entries."""

import secrets
from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from adapters.storage.books import problems_of
from adapters.storage.columns import begins, ends
from adapters.storage.jobs import Jobs
from adapters.storage.postings import KNOWN, OPEN, post
from adapters.storage.schema import accounts, entries, transfers
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Line, Short, Transfer, gone, house, mark_of, moving

_BALANCE: Final = select(accounts.c.balance).where(accounts.c.name == bindparam("name_"))


class SqlLedger:
    """The coins of a store in a database; see :class:`bot.stakes.storing.LedgerStore`."""

    def __init__(self, writer: Jobs, now_ms: Callable[[], int]) -> None:
        self._writer = writer
        self._now_ms = now_ms

    async def post(self, transfer: Transfer) -> bool | Short:
        """Post a transfer once."""
        return await self._writer.write(lambda c: post(c, transfer, self._now_ms()))

    async def is_posted(self, transfer_id: str) -> bool:
        """Whether a transfer has been posted."""
        return await self._writer.read(lambda c: c.scalar(KNOWN, {"ids": [transfer_id]}) is not None)

    async def balance(self, account: str) -> int | None:
        """The coins of an account."""
        return await self._writer.read(lambda c: c.scalar(_BALANCE, {"name_": account}))

    async def statement(self, account: str, most: int) -> Sequence[Line]:
        """The newest transfers of an account."""
        query = (
            select(transfers.c.cause, entries.c.amount, transfers.c.table_id, transfers.c.at_ms)
            .join_from(entries, transfers)
            .where(entries.c.account == account)
            .order_by(transfers.c.at_ms.desc(), transfers.c.id)
            .limit(most)
        )
        rows = await self._writer.read(lambda c: c.execute(query).all())
        return tuple(Line(Cause(cause), amount, table_id, at_ms) for cause, amount, table_id, at_ms in rows)

    async def wallets_of(self, person_id: str) -> Sequence[tuple[str, int]]:
        """The accounts of a person."""
        return await self._writer.read(lambda c: _wallets_of(c, person_id))

    async def move_coins(self, origin: str, to: str) -> None:
        """Take a place's coins along to its new name."""

        def work(connection: Connection) -> None:
            mark = place_mark(origin)
            here = begins(accounts.c.name, f"{mark}/")
            held = select(accounts.c.name, accounts.c.balance).where(here).order_by(accounts.c.name)
            found = connection.execute(held.with_for_update())
            transfer = moving(origin, to, {row.name: row.balance for row in found})
            if transfer is not None:
                post(connection, transfer, self._now_ms())

        await self._writer.write(work)

    async def forget_wallets(self, person_id: str) -> None:
        """Make a person's accounts nobody's."""
        await self._writer.write(lambda c: _forget(c, person_id, self._now_ms()))

    async def audit(self) -> Sequence[str]:
        """What is wrong in the books."""

        def work(connection: Connection) -> Sequence[str]:
            balances = {row.name: row.balance for row in connection.execute(select(accounts))}
            rows = connection.execute(select(entries.c.transfer_id, entries.c.account, entries.c.amount))
            return problems_of(balances, (tuple(row) for row in rows))

        return await self._writer.view(work)


def _wallets_of(connection: Connection, person_id: str, *, lock: bool = False) -> tuple[tuple[str, int], ...]:
    ending = f"/person/{person_id}"
    is_own = ends(accounts.c.name, ending)
    query = select(accounts.c.name, accounts.c.balance).where(is_own).order_by(accounts.c.name)
    query = query.with_for_update() if lock else query
    return tuple((row.name, row.balance) for row in connection.execute(query))


def _forget(connection: Connection, person_id: str, at_ms: int) -> None:
    for account, balance in _wallets_of(connection, person_id, lock=True):
        mark, token = mark_of(account), secrets.token_hex(8)
        nobody = gone(mark, token)
        if balance:
            left = (Entry(account, -balance), Entry(house(mark), balance))
            post(connection, Transfer(f"{Cause.ERASED}:{token}", Cause.ERASED, left), at_ms)
        connection.execute(OPEN, {"name": nobody, "balance": 0})
        connection.execute(update(entries).where(entries.c.account == account).values(account=nobody))
        connection.execute(delete(accounts).where(accounts.c.name == account))
