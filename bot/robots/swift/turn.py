"""A whole turn as the sensible robot plays it: stock or pile, melds, discard."""

from math import exp

from bot.robots.swift import layout as at
from bot.robots.swift.discards import rank_discards
from bot.robots.swift.evaluate import NEVER, hand_value, hold, least_loss, release
from bot.robots.swift.gear import Gear
from bot.robots.swift.habits import inclination
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import (
    Row,
    Table,
    discard,
    draw,
    emptied,
    give,
    is_wild,
    lay,
    may_draw,
    pass_turn,
    take_pile,
    use,
)
from bot.robots.swift.outlook import Floats, look
from bot.robots.swift.plan import plan, start
from bot.robots.swift.uses import keep_uses_of, list_uses, put

PILE_USES = 3
"""How many of the ways to use the top of the pile are looked at."""


@compiled
def play_turn(s: Row, g: Gear, breadth: int) -> None:
    """Play for the seat on turn until the turn has passed or the deal is over."""
    if not s[at.DRAWN]:
        look(s, g.r, g.m, g.w, g.o, g.k)
        draw_or_take(s, g)
        if s[at.OVER]:
            return
    looked = meld(s, g, breadth)
    if not s[at.OVER] and not s[at.DISCARDED]:
        throw(s, g, breadth, looked)
    if s[at.OVER]:
        return
    finish(s, g.r, g.m, g.n, g.rows[0], g.uses[0])


@compiled
def finish(s: Row, r: Row, m: Table, n: Row, p: Row, u: Table) -> None:
    """Pass the turn on, and end the deal where the pile decides and nobody can take it."""
    pass_turn(s, r)
    if not s[at.OVER] and r[at.WHILE_PILE] and not s[at.STOCK_COUNT] and not pile_use_exists(s, r, m, n, p, u):
        s[at.TURN] = (s[at.TURN] + r[at.SEATS] - 1) % r[at.SEATS]
        s[at.OVER] = at.OVER_STOCK


@compiled
def pile_use_exists(s: Row, r: Row, m: Table, n: Row, p: Row, u: Table) -> bool:
    """Whether the seat on turn could take the pile."""
    if not s[at.PILE_COUNT]:
        return False
    if not r[at.AT_ONCE] and not r[at.THIS_TURN]:
        return True
    return top_uses(s, r, m, n, p, u) > 0


@compiled
def top_uses(s: Row, r: Row, m: Table, n: Row, p: Row, u: Table) -> int:
    """The uses of the top of the pile, and their number. ``p`` becomes the hand with that card."""
    start(s, r, p)
    top = s[at.PILE + s[at.PILE_COUNT] - 1]
    hold(r, p, top)
    # With the rest of the pile in the hand there is a way on; what is used may not be of it.
    p[at.P_COUNT] += s[at.PILE_COUNT]
    rest = s[at.PILE_COUNT] - 1
    count = keep_uses_of(u, list_uses(s, r, m, n, p, u), top)
    p[at.P_COUNT] -= rest
    return count


@compiled
def add_pile(s: Row, r: Row, p: Row) -> None:
    """Put the cards of the pile under its top into a hand that is only thought of."""
    for i in range(s[at.PILE_COUNT] - 1):
        hold(r, p, s[at.PILE + i])
        p[at.P_COUNT] += 1


@compiled
def draw_or_take(s: Row, g: Gear) -> None:
    """Draw, or take the pile and use its top where that must be used at once."""
    drawing = may_draw(s, g.r)
    if not s[at.PILE_COUNT]:
        if drawing:
            draw(s, g.r)
        else:
            s[at.OVER] = at.OVER_STUCK
        return
    if g.r[at.AT_ONCE]:
        take_at_once(s, g, drawing)
        return
    wanted = not drawing
    if drawing:
        leaning = inclination(s, g.r, g.m, g.h)
        if g.h[at.H_PLAN] != 0.0:
            taken = taking_value(s, g)
            if taken > NEVER / 2:
                drawn = draw_value(s, g)
                wanted = leaning + g.h[at.H_PLAN] * (taken - drawn) > 0.0
        else:
            wanted = leaning > 0.0
    if wanted and g.r[at.THIS_TURN] and (g.h[at.H_PLAN] == 0.0 or not drawing):
        wanted = owed_value(s, g) > NEVER / 2
    if wanted:
        take_pile(s, g.r)
    elif drawing:
        draw(s, g.r)
    else:
        s[at.OVER] = at.OVER_STUCK


@compiled
def owed_value(s: Row, g: Gear) -> float:
    """What a turn is worth in which the pile is taken and its top must be used before the end."""
    start_with_pile(s, g.r, g.rows[0])
    value, _ = plan(s, g, 1)
    return value


@compiled
def start_with_pile(s: Row, r: Row, p: Row) -> None:
    """The hand with what is seen of the pile."""
    start(s, r, p)
    pile = s[at.PILE_COUNT]
    for i in range(0 if r[at.SHOWS_ALL] else pile - 1, pile):
        hold(r, p, s[at.PILE + i])
        p[at.P_COUNT] += 1
    if r[at.THIS_TURN]:
        p[at.P_OWED] = s[at.PILE + pile - 1]


@compiled
def taking_value(s: Row, g: Gear) -> float:
    """What it is worth to take the pile."""
    covered = 0 if g.r[at.SHOWS_ALL] else s[at.PILE_COUNT] - 1
    start_with_pile(s, g.r, g.rows[0])
    g.o[at.O_UNKNOWN] = covered
    value, _ = plan(s, g, 1)
    g.o[at.O_UNKNOWN] = 0.0
    return after_taking(s, g.r, g.m, g.w, g.o, g.k, g.rows[0], value, covered)


@compiled
def after_taking(s: Row, r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row, value: float, covered: int) -> float:
    """The worth of a pile with what comes and goes besides its plan."""
    if covered:
        # One of the cards is thrown afterwards: the least needed of all.
        value += (covered - 1) * w[at.W_COVERED_CARD]
        value += unseen_worth(r, m, w, o, k, p, False)
    else:
        value -= least_loss(r, m, w, o, k, p)
    return value + denied(w, o, s[at.PILE_COUNT])


@compiled
def denied(w: Floats, o: Floats, count: int) -> float:
    """What the next opponents would gain by the pile if it were left to them with one more card on it."""
    if o[at.O_ROUNDS] <= 1.0:
        return 0.0
    tempted = 1.0 / (1.0 + exp(w[at.W_TEMPTING_SLOPE] * (w[at.W_TEMPTING_PILE] - (count + 1))))
    # Without a partner, a pile that the next opponent leaves comes back bigger.
    each = w[at.W_DENIED_CARD] if o[at.O_MATES] > 1 else w[at.W_DENIED_ALONE]
    return float(each * count * tempted)


@compiled
def draw_value(s: Row, g: Gear) -> float:
    """What it is worth to draw."""
    start(s, g.r, g.rows[0])
    g.o[at.O_UNKNOWN] = 1.0
    value, _ = plan(s, g, 1)
    g.o[at.O_UNKNOWN] = 0.0
    return value + unseen_worth(g.r, g.m, g.w, g.o, g.k, g.rows[0], True)


@compiled
def unseen_worth(r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row, wilds: bool) -> float:
    """What an unseen card adds to a hand on average, where it or the least needed card is thrown afterwards."""
    before = hand_value(r, m, w, o, k, p)
    least = least_loss(r, m, w, o, k, p)
    total = weight = 0.0
    # Every sixth face from the third on: all ranks, and suits mixed.
    for face in range(2, 52, 6):
        count = o[at.O_UNSEEN + face]
        if count > 0 and not is_wild(face):
            weight += count
            hold(r, p, face)
            gain = hand_value(r, m, w, o, k, p) - before
            release(r, p, face)
            total += count * max(0.0, gain - least)
    natural = total / max(1.0, weight)
    if not wilds:
        return natural
    share = o[at.O_WILDS] / o[at.O_TOTAL]
    points, caught = r[at.POINTS + 1], o[at.O_CAUGHT]
    wild = o[at.O_WILD_SHARE] * (o[at.O_WILD_WORTH] + points * (0.5 + caught)) - points * caught
    return float((1.0 - share) * natural + share * (wild - least))


@compiled
def take_at_once(s: Row, g: Gear, drawing: bool) -> None:
    """Draw, or take the pile with the best use of its top."""
    leaning = inclination(s, g.r, g.m, g.h)
    wanted = not (drawing and g.h[at.H_PLAN] == 0.0 and leaning <= 0.0)
    count = top_uses(s, g.r, g.m, g.n, g.rows[4], g.uses[3]) if wanted else 0
    if count == 0:
        if drawing:
            draw(s, g.r)
        else:
            s[at.OVER] = at.OVER_STUCK
        return
    best, chosen = NEVER, 0
    if count > 1 or g.h[at.H_PLAN] != 0.0:
        covered = 0 if g.r[at.SHOWS_ALL] else s[at.PILE_COUNT] - 1
        rank_uses(g, count)
        for i in range(min(count, PILE_USES)):
            g.rows[0, :] = g.rows[4, :]
            put(g.r, g.rows[0], g.uses[3, i])
            if not covered:
                add_pile(s, g.r, g.rows[0])
            g.o[at.O_UNKNOWN] = covered
            value, _ = plan(s, g, 1)
            g.o[at.O_UNKNOWN] = 0.0
            value = after_taking(s, g.r, g.m, g.w, g.o, g.k, g.rows[0], value, covered)
            if value > best:
                best, chosen = value, i
    if drawing and g.h[at.H_PLAN] != 0.0:
        drawn = draw_value(s, g)
        if leaning + g.h[at.H_PLAN] * (best - drawn) <= 0.0:
            draw(s, g.r)
            return
    take_pile(s, g.r)
    g.rows[5, at.PLAN_SIZE - 1] = chosen
    do(s, g.r, g.uses[3, chosen])


@compiled
def rank_uses(g: Gear, count: int) -> None:
    """Put the uses of the pile's top first that look best at once."""
    if count <= PILE_USES:
        return
    for place in range(PILE_USES):
        best, chosen = -1e18, place
        for i in range(place, count):
            g.rows[2, :] = g.rows[4, :]
            put(g.r, g.rows[2], g.uses[3, i])
            value = hand_value(g.r, g.m, g.w, g.o, g.k, g.rows[2]) + g.m[g.uses[3, i, at.U_NUMBER] >> 2, at.MELD_POINTS]
            if value > best:
                best, chosen = value, i
        if chosen != place:
            g.uses[1, 0, :] = g.uses[3, place, :]
            g.uses[3, place, :] = g.uses[3, chosen, :]
            g.uses[3, chosen, :] = g.uses[1, 0, :]


@compiled
def do(s: Row, r: Row, what: Row) -> None:
    """Lay a use on the table."""
    seat = s[at.TURN]
    side = seat % r[at.SIDES]
    for i in range(what[at.U_COUNT]):
        use(s, r, seat, what[at.U_FACES + i])
    if what[at.U_BACK] != at.NONE:
        give(s, seat, what[at.U_BACK])
    index = what[at.U_INDEX]
    if index == at.NONE:
        lay(s, r, what[at.U_NUMBER], what[at.U_WILD])
    else:
        place = at.MELDS + side * at.MOST_MELDS * 2 + 2 * index
        s[place] = what[at.U_NUMBER]
        s[place + 1] = what[at.U_WILD]
    emptied(s, r)


@compiled
def meld(s: Row, g: Gear, breadth: int) -> bool:
    """Lay what is worth laying; after a muerto, with the new hand too.

    Whether nothing was laid since the seat last looked, so that outlook and ``rows[0]`` are still those of its hand.
    """
    side = s[at.TURN] % g.r[at.SIDES]
    while not s[at.OVER]:
        look(s, g.r, g.m, g.w, g.o, g.k)
        start(s, g.r, g.rows[0])
        taken = s[at.TAKEN + side]
        _, steps = plan(s, g, breadth)
        for i in range(steps):
            do(s, g.r, g.paths[0, i])
        if steps == 0 or s[at.TAKEN + side] == taken:
            return bool(steps == 0)
    return False


@compiled
def throw(s: Row, g: Gear, breadth: int, looked: bool) -> None:
    """Discard; with a muerto that comes so and may be used at once, play on. ``looked``: as :func:`meld` says."""
    if not looked:
        look(s, g.r, g.m, g.w, g.o, g.k)
        start(s, g.r, g.rows[0])
    count = rank_discards(s, g.r, g.m, g.w, g.o, g.k, g.rows[0], g.rows[5], g.k[-1])
    if count == 0:
        s[at.OVER] = at.OVER_STUCK
        return
    discard(s, g.r, g.rows[5, 0])
    if s[at.DISCARDED] == 1 and not s[at.OVER]:
        meld(s, g, breadth)
