"""What happens in a deal of numbers: turns, muertos, ends and scores by the rules of :mod:`engine.decide`, compiled.

They are repeated here for speed and compared with the engine on whole deals of every rule set
(``tests/robots/test_swift_rules.py``). Whoever moves is trusted to ask ``may_…`` first. One thing is told coarser: a
muerto counts as used when a card *equal* to one of its cards is used.

``s`` is a deal, ``r`` the rules at a table, ``m`` the forms of melds (:mod:`bot.robots.swift.layout`).
"""

from typing import Any

from bot.robots.swift.jit import compiled
from bot.robots.swift.layout import (
    ALL_WILD,
    ALL_WILD_TAKES,
    BACK,
    BARRED,
    BONUS,
    BONUS_NEEDS_CANASTA,
    BY_DISCARD_ONLY,
    CLASS_JOKER,
    CLASS_TWO,
    CLOSER,
    CLOSING_BONUS,
    DISCARDED,
    DRAWN,
    DREW,
    FACES,
    GROWN,
    HANDS,
    IDLE,
    IS_CLEAN,
    JOKER,
    LEFT_AT_END,
    LENGTH,
    LONE_BARRED,
    LOW,
    MELD_COUNT,
    MELD_POINTS,
    MELDS,
    MOST_IDLE,
    MOST_MELDS,
    MUERTO_COUNT,
    MUERTO_ROOM,
    MUERTO_SIZES,
    MUERTOS,
    MUERTOS_A_SIDE,
    MUERTOS_TO_STOCK,
    NEGATIVE,
    NEWCOMER,
    NONE,
    OVER,
    OVER_CLOSED,
    OVER_IDLE,
    OVER_STOCK,
    OWED,
    PENALTY,
    PENALTY_ALWAYS,
    PILE,
    PILE_COUNT,
    POINTS,
    RESERVE,
    RESERVE_COUNT,
    RUN,
    SAME_TURN,
    SEATS,
    SET,
    SHAPE,
    SIDES,
    SIZES,
    STOCK,
    STOCK_COUNT,
    TAKEN,
    THIRD_DECK,
    THIS_TURN,
    TURN,
    UNUSED,
    UNUSED_PAYS,
    WANTS_CANASTA,
    WANTS_CLEAN,
    WHILE_PILE,
    WILD_KIND,
    WILD_NEVER,
    WILD_NOT_CLOSING,
    WILD_OWN_TWO,
)

CANASTA = 7
Row = Any
"""One row of int64."""
Table = Any
"""Rows of int64."""


@compiled
def is_wild(face: int) -> bool:
    """Whether a face is a 2 or a joker."""
    return face == JOKER or face % 13 == 1


@compiled
def give(s: Row, seat: int, face: int) -> None:
    """Put a card into a hand."""
    s[HANDS + seat * FACES + face] += 1
    s[SIZES + seat] += 1


@compiled
def use(s: Row, r: Row, seat: int, face: int) -> None:
    """Take a card out of a hand to the table or the pile."""
    s[HANDS + seat * FACES + face] -= 1
    s[SIZES + seat] -= 1
    if face == s[OWED]:
        s[OWED] = NONE
    if face == s[BARRED]:
        s[BARRED] = NONE
    left = UNUSED + seat % r[SIDES]
    if s[left] != NONE and s[left] >> face & 1:
        s[left] = NONE


@compiled
def has_natural(s: Row, seat: int) -> bool:
    """Whether a hand holds a card that is not wild."""
    wilds = s[HANDS + seat * FACES + JOKER]
    for suit in range(4):
        wilds += s[HANDS + seat * FACES + suit * 13 + 1]
    return bool(s[SIZES + seat] > wilds)


@compiled
def may_take_muerto(s: Row, r: Row, side: int) -> bool:
    """Whether an empty hand of the side takes a muerto now."""
    return bool(s[MUERTO_COUNT] > 0 and s[TAKEN + side] < r[MUERTOS_A_SIDE])


@compiled
def counts_for_close(r: Row, m: Table, number: int) -> bool:
    """Whether a meld is one that a close needs."""
    form = number >> 2
    return bool(m[form, LENGTH] >= CANASTA and (m[form, IS_CLEAN] or not r[WANTS_CLEAN]))


@compiled
def is_ready(s: Row, r: Row, m: Table, side: int) -> bool:
    """Whether the melds of a side allow a close."""
    if not r[WANTS_CANASTA]:
        return True
    base = MELDS + side * MOST_MELDS * 2
    for i in range(s[MELD_COUNT + side]):
        if counts_for_close(r, m, s[base + 2 * i]):
            return True
    return False


@compiled
def may_close(s: Row, r: Row, m: Table, side: int, by_discard: bool) -> bool:
    """Whether the side may close now: muerto, canasta, way of closing."""
    if not s[TAKEN + side] or not is_ready(s, r, m, side):
        return False
    return by_discard or not r[BY_DISCARD_ONLY]


@compiled
def may_discard(s: Row, r: Row, m: Table, face: int) -> bool:
    """Whether the seat on turn, which holds the face, may discard it now."""
    seat = s[TURN]
    side = seat % r[SIDES]
    if s[DISCARDED] or s[OWED] != NONE:
        return False
    if face == s[BARRED] and s[HANDS + seat * FACES + face] < 2:
        return False
    closes = s[SIZES + seat] == 1 and not may_take_muerto(s, r, side)
    if is_wild(face):
        if r[WILD_NEVER] and not s[ALL_WILD]:
            return False
        if r[WILD_NOT_CLOSING] and closes:
            return False
    return not closes or may_close(s, r, m, side, True)


@compiled
def stock_is_out(s: Row, r: Row) -> bool:
    """Whether there is nothing to draw and nothing to refill the stock with."""
    if s[STOCK_COUNT]:
        return False
    return not ((r[THIRD_DECK] and s[RESERVE_COUNT]) or (r[MUERTOS_TO_STOCK] and s[MUERTO_COUNT]))


@compiled
def may_draw(s: Row, r: Row) -> bool:
    """Whether the seat on turn may draw from the stock."""
    if stock_is_out(s, r):
        return False
    return not (r[ALL_WILD_TAKES] and s[PILE_COUNT] and not has_natural(s, s[TURN]))


@compiled
def refill(s: Row, r: Row) -> None:
    """Fill an empty stock."""
    if r[THIRD_DECK]:
        count = s[RESERVE_COUNT]
        s[STOCK : STOCK + count] = s[RESERVE : RESERVE + count]
        s[STOCK_COUNT] = count
        s[RESERVE_COUNT] = 0
    else:
        count = s[MUERTO_SIZES]
        s[STOCK : STOCK + count] = s[MUERTOS : MUERTOS + count]
        s[STOCK_COUNT] = count
        drop_muerto(s, 0)


@compiled
def drop_muerto(s: Row, index: int) -> None:
    """Take a muerto off the table."""
    for i in range(index, s[MUERTO_COUNT] - 1):
        s[MUERTO_SIZES + i] = s[MUERTO_SIZES + i + 1]
        for k in range(MUERTO_ROOM):
            s[MUERTOS + i * MUERTO_ROOM + k] = s[MUERTOS + (i + 1) * MUERTO_ROOM + k]
    s[MUERTO_COUNT] -= 1


@compiled
def draw(s: Row, r: Row) -> None:
    """The seat on turn draws."""
    if not s[STOCK_COUNT]:
        refill(s, r)
    seat = s[TURN]
    s[STOCK_COUNT] -= 1
    give(s, seat, s[STOCK + s[STOCK_COUNT]])
    s[DRAWN] = s[DREW] = 1
    s[ALL_WILD] = 0 if has_natural(s, seat) else 1
    if not s[STOCK_COUNT] and s[RESERVE_COUNT] and r[THIRD_DECK]:
        refill(s, r)


@compiled
def take_pile(s: Row, r: Row) -> None:
    """The seat on turn takes the pile; an obligation to use its top is for the caller to meet next."""
    seat = s[TURN]
    count = s[PILE_COUNT]
    if r[LONE_BARRED] and count == 1:
        s[BARRED] = s[PILE]
    if r[THIS_TURN]:
        s[OWED] = s[PILE + count - 1]
    for i in range(count):
        give(s, seat, s[PILE + i])
    s[PILE_COUNT] = 0
    s[DRAWN] = 1
    s[ALL_WILD] = 0 if has_natural(s, seat) else 1


@compiled
def card_class(m: Table, number: int, face: int) -> int:
    """The class of a card for a meld (:mod:`bot.robots.swift.layout`); −1 where it can never go there."""
    if face == JOKER:
        return CLASS_JOKER
    form = number >> 2
    rank = face % 13 + 1
    shape = m[form, SHAPE]
    if shape == RUN:
        if face // 13 == number & 3:
            return rank
        return CLASS_TWO if rank == 2 else NONE
    if shape == SET and rank == m[form, LOW]:
        return 1
    return CLASS_TWO if rank == 2 else NONE


@compiled
def grow(s: Row, r: Row, m: Table, index: int, face: int) -> None:
    """The seat on turn adds a card to a meld of its own side, which takes it."""
    seat = s[TURN]
    at = MELDS + (seat % r[SIDES]) * MOST_MELDS * 2 + 2 * index
    number, wild = s[at], s[at + 1]
    kind = card_class(m, number, face)
    form = m[number >> 2, GROWN + kind]
    use(s, r, seat, face)
    if m[number >> 2, BACK + kind]:
        give(s, seat, wild)
    s[at] = form * 4 + (number & 3)
    s[at + 1] = wild_after(m, number, wild, kind, face)


@compiled
def wild_after(m: Table, number: int, wild: int, kind: int, face: int) -> int:
    """The face of the wild in a meld that took a card of a class; −1: none."""
    form = m[number >> 2, GROWN + kind]
    if m[form, WILD_KIND] == 0:
        return NONE
    if m[form, SHAPE] == RUN and m[form, WILD_KIND] == WILD_OWN_TWO:
        # It may have lain there as a plain 2 before.
        return (number & 3) * 13 + 1
    return face if m[number >> 2, NEWCOMER + kind] else wild


@compiled
def lay(s: Row, r: Row, number: int, wild: int) -> None:
    """Put a new meld on the table, whose cards the hand has given already."""
    side = s[TURN] % r[SIDES]
    at = MELDS + side * MOST_MELDS * 2 + 2 * s[MELD_COUNT + side]
    s[at] = number
    s[at + 1] = wild
    s[MELD_COUNT + side] += 1


@compiled
def emptied(s: Row, r: Row) -> None:
    """The hand on turn is empty: it takes a muerto, or closes."""
    seat = s[TURN]
    if not s[SIZES + seat]:
        if may_take_muerto(s, r, seat % r[SIDES]):
            take_muerto(s, r)
        else:
            s[OVER] = OVER_CLOSED
            s[CLOSER] = seat


@compiled
def take_muerto(s: Row, r: Row) -> None:
    """The seat on turn takes the first muerto."""
    seat = s[TURN]
    side = seat % r[SIDES]
    faces = 0
    for i in range(s[MUERTO_SIZES]):
        face = s[MUERTOS + i]
        give(s, seat, face)
        faces |= 1 << face
    drop_muerto(s, 0)
    s[TAKEN + side] += 1
    s[UNUSED + side] = faces
    s[BARRED] = NONE
    if not has_natural(s, seat):
        s[ALL_WILD] = 1


@compiled
def discard(s: Row, r: Row, face: int) -> None:
    """Discard, which ends the turn, takes a muerto or closes. The end of the turn itself is :func:`end_turn`."""
    seat = s[TURN]
    use(s, r, seat, face)
    s[PILE + s[PILE_COUNT]] = face
    s[PILE_COUNT] += 1
    if s[SIZES + seat]:
        s[DISCARDED] = 2
        return
    if not may_take_muerto(s, r, seat % r[SIDES]):
        s[OVER] = OVER_CLOSED
        s[CLOSER] = seat
        return
    take_muerto(s, r)
    s[DISCARDED] = 1 if r[SAME_TURN] else 2


@compiled
def pass_turn(s: Row, r: Row) -> None:
    """End the turn: the next seat, or the end of the deal. A pile that decides over the end is not looked at."""
    if spent(s, r):
        s[OVER] = OVER_STOCK
        return
    idle = 0 if s[DREW] else s[IDLE] + 1
    if not s[DREW] and idle >= r[MOST_IDLE]:
        s[OVER] = OVER_IDLE
        return
    s[IDLE] = idle
    s[TURN] = (s[TURN] + 1) % r[SEATS]
    s[DRAWN] = s[DREW] = s[DISCARDED] = s[ALL_WILD] = 0
    s[BARRED] = s[OWED] = NONE


@compiled
def spent(s: Row, r: Row) -> bool:
    """Whether the stock's end ends the deal with this turn."""
    left = s[STOCK_COUNT]
    if r[THIRD_DECK]:
        return bool(not left and not s[RESERVE_COUNT])
    if r[MUERTOS_TO_STOCK]:
        return bool(not left and not s[MUERTO_COUNT])
    if r[WHILE_PILE]:
        return bool(not left and not s[PILE_COUNT])
    return bool(left <= r[LEFT_AT_END])


@compiled
def score(s: Row, r: Row, m: Table, side: int) -> int:
    """What a side scores as the deal lies, and with the close if it was closed."""
    base = MELDS + side * MOST_MELDS * 2
    cards = bonus = 0
    canasta = False
    for i in range(s[MELD_COUNT + side]):
        form = s[base + 2 * i] >> 2
        cards += m[form, MELD_POINTS]
        bonus += m[form, BONUS]
        canasta = canasta or m[form, LENGTH] >= CANASTA
    total = bonus + (-cards if r[NEGATIVE] and not canasta else cards)
    for seat in range(side, r[SEATS], r[SIDES]):
        if s[SIZES + seat]:
            for face in range(FACES):
                total -= s[HANDS + seat * FACES + face] * r[POINTS + face]
    if s[TAKEN + side]:
        pays = r[UNUSED_PAYS] and s[UNUSED + side] != NONE
    else:
        pays = r[PENALTY_ALWAYS] != 0
        for other in range(r[SIDES]):
            pays = pays or s[TAKEN + other] > 0
    if pays:
        total -= r[PENALTY]
    if s[CLOSER] != NONE and s[CLOSER] % r[SIDES] == side and (canasta or not r[BONUS_NEEDS_CANASTA]):
        total += r[CLOSING_BONUS]
    return total
