"""Coins as a part of what is kept of a person: told on request, and left to the house."""

from bot.store import Store

_MOST_LINES = 10_000


class CoinsPart:
    """Accounts and what moved on them; see :class:`bot.privacy.Part`."""

    name = "coins"

    def __init__(self, store: Store) -> None:
        self._store = store

    async def export(self, person_id: str) -> object:
        """A person's accounts, each with all that moved on it. It tells nothing of other people."""
        return [
            {
                "place": account.partition("/")[0],
                "balance": balance,
                "movements": [
                    {"cause": line.cause, "amount": line.amount, "table_id": line.table_id, "at_ms": line.at_ms}
                    for line in await self._store.statement(account, _MOST_LINES)
                ],
            }
            for account, balance in await self._store.wallets_of(person_id)
        ]

    async def erase(self, person_id: str) -> None:
        """Leave the coins to the house and make the accounts nobody's."""
        await self._store.forget_wallets(person_id)
