"""Two matches that look the same to somebody: everything that they must not see is dealt anew."""

import random
from collections.abc import Sequence

import msgspec

from engine.cards import BACK, Card, sorted_cards
from engine.policies import PileShown
from engine.state import Match
from tests.bot.tables import deal_of

_replace = msgspec.structs.replace


def redealt(match: Match, rng: random.Random, viewer: int | None) -> Match:
    """The match with all that is hidden from ``viewer`` (None: from everybody) dealt anew.

    Other hands keep how many cards show each back; stock and muertos keep their sizes and the backs on top; the covered
    pile keeps its size and top; the third deck stays unknown.
    """
    deal = deal_of(match)
    shown = len(deal.pile) if match.rules.pile_shown is PileShown.ALL else 1
    covered, open_pile = deal.pile[: max(0, len(deal.pile) - shown)], deal.pile[max(0, len(deal.pile) - shown) :]
    hidden_hands = [seat for seat in range(match.seating.seats) if seat != viewer]
    heaps: list[Sequence[Card]] = [deal.hands[seat] for seat in hidden_hands]
    heaps += [deal.stock, covered, deal.reserve, *deal.muertos]
    # A card may change its place with any hidden card of its back, wherever that lies.
    by_back: dict[int, list[Card]] = {0: [], 1: [], 2: []}
    for card in (card for heap in heaps for card in heap):
        by_back[BACK[card]].append(card)
    for cards in by_back.values():
        rng.shuffle(cards)

    def dealt(heap: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(by_back[BACK[card]].pop() for card in heap)

    hands = list(deal.hands)
    for seat in hidden_hands:
        hands[seat] = sorted_cards(dealt(deal.hands[seat]))
    stock, pile, reserve = dealt(deal.stock), (*dealt(covered), *open_pile), dealt(deal.reserve)
    muertos = tuple(dealt(muerto) for muerto in deal.muertos)
    turn = deal.turn
    if turn.seat != viewer:
        known = hands[turn.seat]
        turn = _replace(turn, new=known[: len(turn.new)], undo=(), all_wild=rng.random() < 0.5)
    used = tuple(
        tuple(by for by in cards if viewer is not None and by in hands[viewer]) if rng.random() < 0.5 else cards
        for cards in deal.muerto_cards
    )
    return _replace(
        match,
        deal=_replace(
            deal,
            hands=tuple(hands),
            stock=stock,
            pile=pile,
            reserve=reserve,
            muertos=muertos,
            muerto_cards=used,
            turn=turn,
        ),
    )
