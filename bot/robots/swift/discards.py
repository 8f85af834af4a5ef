"""Which card to throw: :mod:`bot.robots.discards`, compiled."""

from bot.robots.swift import layout as at
from bot.robots.swift.evaluate import hand_value, hold, release
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import CANASTA, Row, Table, card_class, is_wild, may_discard
from bot.robots.swift.outlook import Floats, face_at


@compiled
def rank_discards(s: Row, r: Row, m: Table, w: Floats, o: Floats, k: Table, p: Row, faces: Row, values: Floats) -> int:
    """The faces that may be thrown, the best first, and their number; ``values`` tells what each leaves."""
    count = 0
    for face in range(at.FACES):
        if not p[at.P_HAND + face] or not may_discard(s, r, m, face):
            continue
        release(r, p, face)
        value = hand_value(r, m, w, o, k, p) - danger(s, r, m, w, o, face)
        hold(r, p, face)
        place = count
        while place > 0 and values[place - 1] < value:
            values[place] = values[place - 1]
            faces[place] = faces[place - 1]
            place -= 1
        values[place] = value
        faces[place] = face
        count += 1
    return count


@compiled
def danger(s: Row, r: Row, m: Table, w: Floats, o: Floats, face: int) -> float:
    """What throwing a card may give the opponents, in points."""
    if o[at.O_LAST] > 0:
        return 0.0
    following = (s[at.TURN] + 1) % r[at.SIDES]
    pile = s[at.PILE_COUNT] + 1
    free = not r[at.AT_ONCE] and not r[at.THIS_TURN]
    gift = 0.0
    base = at.MELDS + following * at.MOST_MELDS * 2
    for i in range(s[at.MELD_COUNT + following]):
        gift = max(gift, feeds(r, m, w, s[base + 2 * i], face))
    if is_wild(face):
        gift = max(gift, w[at.W_WILD_WORTH])
    if gift > 0:
        return float(w[at.W_FED] * (gift + w[at.W_PILE_CARD] * (pile * 0.5 if free else pile)))
    alive = company_alive(r, o, face)
    return float(w[at.W_TEMPTING] * alive * (r[at.POINTS + face] + w[at.W_PILE_CARD] * (0.0 if free else pile)))


@compiled
def company_alive(r: Row, o: Floats, face: int) -> float:
    """How likely somebody else holds company for a card, from 0 to 1."""
    if face == at.JOKER:
        return 0.0
    rank, suit = face % 13, face // 13
    near = 0.0
    if r[at.SETS]:
        for other in range(4):
            near += o[at.O_UNSEEN + other * 13 + rank]
    for high in range(2):
        if high and rank:
            continue
        place = 14 if high else rank + 1
        for step in (-2, -1, 1, 2):
            if 1 <= place + step <= 14:
                near += o[at.O_UNSEEN + face_at(place + step, suit)]
    return min(1.0, near / 14.0)


@compiled
def feeds(r: Row, m: Table, w: Floats, number: int, face: int) -> float:
    """What a card is worth to a meld of another side; 0 where it does not go on it."""
    form = number >> 2
    size = m[form, at.LENGTH]
    if size >= 14 or (r[at.CLOSES_AT] and size >= r[at.CLOSES_AT]):
        return 0.0
    kind = card_class(m, number, face)
    if kind == at.NONE or m[form, at.GROWN + kind] == at.NONE:
        return 0.0
    gain = 2.0 * r[at.POINTS + face]
    if size < CANASTA:
        full = r[at.DIRTY] if m[form, at.WILD_KIND] else r[at.CLEAN_BONUS]
        gain += w[at.W_FEED_BONUS] * full / (CANASTA - size)
    elif is_wild(face):
        gain -= max(0, m[form, at.BONUS] - r[at.DIRTY])
    return float(max(gain, 1.0))
