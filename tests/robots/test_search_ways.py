"""What the search plays out is what it weighs."""

from typing import Any

import numpy as np
import pytest

from bot.bench.rows import row_of
from bot.robots.swift import layout as at
from bot.robots.swift.search import outcome
from engine.seating import Seating
from tests.robots.rows import dealt, shop_of


def candidate(kind: int) -> Any:
    """A way to go on."""
    row = np.zeros(at.CANDIDATE_SIZE, dtype=np.int64)
    row[at.C_KIND] = kind
    return row


@pytest.mark.parametrize("seating", [Seating.ONE_ON_ONE, Seating.TWO_PAIRS])
def test_ending_the_turn_lays_nothing_more(seating: Seating) -> None:
    """Whoever has taken the muerto by a discard may stop there: the next seat is on turn, and the hand is kept."""
    shop = shop_of("parejas", seating)
    row = row_of(dealt("parejas", seating, "ends"), shop)
    seat = int(row[at.TURN])
    row[at.DRAWN] = row[at.DREW] = row[at.DISCARDED] = 1
    before = row.copy()
    outcome(row, shop.gear, candidate(at.ENDS), 0)
    assert row[at.TURN] == (seat + 1) % seating.seats
    assert (row[at.HANDS : at.MELDS] == before[at.HANDS : at.MELDS]).all()
    assert not row[at.MELD_COUNT : at.MELD_COUNT + seating.sides].any()
    assert not row[at.DISCARDED]
