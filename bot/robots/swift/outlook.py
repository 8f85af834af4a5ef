"""What may still come, as one seat sees it: :mod:`bot.robots.outlook`, compiled.

``w`` are the weights, ``o`` the outlook, ``k`` what is known of melds (:mod:`bot.robots.swift.layout`).
"""

from math import exp
from typing import Any

from bot.robots.swift import layout as at
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import CANASTA, Row, Table, counts_for_close, is_wild

Floats = Any
"""One row of float64."""
TINY = 0.01


@compiled
def face_at(place: int, suit: int) -> int:
    """The face of a place (1 to 14) in a suit."""
    return suit * 13 + (place - 1) % 13


@compiled
def look(s: Row, r: Row, m: Table, w: Floats, o: Floats, k: Table) -> None:
    """The outlook of the seat on turn. Reads nothing that the seat does not see."""
    seat = s[at.TURN]
    sides, seats = r[at.SIDES], r[at.SEATS]
    side = seat % sides
    mates = seats // sides
    o[at.O_STAMP] += 1.0
    o[at.O_SEAT] = seat
    o[at.O_SIDE] = side
    o[at.O_MATES] = mates
    o[at.O_UNKNOWN] = 0.0
    o[at.O_TAKES] = 1.0 if s[at.MUERTO_COUNT] > 0 and s[at.TAKEN + side] < r[at.MUERTOS_A_SIDE] else 0.0
    o[at.O_EASE] = ease(s, r, m, w, side)
    count_unseen(s, r, m, o, seat)
    stock = stock_rounds(s, r, w)
    o[at.O_STOCK_ROUNDS] = stock
    rounds = stock
    for other in range(sides):
        rounds = min(rounds, side_rounds(s, r, m, w, other))
    last = is_last_turn(s, r)
    o[at.O_LAST] = 1.0 if last else 0.0
    if last:
        rounds = 0.0
    o[at.O_ROUNDS] = rounds
    coming = cards_coming(s, r, w, o, side, seat, rounds, last)
    o[at.O_COMING] = coming
    each = coming / o[at.O_TOTAL]
    for rank in range(1, 14):
        o[at.O_RANK_MEAN + rank] = 0.0
    for face in range(at.FACES):
        mean = each * o[at.O_UNSEEN + face]
        o[at.O_MEAN + face] = mean
        o[at.O_CHANCE + face] = 1.0 - exp(-mean)
        if face < at.JOKER:
            o[at.O_RANK_MEAN + face % 13 + 1] += mean
    o[at.O_WILD_MEAN] = each * o[at.O_WILDS]
    o[at.O_WILD_CHANCE] = 1.0 - exp(-o[at.O_WILD_MEAN] / w[at.W_WILD_RIVALS])
    o[at.O_CAUGHT] = min(1.0, max(w[at.W_CAUGHT_LEAST], 1.0 - rounds / w[at.W_CAUGHT_ROUNDS]))
    o[at.O_WILD_SHARE] = 1.0 - exp(-rounds / w[at.W_WILD_ROUNDS]) if rounds > 0 else 0.0
    o[at.O_WILD_WORTH] = w[at.W_WILD_WORTH] if mates > 1 else w[at.W_WILD_ALONE]
    o[at.O_SIGN] = 1.0
    if r[at.NEGATIVE]:
        none = exp(-rounds / w[at.W_CANASTA_ROUNDS])
        base = at.MELDS + side * at.MOST_MELDS * 2
        for i in range(s[at.MELD_COUNT + side]):
            know(r, m, w, o, k, s[base + 2 * i])
            none *= 1.0 - k[s[base + 2 * i], at.K_CANASTA]
        o[at.O_SIGN] = 1.0 - 2.0 * none


@compiled
def ease(s: Row, r: Row, m: Table, w: Floats, side: int) -> float:
    """How near a close is as far as the side's melds go, from 0 to 1."""
    if not r[at.WANTS_CANASTA]:
        return 1.0
    ready = False
    base = at.MELDS + side * at.MOST_MELDS * 2
    for i in range(s[at.MELD_COUNT + side]):
        ready = ready or counts_for_close(r, m, s[base + 2 * i])
    if r[at.WANTS_CLEAN]:
        return float(w[at.W_EASE_CLEAN_READY] if ready else w[at.W_EASE_CLEAN])
    return float(w[at.W_EASE_READY] if ready else w[at.W_EASE_ANY])


@compiled
def count_unseen(s: Row, r: Row, m: Table, o: Floats, seat: int) -> None:
    """How many of each face lie where the seat does not look."""
    decks = 3 if r[at.THIRD_DECK] and not s[at.RESERVE_COUNT] else 2
    for face in range(52):
        o[at.O_UNSEEN + face] = decks - s[at.HANDS + seat * at.FACES + face]
    o[at.O_UNSEEN + at.JOKER] = r[at.JOKERS] * decks - s[at.HANDS + seat * at.FACES + at.JOKER]
    pile = s[at.PILE_COUNT]
    for i in range(0 if r[at.SHOWS_ALL] else max(0, pile - 1), pile):
        o[at.O_UNSEEN + s[at.PILE + i]] -= 1.0
    for side in range(r[at.SIDES]):
        base = at.MELDS + side * at.MOST_MELDS * 2
        for i in range(s[at.MELD_COUNT + side]):
            count_meld(m, o, s[base + 2 * i], s[base + 2 * i + 1])
    total = wilds = points = 0.0
    for face in range(at.FACES):
        count = max(0.0, o[at.O_UNSEEN + face])
        o[at.O_UNSEEN + face] = count
        total += count
        points += count * r[at.POINTS + face]
        if is_wild(face):
            wilds += count
    o[at.O_TOTAL] = max(1.0, total)
    o[at.O_WILDS] = wilds
    o[at.O_AVERAGE] = points / o[at.O_TOTAL]


@compiled
def count_meld(m: Table, o: Floats, number: int, wild: int) -> None:
    """Take the cards of a meld off what is unseen; in sets and wild melds suits are shared out evenly."""
    form = number >> 2
    size, low = m[form, at.LENGTH], m[form, at.LOW]
    if m[form, at.SHAPE] == at.RUN:
        for i in range(size):
            if i != m[form, at.WILD_AT]:
                o[at.O_UNSEEN + face_at(low + i, number & 3)] -= 1.0
        if wild != at.NONE:
            o[at.O_UNSEEN + wild] -= 1.0
        return
    if m[form, at.SHAPE] == at.SET:
        naturals = size - (1 if m[form, at.WILD_KIND] else 0)
        for suit in range(4):
            o[at.O_UNSEEN + suit * 13 + low - 1] -= naturals / 4.0
        if m[form, at.WILD_KIND] == at.WILD_JOKER:
            o[at.O_UNSEEN + at.JOKER] -= 1.0
        elif m[form, at.WILD_KIND]:
            for suit in range(4):
                o[at.O_UNSEEN + suit * 13 + 1] -= 0.25
        return
    twos = m[form, at.WILD_AT]
    for suit in range(4):
        o[at.O_UNSEEN + suit * 13 + 1] -= twos / 4.0
    o[at.O_UNSEEN + at.JOKER] -= size - twos


@compiled
def stock_rounds(s: Row, r: Row, w: Floats) -> float:
    """Turns that each seat has before the stock is out."""
    cards = float(max(0, s[at.STOCK_COUNT] - r[at.LEFT_AT_END]))
    if r[at.THIRD_DECK]:
        cards += s[at.RESERVE_COUNT]
    elif r[at.MUERTOS_TO_STOCK]:
        for i in range(s[at.MUERTO_COUNT]):
            cards += s[at.MUERTO_SIZES + i]
    rounds = cards / (r[at.SEATS] * w[at.W_DRAW_SHARE])
    idle = s[at.IDLE] / r[at.SEATS]
    if idle >= r[at.WARN_IDLE]:
        rounds = min(rounds, max(0.0, r[at.ROUNDS_IDLE] - idle))
    return float(rounds)


@compiled
def side_rounds(s: Row, r: Row, m: Table, w: Floats, side: int) -> float:
    """How soon a side could close."""
    fewest = 99
    for seat in range(side, r[at.SEATS], r[at.SIDES]):
        fewest = min(fewest, s[at.SIZES + seat])
    # The last cards go slowly: a turn brings one and throws one.
    rounds = 1.0 + w[at.W_ROUNDS_LAST] * (1.0 - exp(-fewest / 2.0)) + fewest / w[at.W_PACE]
    if not s[at.TAKEN + side]:
        rounds += w[at.W_ROUNDS_MUERTO]
    if r[at.WANTS_CANASTA] or r[at.NEGATIVE]:
        canasta = False
        base = at.MELDS + side * at.MOST_MELDS * 2
        for i in range(s[at.MELD_COUNT + side]):
            canasta = canasta or counts_for_close(r, m, s[base + 2 * i])
        if not canasta:
            rounds += w[at.W_ROUNDS_CANASTA]
    return float(rounds)


@compiled
def is_last_turn(s: Row, r: Row) -> bool:
    """Whether the deal ends with the turn in progress unless somebody closes."""
    left = s[at.STOCK_COUNT] - (0 if s[at.DRAWN] else 1)
    if s[at.DRAWN] and s[at.IDLE] + 1 >= r[at.MOST_IDLE]:
        return True
    if r[at.THIRD_DECK]:
        return bool(left <= 0 and not s[at.RESERVE_COUNT])
    if r[at.MUERTOS_TO_STOCK]:
        return bool(left <= 0 and not s[at.MUERTO_COUNT])
    if r[at.WHILE_PILE]:
        return bool(left <= 0 and not s[at.PILE_COUNT])
    return bool(left <= r[at.LEFT_AT_END])


@compiled
def cards_coming(s: Row, r: Row, w: Floats, o: Floats, side: int, seat: int, rounds: float, last: bool) -> float:
    """Cards that the side may still expect, its partners' hands included."""
    cards = rounds * w[at.W_CARDS_A_TURN] * o[at.O_MATES]
    if s[at.TAKEN + side] < r[at.MUERTOS_A_SIDE] and s[at.MUERTO_COUNT] and not last:
        cards += w[at.W_MUERTO_SHARE] * r[at.MUERTO_SIZE]
    if rounds > 0:
        for other in range(side, r[at.SEATS], r[at.SIDES]):
            if other != seat:
                cards += w[at.W_PARTNER_SHARE] * s[at.SIZES + other]
    return float(min(cards, w[at.W_MOST_COMING] * o[at.O_TOTAL] / r[at.SIDES]))


@compiled
def tail(mean: float, count: int) -> float:
    """The chance that a Poisson number of the mean is at least ``count``."""
    if count <= 0:
        return 1.0
    term = exp(-mean)
    total = term
    for i in range(1, count):
        term *= mean / i
        total += term
    return max(0.0, 1.0 - total)


@compiled
def bonus_at(r: Row, m: Table, form: int, size: int) -> int:
    """The bonus of a meld that has grown to a size."""
    if size < CANASTA:
        return 0
    shape = m[form, at.SHAPE]
    if shape == at.WILDS:
        return int(r[at.WILDS_BONUS])
    if m[form, at.WILD_KIND]:
        bonus = r[at.SEMI] if size >= CANASTA + 1 and r[at.SEMI] else r[at.DIRTY]
        if shape == at.SET and m[form, at.LOW] == 1 and size == CANASTA:
            bonus = max(bonus, r[at.DIRTY_ACES])
        return int(bonus)
    if shape == at.RUN:
        if size > 13 and r[at.ACE_TO_ACE]:
            return int(r[at.ACE_TO_ACE])
        if size == 13 and r[at.REAL]:
            return int(r[at.REAL])
        return int(r[at.CLEAN_BONUS])
    if m[form, at.LOW] == 1 and size == CANASTA:
        return int(max(r[at.CLEAN_BONUS], r[at.CLEAN_ACES]))
    return int(r[at.CLEAN_BONUS])


@compiled
def know(r: Row, m: Table, w: Floats, o: Floats, k: Table, number: int) -> None:
    """Find the prospects of a meld: its expected bonus and its chance of a canasta."""
    form = number >> 2
    size = m[form, at.LENGTH]
    now = float(m[form, at.BONUS])
    closes = r[at.CLOSES_AT] or 14
    most = closes - size
    bonus = now
    canasta = 1.0 if size >= CANASTA else 0.0
    if most > 0 and o[at.O_COMING] > 0:
        bonus, canasta = grown_prospects(r, m, o, number, most, w[at.W_WILD_MELD_SHARE])
    k[number, at.K_STAMP] = o[at.O_STAMP]
    k[number, at.K_BONUS] = now + w[at.W_PROSPECT_SHARE] * (bonus - now)
    k[number, at.K_CANASTA] = canasta


@compiled
def grown_prospects(r: Row, m: Table, o: Floats, number: int, most: int, wild_share: float) -> tuple[float, float]:
    """What a meld may become that takes up to ``most`` cards."""
    form = number >> 2
    size = m[form, at.LENGTH]
    shape = m[form, at.SHAPE]
    missing = CANASTA - size
    bonus = canasta = before = 0.0
    if missing <= 0:
        canasta = 1.0
    last = 1.0
    ups, downs = 0, 0
    if shape == at.RUN:
        low = m[form, at.LOW]
        ups, downs = 14 - (low + size - 1), low - 1
        most = min(most, r[at.RUN_MAXIMUM] - size)
    for n in range(1, most + 2):
        chance = 0.0
        if n <= most:
            if shape == at.RUN:
                chance = run_grows(o, number & 3, m[form, at.LOW], size, ups, downs, n)
            else:
                mean = o[at.O_WILD_MEAN] * wild_share if shape == at.WILDS else o[at.O_RANK_MEAN + m[form, at.LOW]]
                chance = tail(mean, n)
            if chance < TINY:
                chance = 0.0
        bonus += (last - chance) * bonus_at(r, m, form, size + n - 1)
        if n == missing:
            canasta = chance
        if n == missing - 1:
            before = chance
        if chance == 0.0:
            break
        last = chance
    if missing == 1:
        before = 1.0
    if missing > 0 and not m[form, at.WILD_KIND] and shape != at.WILDS and r[at.WILDS_A_MELD]:
        # A wild may stand in for the last card that does not come.
        dirty = o[at.O_WILD_CHANCE] * max(0.0, before - canasta)
        bonus += dirty * r[at.DIRTY]
        canasta += dirty
    return bonus, canasta


@compiled
def run_grows(o: Floats, suit: int, low: int, size: int, ups: int, downs: int, n: int) -> float:
    """The chance that at least ``n`` cards in a row come at the two ends of a run."""
    total = 0.0
    up = 1.0
    for a in range(n + 1):
        if a > ups:
            break
        step = o[at.O_CHANCE + face_at(low + size + a, suit)] if a < ups else 0.0
        if up * step < TINY:
            step = 0.0
        exactly = up if a == n else up * (1.0 - step)
        down = 1.0
        if n - a > downs:
            down = 0.0
        else:
            for b in range(n - a):
                down *= o[at.O_CHANCE + face_at(low - 1 - b, suit)]
            if down < TINY:
                down = 0.0
        total += exactly * down
        up *= step
        if up == 0.0:
            break
    return min(1.0, total)
