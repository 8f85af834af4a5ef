"""What is asked of a store about coins; part of :class:`bot.store.Store`.

The coins of a table move with the table: in :class:`bot.store.Change`. Everything else is here.
"""

from collections.abc import Sequence
from typing import Protocol

from bot.stakes.ledger import Line, Short, Transfer


class LedgerStore(Protocol):
    """Accounts by name, and the transfers between them. Every method may raise ``StoreBusy``."""

    async def post(self, transfer: Transfer) -> bool | Short:
        """Post a transfer in one transaction; False where it has been posted before."""

    async def is_posted(self, transfer_id: str) -> bool:
        """Whether a transfer has been posted."""

    async def balance(self, account: str) -> int | None:
        """The coins of an account; None where there is none of this name."""

    async def statement(self, account: str, most: int) -> Sequence[Line]:
        """The newest transfers of an account, newest first."""

    async def wallets_of(self, person_id: str) -> Sequence[tuple[str, int]]:
        """The accounts of a person with their balances, by name."""

    async def move_coins(self, origin: str, to: str) -> None:
        """A place is called otherwise from now on: everybody's coins go along."""

    async def forget_wallets(self, person_id: str) -> None:
        """Leave a person's coins to the house, and make their accounts nobody's; done again, it changes nothing."""

    async def audit(self) -> Sequence[str]:
        """What is wrong in the books, a sentence each: balances that the entries do not explain, coins from nowhere."""
