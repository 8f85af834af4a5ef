"""Coins in memory: the reference of what :mod:`adapters.storage.ledger` does."""

import secrets
from collections.abc import Callable, Iterable, Sequence

import msgspec

from adapters.storage.books import Books, problems_of
from adapters.storage.memory_part import MemoryPart
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Line, Short, Transfer, gone, house, mark_of, moving, person_of


class Posted(msgspec.Struct, frozen=True):
    """A transfer, and when it was posted."""

    transfer: Transfer
    at_ms: int


class MemoryLedger(MemoryPart):
    """The coins of a store in memory; see :class:`bot.stakes.storing.LedgerStore`."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._balances: dict[str, int] = {}
        self._transfers: dict[str, Posted] = {}

    def _books(self) -> Books:
        return Books(self._balances, self._transfers)

    def _keep(self, posted: Iterable[Transfer], at_ms: int) -> None:
        for transfer in posted:
            self._transfers[transfer.id] = Posted(transfer, at_ms)
            for entry in transfer.entries:
                self._balances[entry.account] = self._balances.get(entry.account, 0) + entry.amount

    async def post(self, transfer: Transfer) -> bool | Short:
        """Post a transfer once."""
        self._check_open()
        return self._post(transfer)

    def _post(self, transfer: Transfer) -> bool | Short:
        books = self._books()
        if books.is_known(transfer):
            return False
        short = books.short((transfer,))
        if short is not None:
            return short
        self._keep((transfer,), self._now_ms())
        return True

    async def is_posted(self, transfer_id: str) -> bool:
        """Whether a transfer has been posted."""
        self._check_open()
        return transfer_id in self._transfers

    async def balance(self, account: str) -> int | None:
        """The coins of an account."""
        self._check_open()
        return self._balances.get(account)

    async def statement(self, account: str, most: int) -> Sequence[Line]:
        """The newest transfers of an account."""
        self._check_open()
        found = sorted(self._transfers.values(), key=lambda one: (-one.at_ms, one.transfer.id))
        lines = [
            Line(one.transfer.cause, entry.amount, one.transfer.table_id, one.at_ms)
            for one in found
            for entry in one.transfer.entries
            if entry.account == account
        ]
        return tuple(lines[:most])

    async def wallets_of(self, person_id: str) -> Sequence[tuple[str, int]]:
        """The accounts of a person."""
        self._check_open()
        return tuple(sorted(pair for pair in self._balances.items() if person_of(pair[0]) == person_id))

    async def move_coins(self, origin: str, to: str) -> None:
        """Take a place's coins along to its new name."""
        self._check_open()
        mark = place_mark(origin)
        here = {account: balance for account, balance in self._balances.items() if mark_of(account) == mark}
        transfer = moving(origin, to, here)
        if transfer is not None:
            self._post(transfer)

    async def forget_wallets(self, person_id: str) -> None:
        """Make a person's accounts nobody's."""
        for account, balance in await self.wallets_of(person_id):
            mark, token = mark_of(account), secrets.token_hex(8)
            if balance:
                left = (Entry(account, -balance), Entry(house(mark), balance))
                self._post(Transfer(f"{Cause.ERASED}:{token}", Cause.ERASED, left))
            self._balances[gone(mark, token)] = self._balances.pop(account)
            for known, posted in self._transfers.items():
                entries = tuple(
                    Entry(gone(mark, token), entry.amount) if entry.account == account else entry
                    for entry in posted.transfer.entries
                )
                transfer = msgspec.structs.replace(posted.transfer, entries=entries)
                self._transfers[known] = Posted(transfer, posted.at_ms)

    async def audit(self) -> Sequence[str]:
        """What is wrong in the books."""
        self._check_open()
        posted = [one.transfer for one in self._transfers.values()]
        entries = ((one.id, entry.account, entry.amount) for one in posted for entry in one.entries)
        return problems_of(self._balances, entries)
