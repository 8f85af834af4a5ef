"""What the quick player throws away."""

from bot.robots.habits import Habits
from bot.robots.quick_shapes import companies
from engine.fast import OVER_STUCK, WILD, FastDeal


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
    beside, beyond, mates = companies(rules.rules.sets)
    accepts = book.accepts
    own = following = 0
    for number in deal.melds[seat % sides]:
        own |= accepts(number)
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
        value = (
            habits.company * (mask & beside[face]).bit_count()
            + habits.beyond * (mask & beyond[face]).bit_count()
            + habits.mate * (mask & mates[face]).bit_count()
            + habits.twin * (hand[face] - 1)
            - habits.points * points[face]
        )
        if own >> face & 1:
            value += habits.own_fit
        if following >> face & 1:
            value += fed
        ranked.append((value, face))
    ranked.sort()
    return [face for _, face in ranked]
