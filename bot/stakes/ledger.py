"""Double entry: coins move between accounts in transfers whose entries add up to nothing.

Amounts are whole coins. An account holds no less than nothing, but for the mint of a place: what it owes is what all
others of the place have. So the balances of all accounts always add up to nothing, whatever has crashed when.
"""

from enum import StrEnum
from hashlib import blake2b
from typing import Final

import msgspec

from bot.results.places import place_mark

_PERSON: Final = "person"
_TABLE: Final = "table/"


class Cause(StrEnum):
    """Why coins moved."""

    WELCOME = "welcome"
    """A person's first coins in a place."""
    DAILY = "daily"
    """What everybody may collect once a day."""
    STAKE = "stake"
    """Put up as the match began."""
    SETTLED = "settled"
    """Paid out as the match was won."""
    RETURNED = "returned"
    """Given back where the match ended without a winner."""
    MOVED = "moved"
    """Brought along as the place was given another name."""
    ERASED = "erased"
    """Left to the house by somebody who is forgotten."""


class Entry(msgspec.Struct, frozen=True):
    """What a transfer does to one account: coins that come in, or go out where negative."""

    account: str
    amount: int


class Transfer(msgspec.Struct, frozen=True):
    """Coins that move at once, or not at all."""

    id: str
    """Unique: the same transfer is never posted twice."""
    cause: Cause
    entries: tuple[Entry, ...]
    table_id: str = ""

    def __post_init__(self) -> None:
        """Refuse what would make or lose coins.

        Raises:
            ValueError: the entries do not add up to nothing, say nothing, or name an account twice.
        """
        if sum(entry.amount for entry in self.entries) or not all(entry.amount for entry in self.entries):
            raise ValueError(f"{self.id}: the entries must add up to nothing, and each must say something")
        if not self.entries or len({entry.account for entry in self.entries}) < len(self.entries):
            raise ValueError(f"{self.id}: each account stands in a transfer once")


class Line(msgspec.Struct, frozen=True):
    """A transfer as one account sees it."""

    cause: Cause
    amount: int
    table_id: str
    at_ms: int


class Short(msgspec.Struct, frozen=True):
    """An account does not hold what a transfer takes from it; nothing was written."""

    account: str


def transfer_id(cause: Cause, *about: str) -> str:
    """The id of a transfer that may happen once for what it is about. It tells nothing of whom."""
    return blake2b("\n".join((cause, *about)).encode(), digest_size=12, person=b"buraco.coins").hexdigest()


def wallet(mark: str, person_id: str) -> str:
    """The account of a person in a place, by the place's mark."""
    return f"{mark}/{_PERSON}/{person_id}"


def house(mark: str) -> str:
    """The account that keeps what nobody wins."""
    return f"{mark}/house"


def mint(mark: str) -> str:
    """The account that coins come from: the only one that may owe."""
    return f"{mark}/mint"


def escrow(table_id: str) -> str:
    """The account that holds the stakes of a table while its match goes on."""
    return f"{_TABLE}{table_id}"


def gone(mark: str, token: str) -> str:
    """The account of somebody who is forgotten: empty, and nobody's."""
    return f"{mark}/gone/{token}"


def may_owe(account: str) -> bool:
    """Whether an account may hold less than nothing."""
    return account.endswith("/mint")


def person_of(account: str) -> str:
    """Whose wallet an account is; empty for every other account."""
    _mark, _, rest = account.partition("/")
    kind, _, person_id = rest.partition("/")
    return person_id if kind == _PERSON else ""


def mark_of(account: str) -> str:
    """The mark of an account's place; empty for a table's."""
    return "" if account.startswith(_TABLE) else account.partition("/")[0]


def moved_account(account: str, to: str) -> str:
    """What an account is called in another place, by that place's mark."""
    return f"{to}/{account.partition('/')[2]}"


def moving(origin: str, to: str, balances: dict[str, int]) -> Transfer | None:
    """The transfer that takes the accounts of a place along to its new name; None where there is nothing to take.

    Args:
        origin: the place's key until now.
        to: its key from now on.
        balances: all accounts of the place.
    """
    mark = place_mark(to)
    entries = [Entry(account, -balance) for account, balance in balances.items() if balance]
    entries += [Entry(moved_account(account, mark), balance) for account, balance in balances.items() if balance]
    if not entries:
        return None
    return Transfer(transfer_id(Cause.MOVED, origin, to), Cause.MOVED, tuple(entries))
