"""Deals that a seat may believe in: the hidden cards dealt out anew, in keeping with all that it has seen.

Known cards stay where they are: the own hand, the table, the pile, and in others' hands what they took openly and have
not played. The rest is dealt by :mod:`bot.robots.clues`, weighed as :mod:`bot.robots.beliefs` says.
"""

from typing import Any

import numpy as np

from bot.robots.clues import clues, doubts, had_a_turn
from bot.robots.swift import layout as at
from bot.robots.swift.gear import Hidden, hidden_cards
from bot.robots.swift.reading import faces, put_hand, put_list, put_melds
from bot.robots.swift.workshop import Workshop
from engine.cards import FACE, JOKER
from engine.state import Phase
from engine.views import SeatView


class Worlds:
    """What one view leaves open, ready to be dealt out again and again (:mod:`bot.robots.swift.believing`)."""

    def __init__(self, view: SeatView, shop: Workshop) -> None:
        table, memory, seat = view.table, view.memory, view.seat
        self._shop = shop
        row = self.base = np.zeros(at.DEAL_SIZE, dtype=np.int64)
        drawn = table.phase is not Phase.DRAW
        barred = view.barred if view.barred in view.hand else None
        row[at.TURN], row[at.DRAWN] = table.mover, drawn
        row[at.DREW] = drawn and bool(table.plays) and not any(play.kind == "took_pile" for play in table.plays)
        row[at.BARRED] = at.NONE if barred is None else FACE[barred]
        row[at.OWED] = at.NONE if view.owed is None else FACE[view.owed]
        row[at.ALL_WILD], row[at.DISCARDED] = view.all_wild, view.discarded
        row[at.IDLE], row[at.CLOSER] = table.turns_without_draw, at.NONE
        left = np.full(at.FACES, table.decks, dtype=np.int64)
        left[JOKER] *= table.rules.jokers_a_pack
        for side, melds in enumerate(table.melds):
            row[at.TAKEN + side], row[at.UNUSED + side] = table.taken[side], at.NONE
            put_melds(row, shop.forms, side, melds)
            for meld in melds:
                for card in meld.cards:
                    left[FACE[card]] -= 1
        own = faces(view.hand)
        pile = faces(memory.pile if len(memory.pile) == table.pile_count else table.pile)
        for face in (*own, *pile):
            left[face] -= 1
        put_hand(row, seat, own)
        hidden = table.pile_count - len(pile)
        put_list(row, at.PILE, at.PILE_COUNT, [0] * hidden + pile)
        needs = np.zeros(at.MOST_SEATS + 1, dtype=np.int64)
        needs[at.MOST_SEATS] = hidden
        for other, hand in enumerate(table.hands):
            if other != seat:
                known = [face for face in faces(memory.hands[other] if memory.hands else ()) if left[face] > 0]
                known = known[: hand.count]
                for face in known:
                    left[face] -= 1
                put_hand(row, other, known)
                needs[other] = hand.count - len(known)
        row[at.STOCK_COUNT], row[at.MUERTO_COUNT] = table.stock_count, len(table.muertos)
        for i, muerto in enumerate(table.muertos):
            row[at.MUERTO_SIZES + i] = muerto.count
        if shop.rules.third_deck and table.decks == 2:
            reserve = [*range(52), *([int(JOKER)] * table.rules.jokers_a_pack)]
            put_list(row, at.RESERVE, at.RESERVE_COUNT, reserve)
        self.hidden = self._believed(view, np.repeat(np.arange(at.FACES), np.maximum(left, 0)), needs)
        """The cards that may lie anywhere, and how readily they lie where."""

    def _believed(self, view: SeatView, loose: Any, needs: Any) -> Hidden:
        beliefs = self._shop.beliefs
        held = doubts(clues(view, self.base, self._shop, needs), beliefs)
        known = self.base[at.HANDS : at.MELDS].reshape(at.MOST_SEATS, at.FACES).copy()
        settled = np.zeros(at.MOST_SEATS)
        for seat in range(self._shop.rules.seats):
            settled[seat] = beliefs.settled if needs[seat] and had_a_turn(view, seat) else 0.0
        return hidden_cards(loose, needs, held, known, settled)

    def bare(self) -> Any:
        """The deal with nothing where the seat sees nothing but how many cards lie there."""
        row = self.base.copy()
        for seat in range(self._shop.rules.seats):
            row[at.SIZES + seat] += self.hidden.needs[seat]
        return row
