"""What a meld leaves the quick player: a way on, a close, and whether that is wanted."""

from bot.robots.habits import Habits
from engine.fast import WILD, FastDeal
from engine.fast_melds import NONE
from engine.melds import CANASTA


def rounds_left(deal: FastDeal) -> float:
    """Rounds until the stock is out, if nobody took the pile."""
    rules = deal.rules
    cards = len(deal.stock) + len(deal.reserve)
    if rules.muertos_to_stock:
        cards += 11 * len(deal.muertos)
    return (cards - rules.left_at_end) / rules.seats


def leaves_a_way(deal: FastDeal, habits: Habits, faces: tuple[int, ...], index: int, number: int, back: int) -> bool:
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
    if not is_ready(deal, side, index, number):
        return False
    if left and naturals < 1 and (rules.wild_not_closing or rules.wild_never or barred != NONE):
        return False
    if not left and rules.by_discard_only:
        return False
    return wants_close(deal, habits, side)


def is_ready(deal: FastDeal, side: int, index: int, number: int) -> bool:
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
    return scores[side] - rest + deal.rules.closing_bonus >= habits.close_lead + habits.close_time * rounds_left(deal)
