"""A whole deal as a row of numbers, with all that is hidden: for measuring and tests, never for a robot."""

from typing import Any

import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.reading import faces, put_hand, put_list, put_melds
from bot.robots.swift.workshop import Workshop
from engine.cards import FACE, Card
from engine.state import Match, Phase


def row_of(match: Match, shop: Workshop) -> Any:
    """The deal in progress, or the one that has just ended.

    Raises:
        ValueError: no deal has begun.
    """
    deal = match.deal
    if deal is None:
        raise ValueError("no deal has begun")
    turn = deal.turn
    row = np.zeros(at.DEAL_SIZE, dtype=np.int64)
    row[at.TURN], row[at.DRAWN], row[at.DREW] = turn.seat, turn.phase is not Phase.DRAW, turn.drew
    barred = turn.barred if turn.barred in deal.hands[turn.seat] else None
    row[at.BARRED], row[at.OWED] = _face(barred), _face(turn.owed)
    row[at.ALL_WILD], row[at.DISCARDED], row[at.IDLE] = turn.all_wild, turn.discarded, deal.turns_without_draw
    row[at.CLOSER] = at.NONE
    for seat, hand in enumerate(deal.hands):
        put_hand(row, seat, faces(hand))
    for side, melds in enumerate(deal.melds):
        put_melds(row, shop.forms, side, melds)
        row[at.TAKEN + side] = deal.taken[side]
        left = {} if deal.muerto_used[side] else dict.fromkeys(faces(deal.muerto_cards[side]))
        row[at.UNUSED + side] = sum(1 << face for face in left) if left else at.NONE
    put_list(row, at.STOCK, at.STOCK_COUNT, faces(deal.stock))
    put_list(row, at.PILE, at.PILE_COUNT, faces(deal.pile))
    put_list(row, at.RESERVE, at.RESERVE_COUNT, faces(deal.reserve))
    row[at.MUERTO_COUNT] = len(deal.muertos)
    for i, muerto in enumerate(deal.muertos):
        put_list(row, at.MUERTOS + i * at.MUERTO_ROOM, at.MUERTO_SIZES + i, faces(muerto))
    return row


def _face(card: Card | None) -> int:
    return at.NONE if card is None else int(FACE[card])
