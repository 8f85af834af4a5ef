"""Between the engine's own values and :class:`~engine.fast.FastDeal`: from a deal, from what a seat sees, and back."""

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.cards import CARDS_A_PACK, FACE, JOKER, PACKS, Card, sorted_cards
from engine.fast import FastDeal, meld_numbers
from engine.fast_melds import NONE
from engine.fast_rules import FastRules
from engine.legal import pile_uses_of
from engine.standing import Standing
from engine.state import Match, Phase


def fast_of(match: Match) -> FastDeal:
    """The deal in progress, with all that is hidden: for measuring and tests.

    Raises:
        ValueError: no deal has begun.
    """
    deal = match.deal
    if deal is None:
        raise ValueError("no deal has begun")
    fast = FastDeal(FastRules(match.rules, match.seating))
    for seat, hand in enumerate(deal.hands):
        fast.give(seat, _faces(hand))
    fast.melds = [meld_numbers(fast.rules, melds) for melds in deal.melds]
    fast.stock, fast.pile, fast.reserve = _faces(deal.stock), _faces(deal.pile), _faces(deal.reserve)
    fast.muertos = [_faces(muerto) for muerto in deal.muertos]
    fast.taken = list(deal.taken)
    for side, cards in enumerate(deal.muerto_cards):
        fast.muerto_left[side] = frozenset(_faces(cards)) if cards and not deal.muerto_used[side] else None
    turn = deal.turn
    fast.turn, fast.drawn, fast.drew = turn.seat, turn.phase is not Phase.DRAW, turn.drew
    fast.barred, fast.owed = _face(turn.barred), _face(turn.owed)
    if turn.barred is not None and turn.barred not in deal.hands[turn.seat]:
        fast.barred = NONE
    fast.all_wild, fast.discarded, fast.idle = turn.all_wild, turn.discarded, deal.turns_without_draw
    return fast


def _face(card: Card | None) -> int:
    return NONE if card is None else int(FACE[card])


def _faces(cards: Iterable[Card]) -> list[int]:
    return [int(FACE[card]) for card in cards]


def can_take_pile(fast: FastDeal) -> bool:
    """Whether the seat on turn could take the pile now, as the engine judges it."""
    if not fast.pile:
        return False
    rules = fast.rules
    if not rules.at_once and not rules.this_turn:
        return True
    seat = fast.turn
    side = seat % rules.sides
    box = _Box()
    melds = tuple(rules.book.melds[number] for number in fast.melds[side])
    pile = box.cards(fast.pile)
    hand = box.cards([face for face, count in enumerate(fast.hands[seat]) for _ in range(count)])
    standing = Standing(
        rules=rules.rules,
        hand=sorted_cards(hand),
        melds=melds,
        taken=fast.taken[side],
        muertos=len(fast.muertos),
        barred=None,
        owed=None,
        all_wild=False,
        discarded=False,
    )
    shown = pile if rules.shows_all else pile[-1:]
    return bool(pile_uses_of(standing, shown, len(pile)))


class _Box:
    """Physical cards for faces: those on the table are models of their own and need not be other cards."""

    def __init__(self) -> None:
        self._given: Counter[int] = Counter()

    def cards(self, faces: Sequence[int]) -> tuple[Card, ...]:
        found = []
        for face in faces:
            nth = self._given[face]
            self._given[face] += 1
            if face == JOKER:
                found.append(Card(nth // 2 % PACKS * CARDS_A_PACK + 52 + nth % 2))
            else:
                found.append(Card(nth % PACKS * CARDS_A_PACK + face))
        return tuple(found)
