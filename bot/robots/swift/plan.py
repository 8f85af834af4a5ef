"""A turn's melds: the best end that can be found, and the steps to it. :mod:`bot.robots.plan`, compiled."""

from bot.robots.swift import layout as at
from bot.robots.swift.evaluate import plan_value
from bot.robots.swift.gear import Gear
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import Row, Table
from bot.robots.swift.outlook import Floats
from bot.robots.swift.uses import list_uses, put


@compiled
def start(s: Row, r: Row, p: Row) -> None:
    """The hand and the melds of the seat on turn as they are."""
    seat = s[at.TURN]
    side = seat % r[at.SIDES]
    p[at.P_COUNT] = s[at.SIZES + seat]
    p[at.P_MELDS] = s[at.MELD_COUNT + side]
    p[at.P_OWED] = s[at.OWED]
    for i in range(4):
        p[at.P_MASK + i] = 0
    for rank in range(13):
        p[at.P_RANK + rank] = 0
    p[at.P_PAIRS] = 0
    points = 0
    for face in range(at.FACES):
        count = s[at.HANDS + seat * at.FACES + face]
        p[at.P_HAND + face] = count
        if count:
            points += count * r[at.POINTS + face]
            if face != at.JOKER:
                p[at.P_MASK + face // 13] |= 2 << face % 13
                p[at.P_RANK + face % 13] += count
    for rank in range(13):
        if p[at.P_RANK + rank] > 1:
            p[at.P_PAIRS] |= 1 << rank
    p[at.P_POINTS] = points
    base = at.MELDS + side * at.MOST_MELDS * 2
    size = 2 * p[at.P_MELDS]
    p[at.P_TABLE : at.P_TABLE + size] = s[base : base + size]


@compiled
def climb(
    s: Row, r: Row, m: Table, n: Row, w: Floats, o: Floats, k: Table, p: Row, u: Table, q: Row, path: Table, steps: int
) -> tuple[float, int]:
    """Lay the best next use, again and again, as long as that is worth more. ``p`` is changed; ``q`` is for trying.

    Returns the worth of the end and the number of steps that ``path`` holds then.
    """
    best = plan_value(s, r, m, w, o, k, p)
    while p[at.P_COUNT] > 0 and steps < at.MOST_STEPS and p[at.P_MELDS] < at.MOST_MELDS - 2:
        count = list_uses(s, r, m, n, p, u)
        chosen = at.NONE
        for i in range(count):
            q[:] = p[:]
            put(r, q, u[i])
            value = plan_value(s, r, m, w, o, k, q)
            if value > best:
                best = value
                chosen = i
        if chosen == at.NONE:
            break
        put(r, p, u[chosen])
        path[steps, :] = u[chosen, :]
        steps += 1
    return best, steps


@compiled
def plan(s: Row, g: Gear, breadth: int) -> tuple[float, int]:
    """The best of stopping here and of the ``breadth`` most promising first uses, each followed up greedily.

    ``rows[0]`` is where to start and, in the end, where the best plan ends; ``paths[0]`` its steps. Returns its worth
    and the number of its steps.
    """
    best = plan_value(s, g.r, g.m, g.w, g.o, g.k, g.rows[0])
    g.rows[3, :] = g.rows[0, :]
    length = 0
    count = list_uses(s, g.r, g.m, g.n, g.rows[0], g.uses[0]) if g.rows[0, at.P_COUNT] else 0
    values = g.uses[2, :, 0]
    for i in range(count):
        g.rows[2, :] = g.rows[0, :]
        put(g.r, g.rows[2], g.uses[0, i])
        # In thousandths, so that they fit among whole numbers.
        values[i] = int(plan_value(s, g.r, g.m, g.w, g.o, g.k, g.rows[2]) * 1000.0)
    tried = 0
    while tried < breadth:
        first = at.NONE
        for i in range(count):
            if values[i] != at.TRIED and (first == at.NONE or values[i] > values[first]):
                first = i
        if first == at.NONE:
            break
        values[first] = at.TRIED
        tried += 1
        g.rows[1, :] = g.rows[0, :]
        put(g.r, g.rows[1], g.uses[0, first])
        g.paths[1, 0, :] = g.uses[0, first, :]
        value, steps = climb(s, g.r, g.m, g.n, g.w, g.o, g.k, g.rows[1], g.uses[1], g.rows[2], g.paths[1], 1)
        if value > best:
            best = value
            length = steps
            g.rows[3, :] = g.rows[1, :]
            g.paths[0, :steps, :] = g.paths[1, :steps, :]
    g.rows[0, :] = g.rows[3, :]
    return best, length
