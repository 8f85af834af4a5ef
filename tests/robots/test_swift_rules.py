"""The compiled form of a deal and the engine: the same on whole random deals of every rule set and seating."""

import random
from typing import Any

import pytest

from bot.bench.rows import row_of
from bot.robots.swift import layout as at
from bot.robots.swift import moves
from bot.robots.swift.workshop import Workshop
from engine import legal
from engine.actions import AddToMeld, TakeMuerto
from engine.cards import FACE
from engine.decide import decide
from engine.evolve import evolve_all
from engine.policies import PileTaking, UnusedMuerto
from engine.seating import Seating
from engine.standing import closing_problem, standing_in
from engine.state import Ended, Match, Phase
from engine.views import seat_view
from tests.robots.rows import (
    NAMED,
    PLACES,
    ByChance,
    could_take_pile,
    dealt,
    hand_of,
    listed,
    melds_of,
    muertos_of,
    play,
    shop_of,
)
from tests.strategies import deal_of

ENDS = {at.OVER_CLOSED: Ended.CLOSED, at.OVER_STOCK: Ended.STOCK_OUT, at.OVER_IDLE: Ended.NO_DRAWS}
STACKS = {
    "stock": (at.STOCK, at.STOCK_COUNT),
    "pile": (at.PILE, at.PILE_COUNT),
    "reserve": (at.RESERVE, at.RESERVE_COUNT),
}
TURN = {
    "turn": at.TURN, "drawn": at.DRAWN, "drew": at.DREW, "owed": at.OWED, "barred": at.BARRED,
    "all wild": at.ALL_WILD, "discarded": at.DISCARDED, "idle": at.IDLE,
}  # fmt: skip


def compare(row: Any, match: Match, shop: Workshop) -> None:
    """All that both forms know."""
    deal, other = deal_of(match), row_of(match, shop)
    for seat in range(shop.rules.seats):
        assert hand_of(row, seat) == hand_of(other, seat)
        assert row[at.SIZES + seat] == other[at.SIZES + seat] == len(deal.hands[seat])
    for side in range(shop.rules.sides):
        assert melds_of(row, side) == melds_of(other, side)
        assert row[at.TAKEN + side] == other[at.TAKEN + side]
    for name, (place, count) in STACKS.items():
        assert listed(row, place, count) == listed(other, place, count), name
    assert muertos_of(row) == muertos_of(other)
    if deal.ended is not None:
        compare_end(row, match, shop)
        return
    assert not row[at.OVER]
    for name, place in TURN.items():
        assert row[place] == other[place], name


def compare_end(row: Any, match: Match, shop: Workshop) -> None:
    """How the deal ended and what it brought."""
    deal = deal_of(match)
    assert deal.ended is not None
    assert ENDS[int(row[at.OVER])] is deal.ended
    assert row[at.CLOSER] == (at.NONE if deal.closer is None else deal.closer)
    assert deal.scores is not None
    told = [moves.score(row, shop.gear.r, shop.gear.m, side) for side in range(shop.rules.sides)]
    # An equal card may have been another one than the muerto's.
    slack = match.rules.muerto_penalty if match.rules.unused_muerto is UnusedMuerto.PENALTY_AND_HAND else 0
    assert all(mine - score.total in (0, slack) for mine, score in zip(told, deal.scores, strict=True))


def compare_legality(row: Any, match: Match, shop: Workshop) -> None:
    """What both say may be done."""
    view = seat_view(match, int(row[at.TURN]))
    standing = standing_in(view)
    if deal_of(match).turn.phase is Phase.DRAW:
        assert moves.may_draw(row, shop.gear.r) == (legal.draw_problem(view) is None)
        compare_pile(row, match, shop)
        return
    held = {face for face, count in enumerate(hand_of(row, view.seat)) if count}
    may = {int(FACE[card]) for card, reason in legal.discards(view) if reason is None}
    assert {face for face in held if moves.may_discard(row, shop.gear.r, shop.gear.m, face)} == may
    assert moves.may_take_muerto(row, shop.gear.r, view.side) == standing.can_take_muerto
    for by_discard in (False, True):
        may_close = moves.may_close(row, shop.gear.r, shop.gear.m, view.side, by_discard)
        assert may_close == (closing_problem(standing, by_discard=by_discard) is None)


def compare_pile(row: Any, match: Match, shop: Workshop) -> None:
    """Rows know no use of the pile that the engine does not.

    They miss a use of its top that needs several cards at once, or others of the pile.
    """
    uses = legal.pile_uses(seat_view(match, int(row[at.TURN])))
    could = could_take_pile(row, shop)
    assert uses or not could
    match match.rules.pile_taking:
        case PileTaking.FREE:
            assert could == bool(uses)
        case PileTaking.TOP_AT_ONCE:
            at_once = [use.use for use in uses]
            assert could or all(isinstance(use, AddToMeld) and len(use.cards) > 1 for use in at_once)
        case PileTaking.TOP_THIS_TURN:
            pass


def whole_deal(name: str, seating: Seating, seed: str) -> None:
    """A deal of random play in both forms at once."""
    shop, rng = shop_of(name, seating), random.Random(seed)
    match = dealt(name, seating, seed, rng.randrange(seating.seats))
    row = row_of(match, shop)
    compare(row, match, shop)
    while match.in_play:
        compare_legality(row, match, shop)
        seat = deal_of(match).turn.seat
        action = ByChance(rng).choose(seat_view(match, seat))
        match = evolve_all(match, decide(match, seat, action))
        if match.in_play and deal_of(match).turn.choosing is not None:
            match = evolve_all(match, decide(match, seat, TakeMuerto(0)))
        before = row.copy()
        if not play(row, action, shop):
            row = row_of(match, shop)
        compare(row, match, shop)
        assert (row != before).any()


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=NAMED)
def test_whole_random_deals(name: str, seating: Seating, long_run: bool) -> None:
    """State, ends and scores after every action, and what may be done before it."""
    for number in range(30 if long_run else 3):
        whole_deal(name, seating, f"swift:{number}")
