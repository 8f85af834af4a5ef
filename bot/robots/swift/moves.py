"""What happens in a deal of numbers: turns, muertos, ends and scores by the rules of :mod:`engine.decide`, compiled.

They are repeated here for speed and compared with the engine on whole deals of every rule set
(``tests/robots/test_swift_rules.py``). Whoever moves is trusted to ask ``may_…`` first. One thing is told coarser: a
muerto counts as used when a card *equal* to one of its cards is used.

``s`` is a deal, ``r`` the rules at a table, ``m`` the forms of melds (:mod:`bot.robots.swift.layout`).
"""

from typing import Any

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled

CANASTA = 7
Row = Any
"""One row of int64."""
Table = Any
"""Rows of int64."""


@compiled
def is_wild(face: int) -> bool:
    """Whether a face is a 2 or a joker."""
    return face == at.JOKER or face % 13 == 1


@compiled
def give(s: Row, seat: int, face: int) -> None:
    """Put a card into a hand."""
    s[at.HANDS + seat * at.FACES + face] += 1
    s[at.SIZES + seat] += 1


@compiled
def use(s: Row, r: Row, seat: int, face: int) -> None:
    """Take a card out of a hand to the table or the pile."""
    s[at.HANDS + seat * at.FACES + face] -= 1
    s[at.SIZES + seat] -= 1
    if face == s[at.OWED]:
        s[at.OWED] = at.NONE
    if face == s[at.BARRED]:
        s[at.BARRED] = at.NONE
    left = at.UNUSED + seat % r[at.SIDES]
    if s[left] != at.NONE and s[left] >> face & 1:
        s[left] = at.NONE


@compiled
def has_natural(s: Row, seat: int) -> bool:
    """Whether a hand holds a card that is not wild."""
    wilds = s[at.HANDS + seat * at.FACES + at.JOKER]
    for suit in range(4):
        wilds += s[at.HANDS + seat * at.FACES + suit * 13 + 1]
    return bool(s[at.SIZES + seat] > wilds)


@compiled
def may_take_muerto(s: Row, r: Row, side: int) -> bool:
    """Whether an empty hand of the side takes a muerto now."""
    return bool(s[at.MUERTO_COUNT] > 0 and s[at.TAKEN + side] < r[at.MUERTOS_A_SIDE])


@compiled
def counts_for_close(r: Row, m: Table, number: int) -> bool:
    """Whether a meld is one that a close needs."""
    form = number >> 2
    return bool(m[form, at.LENGTH] >= CANASTA and (m[form, at.IS_CLEAN] or not r[at.WANTS_CLEAN]))


@compiled
def is_ready(s: Row, r: Row, m: Table, side: int) -> bool:
    """Whether the melds of a side allow a close."""
    if not r[at.WANTS_CANASTA]:
        return True
    base = at.MELDS + side * at.MOST_MELDS * 2
    for i in range(s[at.MELD_COUNT + side]):
        if counts_for_close(r, m, s[base + 2 * i]):
            return True
    return False


@compiled
def may_close(s: Row, r: Row, m: Table, side: int, by_discard: bool) -> bool:
    """Whether the side may close now: muerto, canasta, way of closing."""
    if not s[at.TAKEN + side] or not is_ready(s, r, m, side):
        return False
    return by_discard or not r[at.BY_DISCARD_ONLY]


@compiled
def may_discard(s: Row, r: Row, m: Table, face: int) -> bool:
    """Whether the seat on turn, which holds the face, may discard it now."""
    seat = s[at.TURN]
    side = seat % r[at.SIDES]
    if s[at.DISCARDED] or s[at.OWED] != at.NONE:
        return False
    if face == s[at.BARRED] and s[at.HANDS + seat * at.FACES + face] < 2:
        return False
    closes = s[at.SIZES + seat] == 1 and not may_take_muerto(s, r, side)
    if is_wild(face):
        if r[at.WILD_NEVER] and not s[at.ALL_WILD]:
            return False
        if r[at.WILD_NOT_CLOSING] and closes:
            return False
    return not closes or may_close(s, r, m, side, True)


@compiled
def stock_is_out(s: Row, r: Row) -> bool:
    """Whether there is nothing to draw and nothing to refill the stock with."""
    if s[at.STOCK_COUNT]:
        return False
    return not ((r[at.THIRD_DECK] and s[at.RESERVE_COUNT]) or (r[at.MUERTOS_TO_STOCK] and s[at.MUERTO_COUNT]))


@compiled
def may_draw(s: Row, r: Row) -> bool:
    """Whether the seat on turn may draw from the stock."""
    if stock_is_out(s, r):
        return False
    return not (r[at.ALL_WILD_TAKES] and s[at.PILE_COUNT] and not has_natural(s, s[at.TURN]))


@compiled
def refill(s: Row, r: Row) -> None:
    """Fill an empty stock."""
    if r[at.THIRD_DECK]:
        count = s[at.RESERVE_COUNT]
        s[at.STOCK : at.STOCK + count] = s[at.RESERVE : at.RESERVE + count]
        s[at.STOCK_COUNT] = count
        s[at.RESERVE_COUNT] = 0
    else:
        count = s[at.MUERTO_SIZES]
        s[at.STOCK : at.STOCK + count] = s[at.MUERTOS : at.MUERTOS + count]
        s[at.STOCK_COUNT] = count
        drop_muerto(s, 0)


@compiled
def drop_muerto(s: Row, index: int) -> None:
    """Take a muerto off the table."""
    for i in range(index, s[at.MUERTO_COUNT] - 1):
        s[at.MUERTO_SIZES + i] = s[at.MUERTO_SIZES + i + 1]
        for k in range(at.MUERTO_ROOM):
            s[at.MUERTOS + i * at.MUERTO_ROOM + k] = s[at.MUERTOS + (i + 1) * at.MUERTO_ROOM + k]
    s[at.MUERTO_COUNT] -= 1


@compiled
def draw(s: Row, r: Row) -> None:
    """The seat on turn draws."""
    if not s[at.STOCK_COUNT]:
        refill(s, r)
    seat = s[at.TURN]
    s[at.STOCK_COUNT] -= 1
    give(s, seat, s[at.STOCK + s[at.STOCK_COUNT]])
    s[at.DRAWN] = s[at.DREW] = 1
    s[at.ALL_WILD] = 0 if has_natural(s, seat) else 1
    if not s[at.STOCK_COUNT] and s[at.RESERVE_COUNT] and r[at.THIRD_DECK]:
        refill(s, r)


@compiled
def take_pile(s: Row, r: Row) -> None:
    """The seat on turn takes the pile; an obligation to use its top is for the caller to meet next."""
    seat = s[at.TURN]
    count = s[at.PILE_COUNT]
    if r[at.LONE_BARRED] and count == 1:
        s[at.BARRED] = s[at.PILE]
    if r[at.THIS_TURN]:
        s[at.OWED] = s[at.PILE + count - 1]
    for i in range(count):
        give(s, seat, s[at.PILE + i])
    s[at.PILE_COUNT] = 0
    s[at.DRAWN] = 1
    s[at.ALL_WILD] = 0 if has_natural(s, seat) else 1


@compiled
def card_class(m: Table, number: int, face: int) -> int:
    """The class of a card for a meld (:mod:`bot.robots.swift.layout`); −1 where it can never go there."""
    if face == at.JOKER:
        return at.CLASS_JOKER
    form = number >> 2
    rank = face % 13 + 1
    shape = m[form, at.SHAPE]
    if shape == at.RUN:
        if face // 13 == number & 3:
            return rank
        return at.CLASS_TWO if rank == 2 else at.NONE
    if shape == at.SET and rank == m[form, at.LOW]:
        return 1
    return at.CLASS_TWO if rank == 2 else at.NONE


@compiled
def takes(s: Row, m: Table, side: int, face: int) -> bool:
    """Whether a meld of a side takes a card."""
    base = at.MELDS + side * at.MOST_MELDS * 2
    for i in range(s[at.MELD_COUNT + side]):
        number = s[base + 2 * i]
        kind = card_class(m, number, face)
        if kind != at.NONE and m[number >> 2, at.GROWN + kind] != at.NONE:
            return True
    return False


@compiled
def wild_after(m: Table, number: int, wild: int, kind: int, face: int) -> int:
    """The face of the wild in a meld that took a card of a class; −1: none."""
    form = m[number >> 2, at.GROWN + kind]
    if m[form, at.WILD_KIND] == 0:
        return at.NONE
    if m[form, at.SHAPE] == at.RUN and m[form, at.WILD_KIND] == at.WILD_OWN_TWO:
        # It may have lain there as a plain 2 before.
        return (number & 3) * 13 + 1
    return face if m[number >> 2, at.NEWCOMER + kind] else wild


@compiled
def lay(s: Row, r: Row, number: int, wild: int) -> None:
    """Put a new meld on the table, whose cards the hand has given already."""
    side = s[at.TURN] % r[at.SIDES]
    place = at.MELDS + side * at.MOST_MELDS * 2 + 2 * s[at.MELD_COUNT + side]
    s[place] = number
    s[place + 1] = wild
    s[at.MELD_COUNT + side] += 1


@compiled
def emptied(s: Row, r: Row) -> None:
    """The hand on turn is empty: it takes a muerto, or closes."""
    seat = s[at.TURN]
    if not s[at.SIZES + seat]:
        if may_take_muerto(s, r, seat % r[at.SIDES]):
            take_muerto(s, r)
        else:
            s[at.OVER] = at.OVER_CLOSED
            s[at.CLOSER] = seat


@compiled
def take_muerto(s: Row, r: Row) -> None:
    """The seat on turn takes the first muerto."""
    seat = s[at.TURN]
    side = seat % r[at.SIDES]
    faces = 0
    for i in range(s[at.MUERTO_SIZES]):
        face = s[at.MUERTOS + i]
        give(s, seat, face)
        faces |= 1 << face
    drop_muerto(s, 0)
    s[at.TAKEN + side] += 1
    s[at.UNUSED + side] = faces
    s[at.BARRED] = at.NONE
    if not has_natural(s, seat):
        s[at.ALL_WILD] = 1


@compiled
def discard(s: Row, r: Row, face: int) -> None:
    """Discard, which ends the turn, takes a muerto or closes. The end of the turn itself is :func:`end_turn`."""
    seat = s[at.TURN]
    use(s, r, seat, face)
    s[at.PILE + s[at.PILE_COUNT]] = face
    s[at.PILE_COUNT] += 1
    if s[at.SIZES + seat]:
        s[at.DISCARDED] = 2
        return
    if not may_take_muerto(s, r, seat % r[at.SIDES]):
        s[at.OVER] = at.OVER_CLOSED
        s[at.CLOSER] = seat
        return
    take_muerto(s, r)
    s[at.DISCARDED] = 1 if r[at.SAME_TURN] else 2


@compiled
def pass_turn(s: Row, r: Row) -> None:
    """End the turn: the next seat, or the end of the deal. A pile that decides over the end is not looked at."""
    if spent(s, r):
        s[at.OVER] = at.OVER_STOCK
        return
    idle = 0 if s[at.DREW] else s[at.IDLE] + 1
    if not s[at.DREW] and idle >= r[at.MOST_IDLE]:
        s[at.OVER] = at.OVER_IDLE
        return
    s[at.IDLE] = idle
    s[at.TURN] = (s[at.TURN] + 1) % r[at.SEATS]
    s[at.DRAWN] = s[at.DREW] = s[at.DISCARDED] = s[at.ALL_WILD] = 0
    s[at.BARRED] = s[at.OWED] = at.NONE


@compiled
def spent(s: Row, r: Row) -> bool:
    """Whether the stock's end ends the deal with this turn."""
    left = s[at.STOCK_COUNT]
    if r[at.THIRD_DECK]:
        return bool(not left and not s[at.RESERVE_COUNT])
    if r[at.MUERTOS_TO_STOCK]:
        return bool(not left and not s[at.MUERTO_COUNT])
    if r[at.WHILE_PILE]:
        return bool(not left and not s[at.PILE_COUNT])
    return bool(left <= r[at.LEFT_AT_END])


@compiled
def score(s: Row, r: Row, m: Table, side: int) -> int:
    """What a side scores as the deal lies, and with the close if it was closed."""
    base = at.MELDS + side * at.MOST_MELDS * 2
    cards = bonus = 0
    canasta = False
    for i in range(s[at.MELD_COUNT + side]):
        form = s[base + 2 * i] >> 2
        cards += m[form, at.MELD_POINTS]
        bonus += m[form, at.BONUS]
        canasta = canasta or m[form, at.LENGTH] >= CANASTA
    total = bonus + (-cards if r[at.NEGATIVE] and not canasta else cards)
    for seat in range(side, r[at.SEATS], r[at.SIDES]):
        if s[at.SIZES + seat]:
            for face in range(at.FACES):
                total -= s[at.HANDS + seat * at.FACES + face] * r[at.POINTS + face]
    if s[at.TAKEN + side]:
        pays = r[at.UNUSED_PAYS] and s[at.UNUSED + side] != at.NONE
    else:
        pays = r[at.PENALTY_ALWAYS] != 0
        for other in range(r[at.SIDES]):
            pays = pays or s[at.TAKEN + other] > 0
    if pays:
        total -= r[at.PENALTY]
    if s[at.CLOSER] != at.NONE and s[at.CLOSER] % r[at.SIDES] == side and (canasta or not r[at.BONUS_NEEDS_CANASTA]):
        total += r[at.CLOSING_BONUS]
    return total
