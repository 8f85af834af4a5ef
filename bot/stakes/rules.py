"""What is played for: how high a stake may be, and who gets which coins when (RULESETS.md, "Around the deal").

The source says that the winner gets the stake back and a share of the others', that points grow with the stake, and
that whoever abandons a match forfeits theirs. The numbers beside the least stake are ours.
"""

from typing import Final

from bot.model import Status, Table
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Entry, Transfer, escrow, house, mint, transfer_id, wallet
from engine.state import Match

LEAST_STAKE: Final = 6_000
MOST_STAKE: Final = 1_000_000
WELCOME: Final = 30_000
"""A person's first coins in a place: five of the least stakes."""
DAILY: Final = 3_000
"""What may be collected once a day: whoever has lost everything plays again the day after tomorrow."""
SHARE_PERCENT: Final = 90
"""Of the others' stakes that go to those who win; the house keeps the rest."""
POINT_COINS: Final = 1_000
"""So many coins of the stake are a point in the ranking for each who wins."""


class StakeRefused(ValueError):
    """A table that cannot be played for coins as was wanted."""


class StakeOutOfRange(StakeRefused):
    """The stake is lower than the least or higher than the most."""


class TooFewCoins(StakeRefused):
    """Somebody has fewer coins than a stake asks for."""

    def __init__(self, stake: int, balance: int) -> None:
        super().__init__(f"{balance} of {stake}")
        self.stake = stake
        self.balance = balance


class NoCoinsHere(StakeRefused):
    """The place has no coins: it is nobody's server or group, or its moderators do not want them."""


def check_stake(stake: int, origin: str, *, allowed: bool) -> None:
    """Refuse a stake that a table cannot have; 0 is none.

    Args:
        stake: what everybody puts up.
        origin: the server or group in which the table is opened.
        allowed: whether that place plays for coins.

    Raises:
        StakeOutOfRange: it is too low or too high.
        NoCoinsHere: nobody plays for coins there.
    """
    if not stake:
        return
    if not LEAST_STAKE <= stake <= MOST_STAKE:
        raise StakeOutOfRange(str(stake))
    if not origin or not allowed:
        raise NoCoinsHere(origin)


def points_for(stake: int) -> int:
    """The ranking points of each who wins at a table with a stake."""
    return stake // POINT_COINS


def welcome(mark: str, person_id: str) -> Transfer:
    """A person's first coins in a place."""
    return _grant(Cause.WELCOME, mark, person_id, WELCOME, "")


def daily(mark: str, person_id: str, day: str) -> Transfer:
    """What a person collects on a day, such as ``2026-03-01``."""
    return _grant(Cause.DAILY, mark, person_id, DAILY, day)


def _grant(cause: Cause, mark: str, person_id: str, amount: int, day: str) -> Transfer:
    entries = (Entry(wallet(mark, person_id), amount), Entry(mint(mark), -amount))
    return Transfer(transfer_id(cause, mark, person_id, day), cause, entries)


def transfers_between(before: Table, after: Table, match: Match | None) -> tuple[Transfer, ...]:
    """The coins that move as a table goes from one state to the next, in the same transaction as that.

    Every seat of a table with a stake begins with a person, so the escrow holds a stake for each seat.
    """
    if not after.stake or before.status is after.status:
        return ()
    if before.status is Status.LOBBY and after.status is Status.PLAYING:
        return (_staked(after),)
    if before.status is not Status.PLAYING:
        return ()
    if after.status is Status.OVER and match is not None and match.winner is not None:
        return (_settled(after, match.winner),)
    if after.status is Status.CANCELLED:
        return (_returned(before, after),)
    return ()


def _staked(table: Table) -> Transfer:
    mark = place_mark(table.origin)
    paid = tuple(Entry(wallet(mark, person), -table.stake) for person in table.people)
    pot = Entry(escrow(table.id), table.stake * len(table.people))
    return Transfer(transfer_id(Cause.STAKE, table.id), Cause.STAKE, (*paid, pot), table.id)


def winners_of(table: Table, side: int) -> tuple[str, ...]:
    """The persons of a side who have not abandoned the match."""
    seats = table.seating.seats_of(side)
    return tuple(person for seat in seats if (person := table.chairs[seat].person) is not None)


def prize(table: Table, side: int) -> int:
    """What each who wins gets beyond their own stake; 0 where nobody of the side stayed."""
    winners = len(winners_of(table, side))
    return share_of(table.stake * (table.seating.seats - winners), winners)


def share_of(others: int, among: int) -> int:
    """What each of some persons gets of the others' stakes."""
    return others * SHARE_PERCENT // 100 // among if among else 0


def _settled(table: Table, side: int) -> Transfer:
    """The winners who stayed get their stake and share; where none did, whoever else stayed gets the stake back."""
    winners = winners_of(table, side)
    paid = winners or table.people
    each = table.stake + (prize(table, side) if winners else 0)
    return _paid_out(table, Cause.SETTLED, paid, each)


def _returned(before: Table, after: Table) -> Transfer:
    """Whoever stayed gets the stake back, and shares what the others left; the last to go counts as one who stayed."""
    stayed = after.people or before.people
    share = share_of(after.stake * (after.seating.seats - len(stayed)), len(stayed))
    return _paid_out(after, Cause.RETURNED, stayed, after.stake + share)


def _paid_out(table: Table, cause: Cause, people: tuple[str, ...], each: int) -> Transfer:
    mark, pot = place_mark(table.origin), table.stake * table.seating.seats
    kept = pot - each * len(people)
    entries = [Entry(escrow(table.id), -pot), *(Entry(wallet(mark, person), each) for person in people)]
    if kept:
        entries.append(Entry(house(mark), kept))
    return Transfer(transfer_id(cause, table.id), cause, tuple(entries), table.id)
