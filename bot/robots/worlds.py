"""Deals that a seat may believe in: the hidden cards dealt out anew, in keeping with all that it has seen.

Known cards stay where they are: the own hand, the table, the pile, and in others' hands what they took openly and have
not played. Of the rest, a player who has just had a turn seldom keeps what goes on the own side's melds, and seldom
company for what was thrown lately. So such cards are dealt to that player less often than chance would.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from bot.robots.quick_shapes import company
from engine.cards import FACE, JOKER
from engine.fast import FastDeal, meld_numbers
from engine.fast_melds import NONE
from engine.fast_rules import FastRules
from engine.policies import StockEnd
from engine.state import Phase
from engine.views import SeatView

KEPT_LAYABLE: Final = 0.25
"""How often a player keeps a card that goes on a meld of the own side, compared with any other card."""
KEPT_THROWN: Final = 0.6
"""How often a card near one that the player threw lately is kept."""
UNKNOWN: Final = NONE


class Worlds:
    """What one view leaves open, ready to be dealt out again and again."""

    def __init__(self, view: SeatView) -> None:
        table, memory = view.table, view.memory
        rules = self.rules = FastRules(table.rules, table.seating)
        self.base = FastDeal(rules)
        base, seat = self.base, view.seat
        base.give(seat, _faces(view.hand))
        base.melds = [meld_numbers(rules, melds) for melds in table.melds]
        base.taken = list(table.taken)
        base.turn, base.drawn = table.mover, table.phase is not Phase.DRAW
        base.drew = base.drawn and bool(table.plays) and not any(play.kind == "took_pile" for play in table.plays)
        base.barred = NONE if view.barred is None or view.barred not in view.hand else int(FACE[view.barred])
        base.owed = NONE if view.owed is None else int(FACE[view.owed])
        base.all_wild, base.discarded = view.all_wild, view.discarded
        base.idle = table.turns_without_draw
        left = [table.decks] * 52 + [table.rules.jokers_a_pack * table.decks]
        for melds in table.melds:
            for meld in melds:
                for card in meld.cards:
                    left[FACE[card]] -= 1
        for card in view.hand:
            left[FACE[card]] -= 1
        known_pile = memory.pile if len(memory.pile) == table.pile_count else table.pile
        base.pile = [UNKNOWN] * (table.pile_count - len(known_pile)) + _faces(known_pile)
        for card in known_pile:
            left[FACE[card]] -= 1
        self._hidden = table.pile_count - len(known_pile)
        self._needs: list[tuple[int, int]] = []
        """Each other seat and how many unknown cards it holds."""
        for other, hand in enumerate(table.hands):
            if other == seat:
                continue
            known = [face for face in _faces(memory.hands[other] if memory.hands else ()) if left[face] > 0]
            known = known[: hand.count]
            for face in known:
                left[face] -= 1
            base.give(other, known)
            if hand.count > len(known):
                self._needs.append((other, hand.count - len(known)))
        self._muertos = [muerto.count for muerto in table.muertos]
        self._stock = table.stock_count
        third = table.rules.stock_end is StockEnd.THIRD_DECK and table.decks == 2
        self._reserve = [*range(52), *([int(JOKER)] * table.rules.jokers_a_pack)] if third else []
        self._loose = [face for face, count in enumerate(left) for _ in range(max(0, count))]
        self._doubts = self._doubted(view)

    def _doubted(self, view: SeatView) -> dict[int, tuple[float, ...]]:
        """For each seat, how readily it is dealt each face."""
        memory = view.memory
        sides, book = self.rules.sides, self.rules.book
        near = company(self.rules)
        doubts: dict[int, tuple[float, ...]] = {}
        for seat, _ in self._needs:
            takes = 0
            for number in self.base.melds[seat % sides]:
                takes |= book.accepts(number)
            thrown = 0
            mine = [card for card, by in zip(memory.pile, memory.throwers, strict=True) if by == seat]
            for card in mine[-3:]:
                thrown |= near[FACE[card]] | 1 << FACE[card]
            doubts[seat] = tuple(
                (KEPT_LAYABLE if takes >> face & 1 else 1.0) * (KEPT_THROWN if thrown >> face & 1 else 1.0)
                for face in range(53)
            )
        return doubts

    def bare(self) -> FastDeal:
        """The deal with nothing where the seat sees nothing but how many cards lie there."""
        world = self.base.copy()
        for seat, count in self._needs:
            world.sizes[seat] += count
        world.muertos = [[0] * size for size in self._muertos]
        world.stock = [0] * self._stock
        world.reserve = self._reserve
        world.pile = [face if face != UNKNOWN else 0 for face in world.pile]
        return world

    def deal(self, chance: Random) -> FastDeal:
        """One of the deals that the seat may believe in."""
        world = self.base.copy()
        loose = self._loose[:]
        chance.shuffle(loose)
        roll = chance.random
        for seat, count in self._needs:
            doubts = self._doubts[seat]
            taken: list[int] = []
            passed: list[int] = []
            while len(taken) < count and loose:
                face = loose.pop()
                if doubts[face] >= 1.0 or roll() < doubts[face]:
                    taken.append(face)
                else:
                    passed.append(face)
            while len(taken) < count and passed:
                taken.append(passed.pop())
            world.give(seat, taken)
            if passed:
                loose[:0] = passed
                # What was passed over lies deep, in the stock or a muerto; mixed again so that order tells nothing.
                chance.shuffle(loose)
        for size in self._muertos:
            world.muertos.append(loose[:size])
            del loose[:size]
        for place in range(self._hidden):
            world.pile[place] = loose.pop() if loose else 0
        world.stock = loose[: self._stock]
        if self._reserve:
            world.reserve = self._reserve[:]
            chance.shuffle(world.reserve)
        return world


def _faces(cards: Sequence[int]) -> list[int]:
    return [int(FACE[card]) for card in cards]
