"""When the quick player spends its wilds, and on what."""

from bot.robots.habits import Habits
from bot.robots.quick_leaving import leaves_a_way, rounds_left
from bot.robots.quick_shapes import JOKER_FACE, SUIT, Use, face_at, laid, near
from engine.cards import ACE, HIGH_ACE
from engine.fast import WILD, FastDeal
from engine.fast_melds import NONE, WILD_FACES, WILD_MASK, WILDS
from engine.melds import CANASTA


def wild_use(deal: FastDeal, habits: Habits) -> Use | None:
    """The best use of a wild, where it is time for one."""
    rules, seat = deal.rules, deal.turn
    side = seat % rules.sides
    book, hand = rules.book, deal.hands[seat]
    size = deal.sizes[seat]
    late = rounds_left(deal) <= habits.wild_late
    wilds = deal.ranks[seat][0] + deal.ranks[seat][2]
    if deal.may_take_muerto(side):
        short = size <= habits.wild_small
    else:
        short = size <= habits.wild_close and deal.may_close(side, by_discard=True)
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
            if grown is None or not leaves_a_way(deal, habits, (face,), index, grown[0], grown[1]):
                continue
            gain = book.bonus[grown[0]] - book.bonus[number] + 10 * length - (5 if face == JOKER_FACE else 0)
            if best is None or gain > best[0]:
                best = gain, (index, (face,), grown[0])
    if best is not None:
        return best[1]
    if rules.rules.run_minimum > 3:
        return _long_run(deal, habits)
    if not (late or (short and size <= habits.wild_pair)) or (not late and size - wilds < 2):
        return None
    wild = next(face for face in WILD_FACES if hand[face])
    return _pair_with(deal, habits, wild)


def _pair_with(deal: FastDeal, habits: Habits, wild: int) -> Use | None:
    """A new meld of two cards and a wild."""
    rules, seat = deal.rules, deal.turn
    hand = deal.hands[seat]
    naturals = [face for face in range(52) if hand[face] and not WILD[face]]
    neighbours = near(rules.rules.sets)
    for i, face in enumerate(naturals):
        if hand[face] > 1 and rules.rules.sets:
            use = laid(deal, [face, face, wild])
            if use is not None and leaves_a_way(deal, habits, use[1], NONE, use[2], NONE):
                return use
        for other in naturals[i + 1 :]:
            if neighbours[face] >> other & 1:
                use = laid(deal, [face, other, wild])
                if use is not None and leaves_a_way(deal, habits, use[1], NONE, use[2], NONE):
                    return use
    return None


def _long_run(deal: FastDeal, habits: Habits) -> Use | None:
    """Where runs begin long: one with a wild in its gap."""
    rules, seat = deal.rules, deal.turn
    hand, least = deal.hands[seat], rules.rules.run_minimum
    wild = next(face for face in WILD_FACES if hand[face])
    for suit in range(4):
        own = deal.masks[seat] >> 13 * suit & SUIT
        if own.bit_count() < least - 1:
            continue
        for low in range(ACE, HIGH_ACE - least + 2):
            faces = [face_at(place, suit) for place in range(low, low + least)]
            missing = [face for face in faces if not hand[face] or WILD[face]]
            if len(missing) == 1:
                use = laid(deal, [*(face for face in faces if face not in missing), wild])
                if use is not None and leaves_a_way(deal, habits, use[1], NONE, use[2], NONE):
                    return use
    return None
