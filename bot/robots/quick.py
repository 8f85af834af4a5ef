"""The quick player: a whole turn by simple habits in a few dozen microseconds, for searching far ahead.

It works on a :class:`~engine.fast.FastDeal` and looks at nothing but the own side's cards, the melds and the pile.
"""

from functools import lru_cache
from typing import Final

from bot.robots.habits import Habits
from engine.cards import ACE, HIGH_ACE, KING
from engine.fast import OVER_STUCK, WILD, FastDeal, FastRules
from engine.fast_melds import NONE, RANK_MASKS, SET, TWO_FACES, WILD_FACES, WILD_MASK, WILDS
from engine.melds import CANASTA

_NATURAL: Final = ~WILD_MASK
_SUIT: Final = 0x1FFF
_JOKER: Final = WILD_FACES[-1]
Use = tuple[int, tuple[int, ...], int]
"""Index of the meld added to (−1: a new one), the faces, the number of the meld that comes of it."""


def _face(place: int, suit: int) -> int:
    return suit * 13 + (place - 1) % 13


@lru_cache(maxsize=2)
def _near(sets: bool) -> tuple[int, ...]:
    """For each face the faces that make company: up to two places away in the suit, and of the rank."""
    masks = []
    for face in range(52):
        suit, rank = divmod(face, 13)
        mask = RANK_MASKS[rank + 1] & ~(1 << face) if sets else 0
        for place in {rank + 1, HIGH_ACE} if rank == 0 else {rank + 1}:
            for step in (-2, -1, 1, 2):
                if ACE <= place + step <= HIGH_ACE:
                    mask |= 1 << _face(place + step, suit)
        masks.append(mask & _NATURAL & ~(1 << face))
    return (*masks, 0)


@lru_cache(maxsize=2)
def _threes(sets: bool) -> tuple[tuple[int, ...], ...]:
    """For each face the pairs of other faces, as bits, that make a meld of three with it."""
    found = []
    for face in range(52):
        suit, rank = divmod(face, 13)
        pairs = []
        for place in (1, HIGH_ACE) if rank == 0 else (rank + 1,):
            for low in (place - 2, place - 1, place):
                row = [other for other in range(low, low + 3) if other != place]
                if low >= ACE and low + 2 <= HIGH_ACE and 2 not in row:
                    pairs.append(sum(1 << _face(other, suit) for other in row))
        if sets:
            others = [other for other in range(rank, 52, 13) if other != face]
            pairs += [1 << one | 1 << two for i, one in enumerate(others) for two in others[i + 1 :]]
        found.append(tuple(pairs))
    return (*found, ())


def company(rules: FastRules) -> tuple[int, ...]:
    """For each face the faces that make company to it under a rule set, as bits."""
    return _near(rules.rules.sets)


@lru_cache(maxsize=8192)
def _runs(mask: int, least: int, most: int) -> tuple[tuple[int, int], ...]:
    """The longest runs in a suit's 13-bit mask without its 2: (lowest place, length), at most ``most`` long."""
    row = mask << 1 & ~4
    if row & 2:
        row |= 1 << HIGH_ACE
    found = []
    place = ACE
    while place <= HIGH_ACE:
        length = 0
        while place + length <= HIGH_ACE and row >> place + length & 1:
            length += 1
        if length > KING:
            length = KING  # the one ace stands at one end
        if length >= least:
            found.append((place, min(length, most)))
        place += length + 1
    if len(found) > 1 and found[0][0] == ACE and found[-1][0] + found[-1][1] - 1 == HIGH_ACE:
        found.pop(0 if found[0][1] < found[-1][1] else -1)
    return tuple(found)


def play_turn(deal: FastDeal, habits: Habits) -> None:
    """Play for the seat on turn until the turn has passed or the deal is over."""
    seat = deal.turn
    if not deal.drawn:
        _draw_or_take(deal, habits)
    while not deal.over and _meld_once(deal, habits):
        pass
    if deal.over or deal.turn != seat:
        return
    if deal.discarded:
        deal.end_turn()
        return
    discard(deal, habits)


# stock or pile


def _draw_or_take(deal: FastDeal, habits: Habits) -> None:
    rules = deal.rules
    if not deal.pile:
        if deal.stock_is_out():
            deal.over = OVER_STUCK
        else:
            deal.draw()
        return
    may_draw = deal.may_draw()
    if not rules.at_once and not rules.this_turn:
        if not may_draw or pile_worth(deal, habits) >= habits.pile_least:
            deal.take_pile()
        else:
            deal.draw()
        return
    if not may_draw or pile_worth(deal, habits) >= habits.pile_least:
        use = top_use(deal)
        if use is not None:
            deal.take_pile()
            do_use(deal, use)
            return
    if may_draw:
        deal.draw()
    else:
        deal.over = OVER_STUCK


def pile_worth(deal: FastDeal, habits: Habits) -> float:
    """What the pile is worth to the seat on turn."""
    rules, seat = deal.rules, deal.turn
    accepts = rules.book.accepts
    takes = 0
    for number in deal.melds[seat % rules.sides]:
        takes |= accepts(number)
    sets = rules.rules.sets
    near, threes = _near(sets), _threes(sets)
    ranks = deal.ranks[seat]
    mask = deal.masks[seat]
    for face in deal.pile:
        mask |= 1 << face
    worth = 0.0
    for face in deal.pile:
        if WILD[face]:
            worth += habits.pile_wild
        elif takes >> face & 1:
            worth += habits.pile_fit
        elif (sets and ranks[face % 13 + 1] > 1) or any(mask & three == three for three in threes[face]):
            worth += habits.pile_meld
        elif mask & near[face]:
            worth += habits.pile_mate
        else:
            worth += habits.pile_card
    return worth


def top_use(deal: FastDeal) -> Use | None:
    """How the seat on turn may use the top of the pile at once: on an own meld, else in a new one."""
    rules, seat = deal.rules, deal.turn
    book, melds, top = rules.book, deal.melds[seat % rules.sides], deal.pile[-1]
    extra = len(deal.pile) - 1
    for index, number in enumerate(melds):
        if book.accepts(number) >> top & 1 and not (WILD[top] and book.size[number] < 6):
            grown = book.grown(number, (top,))
            if grown is not None and _may_go_on(deal, (index, (top,), grown[0]), deal.sizes[seat] + extra):
                return index, (top,), grown[0]
    if WILD[top]:
        return None
    found = _new_with(deal, top)
    if found is None or not _may_go_on(deal, found, deal.sizes[seat] + 1 + extra - len(found[1])):
        return None
    return found


def _may_go_on(deal: FastDeal, use: Use, left: int) -> bool:
    """Whether a use of the pile's top leaves a way to end the turn, with so many cards left."""
    if left > 1:
        return True
    side = deal.turn % deal.rules.sides
    if deal.may_take_muerto(side):
        return not (left and deal.masks[deal.turn] & WILD_MASK)
    if not deal.taken[side] or not _ready(deal, side, use[0], use[2]):
        return False
    if not left:
        return not deal.rules.by_discard_only
    return not deal.masks[deal.turn] & WILD_MASK


def _new_with(deal: FastDeal, top: int) -> Use | None:
    """A new meld of the top of the pile and cards of the hand, without a wild where that can be."""
    rules, seat = deal.rules, deal.turn
    hand, mask = deal.hands[seat], deal.masks[seat]
    suit, rank = divmod(top, 13)
    least = rules.rules.run_minimum
    own = (mask >> 13 * suit | 1 << rank) & _SUIT
    for low, length in _runs(own, least, rules.rules.run_maximum):
        faces = [_face(place, suit) for place in range(low, low + length)]
        if top in faces:
            return _laid(deal, faces)
    mates = [face for face in range(rank, 52, 13) for _ in range(hand[face])] if rules.rules.sets else []
    if len(mates) > 1:
        use = _laid(deal, [top, *mates[:6]])
        if use is not None:
            return use
    wild = next((face for face in (*TWO_FACES, _JOKER) if hand[face]), None)
    if wild is None:
        return None
    if least == 3:
        for step in (1, -1, 2, -2):
            for place in (rank + 1, HIGH_ACE) if rank == 0 else (rank + 1,):
                other = place + step
                if ACE <= other <= HIGH_ACE and other != 2 and hand[_face(other, suit)]:
                    use = _laid(deal, [top, _face(other, suit), wild])
                    if use is not None:
                        return use
    return _laid(deal, [top, mates[0], wild]) if mates else None


def _laid(deal: FastDeal, faces: list[int]) -> Use | None:
    rules = deal.rules
    key = tuple(sorted(faces))
    number = rules.book.laid(key)
    if number == NONE:
        return None
    melds = deal.melds[deal.turn % rules.sides]
    if rules.first_minimum and not melds and rules.book.points[number] < rules.first_minimum:
        return None
    if not rules.second_set and rules.book.shape[number] == SET:
        rank = rules.book.rank[number]
        if any(rules.book.rank[other] == rank for other in melds):
            return None
    return NONE, key, number


def do_use(deal: FastDeal, use: Use) -> None:
    """Lay or add."""
    index, faces, number = use
    if index == NONE:
        deal.lay(faces, number)
        return
    grown = deal.rules.book.grown(deal.melds[deal.turn % deal.rules.sides][index], faces)
    if grown is None:
        raise ValueError("the meld does not take these cards")
    deal.add(index, faces, grown)


# melding


def _meld_once(deal: FastDeal, habits: Habits) -> bool:
    """One meld or add, if one is wanted; whether there was one."""
    use = next_use(deal, habits)
    if use is None:
        return False
    do_use(deal, use)
    return True


def next_use(deal: FastDeal, habits: Habits) -> Use | None:
    """The next meld or add that the habits want; None to stop melding."""
    rules, seat = deal.rules, deal.turn
    side = seat % rules.sides
    book, melds = rules.book, deal.melds[side]
    mask, accepts = deal.masks[seat], book.accepts
    if deal.owed != NONE:
        return _owed_use(deal)
    for index, number in enumerate(melds):
        fits = accepts(number) & mask & _NATURAL
        while fits:
            low = fits & -fits
            face = low.bit_length() - 1
            fits ^= low
            grown = book.grown(number, (face,))
            if grown is not None and _leaves(deal, habits, (face,), index, grown[0], grown[1]):
                return index, (face,), grown[0]
    use = _new_natural(deal, habits)
    if use is not None:
        return use
    if mask & WILD_MASK:
        return _wild_use(deal, habits)
    return None


def _owed_use(deal: FastDeal) -> Use | None:
    """The use of the card that is owed; it is in the hand already."""
    rules, seat, owed = deal.rules, deal.turn, deal.owed
    book, melds = rules.book, deal.melds[seat % rules.sides]
    for index, number in enumerate(melds):
        if book.accepts(number) >> owed & 1:
            grown = book.grown(number, (owed,))
            if grown is not None:
                return index, (owed,), grown[0]
    trial = deal.copy()
    trial._drop(seat, owed)
    return _new_with(trial, owed)


def _new_natural(deal: FastDeal, habits: Habits) -> Use | None:
    rules, seat = deal.rules, deal.turn
    mask, hand = deal.masks[seat], deal.hands[seat]
    switches = rules.rules
    least, most = switches.run_minimum, switches.run_maximum
    for suit in range(4):
        own = mask >> 13 * suit & _SUIT
        if own.bit_count() < least:
            continue
        for low, length in _runs(own, least, most):
            faces = [_face(place, suit) for place in range(low, low + length)]
            use = _laid(deal, faces)
            if use is not None and _leaves(deal, habits, use[1], NONE, use[2], NONE):
                return use
    if switches.sets and max(deal.ranks[seat]) > 2:
        for rank, count in enumerate(deal.ranks[seat]):
            if count > 2 and rank not in (0, 2):
                faces = [face for face in range(rank - 1, 52, 13) for _ in range(hand[face])]
                use = _laid(deal, faces[: switches.meld_closes_at or 14])
                if use is not None and _leaves(deal, habits, use[1], NONE, use[2], NONE):
                    return use
    if switches.wild_melds:
        wilds = [face for face in WILD_FACES for _ in range(hand[face])]
        if len(wilds) >= habits.wilds_meld:
            use = _laid(deal, wilds[: switches.meld_closes_at or 14])
            if use is not None and _leaves(deal, habits, use[1], NONE, use[2], NONE):
                return use
    return None


def rounds_left(deal: FastDeal) -> float:
    """Rounds until the stock is out, if nobody took the pile."""
    rules = deal.rules
    cards = len(deal.stock) + len(deal.reserve)
    if rules.muertos_to_stock:
        cards += 11 * len(deal.muertos)
    return (cards - rules.left_at_end) / rules.seats


def _wild_use(deal: FastDeal, habits: Habits) -> Use | None:
    rules, seat = deal.rules, deal.turn
    side = seat % rules.sides
    book, hand = rules.book, deal.hands[seat]
    size = deal.sizes[seat]
    late = rounds_left(deal) <= habits.wild_late
    wilds = deal.ranks[seat][0] + deal.ranks[seat][2]
    ends = deal.may_take_muerto(side) or deal.may_close(side, by_discard=True)
    short = ends and size <= habits.wild_small
    best: tuple[int, Use] | None = None
    least = habits.wild_from
    any_canasta = (rules.negative or rules.wants_canasta) and not rules.wants_clean
    if any_canasta and not any(book.size[number] >= CANASTA for number in deal.melds[side]):
        least = habits.wild_first
    held = deal.masks[seat] & WILD_MASK
    for index, number in enumerate(deal.melds[side]):
        fits = book.accepts(number) & held
        if not fits:
            continue
        length = book.size[number]
        own = book.shape[number] == WILDS
        if not (own or late or short or length >= least):
            continue
        if length >= CANASTA and book.clean[number] and not own:
            continue
        while fits:
            low = fits & -fits
            face = low.bit_length() - 1
            fits ^= low
            grown = book.grown(number, (face,))
            if grown is None or not _leaves(deal, habits, (face,), index, grown[0], grown[1]):
                continue
            gain = book.bonus[grown[0]] - book.bonus[number] + 10 * length - (5 if face == _JOKER else 0)
            if best is None or gain > best[0]:
                best = gain, (index, (face,), grown[0])
    if best is not None:
        return best[1]
    if rules.rules.run_minimum > 3:
        return _long_run(deal, habits)
    if not (late or short) or (not late and size - wilds < 2):
        return None
    wild = next(face for face in WILD_FACES if hand[face])
    return _pair_with(deal, habits, wild)


def _pair_with(deal: FastDeal, habits: Habits, wild: int) -> Use | None:
    """A new meld of two cards and a wild."""
    rules, seat = deal.rules, deal.turn
    hand = deal.hands[seat]
    naturals = [face for face in range(52) if hand[face] and not WILD[face]]
    near = _near(rules.rules.sets)
    for i, face in enumerate(naturals):
        if hand[face] > 1 and rules.rules.sets:
            use = _laid(deal, [face, face, wild])
            if use is not None and _leaves(deal, habits, use[1], NONE, use[2], NONE):
                return use
        for other in naturals[i + 1 :]:
            if near[face] >> other & 1:
                use = _laid(deal, [face, other, wild])
                if use is not None and _leaves(deal, habits, use[1], NONE, use[2], NONE):
                    return use
    return None


def _long_run(deal: FastDeal, habits: Habits) -> Use | None:
    """Where runs begin long: one with a wild in its gap."""
    rules, seat = deal.rules, deal.turn
    hand, least = deal.hands[seat], rules.rules.run_minimum
    wild = next(face for face in WILD_FACES if hand[face])
    for suit in range(4):
        own = deal.masks[seat] >> 13 * suit & _SUIT
        if own.bit_count() < least - 1:
            continue
        for low in range(ACE, HIGH_ACE - least + 2):
            faces = [_face(place, suit) for place in range(low, low + least)]
            missing = [face for face in faces if not hand[face] or WILD[face]]
            if len(missing) == 1:
                use = _laid(deal, [*(face for face in faces if face not in missing), wild])
                if use is not None and _leaves(deal, habits, use[1], NONE, use[2], NONE):
                    return use
    return None


def _leaves(deal: FastDeal, habits: Habits, faces: tuple[int, ...], index: int, number: int, back: int) -> bool:
    """Whether a meld or add leaves a way on, and no close that is not wanted."""
    rules, seat = deal.rules, deal.turn
    left = deal.sizes[seat] - len(faces) + (back != NONE)
    ranks = deal.ranks[seat]
    naturals = deal.sizes[seat] - ranks[0] - ranks[2]
    for face in faces:
        if not WILD[face]:
            naturals -= 1
    barred = deal.barred
    if barred != NONE and barred not in faces:
        naturals -= 1
    if left > 1:
        return naturals > 0 or deal.discarded or (not rules.wild_never) or deal.all_wild
    side = seat % rules.sides
    if deal.may_take_muerto(side):
        if not left:
            return True
        return deal.discarded or naturals > 0 or (not rules.wild_never and barred == NONE) or deal.all_wild
    if not deal.taken[side]:
        return deal.discarded and left > 0
    if deal.discarded and left:
        return True
    if not _ready(deal, side, index, number):
        return False
    if left and naturals < 1 and (rules.wild_not_closing or rules.wild_never or barred != NONE):
        return False
    if not left and rules.by_discard_only:
        return False
    return wants_close(deal, habits, side)


def _ready(deal: FastDeal, side: int, index: int, number: int) -> bool:
    """Whether the side's melds allow a close once meld ``index`` has become ``number``."""
    rules = deal.rules
    if not rules.wants_canasta:
        return True
    book = rules.book
    for i, other in enumerate(deal.melds[side]):
        if i != index and book.size[other] >= CANASTA and (book.clean[other] or not rules.wants_clean):
            return True
    return book.size[number] >= CANASTA and (book.clean[number] or not rules.wants_clean)


def wants_close(deal: FastDeal, habits: Habits, side: int) -> bool:
    """Whether a close is wanted: by the lead as the deal lies."""
    scores = deal.scores()
    rest = max(score for other, score in enumerate(scores) if other != side)
    return scores[side] - rest + deal.rules.closing_bonus >= habits.close_lead


# discarding


def discard(deal: FastDeal, habits: Habits) -> None:
    """Discard the card that is missed and used least; where nothing may be, the deal is given up as stuck."""
    for face in ranked_discards(deal, habits):
        if deal.may_discard(face):
            deal.discard(face)
            return
    deal.over = OVER_STUCK


def ranked_discards(deal: FastDeal, habits: Habits) -> list[int]:
    """The faces of the hand, the one to throw first."""
    rules, seat = deal.rules, deal.turn
    sides = rules.sides
    book, hand, mask = rules.book, deal.hands[seat], deal.masks[seat]
    near = _near(rules.rules.sets)
    accepts = book.accepts
    own = 0
    for number in deal.melds[seat % sides]:
        own |= accepts(number)
    following = 0
    for number in deal.melds[(seat + 1) % sides]:
        following |= accepts(number)
    fed = habits.feed + habits.feed_pile * len(deal.pile)
    points = rules.points
    ranked = []
    rest = mask
    while rest:
        low = rest & -rest
        face = low.bit_length() - 1
        rest ^= low
        if WILD[face]:
            ranked.append((1000.0 + points[face], face))
            continue
        value = habits.company * (mask & near[face]).bit_count() + habits.twin * (hand[face] - 1)
        value -= habits.points * points[face]
        if own >> face & 1:
            value += 40.0
        if following >> face & 1:
            value += fed
        ranked.append((value, face))
    ranked.sort()
    return [face for _, face in ranked]
