"""Thousands of compiled deals a second or two: the sensible robot under different numbers, and the greedy yardstick."""

from typing import Any

import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import discard, draw, emptied, is_wild, may_discard, may_draw, score, take_pile
from bot.robots.swift.plan import start
from bot.robots.swift.search import deal_out
from bot.robots.swift.turn import do, finish, play_turn, top_uses
from bot.robots.swift.uses import list_uses

Row = Any
Table = Any
BIG_PILE = 4
MOST_TURNS = 1200


@compiled
def company(p: Row, face: int) -> int:
    """How many other cards go with one, as the greedy yardstick counts."""
    if face == at.JOKER:
        return 0
    suit, rank = face // 13, face % 13
    total = 0
    for other in range(52):
        if (
            p[at.P_HAND + other]
            and other != face
            and (other % 13 == rank or (other // 13 == suit and abs(other - face) <= 2))
        ):
            total += p[at.P_HAND + other]
    return total


@compiled
def rank_of(r: Row, m: Table, p: Row, use: Row) -> float:
    """How much the greedy yardstick wants a use."""
    form = use[at.U_NUMBER] >> 2
    gain = float(m[form, at.BONUS])
    if use[at.U_INDEX] != at.NONE:
        gain -= m[p[at.P_TABLE + 2 * use[at.U_INDEX]] >> 2, at.BONUS]
    wilds = 0
    for i in range(use[at.U_COUNT]):
        gain += r[at.POINTS + use[at.U_FACES + i]]
        wilds += is_wild(use[at.U_FACES + i])
    canasta = gain if m[form, at.LENGTH] >= 7 else 0.0
    return float(canasta * 1e9 - wilds * 1e7 + m[form, at.IS_CLEAN] * 1e6 + gain * 100.0 + use[at.U_COUNT])


@compiled
def best_use(r: Row, m: Table, p: Row, u: Table, count: int) -> int:
    """The use that the greedy yardstick wants most."""
    best, chosen = -1e18, at.NONE
    for i in range(count):
        value = rank_of(r, m, p, u[i])
        if value > best:
            best, chosen = value, i
    return chosen


@compiled
def greedy_turn(s: Row, r: Row, m: Table, n: Row, rows: Table, uses: Table) -> None:
    """A turn very nearly as the greedy yardstick plays it."""
    seat = s[at.TURN]
    if not s[at.DRAWN]:
        drawing = may_draw(s, r)
        taken = False
        if s[at.PILE_COUNT] and (s[at.PILE_COUNT] >= BIG_PILE or not drawing):
            if not r[at.AT_ONCE] and not r[at.THIS_TURN]:
                take_pile(s, r)
                taken = True
            else:
                count = top_uses(s, r, m, n, rows[0], uses[0])
                if count:
                    chosen = best_use(r, m, rows[0], uses[0], count)
                    take_pile(s, r)
                    do(s, r, uses[0, chosen])
                    taken = True
        if not taken:
            if not drawing:
                s[at.OVER] = at.OVER_STUCK
                return
            draw(s, r)
    greedy_melds(s, r, m, n, rows, uses)
    if s[at.OVER] or s[at.TURN] != seat:
        return
    if not s[at.DISCARDED]:
        start(s, r, rows[0])
        best, chosen = 1e18, at.NONE
        for face in range(at.FACES):
            if rows[0, at.P_HAND + face] and may_discard(s, r, m, face):
                value = (1e6 if is_wild(face) else 0.0) + company(rows[0], face) * 1e3 + face % 13 * 10.0
                if value < best:
                    best, chosen = value, face
        if chosen == at.NONE:
            s[at.OVER] = at.OVER_STUCK
            return
        discard(s, r, chosen)
        if s[at.DISCARDED] == 1 and not s[at.OVER]:
            greedy_melds(s, r, m, n, rows, uses)
        if s[at.OVER]:
            return
    finish(s, r, m, n, rows[0], uses[0])


@compiled
def greedy_melds(s: Row, r: Row, m: Table, n: Row, rows: Table, uses: Table) -> None:
    """Lay whatever can be laid."""
    while not s[at.OVER]:
        start(s, r, rows[0])
        count = list_uses(s, r, m, n, rows[0], uses[0])
        if s[at.OWED] != at.NONE:
            kept = 0
            for i in range(count):
                found = False
                for j in range(uses[0, i, at.U_COUNT]):
                    found = found or uses[0, i, at.U_FACES + j] == s[at.OWED]
                if found:
                    uses[0, kept, :] = uses[0, i, :]
                    kept += 1
            count = kept
        if count == 0:
            return
        do(s, r, uses[0, best_use(r, m, rows[0], uses[0], count)])


@compiled
def play_deals(
    base: Row,
    r: Row,
    m: Table,
    n: Row,
    one: Table,
    other: Table,
    style: int,
    seed: int,
    count: int,
    o: Row,
    k: Table,
    rows: Table,
    uses: Table,
    paths: Table,
    cards: Table,
    loose: int,
    needs: Row,
    doubts: Table,
    leads: Row,
    ends: Row,
) -> None:
    """Deals, each played from every side: ``one`` (weights, habits) against ``other``, or the greedy yardstick if ``style``."""
    world = base.copy()
    s = base.copy()
    sides, seats = r[at.SIDES], r[at.SEATS]
    for deal in range(count):
        np.random.seed(seed + deal)
        world[:] = base[:]
        cards[1, :] = cards[0, :]
        deal_out(world, r, cards[1], loose, needs, doubts, cards[2])
        world[at.TURN] = deal % seats
        total = 0.0
        for side in range(sides):
            s[:] = world[:]
            for _ in range(MOST_TURNS):
                if s[at.OVER]:
                    break
                if s[at.TURN] % sides == side:
                    play_turn(s, r, m, n, one[0], one[1], o, k, rows, uses, paths, 1)
                elif style:
                    greedy_turn(s, r, m, n, rows, uses)
                else:
                    play_turn(s, r, m, n, other[0], other[1], o, k, rows, uses, paths, 1)
            ends[s[at.OVER]] += 1
            own = rest = 0.0
            for each in range(sides):
                value = score(s, r, m, each)
                if each == side:
                    own = value
                else:
                    rest += value
            total += own - rest / (sides - 1)
        leads[deal] = total / sides
