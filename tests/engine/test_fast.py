"""The fast form of a deal and the engine: the same on whole random deals of every rule set and seating."""

import random

import pytest

from bot import rulesets, shuffling
from engine import legal
from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, MoveWild, TakeMuerto, TakePile
from engine.cards import FACE
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.fast import OVER_CLOSED, OVER_IDLE, OVER_STOCK, FastDeal
from engine.fast_melds import NONE
from engine.fast_views import can_take_pile, fast_of
from engine.policies import UnusedMuerto
from engine.seating import Seating
from engine.state import Ended, Match, Phase, new_match
from engine.views import seat_view

PLACES = [(name, seating) for name in rulesets.ids() for seating in rulesets.load(name).seatings]
ENDS = {OVER_CLOSED: Ended.CLOSED, OVER_STOCK: Ended.STOCK_OUT, OVER_IDLE: Ended.NO_DRAWS}


def play(fast: FastDeal, action: Action, muerto: int) -> None:
    """The engine's action on the fast form."""
    match action:
        case DrawStock():
            fast.draw()
        case TakePile(use=None):
            fast.take_pile()
        case TakePile(use=LayMeld() | AddToMeld() as use):
            fast.take_pile()
            play(fast, use, muerto)
        case LayMeld(cards=named):
            faces = tuple(sorted(int(card.face) for card in named))
            fast.lay(faces, fast.rules.book.laid(faces), muerto)
        case AddToMeld(meld=index, cards=named):
            faces = tuple(int(card.face) for card in named)
            side = fast.turn % fast.rules.sides
            grown = fast.rules.book.grown(fast.melds[side][index], faces)
            assert grown is not None
            fast.add(index, faces, grown, muerto)
        case MoveWild(meld=index, place=place):
            side = fast.turn % fast.rules.sides
            fast.move(index, fast.rules.book.moved(fast.melds[side][index], int(place)))
        case Discard(card=face):
            fast.discard(int(face), muerto)
        case EndTurn():
            fast.end_turn()
        case _:
            raise AssertionError(action)


def compare(fast: FastDeal, match: Match) -> None:
    """All that both forms know."""
    deal = match.deal
    assert deal is not None
    other = fast_of(match)
    for name in ("hands", "masks", "ranks", "sizes", "melds", "stock", "pile", "reserve", "muertos", "taken"):
        assert getattr(fast, name) == getattr(other, name), name
    if deal.ended is not None:
        assert ENDS[fast.over] is deal.ended
        assert (fast.closer if fast.closer != NONE else None) == deal.closer
        assert deal.scores is not None
        told = fast.scores()
        if match.rules.unused_muerto is UnusedMuerto.PENALTY_AND_HAND:
            # An equal card may have been another one than the muerto's.
            slack = match.rules.muerto_penalty
            assert all(mine - score.total in (0, slack) for mine, score in zip(told, deal.scores, strict=True))
        else:
            assert told == [score.total for score in deal.scores]
        return
    assert not fast.over
    for name in ("turn", "drawn", "drew", "owed", "barred", "all_wild", "discarded", "idle"):
        assert getattr(fast, name) == getattr(other, name), name


def compare_legality(fast: FastDeal, match: Match) -> None:
    """What both say may be done."""
    deal = match.deal
    assert deal is not None
    view = seat_view(match, fast.turn)
    if deal.turn.phase is Phase.DRAW:
        assert fast.may_draw() == (legal.draw_problem(view) is None)
        assert can_take_pile(fast) == bool(legal.pile_uses(view))
        return
    may = {int(FACE[card]) for card, reason in legal.discards(view) if reason is None}
    held = {face for face in range(53) if fast.masks[fast.turn] >> face & 1}
    assert {face for face in held if fast.may_discard(face)} == may
    assert fast.way_on() == (bool(may) or fast.discarded)
    side = fast.turn % fast.rules.sides
    for index, number in enumerate(fast.melds[side]):
        singles = {
            int(FACE[option.cards[0]])
            for option in legal.adds(view)
            if isinstance(option.action, AddToMeld) and option.action.meld == index and len(option.cards) == 1
        }
        assert not singles - {face for face in held if fast.rules.book.accepts(number) >> face & 1}


def whole_deal(name: str, seating: Seating, seed: str) -> None:
    """A deal of random play in both forms at once."""
    rules = rulesets.load(name)
    rng = random.Random(seed)
    match = new_match(rules, seating, rng.randrange(seating.seats))
    match = evolve_all(match, start_deal(match, shuffling.seeded_deal(rules, seating, seed)))
    fast = fast_of(match)
    while match.in_play:
        deal = match.deal
        assert deal is not None
        seat = deal.turn.seat
        compare_legality(fast, match)
        actions = legal.actions(seat_view(match, seat))
        weights = [1 if isinstance(action, Discard | DrawStock) else 3 for action in actions]
        action = rng.choices(actions, weights)[0]
        match = evolve_all(match, decide(match, seat, action))
        muerto = 0
        if match.in_play and match.deal is not None and match.deal.turn.choosing is not None:
            muerto = rng.randrange(len(match.deal.muertos))
            match = evolve_all(match, decide(match, seat, TakeMuerto(muerto)))
        before = fast.copy()
        play(fast, action, muerto)
        compare(fast, match)
        assert before.sizes != fast.sizes or before.turn != fast.turn or before.melds != fast.melds


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=[f"{name}-{seating}" for name, seating in PLACES])
def test_whole_random_deals(name: str, seating: Seating, long_run: bool) -> None:
    """State, ends and scores after every action, and what may be done before it."""
    for number in range(30 if long_run else 3):
        whole_deal(name, seating, f"fast:{number}")
