"""What may be laid from a hand: cards on own melds, and new melds.

``u`` takes the uses, one row each (:mod:`bot.robots.swift.layout`).
"""

from bot.robots.swift import layout as at
from bot.robots.swift.adds import all_adds, other_two
from bot.robots.swift.evaluate import has_set, hold, ready, release
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import Row, Table, is_wild
from bot.robots.swift.outlook import face_at


@compiled
def list_uses(s: Row, r: Row, m: Table, n: Row, p: Row, u: Table) -> int:
    """All uses that leave a way to end the turn, and their number. ``s`` tells of the turn, ``p`` of hand and melds."""
    count = all_adds(m, p, u)
    count = new_runs(r, m, n, p, u, count)
    if r[at.SETS]:
        count = new_sets(r, m, n, p, u, count)
    if r[at.WILD_MELDS]:
        count = new_wild_melds(m, n, p, u, count)
    kept = 0
    naturals = 0
    for rank in range(13):
        if rank != 1:
            naturals += p[at.P_RANK + rank]
    for i in range(count):
        if (
            u[i, at.U_INDEX] == at.NONE
            and p[at.P_MELDS] == 0
            and m[u[i, at.U_NUMBER] >> 2, at.MELD_POINTS] < r[at.FIRST_MINIMUM]
        ):
            continue
        # With two naturals left, one of which may be barred, there is always a way.
        if naturals > u[i, at.U_COUNT] + 1 or leaves_a_way(s, r, m, p, u[i]):
            if kept != i:
                u[kept, :] = u[i, :]
            kept += 1
    return kept


@compiled
def keep_uses_of(u: Table, count: int, face: int) -> int:
    """Of the uses, those of a card alone, and their number."""
    kept = 0
    for i in range(count):
        found = False
        for j in range(u[i, at.U_COUNT]):
            found = found or u[i, at.U_FACES + j] == face
        if found:
            if kept != i:
                u[kept, :] = u[i, :]
            kept += 1
    return kept


@compiled
def new_runs(r: Row, m: Table, n: Row, p: Row, u: Table, count: int) -> int:
    """Runs of the shortest length, with at most one wild, and the longest natural ones."""
    size = r[at.RUN_MINIMUM]
    for suit in range(4):
        mask = p[at.P_MASK + suit]
        if mask & 2:
            mask |= 1 << 14
        if not mask:
            continue
        for low in range(1, 16 - size):
            if not mask >> low & 3:
                continue
            missing, gap = 0, 0
            for i in range(size):
                if not mask >> (low + i) & 1:
                    missing += 1
                    gap = i + 1
            if size == 14 and missing == 0 and p[at.P_HAND + suit * 13] < 2:
                continue
            if missing == 0:
                before = count
                count = new_run(m, n, u, count, suit, low, size, 0, at.NONE)
                if before < count < at.MOST_USES:
                    count = lengthen(m, p, u, count, before, suit, low + size)
            elif missing == 1:
                count = runs_with_wild(m, n, p, u, count, suit, low, size, gap)
    return count


@compiled
def runs_with_wild(m: Table, n: Row, p: Row, u: Table, count: int, suit: int, low: int, size: int, gap: int) -> int:
    """The runs that a wild in the gap makes: a joker, the 2 of the suit, and one of another."""
    for kind in range(3):
        wild = at.JOKER
        if kind == 1:
            wild = suit * 13 + 1
        elif kind == 2:
            wild = other_two(p, suit)
        if wild == at.NONE or not p[at.P_HAND + wild]:
            continue
        # The own 2 may be a card of the run itself already.
        if kind == 1 and low <= 2 < low + size and gap != 3 - low and p[at.P_HAND + wild] < 2:
            continue
        count = new_run(m, n, u, count, suit, low, size, gap, wild)
    return count


@compiled
def new_run(m: Table, n: Row, u: Table, count: int, suit: int, low: int, size: int, gap: int, wild: int) -> int:
    """One run of the shortest length, where it is one."""
    if count >= at.MOST_USES:
        return count
    kind = 0
    if gap:
        kind = at.WILD_JOKER if wild == at.JOKER else (at.WILD_OWN_TWO if wild // 13 == suit else at.WILD_OTHER_TWO)
    form = n[at.NEW_RUN + (low * 8 + gap) * 4 + kind]
    if form == at.NONE:
        return count
    u[count, at.U_INDEX] = at.NONE
    u[count, at.U_NUMBER] = form * 4 + suit
    u[count, at.U_WILD] = wild if m[form, at.WILD_KIND] else at.NONE
    u[count, at.U_BACK] = at.NONE
    u[count, at.U_COUNT] = size
    for i in range(size):
        u[count, at.U_FACES + i] = wild if i + 1 == gap else face_at(low + i, suit)
    return count + 1


@compiled
def lengthen(m: Table, p: Row, u: Table, count: int, source: int, suit: int, place: int) -> int:
    """The natural run of ``source`` with all the cards of the hand that follow upwards."""
    number = u[source, at.U_NUMBER]
    size = u[source, at.U_COUNT]
    first = size
    while place <= 14 and size < 13:
        face = face_at(place, suit)
        if not p[at.P_HAND + face]:
            break
        if place == 14 and u[source, at.U_FACES] == face and p[at.P_HAND + face] < 2:
            break
        form = m[number >> 2, at.GROWN + face % 13 + 1]
        if form == at.NONE:
            break
        if size == first:
            u[count, :] = u[source, :]
        u[count, at.U_FACES + size] = face
        number = form * 4 + suit
        size += 1
        place += 1
    if size == first:
        return count
    u[count, at.U_NUMBER] = number
    u[count, at.U_COUNT] = size
    return count + 1


@compiled
def new_sets(r: Row, m: Table, n: Row, p: Row, u: Table, count: int) -> int:
    """Sets of three naturals, of all of them, and of two with a wild."""
    for rank in range(1, 14):
        if rank == 2 and not r[at.SETS_OF_TWOS]:
            continue
        held = p[at.P_RANK + rank - 1]
        if held < 2 or (not r[at.SECOND_SET] and has_set(m, p, rank)):
            continue
        if held >= 3:
            form = n[at.NEW_SET + (rank * 4 + 3) * 4]
            if form == at.NONE or count + 1 >= at.MOST_USES:
                continue
            count = new_set(p, u, count, rank, 3, form, at.NONE)
            if held > 3:
                naturals = 3
                while naturals < held and naturals < 13:
                    longer = m[form, at.GROWN + 1]
                    if longer == at.NONE:
                        break
                    form = longer
                    naturals += 1
                if naturals > 3:
                    count = new_set(p, u, count, rank, naturals, form, at.NONE)
        for two in range(at.FACES):
            if not is_wild(two) or not p[at.P_HAND + two] or count >= at.MOST_USES:
                continue
            if rank == 2 and two != at.JOKER:
                continue
            form = n[at.NEW_SET + (rank * 4 + 2) * 4 + (at.WILD_JOKER if two == at.JOKER else at.WILD_OWN_TWO)]
            if form != at.NONE:
                count = new_set(p, u, count, rank, 2, form, two)
    return count


@compiled
def new_set(p: Row, u: Table, count: int, rank: int, naturals: int, form: int, wild: int) -> int:
    """One set. Of the suits that there are more of, those that are held most often go first."""
    u[count, at.U_INDEX] = at.NONE
    u[count, at.U_NUMBER] = form * 4
    u[count, at.U_WILD] = wild
    u[count, at.U_BACK] = at.NONE
    size = 0
    for copy in (3, 2, 1):
        for suit in range(4):
            face = suit * 13 + rank - 1
            if size < naturals and p[at.P_HAND + face] >= copy:
                u[count, at.U_FACES + size] = face
                size += 1
    if wild != at.NONE:
        u[count, at.U_FACES + size] = wild
        size += 1
    u[count, at.U_COUNT] = size
    return count + 1


@compiled
def new_wild_melds(m: Table, n: Row, p: Row, u: Table, count: int) -> int:
    """Wild melds: of three, and of all wilds of the hand."""
    twos = 0
    for suit in range(4):
        twos += p[at.P_HAND + suit * 13 + 1]
    jokers = p[at.P_HAND + at.JOKER]
    if twos + jokers < 3:
        return count
    for most in (3, 14):
        laid_jokers = max(0, min(jokers, 3 - min(3, twos)))
        laid_twos = 3 - laid_jokers
        form = n[at.NEW_WILDS + laid_twos * 4 + laid_jokers]
        if form == at.NONE or count >= at.MOST_USES:
            return count
        while laid_twos + laid_jokers < min(most, twos + jokers):
            two_more = laid_twos < twos
            longer = m[form, at.GROWN + (at.CLASS_TWO if two_more else at.CLASS_JOKER)]
            if longer == at.NONE:
                break
            form = longer
            if two_more:
                laid_twos += 1
            else:
                laid_jokers += 1
        if most > 3 and laid_twos + laid_jokers == 3:
            return count
        u[count, at.U_INDEX] = at.NONE
        u[count, at.U_NUMBER] = form * 4
        u[count, at.U_WILD] = at.NONE
        u[count, at.U_BACK] = at.NONE
        size = 0
        for suit in range(4):
            for _ in range(p[at.P_HAND + suit * 13 + 1]):
                if size < laid_twos:
                    u[count, at.U_FACES + size] = suit * 13 + 1
                    size += 1
        for _ in range(laid_jokers):
            u[count, at.U_FACES + size] = at.JOKER
            size += 1
        u[count, at.U_COUNT] = size
        count += 1
    return count


@compiled
def put(r: Row, p: Row, use: Row) -> None:
    """Lay a use: hand and melds as they are afterwards."""
    for i in range(use[at.U_COUNT]):
        face = use[at.U_FACES + i]
        release(r, p, face)
        p[at.P_COUNT] -= 1
        if face == p[at.P_OWED]:
            p[at.P_OWED] = at.NONE
    if use[at.U_BACK] != at.NONE:
        hold(r, p, use[at.U_BACK])
        p[at.P_COUNT] += 1
    index = use[at.U_INDEX]
    if index == at.NONE:
        index = p[at.P_MELDS]
        p[at.P_MELDS] += 1
    p[at.P_TABLE + 2 * index] = use[at.U_NUMBER]
    p[at.P_TABLE + 2 * index + 1] = use[at.U_WILD]


@compiled
def ready_after(r: Row, m: Table, p: Row, use: Row) -> bool:
    """Whether the melds allow a close once a use is laid."""
    index = use[at.U_INDEX]
    if index == at.NONE:
        index = p[at.P_MELDS]
    if index >= p[at.P_MELDS]:
        p[at.P_TABLE + 2 * index] = use[at.U_NUMBER]
        p[at.P_MELDS] += 1
        found = ready(r, m, p)
        p[at.P_MELDS] -= 1
        return found
    before = p[at.P_TABLE + 2 * index]
    p[at.P_TABLE + 2 * index] = use[at.U_NUMBER]
    found = ready(r, m, p)
    p[at.P_TABLE + 2 * index] = before
    return found


@compiled
def leaves_a_way(s: Row, r: Row, m: Table, p: Row, use: Row) -> bool:
    """Whether a use leaves a way to end the turn, be it by a muerto or a close."""
    for i in range(use[at.U_COUNT]):
        p[at.P_HAND + use[at.U_FACES + i]] -= 1
    back = use[at.U_BACK]
    if back != at.NONE:
        p[at.P_HAND + back] += 1
    found = False
    left = p[at.P_COUNT] - use[at.U_COUNT] + (1 if back != at.NONE else 0)
    side = s[at.TURN] % r[at.SIDES]
    takes = s[at.MUERTO_COUNT] > 0 and s[at.TAKEN + side] < r[at.MUERTOS_A_SIDE]
    closes = s[at.TAKEN + side] > 0
    if left == 0:
        found = takes or (closes and not r[at.BY_DISCARD_ONLY] and ready_after(r, m, p, use))
    elif s[at.DISCARDED]:
        found = True
    elif left > 1 or takes or (closes and ready_after(r, m, p, use)):
        found = holds_a_discard(s, r, p, use, left == 1 and not takes)
    for i in range(use[at.U_COUNT]):
        p[at.P_HAND + use[at.U_FACES + i]] += 1
    if back != at.NONE:
        p[at.P_HAND + back] -= 1
    return found


@compiled
def holds_a_discard(s: Row, r: Row, p: Row, use: Row, closing: bool) -> bool:
    """Whether there is a card in the hand that may be thrown."""
    barred = s[at.BARRED]
    if barred != at.NONE:
        for i in range(use[at.U_COUNT]):
            if use[at.U_FACES + i] == barred:
                barred = at.NONE
                break
    for face in range(at.FACES):
        if not p[at.P_HAND + face] or (face == barred and p[at.P_HAND + face] < 2):
            continue
        if is_wild(face) and ((r[at.WILD_NEVER] and not s[at.ALL_WILD]) or (r[at.WILD_NOT_CLOSING] and closing)):
            continue
        return True
    if not s[at.DRAWN]:
        # With the top of the pile its other cards come to the hand.
        for i in range(s[at.PILE_COUNT] - 1):
            if not is_wild(s[at.PILE + i]) or not (r[at.WILD_NEVER] or (r[at.WILD_NOT_CLOSING] and closing)):
                return True
    return False
