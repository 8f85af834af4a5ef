"""What the compiled player may lay is what the engine accepts, in every rule set and seating."""

from collections.abc import Sequence

import pytest

from bot.bench.rows import row_of
from bot.robots.dificil import is_accepted
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
