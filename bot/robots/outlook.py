"""What may still come: how long the deal will last, which cards are left, and what a meld may grow into.

Everything is estimated from one seat's view and from fields of its rule set, never from a rule set's name. Values are
points of the deal's score.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from bot.robots.weights import Weights
from engine.cards import ACE, FACE, HIGH_ACE, JOKER, RANK_OF_FACE, TWO, make_face
from engine.melds import CANASTA, Kind, Meld, Shape, bonus_of, kind_of
from engine.policies import Closing, MeldsWithoutCanasta, StockEnd
from engine.ruleset import HIGHEST_RUN, Ruleset
from engine.state import Phase
from engine.views import SeatView

_REAL: Final = 13
_SEMI: Final = 8


@lru_cache(maxsize=4096)
def _tail(mean: float, count: int) -> float:
    """The chance that a Poisson number of the mean is at least ``count``."""
    if count <= 0:
        return 1.0
    term = total = exp(-mean)
    for i in range(1, count):
        term *= mean / i
        total += term
    return max(0.0, 1.0 - total)


class Outlook:
    """The prospects of a deal as a seat sees them at one decision."""

    def __init__(self, view: SeatView, weights: Weights) -> None:
        table = view.table
        self.view = view
        self.rules: Ruleset = table.rules
        self.weights = weights
        self.points = table.rules.card_points
        self.side = view.side
        memory = view.memory.pile
        self.pile = memory if len(memory) == table.pile_count else table.pile
        """The cards of the pile that the seat knows: every one was in view when it was thrown."""
        self.mates = table.seating.seats // table.seating.sides
        self.takes_muerto = bool(table.muertos) and table.taken[self.side] < self.rules.muertos_a_side
        """Whether an emptied hand of the side takes a muerto."""
        self.ease = self._ease()
        """How near a close is as far as the side's melds go, from 0 to 1."""
        self.unseen = self._count_unseen()
        self.total_unseen = max(1, sum(self.unseen))
        self.wilds_unseen = sum(self.unseen[face] for face in range(53) if face == JOKER or RANK_OF_FACE[face] == TWO)
        self.stock_rounds = self._stock_rounds()
        self.rounds = min(self.stock_rounds, self._rounds_to_close())
        """Turns that each seat may still expect after this one."""
        self.last_turn = self._is_last_turn()
        if self.last_turn:
            self.rounds = 0.0
        self.coming = self._cards_coming(self.side, own=True)
        """Cards that the side may still expect, its partners' hands included."""
        each = self.coming / self.total_unseen
        self.mean = [each * count for count in self.unseen]
        self.chance = [1.0 - exp(-mean) for mean in self.mean]
        self.wild_mean = each * self.wilds_unseen
        self.wild_chance = 1.0 - exp(-self.wild_mean / weights.wild_rivals)
        self.caught = min(1.0, max(weights.caught_least, 1.0 - self.rounds / weights.caught_rounds))
        """How likely a card that is kept is to be counted against the side."""
        self.average = self._average_points()
        self._prospects: dict[Meld, tuple[float, float]] = {}
        self._signs: dict[tuple[Meld, ...], float] = {}

    def _ease(self) -> float:
        weights = self.weights
        ready = self.has_canasta(self.side)
        match self.rules.closing:
            case Closing.NONE:
                return 1.0
            case Closing.ANY:
                return weights.ease_ready if ready else weights.ease_any
            case Closing.CLEAN:
                return weights.ease_clean_ready if ready else weights.ease_clean

    def has_canasta(self, side: int) -> bool:
        """Whether a side has such a canasta as a close wants; where it wants none, whether it has any."""
        clean = self.rules.closing is Closing.CLEAN
        return any(meld.is_clean_canasta if clean else meld.is_canasta for meld in self.view.table.melds[side])

    # what is left

    def _count_unseen(self) -> list[int]:
        table, rules = self.view.table, self.rules
        left = [table.decks] * 52 + [rules.jokers_a_pack * table.decks]
        for card in self.view.hand:
            left[FACE[card]] -= 1
        for card in self.pile:
            left[FACE[card]] -= 1
        for melds in table.melds:
            for meld in melds:
                for card in meld.cards:
                    left[FACE[card]] -= 1
        return [max(0, count) for count in left]

    def _average_points(self) -> float:
        of_face = [self.points[face] for face in range(53)]
        return sum(n * p for n, p in zip(self.unseen, of_face, strict=True)) / self.total_unseen

    def _stock_rounds(self) -> float:
        table, rules = self.view.table, self.rules
        cards = float(max(0, table.stock_count - rules.stock_left_at_end))
        match rules.stock_end:
            case StockEnd.THIRD_DECK if table.decks == 2:
                cards += 52 + rules.jokers_a_pack
            case StockEnd.MUERTOS:
                cards += sum(muerto.count for muerto in table.muertos)
            case _:
                pass
        seats = table.seating.seats
        rounds = cards / (seats * self.weights.draw_share)
        idle = table.turns_without_draw / seats
        if idle >= rules.rounds_without_draw_warning:
            rounds = min(rounds, max(0.0, rules.rounds_without_draw - idle))
        return rounds

    def _rounds_to_close(self) -> float:
        """How soon the quickest side could close."""
        table = self.view.table
        return min(self._side_rounds(side) for side in range(table.seating.sides))

    def _side_rounds(self, side: int) -> float:
        table, rules, weights = self.view.table, self.rules, self.weights
        fewest = min(table.hands[seat].count for seat in table.seating.seats_of(side))
        # The last cards go slowly: a turn brings one and throws one.
        rounds = 1.0 + weights.rounds_last * (1.0 - exp(-fewest / 2.0)) + fewest / weights.pace
        if not table.taken[side]:
            rounds += weights.rounds_muerto
        wants_canasta = rules.closing is not Closing.NONE or rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE
        if wants_canasta and not self.has_canasta(side):
            rounds += weights.rounds_canasta
        return rounds

    def _is_last_turn(self) -> bool:
        """Whether the deal ends with the turn in progress unless somebody closes."""
        table, rules = self.view.table, self.rules
        left = table.stock_count - (1 if table.phase is Phase.DRAW else 0)
        limit = rules.rounds_without_draw * table.seating.seats
        if table.turns_without_draw + 1 >= limit and table.phase is Phase.PLAY:
            return True
        match rules.stock_end:
            case StockEnd.DEAL_ENDS:
                return left <= rules.stock_left_at_end
            case StockEnd.THIRD_DECK:
                return left <= 0 and table.decks > 2
            case StockEnd.MUERTOS:
                return left <= 0 and not table.muertos
            case StockEnd.WHILE_PILE:
                return left <= 0 and table.pile_count == 0

    def _cards_coming(self, side: int, *, own: bool) -> float:
        table, weights = self.view.table, self.weights
        cards = self.rounds * weights.cards_a_turn * self.mates
        if table.taken[side] < self.rules.muertos_a_side and table.muertos and not self.last_turn:
            cards += weights.muerto_share * self.rules.muerto_size
        if self.rounds > 0:
            for seat in table.seating.seats_of(side):
                if not own or seat != self.view.seat:
                    cards += weights.partner_share * table.hands[seat].count
        return min(cards, weights.most_coming * self.total_unseen / table.seating.sides)

    # what a meld may grow into

    def prospects(self, meld: Meld) -> tuple[float, float]:
        """The bonus that a meld of the own side may be expected to have at the end, and its chance of a canasta."""
        known = self._prospects.get(meld)
        if known is None:
            bonus, canasta = self._prospect(meld)
            now = kind_bonus(self.rules, meld)
            share = self.weights.prospect_share
            known = self._prospects[meld] = (now + share * (bonus - now), canasta)
        return known

    def _prospect(self, meld: Meld) -> tuple[float, float]:
        size = len(meld.cards)
        most = (self.rules.meld_closes_at or HIGHEST_RUN) - size
        if most <= 0 or self.coming <= 0:
            return float(bonus_of(self.rules, kind_of(self.rules, meld))), float(size >= CANASTA)
        if meld.shape is Shape.RUN:
            growth = self._run_growth(meld, min(most, self.rules.run_maximum - size))
        else:
            growth = self._heap_growth(meld, most)
        # growth[n] is the chance of at least n more cards; nothing is expected beyond its end.
        growth += [0.0] * (most + 2 - len(growth))
        bonus = sum((growth[n] - growth[n + 1]) * self._bonus_at(meld, size + n) for n in range(most + 1))
        missing = CANASTA - size
        if missing <= 0:
            return bonus, 1.0
        canasta = growth[missing] if missing <= most else 0.0
        if meld.wild < 0 and meld.shape is not Shape.WILDS and self.rules.wilds_a_meld:
            # A wild may stand in for the last card that does not come.
            dirty = self.wild_chance * max(0.0, growth[missing - 1] - canasta)
            bonus += dirty * self.rules.dirty_bonus
            canasta += dirty
        return bonus, canasta

    def _heap_growth(self, meld: Meld, most: int) -> list[float]:
        if meld.shape is Shape.WILDS:
            mean = self.wild_mean * self.weights.wild_meld_share
        else:
            faces = (make_face(meld.low, suit) for suit in range(4))
            mean = sum(self.mean[face] for face in faces)
        return [_tail(round(mean, 3), n) for n in range(most + 1)]

    def _run_growth(self, meld: Meld, most: int) -> list[float]:
        suit, low, size = meld.suit, meld.low, len(meld.cards)
        up = self._chain(suit, range(low + size, HIGH_ACE + 1), most)
        down = self._chain(suit, range(low - 1, ACE - 1, -1), most)
        growth = [1.0]
        for n in range(1, most + 1):
            total = up[n] if n < len(up) else 0.0
            for a in range(min(n, len(up))):
                exactly = up[a] - (up[a + 1] if a + 1 < len(up) else 0.0)
                if n - a < len(down):
                    total += exactly * down[n - a]
            if total < _TINY:
                break
            growth.append(min(1.0, total))
        return growth

    def _chain(self, suit: int, places: range, most: int) -> list[float]:
        """The chances of at least 0, 1, 2 … cards in a row."""
        chain = [1.0]
        for place in places:
            if len(chain) > most:
                break
            step = chain[-1] * self.chance[make_face(place, suit)]
            if step < _TINY:
                break
            chain.append(step)
        return chain

    def _bonus_at(self, meld: Meld, size: int) -> int:
        rules = self.rules
        if size < CANASTA:
            return 0
        if meld.shape is Shape.WILDS:
            return rules.wilds_bonus
        if meld.wild >= 0:
            semi = size >= _SEMI and rules.semi_clean_bonus
            aces = meld.shape is Shape.SET and meld.low == ACE and size == CANASTA and rules.dirty_aces_bonus
            return max(semi or rules.dirty_bonus, aces or 0)
        if meld.shape is Shape.RUN:
            if size > _REAL and rules.ace_to_ace_bonus:
                return rules.ace_to_ace_bonus
            if size == _REAL and rules.real_bonus:
                return rules.real_bonus
            return rules.clean_bonus
        aces = meld.low == ACE and size == CANASTA and rules.clean_aces_bonus
        return max(rules.clean_bonus, aces or 0)

    # the table

    def table_value(self, melds: Sequence[Meld]) -> float:
        """What the own side's melds may be expected to count at the end."""
        points = sum(self.rules.points(meld.cards) for meld in melds)
        return points * self.sign(melds) + sum(self.prospects(meld)[0] for meld in melds)

    def sign(self, melds: Sequence[Meld]) -> float:
        """What a point on the own table counts at the end, from −1 to 1: negative where no canasta is to be had."""
        if self.rules.melds_without_canasta is not MeldsWithoutCanasta.NEGATIVE:
            return 1.0
        key = tuple(melds)
        known = self._signs.get(key)
        if known is None:
            none = exp(-self.rounds / self.weights.canasta_rounds)
            for meld in key:
                none *= 1.0 - self.prospects(meld)[1]
            known = self._signs[key] = 1.0 - 2.0 * none
        return known


_TINY: Final = 0.01


def kind_bonus(rules: Ruleset, meld: Meld) -> int:
    """The bonus of a meld as it lies."""
    kind = kind_of(rules, meld)
    return 0 if kind is Kind.MELD else bonus_of(rules, kind)
