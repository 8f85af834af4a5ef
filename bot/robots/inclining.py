"""How a robot inclines to the pile before it reckons: the cards in view, the size of the hand, who is near the end.

The compiled twin is :mod:`bot.robots.swift.habits`.
"""

from collections.abc import Sequence
from typing import Final

from bot.robots.habits import Habits
from bot.robots.outlook import Outlook
from engine.cards import ACE, FACE, HIGH_ACE, IS_WILD, RANK, SUIT, TWO, Card
from engine.fast_melds import MeldBook, book_of
from engine.melds import Meld
from engine.policies import Closing

FEW: Final = 4
"""A hand of so few cards is in a race."""
THREATENING: Final = 3


def inclination(outlook: Outlook, habits: Habits) -> float:
    """How much more than nothing speaks for the pile besides what a turn with it is worth."""
    table = outlook.view.table
    idle = table.turns_without_draw / table.seating.seats
    worth = -habits.idle * idle * idle
    if habits.habit:
        worth += habits.habit * (_pile_worth(outlook, habits) - _stock_worth(outlook, habits))
    return worth


def _pile_worth(outlook: Outlook, habits: Habits) -> float:
    view = outlook.view
    table = view.table
    book = book_of(table.rules)
    own = _taken_by(book, table.melds[outlook.side])
    following = _taken_by(book, table.melds[table.seating.side_of((view.seat + 1) % table.seating.seats)])
    worth = (table.pile_count - len(outlook.pile)) * habits.card
    both = (*view.hand, *outlook.pile)
    for card in outlook.pile:
        if following >> FACE[card] & 1:
            worth += habits.deny
        if IS_WILD[card]:
            worth += habits.wild
        elif own >> FACE[card] & 1:
            worth += habits.fit
        else:
            worth += _company(card, view.hand, both, habits, sets=table.rules.sets)
    return worth


def _taken_by(book: MeldBook, melds: Sequence[Meld]) -> int:
    """A bit for each face that some meld takes."""
    faces = 0
    for meld in melds:
        faces |= book.accepts(book.number(meld))
    return faces


def _company(card: Card, hand: Sequence[Card], both: Sequence[Card], habits: Habits, *, sets: bool) -> float:
    """What a natural card is worth by the cards that go with it."""
    rank, suit = RANK[card], SUIT[card]
    mates: set[int] = set()
    if sets:
        mates = {int(FACE[other]) for other in both if RANK[other] == rank and FACE[other] != FACE[card]}
        if sum(RANK[other] == rank for other in hand) > 1 or len(mates) > 1:
            return habits.meld
    row = {RANK[other] for other in both if SUIT[other] == suit and RANK[other] != TWO and not IS_WILD[other]}
    if ACE in row:
        row.add(HIGH_ACE)
    near = False
    for place in (ACE, HIGH_ACE) if rank == ACE else (rank,):
        lower, below, above, higher = (place + step in row for step in (-2, -1, 1, 2))
        if (below and lower) or (below and above) or (above and higher):
            return habits.meld
        near = near or lower or below or above or higher
    return habits.mate if near or mates else habits.card


def _stock_worth(outlook: Outlook, habits: Habits) -> float:
    """What the pile must be worth to be taken rather than a card of the stock."""
    view = outlook.view
    table = view.table
    size = len(view.hand)
    worth = habits.least + habits.hand * size
    if size <= FEW and (outlook.takes_muerto or _may_close(outlook, outlook.side)):
        worth += habits.race
    if not table.taken[outlook.side]:
        worth += habits.untaken
    near = {table.seating.side_of(seat) for seat, hand in enumerate(table.hands) if hand.count <= THREATENING}
    if any(_may_close(outlook, side) for side in near - {outlook.side}):
        worth += habits.threat
    return worth


def _may_close(outlook: Outlook, side: int) -> bool:
    """Whether a side has what a close needs: a muerto, and the canasta that the rules ask for."""
    wants_none = outlook.rules.closing is Closing.NONE
    return bool(outlook.view.table.taken[side]) and (wants_none or outlook.has_canasta(side))
