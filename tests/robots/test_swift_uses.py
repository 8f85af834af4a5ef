"""What the compiled player may lay is what the engine accepts, and all of it that matters, in every rule set."""

from collections.abc import Sequence
from itertools import product

import pytest

from bot.bench.rows import row_of
from bot.robots.dificil import is_accepted
from bot.robots.swift.adds import LAST_CARDS
from bot.robots.swift.workshop import Workshop
from engine import legal
from engine.actions import AddToMeld, LayMeld
from engine.cards import FACE
from engine.decide import decide
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Match, Phase
from engine.views import seat_view
from tests.robots.rows import NAMED, PLACES, positions, shop_of, uses_of
from tests.strategies import deal_of

EVERY = 3
"""One of so many positions of a deal is looked at."""
Add = tuple[int, tuple[int, ...]]
"""A meld and the faces that are added to it."""


def all_accepted(match: Match, uses: Sequence[LayMeld | AddToMeld]) -> int:
    """Every use may be laid, and leaves the seat something to do where the deal goes on. Tells how many there were."""
    seat = deal_of(match).turn.seat
    view = seat_view(match, seat)
    if view.owed is not None:
        # Whether an owed card can still be used later on is for plans to see: they are worth nothing where it cannot.
        uses = [use for use in uses if any(card.face == FACE[view.owed] for card in use.cards)]
    for use in uses:
        assert is_accepted(view, use), use
        after = evolve_all(match, decide(match, seat, use))
        assert not after.in_play or legal.actions(seat_view(after, deal_of(after).turn.seat))
    return len(uses)


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=NAMED)
def test_uses_are_legal(name: str, seating: Seating, long_run: bool) -> None:
    """In random deals."""
    shop = shop_of(name, seating)
    looked_at = 0
    for number in range(20 if long_run else 2):
        for i, match in enumerate(positions(name, seating, f"uses:{number}")):
            if i % EVERY == 0 and deal_of(match).turn.phase is Phase.PLAY:
                looked_at += all_accepted(match, uses_of(row_of(match, shop), shop))
    assert looked_at


def adds_at(match: Match, shop: Workshop) -> tuple[set[Add], set[Add]]:
    """What the engine says may be added in one or two cards, and what the compiled player may add."""
    view = seat_view(match, deal_of(match).turn.seat)
    melds = view.table.melds[view.side]
    said = set()
    for option in legal.adds(view):
        assert isinstance(option.action, AddToMeld)
        index = option.action.meld
        # A second card that moves a wild once more is nothing that robots think of.
        if len(option.cards) <= (2 if melds[index].wild < 0 else 1):
            said.add((index, tuple(sorted(int(FACE[card]) for card in option.cards))))
    known = {
        (use.meld, tuple(sorted(int(card.face) for card in use.cards)))
        for use in uses_of(row_of(match, shop), shop)
        if isinstance(use, AddToMeld)
    }
    return said, known


@pytest.mark.parametrize(("name", "seating"), PLACES, ids=NAMED)
def test_no_add_of_the_last_cards_is_missed(name: str, seating: Seating, long_run: bool) -> None:
    """Two cards that only together leave a canasta to close with, or that a wild brings together."""
    shop = shop_of(name, seating)
    looked_at = 0
    for number, player in product(range(8 if long_run else 2), (None, "greedy")):
        for match in positions(name, seating, f"adds:{number}", player):
            turn = deal_of(match).turn
            if turn.phase is Phase.PLAY and turn.owed is None and len(deal_of(match).hands[turn.seat]) <= LAST_CARDS:
                said, known = adds_at(match, shop)
                assert said <= known
                looked_at += len(said)
    assert looked_at


def test_a_wild_bridges_the_gap_to_a_card_whatever_the_size_of_the_hand() -> None:
    shop, bridged = shop_of("parejas", Seating.ONE_ON_ONE), 0
    for number in range(4):
        for match in positions("parejas", Seating.ONE_ON_ONE, f"bridge:{number}"):
            turn = deal_of(match).turn
            if turn.phase is Phase.PLAY and len(deal_of(match).hands[turn.seat]) > LAST_CARDS:
                bridged += sum(len(faces) == 2 for _, faces in adds_at(match, shop)[1])
    assert bridged
