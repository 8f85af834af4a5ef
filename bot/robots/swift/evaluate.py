"""What a hand and the own melds are worth: :mod:`bot.robots.evaluate` and the values of its plans, compiled.

``p`` is a hand with the melds of its side (:mod:`bot.robots.swift.layout`).
"""

from math import exp

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import CANASTA, Row, Table, counts_for_close, is_wild
from bot.robots.swift.outlook import Floats, face_at, know

NEVER = -1e9


@compiled
def haste(w: Floats, o: Floats, count: int) -> float:
    """What it is worth to hold only ``count`` cards: a muerto or a close is near."""
    if o[at.O_ROUNDS] <= 0:
        return 0.0
    if o[at.O_TAKES] > 0:
        worth = w[at.W_MUERTO_WORTH] + o[at.O_EASE] * w[at.W_MUERTO_CLOSING]
        return float(worth * exp(-count / w[at.W_MUERTO_CARDS]))
    return float(o[at.O_EASE] * w[at.W_CLOSE_WORTH] * exp(-count / w[at.W_CLOSE_CARDS]))


@compiled
def sign(r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row) -> float:
    """What a point on the own table counts at the end, from −1 to 1: negative where no canasta is to be had."""
    if not r[at.NEGATIVE]:
        return 1.0
    none = exp(-o[at.O_ROUNDS] / w[at.W_CANASTA_ROUNDS])
    for i in range(p[at.P_MELDS]):
        number = p[at.P_TABLE + 2 * i]
        if k[number, at.K_STAMP] != o[at.O_STAMP]:
            know(r, m, w, o, k, number)
        none *= 1.0 - k[number, at.K_CANASTA]
    return float(1.0 - 2.0 * none)


@compiled
def table_value(r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row, signed: float) -> float:
    """What the own side's melds may be expected to count at the end."""
    points = bonus = 0.0
    for i in range(p[at.P_MELDS]):
        number = p[at.P_TABLE + 2 * i]
        if k[number, at.K_STAMP] != o[at.O_STAMP]:
            know(r, m, w, o, k, number)
        points += m[number >> 2, at.MELD_POINTS]
        bonus += k[number, at.K_BONUS]
    return points * signed + bonus


@compiled
def fits(r: Row, m: Table, w: Floats, o: Floats, k: Table, number: int) -> None:
    """Find what it is worth to hold each natural card that may go on a meld."""
    k[number, at.K_FIT_STAMP] = o[at.O_STAMP]
    form = number >> 2
    size = m[form, at.LENGTH]
    for rank in range(1, 14):
        k[number, at.K_FIT + rank] = 0.0
    k[number, at.K_FIT_MASK] = 0.0
    mask = 0
    shape = m[form, at.SHAPE]
    closes = r[at.CLOSES_AT]
    if shape == at.WILDS or (closes and size >= closes):
        return
    if shape == at.SET and m[form, at.LOW] == 2:
        # What a 2 is worth is counted as a wild's worth already.
        return
    extra = w[at.W_FIT_WORTH] + (w[at.W_FIT_GROWING] if size < CANASTA else 0.0)
    caught = 1.0 + o[at.O_CAUGHT]
    low = m[form, at.LOW]
    if shape == at.SET:
        k[number, at.K_FIT + low] = w[at.W_KEPT] * (r[at.POINTS + low - 1] * caught + extra)
        k[number, at.K_FIT_MASK] = 1 << low
        return
    high = low + size - 1
    most = closes or 14
    suit = number & 3
    for place in range(1, 15):
        rank = (place - 1) % 13 + 1
        if rank == 2:
            continue
        gain = r[at.POINTS + face_at(place, suit)] * caught + extra
        if low <= place <= high:
            if m[form, at.WILD_AT] < 0 or place != low + m[form, at.WILD_AT]:
                continue
        else:
            first, beyond = (high + 1, place) if place > high else (place + 1, low)
            between = beyond - first
            if size + between + 1 > most or between > 2:
                continue
            for step in range(first, beyond):
                gain *= o[at.O_CHANCE + face_at(step, suit)]
        k[number, at.K_FIT + rank] = max(k[number, at.K_FIT + rank], w[at.W_KEPT] * gain)
        mask |= 1 << rank
    k[number, at.K_FIT_MASK] = mask


@compiled
def hand_value(r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row) -> float:
    """What the cards of a hand may bring, less what they may cost."""
    caught = o[at.O_CAUGHT]
    worth = -caught * p[at.P_POINTS]
    if o[at.O_ROUNDS] <= 0:
        return float(worth)
    laid = o[at.O_SIGN] + caught
    for face in (1, 14, 27, 40, at.JOKER):
        if p[at.P_HAND + face]:
            each = o[at.O_WILD_SHARE] * (o[at.O_WILD_WORTH] + r[at.POINTS + face] * (0.5 + caught))
            worth += p[at.P_HAND + face] * each
    if r[at.SETS] and p[at.P_PAIRS]:
        worth += sets_value(r, m, w, o, p, laid)
    first = r[at.NUMBERS]
    for suit in range(4):
        mask = p[at.P_MASK + suit]
        if mask:
            entry = suit << 13 | mask >> 1
            row, column = first + (entry >> 5), (entry & 31) << 1
            if k[row, column] != o[at.O_STAMP]:
                k[row, column] = o[at.O_STAMP]
                k[row, column + 1] = runs_value(r, w, o, suit, mask | (1 << 14 if mask & 2 else 0), laid)
            worth += k[row, column + 1]
    return float(worth + fitting(r, m, w, o, k, p))


@compiled
def sets_value(r: Row, m: Table, w: Floats, o: Floats, p: Row, laid: float) -> float:
    """What pairs and more of a rank are worth as sets to come."""
    worth = 0.0
    for rank in range(13):
        if rank == 1 or not p[at.P_PAIRS] >> rank & 1:
            continue
        count = p[at.P_RANK + rank]
        if not r[at.SECOND_SET] and has_set(m, p, rank + 1):
            continue
        chance = 1.0 if count > 2 else 1.0 - exp(-o[at.O_RANK_MEAN + rank + 1])
        gain = count * r[at.POINTS + rank] * laid + w[at.W_WINDOW_WORTH] * (count - 1)
        worth += w[at.W_KEPT] * chance * gain
    return worth


@compiled
def has_set(m: Table, p: Row, rank: int) -> bool:
    """Whether a set of the rank lies on the own side's table."""
    for i in range(p[at.P_MELDS]):
        form = p[at.P_TABLE + 2 * i] >> 2
        if m[form, at.SHAPE] == at.SET and m[form, at.LOW] == rank:
            return True
    return False


@compiled
def runs_value(r: Row, w: Floats, o: Floats, suit: int, mask: int, laid: float) -> float:
    """The best row of the suit that may become a run, and a share of the next best, apart from it and joined."""
    size = r[at.RUN_MINIMUM]
    best = apart = joined = 0.0
    used = -1
    for turn in range(2):
        for low in range(1, 16 - size):
            held = 0
            for place in range(low, low + size):
                held += mask >> place & 1
            if held < 2 or held < size - 3:
                continue
            chance = 1.0
            points = 0.0
            for place in range(low, low + size):
                face = face_at(place, suit)
                if mask >> place & 1:
                    points += r[at.POINTS + face]
                else:
                    chance *= o[at.O_CHANCE + face]
            value = w[at.W_KEPT] * chance * (points * laid + w[at.W_WINDOW_WORTH] * (held - 1))
            if turn == 0:
                if used < 0 or value >= best:
                    best = value
                    used = low
            elif low == used:
                continue
            elif abs(low - used) >= size:
                apart = max(apart, value)
            else:
                joined = max(joined, value)
        if used < 0:
            return 0.0
    return best + apart + 0.3 * joined


@compiled
def fitting(r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row) -> float:
    """What the natural cards are worth that go on melds of the own side: each face once, at its best."""
    found = 0
    best = len(k) - 2
    for i in range(p[at.P_MELDS]):
        number = p[at.P_TABLE + 2 * i]
        if k[number, at.K_FIT_STAMP] != o[at.O_STAMP]:
            fits(r, m, w, o, k, number)
        mask = int(k[number, at.K_FIT_MASK])
        is_run = m[number >> 2, at.SHAPE] == at.RUN
        for suit in range(4):
            if is_run and suit != number & 3:
                continue
            held = p[at.P_MASK + suit] & mask
            rank = 1
            while held >> rank:
                if held >> rank & 1:
                    face = suit * 13 + rank - 1
                    worth = k[number, at.K_FIT + rank]
                    if not found >> face & 1:
                        found |= 1 << face
                        k[best, face] = worth
                    elif worth > k[best, face]:
                        k[best, face] = worth
                rank += 1
    total = 0.0
    if found:
        for face in range(52):
            if found >> face & 1:
                total += k[best, face]
    return total


@compiled
def hold(r: Row, p: Row, face: int) -> None:
    """Put a card into the hand that is thought of."""
    p[at.P_HAND + face] += 1
    p[at.P_POINTS] += r[at.POINTS + face]
    if face != at.JOKER:
        p[at.P_MASK + face // 13] |= 2 << face % 13
        p[at.P_RANK + face % 13] += 1
        if p[at.P_RANK + face % 13] > 1:
            p[at.P_PAIRS] |= 1 << face % 13


@compiled
def release(r: Row, p: Row, face: int) -> None:
    """Take a card out of the hand that is thought of."""
    p[at.P_HAND + face] -= 1
    p[at.P_POINTS] -= r[at.POINTS + face]
    if face != at.JOKER:
        if not p[at.P_HAND + face]:
            p[at.P_MASK + face // 13] &= ~(2 << face % 13)
        p[at.P_RANK + face % 13] -= 1
        if p[at.P_RANK + face % 13] < 2:
            p[at.P_PAIRS] &= ~(1 << face % 13)


@compiled
def least_loss(r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row) -> float:
    """What the hand loses by giving away the natural card that it needs least; 0 where it holds none."""
    value = hand_value(r, m, w, o, k, p)
    least = 1e9
    for face in range(52):
        if p[at.P_HAND + face] and not is_wild(face):
            release(r, p, face)
            least = min(least, value - hand_value(r, m, w, o, k, p))
            hold(r, p, face)
    return 0.0 if least == 1e9 else least


@compiled
def plan_value(s: Row, r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row) -> float:
    """What it is worth to stop melding here."""
    if p[at.P_OWED] != at.NONE:
        return NEVER
    owes = 0 if s[at.DISCARDED] else 1
    unknown = int(o[at.O_UNKNOWN])
    held = p[at.P_COUNT] + unknown
    signed = sign(r, m, w, o, k, p)
    table = table_value(r, m, w, o, k, p, signed)
    if held <= owes:
        if o[at.O_TAKES] > 0:
            return float(table + haste(w, o, 0) + (w[at.W_MUERTO_AT_ONCE] if held == 0 else 0.0))
        return float(close_value(s, r, m, w, o, k, p) + w[at.W_CLOSE_PULL] * haste(w, o, 0))
    left = max(0, p[at.P_COUNT] - 1) if owes else p[at.P_COUNT]
    value = table + hand_value(r, m, w, o, k, p) + haste(w, o, left)
    if unknown:
        after = held - owes
        value += haste(w, o, after) - haste(w, o, after - unknown)
    return float(value)


@compiled
def close_value(s: Row, r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row) -> float:
    """The worth of closing now with these own melds, on the same scale: points over going on."""
    canasta = False
    cards = 0.0
    worth = 0.0
    for i in range(p[at.P_MELDS]):
        form = p[at.P_TABLE + 2 * i] >> 2
        canasta = canasta or m[form, at.LENGTH] >= CANASTA
        cards += m[form, at.MELD_POINTS]
        worth += m[form, at.BONUS]
    worth += -cards if r[at.NEGATIVE] and not canasta else cards
    if canasta or not r[at.BONUS_NEEDS_CANASTA]:
        worth += r[at.CLOSING_BONUS]
    side, seat = int(o[at.O_SIDE]), int(o[at.O_SEAT])
    partner = 0
    for other in range(side, r[at.SEATS], r[at.SIDES]):
        if other != seat:
            partner += s[at.SIZES + other]
    worth -= partner * o[at.O_AVERAGE]
    if o[at.O_ROUNDS] > 0:
        worth -= hand_future(w, o, partner) + o[at.O_ROUNDS] * w[at.W_TURN_WORTH] * o[at.O_MATES]
    most, total, others = -1e9, 0.0, 0
    for other in range(r[at.SIDES]):
        if other != side:
            spoiled = spoils(s, r, m, w, o, k, other)
            most = max(most, spoiled)
            total += spoiled
            others += 1
    # Where two sides lose, the one that is ahead matters more than the other.
    return float(worth + 0.5 * (most + total / others))


@compiled
def hand_future(w: Floats, o: Floats, cards: int) -> float:
    """What cards of a hand bring in the course of a deal that goes on."""
    return float(cards * w[at.W_CARD_WORTH] * min(1.0, o[at.O_ROUNDS] / 3.0))


@compiled
def spoils(s: Row, r: Row, m: Table, w: Floats, o: Floats, k: Table, side: int) -> float:
    """What a side may expect beyond its score as it lies, if the deal goes on."""
    if o[at.O_ROUNDS] <= 0:
        return 0.0
    cards = 0
    for seat in range(side, r[at.SEATS], r[at.SIDES]):
        cards += s[at.SIZES + seat]
    worth = hand_future(w, o, cards) + cards * o[at.O_AVERAGE] * 0.6
    worth += o[at.O_ROUNDS] * w[at.W_TURN_WORTH] * o[at.O_MATES]
    base = at.MELDS + side * at.MOST_MELDS * 2
    none = 1.0
    points = 0.0
    canasta = False
    for i in range(s[at.MELD_COUNT + side]):
        number = s[base + 2 * i]
        if k[number, at.K_STAMP] != o[at.O_STAMP]:
            know(r, m, w, o, k, number)
        form = number >> 2
        worth += k[number, at.K_BONUS] - m[form, at.BONUS]
        none *= 1.0 - k[number, at.K_CANASTA]
        points += m[form, at.MELD_POINTS]
        canasta = canasta or m[form, at.LENGTH] >= CANASTA
    if r[at.NEGATIVE] and not canasta:
        worth += 2.0 * (1.0 - none) * points
    if not s[at.TAKEN + side] and s[at.MUERTO_COUNT]:
        penalised = r[at.PENALTY_ALWAYS] != 0
        for other in range(r[at.SIDES]):
            penalised = penalised or s[at.TAKEN + other] > 0
        worth += 0.6 * (r[at.PENALTY] if penalised else 0) + 40.0
    return float(worth)


@compiled
def ready(r: Row, m: Table, p: Row) -> bool:
    """Whether the melds allow a close."""
    if not r[at.WANTS_CANASTA]:
        return True
    for i in range(p[at.P_MELDS]):
        if counts_for_close(r, m, p[at.P_TABLE + 2 * i]):
            return True
    return False
