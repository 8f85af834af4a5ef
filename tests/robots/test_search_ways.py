"""What the search weighs, and that it is what is played out."""

from typing import Any

import numpy as np
import pytest

from bot.bench.rows import row_of
from bot.robots.dificil import candidates_of
from bot.robots.normal import NormalRobot
from bot.robots.swift import layout as at
from bot.robots.swift.search import outcome
from bot.robots.translating import candidate_of
from bot.robots.worlds import Worlds
from engine.seating import Seating
from engine.views import seat_view
from tests.robots.rows import dealt, positions, shop_of
from tests.strategies import deal_of


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


@pytest.mark.parametrize("name", ["clasico", "cerrado", "abierto", "burraco-13"])
def test_what_normal_would_do_comes_first_and_all_of_it_can_be_played_out(name: str) -> None:
    seating = Seating.ONE_ON_ONE
    shop, weighed = shop_of(name, seating), 0
    for number in range(2):
        for match in positions(name, seating, f"ways:{number}", "normal"):
            view = seat_view(match, deal_of(match).turn.seat)
            worlds = Worlds(view, shop)
            candidates = candidates_of(view, worlds, shop)
            if len(candidates) > 1:
                weighed += 1
                assert candidates[0] == NormalRobot().choose(view)
                assert len(set(candidates)) == len(candidates)
                assert all(candidate_of(action, shop, worlds.base) is not None for action in candidates)
    assert weighed
