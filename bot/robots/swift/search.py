"""Playing out: deals that a seat may believe in, and what comes of each of its candidates there."""

import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.gear import Gear, Hidden
from bot.robots.swift.jit import compiled
from bot.robots.swift.leaves import lead_of
from bot.robots.swift.moves import Row, Table, discard, draw, give, take_pile
from bot.robots.swift.outlook import Floats
from bot.robots.swift.turn import do, finish, meld, play_turn


@compiled
def begin(seed: int) -> None:
    """Let chance begin anew."""
    np.random.seed(seed)


@compiled
def shuffle(row: Row, count: int) -> None:
    """Mix the first ``count`` entries."""
    for i in range(count - 1, 0, -1):
        j = np.random.randint(0, i + 1)
        row[i], row[j] = row[j], row[i]


@compiled
def deal_out(s: Row, r: Row, hidden: Hidden) -> None:
    """Deal the hidden cards to whoever needs some: hands, muertos, covered pile, stock; the reserve is mixed."""
    loose, passed, needs, doubts = hidden.cards[1], hidden.cards[2], hidden.needs, hidden.doubts
    count = hidden.size
    loose[:] = hidden.cards[0]
    shuffle(loose, count)
    for seat in range(r[at.SEATS]):
        taken = skipped = 0
        while taken < needs[seat] and count > 0:
            count -= 1
            face = loose[count]
            if doubts[seat, face] >= 1.0 or np.random.random() < doubts[seat, face]:
                give(s, seat, face)
                taken += 1
            else:
                passed[skipped] = face
                skipped += 1
        while taken < needs[seat] and skipped > 0:
            skipped -= 1
            give(s, seat, passed[skipped])
            taken += 1
        if skipped:
            # What was passed over is mixed in again, so that order tells nothing.
            for i in range(skipped):
                loose[count] = passed[i]
                count += 1
            shuffle(loose, count)
    for i in range(s[at.MUERTO_COUNT]):
        for j in range(s[at.MUERTO_SIZES + i]):
            if count > 0:
                count -= 1
                s[at.MUERTOS + i * at.MUERTO_ROOM + j] = loose[count]
    for i in range(needs[at.MOST_SEATS]):
        if count > 0:
            count -= 1
            s[at.PILE + i] = loose[count]
    for i in range(s[at.STOCK_COUNT]):
        if count > 0:
            count -= 1
            s[at.STOCK + i] = loose[count]
    for i in range(s[at.RESERVE_COUNT] - 1, 0, -1):
        j = np.random.randint(0, i + 1)
        s[at.RESERVE + i], s[at.RESERVE + j] = s[at.RESERVE + j], s[at.RESERVE + i]


@compiled
def outcome(s: Row, g: Gear, candidate: Row, turns: int) -> float:
    """What a candidate of the seat on turn leads to in a deal, which is played on for so many turns."""
    seat = s[at.TURN]
    side = seat % g.r[at.SIDES]
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
    deal_out(world, g.r, hidden)
    for i in range(len(running)):
        if running[i]:
            s[:] = world[:]
            found[i] = outcome(s, g, candidates[i], turns)
