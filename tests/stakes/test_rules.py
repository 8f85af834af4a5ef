"""Who gets which coins when: for every seating, whoever stays and whoever wins."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import lobby, rulesets
from bot.model import Chair, Status, Table
from bot.results.places import place_mark
from bot.stakes.ledger import Cause, Transfer, escrow, house, person_of, wallet
from bot.stakes.rules import (
    LEAST_STAKE,
    MOST_STAKE,
    SHARE_PERCENT,
    NoCoinsHere,
    StakeOutOfRange,
    check_stake,
    points_for,
    transfers_between,
    winners_of,
)
from engine.seating import Seating
from engine.state import Match, new_match

ORIGIN = "chat:1"
MARK = place_mark(ORIGIN)


def table(seating: Seating, stake: int = 6_000) -> Table:
    """A table whose every seat has a person, about to begin."""
    chairs = tuple(Chair(f"P{n}", person=f"p{n}") for n in range(seating.seats))
    rules = msgspec.structs.replace(rulesets.load("clasico"))
    return Table("t1", "CODE", "Mesa", "p0", rules, seating, chairs=chairs, origin=ORIGIN, stake=stake)


def with_status(value: Table, status: Status) -> Table:
    """The table, further on."""
    return msgspec.structs.replace(value, status=status)


def won_by(value: Table, side: int) -> Match:
    """A match that a side has won."""
    return msgspec.structs.replace(new_match(value.rules, value.seating, 0), winner=side)


def amounts(transfer: Transfer) -> dict[str, int]:
    """By account: what it gets."""
    return {entry.account: entry.amount for entry in transfer.entries}


seatings = st.sampled_from(Seating)
stakes = st.integers(LEAST_STAKE, MOST_STAKE)


@given(seatings, stakes)
def test_everybody_puts_up_the_stake_as_the_match_begins(seating: Seating, stake: int) -> None:
    before = table(seating, stake)
    (transfer,) = transfers_between(before, with_status(before, Status.PLAYING), None)
    assert transfer.cause is Cause.STAKE
    assert amounts(transfer) == {
        **{wallet(MARK, f"p{n}"): -stake for n in range(seating.seats)},
        escrow("t1"): stake * seating.seats,
    }


@given(seatings, stakes, st.data())
def test_what_was_put_up_is_paid_out_to_the_last_coin(seating: Seating, stake: int, data: st.DataObject) -> None:
    playing = with_status(table(seating, stake), Status.PLAYING)
    for _ in range(data.draw(st.integers(0, seating.seats - 1))):
        playing = lobby.give_up(playing, data.draw(st.sampled_from(playing.people)), "normal")
    ends: list[tuple[Table, Match | None]] = [
        (with_status(playing, Status.OVER), won_by(playing, data.draw(st.integers(0, seating.sides - 1)))),
        (with_status(playing, Status.CANCELLED), None),
    ]
    for after, match in ends:
        (transfer,) = transfers_between(playing, after, match)
        paid = amounts(transfer)
        assert paid.pop(escrow("t1")) == -stake * seating.seats
        assert 0 <= paid.pop(house(MARK), 0) <= stake * seating.seats
        assert {person_of(account) for account in paid} <= set(playing.people), "whoever abandons gets nothing"
        assert all(amount >= stake for amount in paid.values())
        assert len(set(paid.values())) == 1, "partners share alike"


@pytest.mark.parametrize("seating", Seating)
def test_the_winners_get_their_stakes_and_a_share(seating: Seating) -> None:
    playing = with_status(table(seating), Status.PLAYING)
    (transfer,) = transfers_between(playing, with_status(playing, Status.OVER), won_by(playing, 1))
    winners = winners_of(playing, 1)
    others = 6_000 * (seating.seats - len(winners))
    each = 6_000 + others * SHARE_PERCENT // 100 // len(winners)
    assert {person_of(account): amount for account, amount in amounts(transfer).items() if amount > 0} == {
        **dict.fromkeys(winners, each),
        "": 6_000 * seating.seats - each * len(winners),
    }


def test_whoever_abandons_pays_for_those_who_stay() -> None:
    playing = with_status(table(Seating.TWO_PAIRS), Status.PLAYING)
    left = lobby.give_up(playing, "p1", "normal")
    (transfer,) = transfers_between(left, with_status(left, Status.OVER), won_by(left, 1))
    assert amounts(transfer)[wallet(MARK, "p3")] == 6_000 + 18_000 * SHARE_PERCENT // 100
    (transfer,) = transfers_between(left, with_status(left, Status.CANCELLED), None)
    assert amounts(transfer)[wallet(MARK, "p0")] == 6_000 + 6_000 * SHARE_PERCENT // 100 // 3


def test_where_all_winners_abandoned_the_others_get_their_stakes_back() -> None:
    playing = with_status(table(Seating.ONE_ON_ONE), Status.PLAYING)
    left = lobby.give_up(playing, "p1", "normal")
    (transfer,) = transfers_between(left, with_status(left, Status.OVER), won_by(left, 1))
    assert amounts(transfer) == {escrow("t1"): -12_000, wallet(MARK, "p0"): 6_000, house(MARK): 6_000}


def test_the_last_to_go_has_not_abandoned_anybody() -> None:
    playing = with_status(table(Seating.ONE_ON_ONE), Status.PLAYING)
    left = lobby.give_up(playing, "p1", "normal")
    gone = lobby.give_up(left, "p0", "normal")
    assert gone.status is Status.CANCELLED
    (transfer,) = transfers_between(left, gone, None)
    assert amounts(transfer)[wallet(MARK, "p0")] == 6_000 + 6_000 * SHARE_PERCENT // 100


@given(seatings)
def test_without_a_stake_and_on_any_other_way_nothing_moves(seating: Seating) -> None:
    ways = [
        (table(seating, 0), Status.LOBBY, Status.PLAYING),
        (table(seating, 0), Status.PLAYING, Status.OVER),
        (table(seating), Status.LOBBY, Status.CANCELLED),
        (table(seating), Status.PLAYING, Status.PLAYING),
        (table(seating), Status.PLAYING, Status.SUSPENDED),
        (table(seating), Status.OVER, Status.OVER),
    ]
    for value, before, after in ways:
        moved = transfers_between(with_status(value, before), with_status(value, after), won_by(value, 0))
        assert moved == (), (before, after)


def test_points_grow_with_the_stake() -> None:
    points = [points_for(stake) for stake in range(LEAST_STAKE, MOST_STAKE, 5_000)]
    assert points == sorted(points)
    assert points[0] == 6


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"stake": LEAST_STAKE - 1}, StakeOutOfRange),
        ({"stake": MOST_STAKE + 1}, StakeOutOfRange),
        ({"stake": -1}, StakeOutOfRange),
        ({"origin": ""}, NoCoinsHere),
        ({"allowed": False}, NoCoinsHere),
    ],
)
def test_stakes_that_cannot_be(wanted: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        check_stake(**{"stake": LEAST_STAKE, "origin": ORIGIN, "allowed": True, **wanted})
    check_stake(LEAST_STAKE, ORIGIN, allowed=True)
    check_stake(0, "", allowed=False)
