"""Which card to throw: the one that the hand misses least and the next opponents can use least."""

from bot.robots.evaluate import Evaluator
from bot.robots.outlook import Outlook, kind_bonus
from engine import legal
from engine.cards import ACE, FACE, HIGH_ACE, IS_WILD, RANK, SUIT, Card, make_face
from engine.melds import CANASTA, Meld, Shape
from engine.policies import PileTaking
from engine.ruleset import HIGHEST_RUN
from engine.views import SeatView


def best_discard(view: SeatView, outlook: Outlook, evaluator: Evaluator) -> Card | None:
    """The card to discard; None where none may be."""
    cards = [card for card, reason in legal.discards(view) if reason is None]
    if len(cards) < 2:
        return cards[0] if cards else None
    melds = view.table.melds[view.side]
    tried: dict[int, tuple[float, int, Card]] = {}
    for card in cards:
        face = FACE[card]
        if face not in tried:
            rest = tuple(other for other in view.hand if other != card)
            value = evaluator.hand_value(rest, melds) - danger(view, outlook, card)
            tried[face] = (value, -card, card)
    return max(tried.values())[2]


def danger(view: SeatView, outlook: Outlook, card: Card) -> float:
    """What throwing a card may give the opponents, in points."""
    table, weights = view.table, outlook.weights
    if outlook.last_turn:
        return 0.0
    following = table.seating.side_of((view.seat + 1) % table.seating.seats)
    if following == outlook.side:
        return 0.0
    pile = table.pile_count + 1
    free = table.rules.pile_taking is PileTaking.FREE
    gift = max((feeds(outlook, meld, card) for meld in table.melds[following]), default=0.0)
    if IS_WILD[card]:
        gift = max(gift, weights.wild_worth)
    if gift:
        return weights.fed * (gift + weights.pile_card * (pile if not free else pile * 0.5))
    alive = _alive(outlook, card)
    return weights.tempting * alive * (outlook.points[card] + weights.pile_card * (0.0 if free else pile))


def _alive(outlook: Outlook, card: Card) -> float:
    """How likely somebody else holds company for a card, from 0 to 1."""
    rank, suit = RANK[card], SUIT[card]
    mates = sum(outlook.unseen[make_face(rank, other)] for other in range(4)) if outlook.rules.sets else 0
    places = (rank, HIGH_ACE) if rank == ACE else (rank,)
    near = sum(
        outlook.unseen[make_face(place + step, suit)]
        for place in places
        for step in (-2, -1, 1, 2)
        if ACE <= place + step <= HIGH_ACE
    )
    return min(1.0, (mates + near) / 14.0)


def feeds(outlook: Outlook, meld: Meld, card: Card) -> float:
    """What a card is worth to a meld of another side; 0 where it does not go on it."""
    rules = outlook.rules
    size = len(meld.cards)
    if (rules.meld_closes_at and size >= rules.meld_closes_at) or size >= HIGHEST_RUN:
        return 0.0
    if IS_WILD[card]:
        fits = meld.wild < 0 or meld.shape is Shape.WILDS
    elif meld.shape is Shape.SET:
        fits = RANK[card] == meld.low
    elif meld.shape is Shape.RUN and SUIT[card] == meld.suit:
        places = (RANK[card], HIGH_ACE) if RANK[card] == ACE else (RANK[card],)
        ends = (meld.low - 1, meld.low + size)
        inside = meld.low + meld.wild if meld.wild >= 0 else 0
        fits = any(place in ends or place == inside for place in places)
    else:
        fits = False
    if not fits:
        return 0.0
    gain = 2.0 * outlook.points[card]
    if size < CANASTA:
        full = rules.clean_bonus if meld.wild < 0 else rules.dirty_bonus
        missing = CANASTA - size
        gain += outlook.weights.feed_bonus * full / missing
    elif IS_WILD[card]:
        gain -= max(0, kind_bonus(rules, meld) - rules.dirty_bonus)
    return max(gain, 1.0)
