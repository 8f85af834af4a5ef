"""Judging transfers before they are written: the one arithmetic that every store shares."""

from collections.abc import Iterable, Mapping, Sequence

from bot.stakes.ledger import Short, Transfer, may_owe


class Books:
    """The balances of some accounts and the transfers that are known, with those of a group added one by one."""

    def __init__(self, balances: Mapping[str, int], known: Iterable[str]) -> None:
        """What stands in the store, of the accounts and transfers that a group is about."""
        self.balances = dict(balances)
        self.known = set(known)
        self.posted: list[Transfer] = []
        self.touched: dict[str, int] = {}
        """By account: what the posted transfers add up to."""

    def is_known(self, transfer: Transfer) -> bool:
        """Whether a transfer has been posted before."""
        return transfer.id in self.known

    def short(self, transfers: Sequence[Transfer]) -> Short | None:
        """The first account that could not pay what transfers take from it; None where all could.

        Raises:
            ValueError: one has been posted before; a bug, since tables change once.
        """
        after = dict(self.balances)
        for transfer in transfers:
            if self.is_known(transfer):
                raise ValueError(f"{transfer.id}: posted twice")
            for entry in transfer.entries:
                after[entry.account] = after.get(entry.account, 0) + entry.amount
                if after[entry.account] < 0 and not may_owe(entry.account):
                    return Short(entry.account)
        return None

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add transfers that nobody is short of."""
        for transfer in transfers:
            self.known.add(transfer.id)
            self.posted.append(transfer)
            for entry in transfer.entries:
                self.balances[entry.account] = self.balances.get(entry.account, 0) + entry.amount
                self.touched[entry.account] = self.touched.get(entry.account, 0) + entry.amount


def problems_of(balances: Mapping[str, int], entries: Iterable[tuple[str, str, int]]) -> tuple[str, ...]:
    """What is wrong in books, a sentence each.

    Args:
        balances: of every account.
        entries: every entry: transfer, account, amount.
    """
    by_account: dict[str, int] = {}
    by_transfer: dict[str, int] = {}
    for transfer, account, amount in entries:
        by_account[account] = by_account.get(account, 0) + amount
        by_transfer[transfer] = by_transfer.get(transfer, 0) + amount
    return (
        *(f"transfer {transfer} is out by {total}" for transfer, total in sorted(by_transfer.items()) if total),
        *(
            f"account {account} holds {balances.get(account, 0)}, its entries say {by_account.get(account, 0)}"
            for account in sorted({*balances, *by_account})
            if balances.get(account, 0) != by_account.get(account, 0)
        ),
        *(
            f"account {account} owes {-balance}"
            for account, balance in sorted(balances.items())
            if balance < 0 and not may_owe(account)
        ),
    )
