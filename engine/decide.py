"""Deciding: what an action leads to, or why it is refused. Every rule of play is applied here.

``decide`` is pure: it reads the match and returns events for :func:`engine.evolve.evolve`; a refusal is raised and
changes nothing. The order of judging is the order of :class:`~engine.reasons.Reason`: turn and phase, cards named,
what a meld is, obligations, look-ahead and closing.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from engine.actions import (
    Action,
    AddToMeld,
    Discard,
    DrawStock,
    EndTurn,
    LayMeld,
    MoveWild,
    StartDeal,
    TakeMuerto,
    TakePile,
    Undo,
)
from engine.cards import FACE, IS_TWO, SUIT, Card, sorted_cards
from engine.dealing import deal_out
from engine.ending import close, end_turn
from engine.events import (
    ActionUndone,
    CardDiscarded,
    CardDrawn,
    Event,
    MeldChanged,
    MeldLaid,
    MuertoBecameStock,
    MuertoOffered,
    MuertoTaken,
    PileTaken,
    ThirdDeckAdded,
)
from engine.evolve import evolve_all
from engine.melds import Shape
from engine.naming import NamedCards, named_for_add, named_for_meld, pick_discard
from engine.pile import barred_card, must_take_pile, seen_of_pile, takes_top_at_once
from engine.policies import MuertoAfterDiscard, PileTaking, StockEnd
from engine.reasons import IllegalAction, Reason
from engine.standing import (
    Standing,
    after_add,
    after_meld,
    after_move,
    discard_problem,
    obligation_can_be_met,
    standing_of,
    way_on_problem,
)
from engine.state import Deal, Emptied, Match, Phase

Events = tuple[Event, ...]


def start_deal(match: Match, chance: StartDeal) -> Events:
    """The events that begin the next deal.

    The first deal is started by the seat drawn by lot, each further one by the next to the right.

    Raises:
        IllegalAction: a deal is still going on, or the match is over.
        IllegalDeal: the pack cannot be dealt.
    """
    if match.in_play or match.is_over:
        raise IllegalAction(Reason.DEAL_OVER if match.is_over else Reason.NOT_YOUR_TURN)
    return (deal_out(match.rules, match.seating, match.deals, match.next_starter, chance.pack, chance.reserve),)


def decide(match: Match, seat: int, action: Action) -> Events:
    """The events that an action of a seat leads to.

    Raises:
        IllegalAction: the rules refuse it; nothing has changed.
    """
    deal = match.deal
    if deal is not None and deal.turn.choosing is not None and not isinstance(action, TakeMuerto):
        raise IllegalAction(Reason.MUERTO_CHOICE_NEEDED, mover=deal.turn.seat)
    if not 0 <= seat < match.seating.seats or _means_nothing(match, action):
        raise IllegalAction(Reason.BAD_NOTATION)
    if deal is None or deal.ended is not None:
        raise IllegalAction(Reason.DEAL_OVER)
    turn = deal.turn
    if seat != turn.seat:
        raise IllegalAction(Reason.NOT_YOUR_TURN, mover=turn.seat)
    play = _PLAYS.get(type(action))
    if play is not None:
        if turn.phase is Phase.DRAW:
            raise IllegalAction(Reason.MUST_DRAW_FIRST)
        return play(match, standing_of(match), action)
    match action:
        case DrawStock():
            return _draw(match, deal)
        case TakePile():
            return _take_pile(match, deal, action)
        case TakeMuerto():
            return _choose_muerto(match, deal, action)
        case EndTurn():
            return _end(match, deal)
        case Undo():
            return _undo(deal)
        case _:
            raise AssertionError("every other action is a play")


def _means_nothing(match: Match, action: Action) -> bool:
    """Whether an action says nothing here: there is no such muerto to pick, or a free pile is taken with a meld."""
    match action:
        case TakeMuerto(index=index):
            deal = match.deal
            return deal is None or deal.turn.choosing is None or not 0 <= index < len(deal.muertos)
        case TakePile(use=use):
            return use is not None and not takes_top_at_once(match.rules)
        case _:
            return False


# drawing


def _draw(match: Match, deal: Deal) -> Events:
    if deal.turn.phase is not Phase.DRAW:
        raise IllegalAction(Reason.ALREADY_DRAWN)
    if must_take_pile(match.rules, deal.hands[deal.turn.seat], len(deal.pile), stock_is_out=_stock_is_out(match, deal)):
        raise IllegalAction(Reason.MUST_TAKE_PILE)
    before: Events = ()
    if not deal.stock:
        before = _refill(match, deal)
        if not before:
            raise IllegalAction(Reason.PILE_EMPTY)
        refilled = evolve_all(match, before).deal
        if refilled is None:
            raise AssertionError("a deal does not vanish")
        deal = refilled
    events: Events = (*before, CardDrawn(deal.turn.seat, deal.stock[-1]))
    if len(deal.stock) == 1 and deal.reserve and match.rules.stock_end is StockEnd.THIRD_DECK:
        return (*events, ThirdDeckAdded())
    return events


def _stock_is_out(match: Match, deal: Deal) -> bool:
    return not deal.stock and not _refill(match, deal)


def _refill(match: Match, deal: Deal) -> Events:
    """What becomes the stock where it is empty at a draw."""
    match match.rules.stock_end:
        case StockEnd.THIRD_DECK if deal.reserve:
            return (ThirdDeckAdded(),)
        case StockEnd.MUERTOS if deal.muertos:
            return (MuertoBecameStock(),)
        case _:
            return ()


def _take_pile(match: Match, deal: Deal, action: TakePile) -> Events:
    if deal.turn.phase is not Phase.DRAW:
        raise IllegalAction(Reason.ALREADY_DRAWN)
    if not deal.pile:
        raise IllegalAction(Reason.PILE_EMPTY)
    at_once = takes_top_at_once(match.rules)
    if action.use is None and at_once:
        raise IllegalAction(Reason.PILE_TOP_NOT_USED)
    seat, rules = deal.turn.seat, match.rules
    owes = rules.pile_taking is PileTaking.TOP_THIS_TURN
    taken = PileTaken(
        seat=seat,
        cards=deal.pile,
        seen=seen_of_pile(rules, len(deal.pile)),
        barred=barred_card(rules, deal.pile),
        owed=deal.pile[-1] if owes else None,
    )
    if action.use is None and not owes:
        return (taken,)
    after = evolve_all(match, (taken,))
    if action.use is None:
        if not obligation_can_be_met(standing_of(after)):
            raise IllegalAction(Reason.PILE_TOP_NOT_USED)
        return (taken,)
    return (taken, *_use_top(after, deal, action.use))


def _use_top(after: Match, deal: Deal, use: LayMeld | AddToMeld) -> Events:
    """The meld or add that uses the top of the pile at once, made with the hand and that one card."""
    top = deal.pile[-1]
    hand = sorted_cards((*deal.hands[deal.turn.seat], top))
    standing = standing_of(after)
    narrow = msgspec.structs.replace(standing, hand=hand)
    cards = _named(narrow, use, first=top)
    unmet = top not in cards.cards
    if isinstance(use, LayMeld):
        return _lay_cards(after, standing, cards, with_pile=True, unmet=unmet)
    return _add_cards(after, standing, use.meld, cards, with_pile=True, unmet=unmet)


# melding


def _named(standing: Standing, action: LayMeld | AddToMeld, first: Card | None = None) -> NamedCards:
    prefer = (first, standing.owed, standing.barred)
    if isinstance(action, LayMeld):
        return named_for_meld(standing.hand, action.cards, prefer)
    if not 0 <= action.meld < len(standing.melds):
        raise IllegalAction(Reason.NO_SUCH_MELD)
    return named_for_add(standing.hand, standing.melds[action.meld], action.cards, prefer)


def _lay(match: Match, standing: Standing, action: LayMeld) -> Events:
    return _lay_cards(match, standing, _named(standing, action))


def _add(match: Match, standing: Standing, action: AddToMeld) -> Events:
    return _add_cards(match, standing, action.meld, _named(standing, action))


def _lay_cards(
    match: Match, standing: Standing, cards: NamedCards, *, with_pile: bool = False, unmet: bool = False
) -> Events:
    after, meld = after_meld(standing, cards.cards, cards.places)
    if unmet:
        raise IllegalAction(Reason.PILE_TOP_NOT_USED)
    event = MeldLaid(_mover(match), meld, with_pile=with_pile)
    return (event, *_after_melding(match, event, after))


def _add_cards(
    match: Match, standing: Standing, index: int, cards: NamedCards, *, with_pile: bool = False, unmet: bool = False
) -> Events:
    after, added = after_add(standing, index, cards.cards, cards.places)
    if unmet:
        raise IllegalAction(Reason.PILE_TOP_NOT_USED)
    event = MeldChanged(_mover(match), index, added.meld, cards.cards, added.returned, with_pile=with_pile)
    return (event, *_after_melding(match, event, after))


def _move(match: Match, standing: Standing, action: MoveWild) -> Events:
    if not 0 <= action.meld < len(standing.melds):
        raise IllegalAction(Reason.NO_SUCH_MELD)
    meld = standing.melds[action.meld]
    wild = meld.wild_card
    if wild is None or FACE[wild] != action.card:
        natural_two = any(FACE[card] == action.card and IS_TWO[card] for card in meld.cards)
        at_home = (
            natural_two
            and meld.shape is Shape.RUN
            and any(FACE[card] == action.card and SUIT[card] == meld.suit for card in meld.naturals)
        )
        in_wild_meld = meld.shape is Shape.WILDS and any(FACE[card] == action.card for card in meld.cards)
        raise IllegalAction(Reason.WILD_CANNOT_MOVE if at_home or in_wild_meld else Reason.CARD_NOT_HELD)
    after, moved = after_move(standing, action.meld, wild, action.place)
    event = MeldChanged(_mover(match), action.meld, moved)
    return (event, *_after_melding(match, event, after))


def _mover(match: Match) -> int:
    if match.deal is None:
        raise AssertionError("decide has seen the deal")
    return match.deal.turn.seat


def _after_melding(match: Match, event: Event, after: Standing) -> Events:
    """The look-ahead, and what an emptied hand leads to."""
    problem = way_on_problem(after)
    if problem is not None:
        raise IllegalAction(problem)
    if after.hand:
        return ()
    if after.can_take_muerto:
        return _muerto(_mover(match), after, Emptied.BY_MELDING)
    return close(evolve_all(match, (event,)))


# muertos


def _muerto(seat: int, standing: Standing, by: Emptied, *, plays_on: bool = False) -> Events:
    if standing.muertos > 1:
        return (MuertoOffered(seat, by),)
    return (MuertoTaken(seat, 0, plays_on=plays_on),)


def _choose_muerto(match: Match, deal: Deal, action: TakeMuerto) -> Events:
    by_discarding = deal.turn.choosing is Emptied.BY_DISCARDING
    plays_on = by_discarding and match.rules.muerto_after_discard is MuertoAfterDiscard.SAME_TURN
    taken = MuertoTaken(deal.turn.seat, action.index, plays_on=plays_on)
    if by_discarding and not plays_on:
        return (taken, *end_turn(evolve_all(match, (taken,))))
    return (taken,)


# discarding


def _discard(match: Match, standing: Standing, action: Discard) -> Events:
    if standing.discarded:
        raise IllegalAction(Reason.ALREADY_DISCARDED)
    card = pick_discard(standing.hand, action.card, action.back, standing.barred)
    problem = discard_problem(standing, card)
    if problem is not None:
        raise IllegalAction(problem)
    seat = _mover(match)
    event = CardDiscarded(seat, card)
    if len(standing.hand) > 1:
        return (event, *end_turn(match, (event,)))
    after = evolve_all(match, (event,))
    if not standing.can_take_muerto:
        return (event, *close(after))
    plays_on = match.rules.muerto_after_discard is MuertoAfterDiscard.SAME_TURN
    muerto = _muerto(seat, standing, Emptied.BY_DISCARDING, plays_on=plays_on)
    if plays_on or standing.muertos > 1:
        return (event, *muerto)
    return (event, *muerto, *end_turn(evolve_all(after, muerto)))


def _end(match: Match, deal: Deal) -> Events:
    if deal.turn.phase is Phase.DRAW:
        raise IllegalAction(Reason.MUST_DRAW_FIRST)
    if not deal.turn.discarded:
        raise IllegalAction(Reason.CANNOT_END_WITHOUT_DISCARD)
    return end_turn(match)


def _undo(deal: Deal) -> Events:
    if not deal.turn.undo:
        raise IllegalAction(Reason.NOTHING_TO_UNDO)
    return (ActionUndone(deal.turn.seat),)


_PLAYS: Final[Mapping[type, Callable[[Match, Standing, Any], Events]]] = {
    LayMeld: _lay,
    AddToMeld: _add,
    MoveWild: _move,
    Discard: _discard,
}
"""What is played with the cards of a hand once it has drawn."""
