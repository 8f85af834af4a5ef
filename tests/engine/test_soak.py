"""Whole deals played at random, with everything checked after every action and every kind of nonsense refused."""

import random

import pytest

from engine.reasons import Reason
from engine.seating import Seating
from tests.engine.table import CheckedTable
from tests.strategies import SEATINGS, STACKS, Player, deal_of, endgame, ruleset, shuffled

# closing_needs_muerto and pile_empty … cannot come about in a dealt game of clasico: every side has its muerto waiting,
# and somebody always discards before the next draws.
REASONS_MET = {
    Reason.MUERTO_CHOICE_NEEDED,
    Reason.BAD_NOTATION,
    Reason.NOT_YOUR_TURN,
    Reason.MUST_DRAW_FIRST,
    Reason.ALREADY_DRAWN,
    Reason.NO_SUCH_MELD,
    Reason.CARD_NOT_HELD,
    Reason.MUST_TAKE_PILE,
    Reason.MELD_TOO_SHORT,
    Reason.MELD_TOO_LONG,
    Reason.MELD_CLOSED,
    Reason.NOT_A_MELD,
    Reason.TOO_MANY_WILDS,
    Reason.WILD_NOT_ALLOWED_HERE,
    Reason.WILD_CANNOT_MOVE,
    Reason.WILD_DISCARD,
    Reason.MUST_KEEP_A_DISCARD,
    Reason.MUST_CLOSE_BY_DISCARDING,
    Reason.CANNOT_END_WITHOUT_DISCARD,
    Reason.NOTHING_TO_UNDO,
}


def soak(seating: Seating, stack: str, seed: str, attempts: int = 3) -> CheckedTable:
    """A deal from start to end."""
    rng = random.Random(seed)
    rules = ruleset("clasico")
    table = CheckedTable(rules, seating, rng.randrange(seating.seats), shuffled(rules, seating, rng, stack))
    player = Player(rng)
    bound = table.bound()
    while table.match.in_play:
        for _ in range(attempts):
            if table.match.in_play:
                table.attempt(*player.attempt(table.match))
        if rng.random() < 0.1:
            table.check_legal()
        if table.match.in_play:
            seat = deal_of(table.match).turn.seat
            assert table.attempt(seat, player.choose(table.match)) is None
        assert table.turns <= bound
    assert table.attempt(0, "draw") is Reason.DEAL_OVER
    table.check_replay()
    return table


@pytest.mark.parametrize("seating", SEATINGS)
def test_random_deals(seating: Seating) -> None:
    """Every invariant holds in whole random deals, fair and stacked; every reason for a refusal is met."""
    refusals: set[str] = set()
    ends: set[str] = set()
    for stack in STACKS:
        table = soak(seating, stack, f"{seating} {stack}")
        refusals |= table.refusals.keys()
        ends.add(str(deal_of(table.match).ended))
    assert ends <= {"closed", "stock_out", "no_draws"}
    assert len(refusals) >= 15


def skirmish(seating: Seating, seed: str) -> CheckedTable:
    """Forty attempts from a position near the end of a deal."""
    rng = random.Random(seed)
    table = CheckedTable.at(endgame(ruleset("clasico"), seating, rng))
    player = Player(rng)
    for n in range(40):
        table.attempt(*player.attempt(table.match))
        if not table.match.in_play:
            break
        if n in (0, 15, 30):
            table.check_legal()
        if table.is_dealt_so and rng.random() < 0.15:
            table.attempt(deal_of(table.match).turn.seat, player.choose(table.match))
    table.check_replay()
    return table


@pytest.mark.parametrize("seating", SEATINGS)
def test_random_endgames(seating: Seating) -> None:
    """The look-ahead, muertos and closing agree with the rules where few cards, many of them wild, are held."""
    refusals: set[str] = set()
    for n in range(200):
        refusals |= skirmish(seating, f"{seating} {n}").refusals.keys()
    assert refusals >= {str(reason) for reason in REASONS_MET}


@pytest.mark.long
@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("block", range(8))
def test_many_random_deals(seating: Seating, block: int) -> None:
    """The same at length."""
    refusals: set[str] = set()
    for n in range(block * 42, block * 42 + 42):
        for stack in STACKS:
            refusals |= soak(seating, stack, f"{seating} {stack} {n}", attempts=2).refusals.keys()
    # Hands of a few cards are rare in whole deals: what only they meet is demanded of the endgames.
    assert refusals >= {str(reason) for reason in REASONS_MET} - {str(Reason.MUST_KEEP_A_DISCARD)}
