"""The quick player: a whole turn by simple habits in a few dozen microseconds, for searching far ahead.

It works on a :class:`~engine.fast.FastDeal` and looks at nothing but the own side's cards, the melds and the pile.
"""

from typing import Final

from bot.robots.habits import Habits
from bot.robots.quick_discards import discard
from bot.robots.quick_leaving import is_ready, leaves_a_way
from bot.robots.quick_shapes import JOKER_FACE, SUIT, Use, face_at, laid, near, runs, threes
from bot.robots.quick_wilds import wild_use
from engine.cards import ACE, HIGH_ACE
from engine.fast import OVER_STUCK, WILD, FastDeal
from engine.fast_melds import NONE, TWO_FACES, WILD_FACES, WILD_MASK
from engine.melds import CANASTA

_NATURAL: Final = ~WILD_MASK


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
    wanted = not may_draw or pile_worth(deal, habits) >= stock_worth(deal, habits)
    if not rules.at_once and not rules.this_turn:
        if wanted:
            deal.take_pile()
        else:
            deal.draw()
        return
    if wanted:
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
    mates, trios = near(sets), threes(sets)
    ranks = deal.ranks[seat]
    mask = deal.masks[seat]
    for face in deal.pile:
        mask |= 1 << face
    following = 0
    if habits.pile_deny:
        for number in deal.melds[(seat + 1) % rules.sides]:
            following |= accepts(number)
    worth = 0.0
    for face in deal.pile:
        if following >> face & 1:
            worth += habits.pile_deny
        if WILD[face]:
            worth += habits.pile_wild
        elif takes >> face & 1:
            worth += habits.pile_fit
        elif (sets and ranks[face % 13 + 1] > 1) or any(mask & three == three for three in trios[face]):
            worth += habits.pile_meld
        elif mask & mates[face]:
            worth += habits.pile_mate
        else:
            worth += habits.pile_card
    return worth


def stock_worth(deal: FastDeal, habits: Habits) -> float:
    """What the pile must be worth to be taken rather than a card of the stock."""
    rules, seat = deal.rules, deal.turn
    sides, sizes = rules.sides, deal.sizes
    side, size = seat % sides, sizes[seat]
    worth = habits.pile_least + habits.pile_hand * size
    if size <= 4 and (deal.may_take_muerto(side) or deal.may_close(side, by_discard=True)):
        worth += habits.pile_race
    if not deal.taken[side]:
        worth += habits.pile_untaken
    for other in range(rules.seats):
        if sizes[other] <= 3 and other % sides != side and deal.may_close(other % sides, by_discard=True):
            worth += habits.pile_threat
            break
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
    if not deal.taken[side] or not is_ready(deal, side, use[0], use[2]):
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
    own = (mask >> 13 * suit | 1 << rank) & SUIT
    for low, length in runs(own, least, rules.rules.run_maximum):
        faces = [face_at(place, suit) for place in range(low, low + length)]
        if top in faces:
            return laid(deal, faces)
    mates = [face for face in range(rank, 52, 13) for _ in range(hand[face])] if rules.rules.sets else []
    if len(mates) > 1:
        use = laid(deal, [top, *mates[:6]])
        if use is not None:
            return use
    wild = next((face for face in (*TWO_FACES, JOKER_FACE) if hand[face]), None)
    if wild is None:
        return None
    if least == 3:
        for step in (1, -1, 2, -2):
            for place in (rank + 1, HIGH_ACE) if rank == 0 else (rank + 1,):
                other = place + step
                if ACE <= other <= HIGH_ACE and other != 2 and hand[face_at(other, suit)]:
                    use = laid(deal, [top, face_at(other, suit), wild])
                    if use is not None:
                        return use
    return laid(deal, [top, mates[0], wild]) if mates else None


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
        return owed_use(deal)
    size = book.size
    # What is nearest to a canasta first: a card that fits two melds goes there.
    for index in sorted(range(len(melds)), key=lambda i: size[melds[i]] % CANASTA, reverse=True):
        number = melds[index]
        fits = accepts(number) & mask & _NATURAL
        while fits:
            low = fits & -fits
            face = low.bit_length() - 1
            fits ^= low
            grown = book.grown(number, (face,))
            if grown is not None and leaves_a_way(deal, habits, (face,), index, grown[0], grown[1]):
                return index, (face,), grown[0]
    use = _new_natural(deal, habits)
    if use is not None:
        return use
    if mask & WILD_MASK:
        return wild_use(deal, habits)
    return None


def owed_use(deal: FastDeal) -> Use | None:
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
        own = mask >> 13 * suit & SUIT
        if own.bit_count() < least:
            continue
        for low, length in runs(own, least, most):
            faces = [face_at(place, suit) for place in range(low, low + length)]
            use = laid(deal, faces)
            if use is not None and leaves_a_way(deal, habits, use[1], NONE, use[2], NONE):
                return use
    if switches.sets and max(deal.ranks[seat]) > 2:
        for rank, count in enumerate(deal.ranks[seat]):
            if count > 2 and rank not in (0, 2):
                faces = [face for face in range(rank - 1, 52, 13) for _ in range(hand[face])]
                use = laid(deal, faces[: switches.meld_closes_at or 14])
                if use is not None and leaves_a_way(deal, habits, use[1], NONE, use[2], NONE):
                    return use
    if switches.wild_melds:
        wilds = [face for face in WILD_FACES for _ in range(hand[face])]
        if len(wilds) >= habits.wilds_meld:
            use = laid(deal, wilds[: switches.meld_closes_at or 14])
            if use is not None and leaves_a_way(deal, habits, use[1], NONE, use[2], NONE):
                return use
    return None
