"""What a deal that was broken off is worth to each side: :mod:`bot.robots.leaves`, compiled."""

from math import exp

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import CANASTA, Row, Table, counts_for_close, score
from bot.robots.swift.outlook import Floats

FEATURES = 38


@compiled
def features(s: Row, r: Row, m: Table, f: Table) -> tuple[float, float]:
    """Fill a row of features for each side; the time left (0 to 1) and how near anybody is to closing (0 to 1)."""
    sides = r[at.SIDES]
    most_close = 0.0
    for side in range(sides):
        for i in range(FEATURES):
            f[side, i] = 0.0
        f[side, 0] = 1.0
        table_features(s, r, m, f[side], side)
        least = 99
        for seat in range(side, r[at.SEATS], sides):
            least = min(least, s[at.SIZES + seat])
            hand_features(s, r, f[side], seat)
        # The last two columns take, for a moment, how near the side is to a muerto and to a close.
        f[side, FEATURES] = f[side, FEATURES + 1] = 0.0
        if s[at.TAKEN + side]:
            f[side, 26] = 1.0
            near = exp(-least / 4.0)
            if f[side, 28] > 0:
                f[side, 29] = near
                f[side, FEATURES + 1] = near
            else:
                f[side, 30] = near
        else:
            f[side, 27] = exp(-least / 5.0) if s[at.MUERTO_COUNT] else 0.0
            f[side, FEATURES] = f[side, 27]
        if side == s[at.TURN] % sides:
            f[side, 35] = 1.0
            f[side, 36] = s[at.PILE_COUNT]
        else:
            f[side, 37] = s[at.PILE_COUNT]
        most_close = max(most_close, f[side, FEATURES + 1])
    for side in range(sides):
        for other in range(sides):
            if other != side:
                f[side, 32] += (1.0 if s[at.TAKEN + other] else 0.0) / (sides - 1)
                f[side, 33] = max(f[side, 33], f[other, FEATURES + 1])
                f[side, 34] = max(f[side, 34], f[other, FEATURES])
    cards = s[at.STOCK_COUNT] + s[at.RESERVE_COUNT]
    if r[at.MUERTOS_TO_STOCK]:
        cards += 11 * s[at.MUERTO_COUNT]
    rounds = max(0, cards - r[at.LEFT_AT_END]) / r[at.SEATS]
    return 1.0 - exp(-rounds / 6.0), most_close


@compiled
def table_features(s: Row, r: Row, m: Table, row: Floats, side: int) -> None:
    """What lies on a side's table."""
    base = at.MELDS + side * at.MOST_MELDS * 2
    table = bonus = 0.0
    canasta = ready = False
    for i in range(s[at.MELD_COUNT + side]):
        number = s[base + 2 * i]
        form = number >> 2
        size = m[form, at.LENGTH]
        table += m[form, at.MELD_POINTS]
        if size >= CANASTA:
            bonus += m[form, at.BONUS]
            canasta = True
            ready = ready or counts_for_close(r, m, number)
        elif m[form, at.SHAPE] == at.WILDS:
            row[20] += size * size / 49.0
        else:
            row[(4 if m[form, at.SHAPE] == at.RUN else 12) + (0 if m[form, at.IS_CLEAN] else 4) + size - 3] += 1.0
    row[2 if r[at.NEGATIVE] and not canasta else 1] = table
    row[3] = bonus
    row[28] = 1.0 if ready or not r[at.WANTS_CANASTA] else 0.0
    row[31] = 1.0 if canasta else 0.0


@compiled
def hand_features(s: Row, r: Row, row: Floats, seat: int) -> None:
    """What a hand holds."""
    base = at.HANDS + seat * at.FACES
    wilds = s[base + at.JOKER]
    points = s[base + at.JOKER] * r[at.POINTS + at.JOKER]
    for suit in range(4):
        mask = 0
        for rank in range(13):
            count = s[base + suit * 13 + rank]
            if count:
                mask |= 1 << rank
                points += count * r[at.POINTS + suit * 13 + rank]
        wilds += s[base + suit * 13 + 1]
        beside, beyond = mask & mask >> 1, mask & mask >> 2
        for rank in range(13):
            row[24] += (beside >> rank & 1) + 0.5 * (beyond >> rank & 1)
    for rank in range(13):
        if rank != 1:
            count = s[base + rank] + s[base + 13 + rank] + s[base + 26 + rank] + s[base + 39 + rank]
            if count > 1:
                row[25] += 1 if rank == 0 else count - 1
    row[21] += s[at.SIZES + seat] - wilds
    row[22] += points
    row[23] += wilds


@compiled
def lead_of(s: Row, r: Row, m: Table, leaves: Table, f: Table, side: int) -> float:
    """By how many points a side leads the mean of the others, as far as can be told; ``leaves`` are the weights."""
    own = rest = 0.0
    if s[at.OVER] and s[at.OVER] != at.OVER_STUCK:
        for other in range(r[at.SIDES]):
            value = float(score(s, r, m, other))
            if other == side:
                own = value
            else:
                rest += value
        return float(own - rest / (r[at.SIDES] - 1))
    time, danger = features(s, r, m, f)
    for other in range(r[at.SIDES]):
        value = 0.0
        for i in range(FEATURES):
            value += f[other, i] * (leaves[0, i] + time * leaves[1, i] + danger * leaves[2, i])
        if other == side:
            own = value
        else:
            rest += value
    return float(own - rest / (r[at.SIDES] - 1))
