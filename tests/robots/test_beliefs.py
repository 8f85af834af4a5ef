"""Hidden hands are dealt as people hold them, and nothing else is touched."""

from random import Random
from typing import Any

import numpy as np
import pytest

from bot.bench.rows import row_of
from bot.robots import tuned
from bot.robots.beliefs import CLUES, Beliefs
from bot.robots.clues import clues, doubts
from bot.robots.game_kinds import GameKind
from bot.robots.swift import layout as at
from bot.robots.swift.believing import begin, deal_out
from bot.robots.swift.workshop import workshop_for
from bot.robots.worlds import Worlds
from engine.cards import FACE, IS_WILD, JOKER
from engine.seating import Seating
from engine.state import Match
from engine.views import seat_view
from tests.robots.rows import NAMED, PLACES, hand_of, positions
from tests.robots.tuning.fit_beliefs import Position, decisions, lays
from tests.robots.tuning.sparring import PLACES as TUNED_AT
from tests.strategies import deal_of

WILD = [face for face in range(at.FACES) if IS_WILD[face]]
STATE = slice(0, at.MELD_COUNT + at.MOST_SEATS)
"""Whose turn it is and what has happened in it, how many cards lie where, and which melds there are."""


def believed(match: Match) -> tuple[Worlds, Any]:
    """What the seat on turn may believe, and one deal of it in which everybody has laid what they would."""
    view = seat_view(match, deal_of(match).turn.seat)
    shop = workshop_for(view.table.rules, view.table.seating)
    worlds = Worlds(view, shop)
    row = worlds.base.copy()
    begin(5)
    deal_out(row, shop.gear, worlds.hidden._replace(settled=np.ones(at.MOST_SEATS)))
    return worlds, row


def test_every_kind_has_its_beliefs() -> None:
    """And says how the search looks ahead."""
    assert set(tuned.beliefs()) == set(tuned.lookaheads()) == set(GameKind)
    for beliefs in tuned.beliefs().values():
        assert 0.0 <= beliefs.settled <= 1.0
        # Nobody who plays well lays less than chance of what goes on the own melds, or throws what feeds others.
        assert beliefs.goes_on_own < 0.0 < beliefs.goes_on_theirs
    for lookahead in tuned.lookaheads().values():
        for ahead in (lookahead.drawing, lookahead.playing):
            assert 0 < ahead.turns <= 36, "more are not played within the time"
            assert 0.5 <= ahead.caution <= 2.0, "what weigh_lookaheads has looked at"


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=NAMED)
def test_each_card_is_dealt_once(name: str, seating: Seating) -> None:
    """Hands get as many cards as they hold, with all that is known of them; the table and the turn are as they were."""
    for match in list(positions(name, seating, "believed", "greedy"))[3::17]:
        worlds, row = believed(match)
        deal, base, hidden = deal_of(match), worlds.base, worlds.hidden
        dealt = np.zeros(at.FACES, dtype=np.int64)
        for seat, hand in enumerate(deal.hands):
            assert sum(hand_of(row, seat)) == row[at.SIZES + seat] == len(hand)
            assert all(now >= before for now, before in zip(hand_of(row, seat), hand_of(base, seat), strict=True))
            dealt += np.array(hand_of(row, seat)) - np.array(hand_of(base, seat))
        lying = [row[at.STOCK : at.STOCK + row[at.STOCK_COUNT]], row[at.PILE : at.PILE + hidden.needs[at.MOST_SEATS]]]
        for i in range(row[at.MUERTO_COUNT]):
            first = at.MUERTOS + i * at.MUERTO_ROOM
            lying.append(row[first : first + row[at.MUERTO_SIZES + i]])
        dealt += np.bincount(np.concatenate(lying), minlength=at.FACES)
        assert (dealt == np.bincount(hidden.cards[0, : hidden.size], minlength=at.FACES)).all()
        assert (row[STATE] == base[STATE]).all()
        assert (row[at.MELDS : at.STOCK] == base[at.MELDS : at.STOCK]).all()


def test_what_is_likely_is_dealt_often() -> None:
    """A seat that is believed to hold wilds gets more of them; one that is believed to hold none, none."""
    match = next(positions("cerrado", Seating.TWO_PAIRS, "wilds"))
    view = seat_view(match, 0 if deal_of(match).turn.seat else 1)
    shop = workshop_for(view.table.rules, view.table.seating)
    worlds = Worlds(seat_view(match, deal_of(match).turn.seat), shop)
    seen = clues(seat_view(match, deal_of(match).turn.seat), worlds.base, shop, worlds.hidden.needs)
    wilds = []
    for odds in (-20.0, 0.0, 2.0):
        hidden = worlds.hidden._replace(
            doubts=doubts(seen, Beliefs(joker=odds, two=odds)), settled=np.zeros(at.MOST_SEATS)
        )
        begin(1)
        count = 0
        for _ in range(50):
            row = worlds.base.copy()
            deal_out(row, shop.gear, hidden)
            count += sum(
                row[at.HANDS + seat * at.FACES + face] for seat in (1, 3) for face in WILD if hidden.needs[seat]
            )
        wilds.append(count)
    assert wilds[0] == 0
    assert wilds[2] > 2 * wilds[1] > 0


def test_clues_are_told_by_name() -> None:
    """Each card has its own; of the own hand there are none."""
    match = list(positions("cerrado", Seating.TWO_PAIRS, "clues", "greedy"))[6]
    seat = deal_of(match).turn.seat
    view = seat_view(match, seat)
    shop = workshop_for(view.table.rules, view.table.seating)
    worlds = Worlds(view, shop)
    seen = clues(view, worlds.base, shop, worlds.hidden.needs)
    other = view.memory.throwers[-1]
    assert not seen[seat].any()
    assert seen[other, JOKER, CLUES.index("joker")] == 1.0
    assert seen[other, :, CLUES.index("two")].sum() == 4.0
    thrown = [card for card, by in zip(view.memory.pile, view.memory.throwers, strict=True) if by == other]
    assert other != seat
    assert seen[other, FACE[thrown[-1]], CLUES.index("like_thrown")] == float(not IS_WILD[FACE[thrown[-1]]])
    told = doubts(seen, Beliefs(joker=1.0, goes_on_own=-1.0))
    assert told.max() == 1.0
    assert told.min() > 0.0
    assert (told[seat] == 1.0).all()


@pytest.mark.parametrize("kind", [GameKind.CLEAN_TOP_PAIRS, GameKind.ANY_TOP_ALONE])
def test_dealt_hands_are_like_true_ones(kind: GameKind) -> None:
    """They hold about as many wilds, and could lay about as seldom, as hands of the sensible robot do."""
    rng = Random(3)
    true = dealt = 0.0
    shares = []
    for match, view in decisions(TUNED_AT[kind][0], 8, rng):
        shop = workshop_for(view.table.rules, view.table.seating)
        worlds = Worlds(view, shop)
        hands = row_of(match, shop)
        seen = clues(view, worlds.base, shop, worlds.hidden.needs)
        shares += lays(Position(worlds, hands, shop, seen), tuned.beliefs()[kind], rng)
        begin(len(shares))
        for _ in range(4):
            row = worlds.base.copy()
            deal_out(row, shop.gear, worlds.hidden)
            for seat in np.flatnonzero(worlds.hidden.needs[: shop.rules.seats]):
                true += sum(hands[at.HANDS + seat * at.FACES + face] for face in WILD)
                dealt += sum(row[at.HANDS + seat * at.FACES + face] for face in WILD)
    assert len(shares) > 50
    assert 0.7 < dealt / true < 1.4
    could, chance, settled = (sum(column) / len(shares) for column in zip(*shares, strict=True))
    laid = chance + tuned.beliefs()[kind].settled * (settled - chance)
    assert abs(laid - could) < abs(chance - could) / 2
