"""What habit says of the pile: :func:`bot.robots.quick.pile_worth`, compiled."""

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import Row, Table, is_wild, may_close, may_take_muerto, takes
from bot.robots.swift.outlook import Floats


@compiled
def pile_worth(s: Row, r: Row, m: Table, h: Floats) -> float:
    """What the pile is worth to the seat on turn."""
    seat = s[at.TURN]
    side, following = seat % r[at.SIDES], (seat + 1) % r[at.SIDES]
    base = at.HANDS + seat * at.FACES
    mask = 0
    for face in range(52):
        if s[base + face]:
            mask |= 1 << face
    pile = s[at.PILE_COUNT]
    first = 0 if r[at.SHOWS_ALL] else pile - 1
    for i in range(first, pile):
        if s[at.PILE + i] < 52:
            mask |= 1 << s[at.PILE + i]
    worth = 0.0
    for i in range(pile):
        if i < first:
            worth += h[at.H_PILE_CARD]
            continue
        face = s[at.PILE + i]
        if h[at.H_PILE_DENY] != 0.0 and takes(s, m, following, face):
            worth += h[at.H_PILE_DENY]
        if is_wild(face):
            worth += h[at.H_PILE_WILD]
        elif takes(s, m, side, face):
            worth += h[at.H_PILE_FIT]
        else:
            worth += company(s, r, h, base, mask, face)
    return worth


@compiled
def company(s: Row, r: Row, h: Floats, base: int, mask: int, face: int) -> float:
    """What a natural card is worth by the cards that go with it."""
    suit, rank = face // 13, face % 13
    mates = others = 0
    if r[at.SETS]:
        for other in range(4):
            mates += s[base + other * 13 + rank]
            if other != suit and mask >> (other * 13 + rank) & 1:
                others += 1
        if mates > 1 or others > 1:
            return float(h[at.H_PILE_MELD])
    row = (mask >> (13 * suit) & 0x1FFF) << 1 & ~4
    if row & 2:
        row |= 1 << 14
    near = 0
    for high in range(2):
        if high and rank:
            continue
        place = 14 if high else rank + 1
        below = row >> (place - 1) & 1 if place > 1 else 0
        lower = row >> (place - 2) & 1 if place > 2 else 0
        above = row >> (place + 1) & 1
        higher = row >> (place + 2) & 1
        if (below and lower) or (below and above) or (above and higher):
            return float(h[at.H_PILE_MELD])
        near |= below | lower | above | higher
    return float(h[at.H_PILE_MATE] if near or others else h[at.H_PILE_CARD])


@compiled
def stock_worth(s: Row, r: Row, m: Table, h: Floats) -> float:
    """What the pile must be worth to be taken rather than a card of the stock."""
    seat = s[at.TURN]
    side = seat % r[at.SIDES]
    size = s[at.SIZES + seat]
    worth = h[at.H_PILE_LEAST] + h[at.H_PILE_HAND] * size
    if size <= 4 and (may_take_muerto(s, r, side) or may_close(s, r, m, side, True)):
        worth += h[at.H_PILE_RACE]
    if not s[at.TAKEN + side]:
        worth += h[at.H_PILE_UNTAKEN]
    for other in range(r[at.SEATS]):
        if s[at.SIZES + other] <= 3 and other % r[at.SIDES] != side and may_close(s, r, m, other % r[at.SIDES], True):
            worth += h[at.H_PILE_THREAT]
            break
    return float(worth)


@compiled
def inclination(s: Row, r: Row, m: Table, h: Floats) -> float:
    """How much more than nothing speaks for the pile besides what a turn with it is worth."""
    idle = s[at.IDLE] / r[at.SEATS]
    worth = -h[at.H_IDLE] * idle * idle
    if h[at.H_HABIT] != 0.0:
        worth += h[at.H_HABIT] * (pile_worth(s, r, m, h) - stock_worth(s, r, m, h))
    return float(worth)
