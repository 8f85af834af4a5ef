"""What a hand is worth beside the melds on the table: pairs and neighbours that may become melds, wilds, and haste."""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from bot.robots.outlook import Outlook
from engine.cards import ACE, FACE, HIGH_ACE, IS_JOKER, IS_WILD, RANK, SUIT, TWO, Card, make_face
from engine.melds import CANASTA, Meld, Shape
from engine.policies import SetsOfTwos
from engine.ruleset import HIGHEST_RUN, SHORTEST_MELD

_RANKS: Final = 15


@lru_cache(maxsize=64)
def _windows(size: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every row of ``size`` places (1 … 14) as a bit mask and its places."""
    rows = (tuple(range(low, low + size)) for low in range(ACE, HIGH_ACE - size + 2))
    return tuple((sum(1 << place for place in row), row) for row in rows)


class Evaluator:
    """Values states of the own hand and the own side's melds at one decision; higher is better."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.weights = outlook.weights
        self.rules = outlook.rules
        late = outlook.rounds / self.weights.wild_rounds
        self.wild_worth = self.weights.wild_worth if outlook.mates > 1 else self.weights.wild_alone
        self._wild_share = 1.0 - exp(-late) if outlook.rounds > 0 else 0.0
        # As the turn begins: what a hand may bring hangs little on the very next meld.
        self._laid = outlook.sign(outlook.view.table.melds[outlook.side]) + outlook.caught
        self._fits: dict[tuple[Meld, ...], dict[int, float]] = {}

    def value(self, hand: Sequence[Card], melds: Sequence[Meld], *, owes_discard: bool = True) -> float:
        """The worth of a hand and a table at the end of the own turn; ``owes_discard``: one card will still go."""
        left = max(0, len(hand) - 1) if owes_discard else len(hand)
        return self.outlook.table_value(melds) + self.hand_value(hand, melds) + self.haste(left)

    def haste(self, count: int) -> float:
        """What it is worth to hold only ``count`` cards: a muerto or a close is near."""
        outlook, weights = self.outlook, self.weights
        if outlook.rounds <= 0:
            return 0.0
        if outlook.takes_muerto:
            worth = weights.muerto_worth + outlook.ease * weights.muerto_closing
            return worth * exp(-count / weights.muerto_cards)
        return outlook.ease * weights.close_worth * exp(-count / weights.close_cards)

    def wild_value(self) -> float:
        """What one more wild in the hand is worth, whichever it is."""
        points, caught = self.rules.two_points, self.outlook.caught
        return self._wild_share * (self.wild_worth + points * (0.5 + caught)) - points * caught

    def least_loss(self, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
        """What the hand loses by giving away the natural card that it needs least; 0 where it holds none."""
        value = self.hand_value(hand, melds)
        faces = {FACE[card]: i for i, card in enumerate(hand) if not IS_WILD[card]}
        return min((value - self.hand_value((*hand[:i], *hand[i + 1 :]), melds) for i in faces.values()), default=0.0)

    def hand_value(self, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
        """What the cards of a hand may bring, less what they may cost."""
        outlook = self.outlook
        points = outlook.points
        worth = -outlook.caught * sum(points[card] for card in hand)
        if outlook.rounds <= 0:
            return worth
        by_rank: list[list[Card]] = [[] for _ in range(_RANKS)]
        masks = [0, 0, 0, 0]
        for card in hand:
            if IS_WILD[card]:
                worth += self._wild_share * (self.wild_worth + points[card] * (0.5 + outlook.caught))
                if IS_JOKER[card] or RANK[card] != TWO:
                    continue
                masks[SUIT[card]] |= 1 << TWO
                continue
            by_rank[RANK[card]].append(card)
            masks[SUIT[card]] |= 1 << RANK[card]
            if RANK[card] == ACE:
                masks[SUIT[card]] |= 1 << HIGH_ACE
        for rank, cards in enumerate(by_rank):
            if cards:
                worth += self._set_value(rank, cards, melds)
        for suit, mask in enumerate(masks):
            if mask:
                worth += self._run_value(suit, mask)
        return worth + self._fitting(hand, melds)

    def _set_value(self, rank: int, cards: Sequence[Card], melds: Sequence[Meld]) -> float:
        count = len(cards)
        if count < 2 or not self.rules.sets or (rank == TWO and self.rules.sets_of_twos is SetsOfTwos.NO):
            return 0.0
        if not self.rules.second_set_of_rank and any(meld.shape is Shape.SET and meld.low == rank for meld in melds):
            return 0.0
        outlook = self.outlook
        missing = SHORTEST_MELD - count
        chance = 1.0
        if missing > 0:
            rest = sum(outlook.mean[make_face(rank, suit)] for suit in range(4))
            chance = 1.0 - exp(-rest)
        each = outlook.points[cards[0]]
        gain = count * each * self._laid + self.weights.window_worth * (count - 1)
        return self.weights.kept * chance * gain

    def _run_value(self, suit: int, mask: int) -> float:
        """The best row of the suit that may become a run, and a share of the next best apart from it."""
        outlook = self.outlook
        size = self.rules.run_minimum
        best: list[tuple[float, int]] = []
        for bits, places in _windows(size):
            held = (mask & bits).bit_count()
            if held < 2 or held < size - 3:
                continue
            chance = 1.0
            points = 0
            for place in places:
                face = make_face(place, suit)
                if mask >> place & 1:
                    points += outlook.points[face]
                else:
                    chance *= outlook.chance[face]
            gain = points * self._laid + self.weights.window_worth * (held - 1)
            best.append((self.weights.kept * chance * gain, bits))
        if not best:
            return 0.0
        best.sort(reverse=True)
        worth, used = best[0]
        apart = next((value for value, bits in best if not bits & used), 0.0)
        joined = next((value for value, bits in best[1:] if bits & used), 0.0)
        return worth + apart + 0.3 * joined

    def _fitting(self, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
        table = self._fits.setdefault(tuple(melds), {})
        worth = 0.0
        for face in {FACE[card]: None for card in hand if not IS_WILD[card]}:
            fit = table.get(face)
            if fit is None:
                fit = table[face] = max((self._fit(meld, Card(face)) for meld in melds), default=0.0)
            worth += fit
        return worth

    def _fit(self, meld: Meld, card: Card) -> float:
        """What it is worth to hold a natural card that goes, now or soon, on a meld of the own side."""
        closes = self.rules.meld_closes_at
        if closes and len(meld.cards) >= closes:
            return 0.0
        outlook = self.outlook
        gain = outlook.points[card] * (1.0 + outlook.caught) + self.weights.fit_worth
        if len(meld.cards) < CANASTA:
            gain += self.weights.fit_growing
        if meld.shape is Shape.SET:
            return self.weights.kept * gain if RANK[card] == meld.low else 0.0
        if meld.shape is Shape.WILDS or SUIT[card] != meld.suit:
            return 0.0
        low, high = meld.low, meld.low + len(meld.cards) - 1
        most = closes or HIGHEST_RUN
        best = 0.0
        for place in (RANK[card], HIGH_ACE) if RANK[card] == ACE else (RANK[card],):
            if low <= place <= high:
                if meld.wild >= 0 and place == low + meld.wild:
                    best = max(best, gain)
                continue
            between = range(high + 1, place) if place > high else range(place + 1, low)
            if len(meld.cards) + len(between) + 1 > most or len(between) > 2:
                continue
            chance = 1.0
            for step in between:
                chance *= outlook.chance[make_face(step, meld.suit)]
            best = max(best, chance * gain)
        return self.weights.kept * best
