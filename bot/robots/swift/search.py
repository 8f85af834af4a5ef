"""Playing out: deals that a seat may believe in, and what comes of each of its candidates there."""

from bot.robots.swift import layout as at
from bot.robots.swift.believing import deal_out
from bot.robots.swift.gear import Gear, Hidden
from bot.robots.swift.jit import compiled
from bot.robots.swift.leaves import lead_of
from bot.robots.swift.moves import Row, Table, discard, draw, take_pile
from bot.robots.swift.outlook import Floats
from bot.robots.swift.turn import do, finish, meld, play_turn


@compiled
def begin_with(s: Row, g: Gear, candidate: Row) -> None:
    """Do a candidate of the seat on turn; after a discard or an end, finish its turn."""
    kind = candidate[at.C_KIND]
    if kind == at.DRAWS:
        draw(s, g.r)
    elif kind == at.TAKES:
        take_pile(s, g.r)
        if candidate[at.C_USE + at.U_COUNT]:
            do(s, g.r, candidate[at.C_USE :])
    elif kind == at.LAYS:
        do(s, g.r, candidate[at.C_USE :])
    else:
        if kind == at.THROWS:
            discard(s, g.r, candidate[at.C_FACE])
            if s[at.DISCARDED] == 1 and not s[at.OVER]:
                meld(s, g, 1)
        if not s[at.OVER]:
            finish(s, g.r, g.m, g.n, g.rows[0], g.uses[0])


@compiled
def outcome(s: Row, g: Gear, candidate: Row, turns: int) -> float:
    """What a candidate of the seat on turn leads to in a deal, which is played on for so many turns."""
    side = s[at.TURN] % g.r[at.SIDES]
    begin_with(s, g, candidate)
    for _ in range(turns):
        if s[at.OVER]:
            break
        play_turn(s, g, 1)
    return lead_of(s, g.r, g.m, g.leaves, g.features, side)


@compiled
def play_world(
    base: Row, s: Row, world: Row, g: Gear, hidden: Hidden, candidates: Table, running: Row, turns: int, found: Floats
) -> None:
    """Deal one world and play every running candidate out in it; ``found`` takes what each leads to."""
    world[:] = base[:]
    deal_out(world, g, hidden)
    for i in range(len(running)):
        if running[i]:
            s[:] = world[:]
            found[i] = outcome(s, g, candidates[i], turns)
