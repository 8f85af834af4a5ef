"""Deals that a seat may believe in: hidden cards dealt out at random, in keeping with how people play."""

import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.gear import Gear, Hidden
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import Row, give, is_wild
from bot.robots.swift.outlook import look
from bot.robots.swift.plan import plan, start

EXCHANGES = 2
"""Loose cards may be laid too: so often a hand is looked at."""


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
def deal_out(s: Row, g: Gear, hidden: Hidden) -> None:
    """Deal the hidden cards to whoever needs some: hands, muertos, covered pile, stock; the reserve is mixed."""
    loose = hidden.cards[1]
    loose[:] = hidden.cards[0]
    shuffle(loose, hidden.size)
    seats = g.r[at.SEATS]
    count = hidden.size
    # Whoever comes first has the first choice: it should not always be the same seat.
    first = np.random.randint(0, seats)
    for i in range(seats):
        count = deal_hand(s, hidden, (first + i) % seats, count)
    for seat in range(seats):
        if hidden.settled[seat] > 0.0 and np.random.random() < hidden.settled[seat]:
            settle(s, g, hidden, seat, count)
    for i in range(s[at.MUERTO_COUNT]):
        for j in range(s[at.MUERTO_SIZES + i]):
            if count > 0:
                count -= 1
                s[at.MUERTOS + i * at.MUERTO_ROOM + j] = loose[count]
    for i in range(hidden.needs[at.MOST_SEATS]):
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
def deal_hand(s: Row, hidden: Hidden, seat: int, count: int) -> int:
    """Deal a seat what it needs, card by card as readily as it would hold each; how many cards are loose then."""
    loose, passed, needs, doubts = hidden.cards[1], hidden.cards[2], hidden.needs, hidden.doubts
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
        if count == 0 and taken < needs[seat]:
            # All were looked at: once more around.
            loose[:skipped] = passed[:skipped]
            shuffle(loose, skipped)
            count, skipped = skipped, 0
    if skipped:
        # What was passed over is mixed in again, so that order tells nothing.
        loose[count : count + skipped] = passed[:skipped]
        count += skipped
        shuffle(loose, count)
    return count


@compiled
def put_on_turn(s: Row, seat: int) -> None:
    """Let it be the turn of a seat that has drawn and has done nothing else yet."""
    s[at.TURN], s[at.DRAWN], s[at.DREW] = seat, 1, 1
    s[at.BARRED] = s[at.OWED] = at.NONE
    s[at.ALL_WILD] = s[at.DISCARDED] = 0


@compiled
def settle(s: Row, g: Gear, hidden: Hidden, seat: int, count: int) -> None:
    """Take natural cards that the seat would have laid from its hand, and give it loose ones instead."""
    kept = s[: at.IDLE].copy()
    put_on_turn(s, seat)
    look(s, g.r, g.m, g.w, g.o, g.k)
    for _ in range(EXCHANGES):
        start(s, g.r, g.rows[0])
        _, steps = plan(s, g, 1)
        if steps == 0:
            break
        for i in range(steps):
            exchange(s, hidden, seat, g.paths[0, i], count)
    s[: at.IDLE] = kept


@compiled
def exchange(s: Row, hidden: Hidden, seat: int, used: Row, count: int) -> None:
    """Exchange the natural cards of one use for others; of what is known to lie in the hand everything stays."""
    loose = hidden.cards[1]
    hand = at.HANDS + seat * at.FACES
    for i in range(used[at.U_COUNT]):
        face = used[at.U_FACES + i]
        if count > 0 and not is_wild(face) and s[hand + face] > hidden.known[seat, face]:
            j = np.random.randint(0, count)
            # How many wilds a hand holds has been settled when it was dealt.
            if not is_wild(loose[j]):
                s[hand + face] -= 1
                s[hand + loose[j]] += 1
                loose[j] = face
