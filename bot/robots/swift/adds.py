"""What may be laid on own melds: single cards, naturals with a wild that bridges a gap, a hand's last cards in twos.

``u`` takes the uses, one row each (:mod:`bot.robots.swift.layout`).
"""

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import Row, Table, card_class, is_wild, wild_after

LAST_CARDS = 4
"""Of so few cards two may have to go at once: one alone would leave neither a discard nor the canasta of a close."""


@compiled
def all_adds(m: Table, p: Row, u: Table) -> int:
    """Every card of the hand on every meld that takes it, and with a wild in between those that are a place too far."""
    count = 0
    twos = 0
    for suit in range(4):
        twos |= (p[at.P_MASK + suit] >> 2 & 1) << suit
    for i in range(p[at.P_MELDS]):
        number, wild = p[at.P_TABLE + 2 * i], p[at.P_TABLE + 2 * i + 1]
        form = number >> 2
        shape = m[form, at.SHAPE]
        own = at.NONE
        if shape == at.RUN:
            own = number & 3
            mask = p[at.P_MASK + own]
            rank = 1
            while mask >> rank:
                if mask >> rank & 1 and m[form, at.GROWN + rank] != at.NONE:
                    count = add_use(m, u, count, i, number, wild, rank, own * 13 + rank - 1)
                rank += 1
            if wild == at.NONE:
                count = bridges(m, p, u, count, i, number)
        elif shape == at.SET:
            low = m[form, at.LOW]
            if p[at.P_RANK + low - 1] and m[form, at.GROWN + 1] != at.NONE:
                for suit in range(4):
                    if p[at.P_HAND + suit * 13 + low - 1]:
                        count = add_use(m, u, count, i, number, wild, 1, suit * 13 + low - 1)
            if low == 2:
                own = 4
        if twos and own != 4 and m[form, at.GROWN + at.CLASS_TWO] != at.NONE:
            for suit in range(4):
                if twos >> suit & 1 and suit != own:
                    count = add_use(m, u, count, i, number, wild, at.CLASS_TWO, suit * 13 + 1)
        if p[at.P_HAND + at.JOKER] and m[form, at.GROWN + at.CLASS_JOKER] != at.NONE:
            count = add_use(m, u, count, i, number, wild, at.CLASS_JOKER, at.JOKER)
    return pairs(m, p, u, count)


@compiled
def add_use(m: Table, u: Table, count: int, index: int, number: int, wild: int, kind: int, face: int) -> int:
    """One card on one meld."""
    if count >= at.MOST_USES:
        return count
    u[count, at.U_INDEX] = index
    u[count, at.U_NUMBER] = m[number >> 2, at.GROWN + kind] * 4 + (number & 3)
    u[count, at.U_WILD] = wild_after(m, number, wild, kind, face)
    u[count, at.U_BACK] = wild if m[number >> 2, at.BACK + kind] else at.NONE
    u[count, at.U_COUNT] = 1
    u[count, at.U_FACES] = face
    return count + 1


@compiled
def bridges(m: Table, p: Row, u: Table, count: int, index: int, number: int) -> int:
    """Naturals two places away from a clean run, each with a wild in the place between."""
    form, suit = number >> 2, number & 3
    mask = p[at.P_MASK + suit]
    if mask & 2:
        mask |= 1 << 14
    low, high = m[form, at.LOW], m[form, at.LOW] + m[form, at.LENGTH] - 1
    for end in range(2):
        place, between = (high + 2, high + 1) if end else (low - 2, low - 1)
        if place < 1 or place > 14 or not mask >> place & 1 or mask >> between & 1:
            continue
        face = suit * 13 + (place - 1) % 13
        for kind in range(at.WILD_JOKER, at.WILD_OTHER_TWO + 1):
            after = m[form, at.BRIDGED + 4 * end + kind]
            wild = at.JOKER
            if kind == at.WILD_OWN_TWO:
                wild = suit * 13 + 1
            elif kind == at.WILD_OTHER_TWO:
                wild = other_two(p, suit)
            if after == at.NONE or wild == at.NONE or count >= at.MOST_USES:
                continue
            if p[at.P_HAND + wild] > (1 if wild == face else 0):
                u[count, at.U_INDEX] = index
                u[count, at.U_NUMBER] = after * 4 + suit
                u[count, at.U_WILD] = wild if m[after, at.WILD_KIND] else at.NONE
                u[count, at.U_BACK] = at.NONE
                u[count, at.U_COUNT] = 2
                u[count, at.U_FACES], u[count, at.U_FACES + 1] = face, wild
                count += 1
    return count


@compiled
def pairs(m: Table, p: Row, u: Table, count: int) -> int:
    """Two of the last cards at once on the same meld, a natural first: one of the uses so far, with a card more."""
    if p[at.P_COUNT] > LAST_CARDS:
        return count
    for i in range(count):
        first, number = u[i, at.U_FACES], u[i, at.U_NUMBER]
        became_wild = is_wild(first) and m[number >> 2, at.WILD_KIND] != 0
        if u[i, at.U_COUNT] > 1 or u[i, at.U_BACK] != at.NONE or became_wild:
            continue
        for face in range(at.FACES):
            if p[at.P_HAND + face] <= (1 if face == first else 0) or count >= at.MOST_USES:
                continue
            kind = card_class(m, number, face)
            if kind == at.NONE or m[number >> 2, at.GROWN + kind] == at.NONE or m[number >> 2, at.BACK + kind]:
                continue
            u[count, :] = u[i, :]
            u[count, at.U_NUMBER] = m[number >> 2, at.GROWN + kind] * 4 + (number & 3)
            u[count, at.U_WILD] = wild_after(m, number, u[i, at.U_WILD], kind, face)
            u[count, at.U_COUNT] = 2
            u[count, at.U_FACES + 1] = face
            count += 1
    return count


@compiled
def other_two(p: Row, suit: int) -> int:
    """A 2 of another suit in the hand; −1: none."""
    for other in range(4):
        if other != suit and p[at.P_HAND + other * 13 + 1]:
            return other * 13 + 1
    return at.NONE
