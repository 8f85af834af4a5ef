"""Applying events: ``evolve`` folds what happened into the state and never judges it.

Replay uses nothing else, so that a change of the rules cannot rewrite or break a match in progress.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from engine.cards import IS_WILD, Card, sorted_cards, without
from engine.events import (
    ActionUndone,
    CardDiscarded,
    CardDrawn,
    DealEnded,
    DealStarted,
    Event,
    MatchWon,
    MeldChanged,
    MeldLaid,
    MuertoBecameStock,
    MuertoOffered,
    MuertoTaken,
    PileTaken,
    ThirdDeckAdded,
    TurnEnded,
)
from engine.melds import Meld
from engine.memory import discarded, first_memory, taken_from_pile, used_from_hand
from engine.state import Checkpoint, Deal, Ended, Match, Phase, Play, PlayKind, Turn

_replace = msgspec.structs.replace


def evolve_all(match: Match, events: Iterable[Event]) -> Match:
    """The match after several events."""
    for event in events:
        match = evolve(match, event)
    return match


def evolve(match: Match, event: Event) -> Match:
    """The match after an event."""
    fold = _FOLDS.get(type(event))
    if fold is not None:
        deal = match.deal
        if deal is None:
            raise ValueError("no deal has begun")
        return _replace(match, deal=fold(match, deal, event))
    match event:
        case DealStarted():
            return _replace(match, deal=_start(match, event), deals=event.number + 1)
        case DealEnded():
            if match.deal is None:
                raise ValueError("no deal has begun")
            return _replace(match, deal=_end(match.deal, event), totals=event.totals)
        case MatchWon():
            return _replace(match, winner=event.side)
        case _:
            raise AssertionError("every other event is folded into the deal")


def _start(match: Match, event: DealStarted) -> Deal:
    sides = match.seating.sides
    return Deal(
        number=event.number,
        starter=event.starter,
        stock=event.stock,
        pile=event.pile,
        hands=event.hands,
        melds=((),) * sides,
        numbers=((),) * sides,
        muertos=event.muertos,
        taken=(0,) * sides,
        muerto_cards=((),) * sides,
        muerto_used=(False,) * sides,
        reserve=event.reserve,
        turn=Turn(event.starter, Phase.DRAW),
        memory=first_memory(event),
    )


_T = TypeVar("_T")


def _set(row: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*row[:index], value, *row[index + 1 :])


def _noted(turn: Turn, play: Play) -> Turn:
    return _replace(turn, plays=(*turn.plays, play))


def _all_wild(hand: tuple[Card, ...]) -> bool:
    return all(IS_WILD[card] for card in hand)


def _draw(match: Match, deal: Deal, event: CardDrawn) -> Deal:
    del match
    seat, turn = event.seat, deal.turn
    hand = sorted_cards((*deal.hands[seat], event.card))
    turn = _replace(
        turn,
        phase=Phase.PLAY,
        drew=True,
        all_wild=_all_wild(hand),
        new=(event.card,),
        plays=(*turn.plays, Play(seat, PlayKind.DREW)),
        undo=(),
    )
    return _replace(deal, stock=deal.stock[:-1], hands=_set(deal.hands, seat, hand), turn=turn)


def _take_pile(match: Match, deal: Deal, event: PileTaken) -> Deal:
    seat, turn = event.seat, deal.turn
    hand = sorted_cards((*deal.hands[seat], *event.cards))
    hidden = event.seen < len(event.cards)
    undo = () if hidden else (*turn.undo, _checkpoint(match, deal))
    play = Play(seat, PlayKind.TOOK_PILE, event.cards[len(event.cards) - event.seen :], count=len(event.cards))
    turn = _replace(
        turn,
        phase=Phase.PLAY,
        barred=event.barred,
        owed=event.owed,
        all_wild=_all_wild(hand),
        new=event.cards,
        plays=(*turn.plays, play),
        undo=undo,
    )
    hands = _set(deal.hands, seat, hand)
    return _replace(deal, pile=(), hands=hands, turn=turn, memory=taken_from_pile(deal.memory, event))


def _checkpoint(match: Match, deal: Deal) -> Checkpoint:
    turn = deal.turn
    side = match.seating.side_of(turn.seat)
    return Checkpoint(
        hand=deal.hands[turn.seat],
        melds=deal.melds[side],
        pile=deal.pile,
        muerto_cards=deal.muerto_cards[side],
        muerto_used=deal.muerto_used[side],
        phase=turn.phase,
        barred=turn.barred,
        owed=turn.owed,
        all_wild=turn.all_wild,
        new=turn.new,
        plays=len(turn.plays),
        memory=deal.memory,
    )


def _undo(match: Match, deal: Deal, event: ActionUndone) -> Deal:
    del event
    turn = deal.turn
    seat, side = turn.seat, match.seating.side_of(turn.seat)
    before = turn.undo[-1]
    return _replace(
        deal,
        pile=before.pile,
        hands=_set(deal.hands, seat, before.hand),
        melds=_set(deal.melds, side, before.melds),
        numbers=_set(deal.numbers, side, deal.numbers[side][: len(before.melds)]),
        muerto_cards=_set(deal.muerto_cards, side, before.muerto_cards),
        muerto_used=_set(deal.muerto_used, side, before.muerto_used),
        turn=_replace(
            turn,
            phase=before.phase,
            barred=before.barred,
            owed=before.owed,
            all_wild=before.all_wild,
            new=before.new,
            plays=turn.plays[: before.plays],
            undo=turn.undo[:-1],
        ),
        # Nobody holds against a player what was taken back.
        memory=before.memory if deal.memory.hands else deal.memory,
    )


def _lay(match: Match, deal: Deal, event: MeldLaid) -> Deal:
    side = match.seating.side_of(event.seat)
    index = len(deal.melds[side])
    number = 1 + max((n for numbers in deal.numbers for n in numbers), default=0)
    melds = (*deal.melds[side], event.meld)
    play = Play(event.seat, PlayKind.MELDED, event.meld.cards, index)
    laid = _play_cards(match, deal, event.seat, event.meld.cards, (), melds, play, with_pile=event.with_pile)
    return _replace(laid, numbers=_set(deal.numbers, side, (*deal.numbers[side], number)))


def _change(match: Match, deal: Deal, event: MeldChanged) -> Deal:
    side = match.seating.side_of(event.seat)
    melds = _set(deal.melds[side], event.index, event.meld)
    kind = PlayKind.ADDED if event.added else PlayKind.MOVED_WILD
    moved = deal.melds[side][event.index].wild_card
    shown = event.added or ((moved,) if moved is not None else ())
    play = Play(event.seat, kind, shown, event.index)
    return _play_cards(match, deal, event.seat, event.added, event.returned, melds, play, with_pile=event.with_pile)


def _play_cards(
    match: Match,
    deal: Deal,
    seat: int,
    used: tuple[Card, ...],
    returned: tuple[Card, ...],
    melds: tuple[Meld, ...],
    play: Play,
    *,
    with_pile: bool,
) -> Deal:
    turn = deal.turn
    side = match.seating.side_of(seat)
    hand = without(deal.hands[seat], used)
    if returned:
        hand = sorted_cards(hand + returned)
    undo = turn.undo if with_pile else (*turn.undo, _checkpoint(match, deal))
    turn = _replace(
        turn,
        owed=None if turn.owed in used else turn.owed,
        new=tuple([card for card in (*turn.new, *returned) if card in hand]),
        plays=(*turn.plays, play),
        undo=undo,
    )
    return _replace(
        deal,
        hands=_set(deal.hands, seat, hand),
        melds=_set(deal.melds, side, melds),
        muerto_used=_muerto_used(deal, side, used),
        turn=turn,
        memory=used_from_hand(deal.memory, seat, used, returned),
    )


def _muerto_used(deal: Deal, side: int, used: tuple[Card, ...]) -> tuple[bool, ...]:
    muerto = deal.muerto_cards[side]
    if deal.muerto_used[side] or not muerto or not any(card in muerto for card in used):
        return deal.muerto_used
    return _set(deal.muerto_used, side, True)


def _discard(match: Match, deal: Deal, event: CardDiscarded) -> Deal:
    seat, turn = event.seat, deal.turn
    side = match.seating.side_of(seat)
    turn = _replace(turn, plays=(*turn.plays, Play(seat, PlayKind.DISCARDED, (event.card,))), undo=())
    return _replace(
        deal,
        pile=(*deal.pile, event.card),
        hands=_set(deal.hands, seat, without(deal.hands[seat], (event.card,))),
        muerto_used=_muerto_used(deal, side, (event.card,)),
        turn=turn,
        memory=discarded(deal.memory, event),
    )


def _take_muerto(match: Match, deal: Deal, event: MuertoTaken) -> Deal:
    seat, turn = event.seat, deal.turn
    side = match.seating.side_of(seat)
    cards = deal.muertos[event.index]
    turn = _replace(
        turn,
        choosing=None,
        barred=None,
        all_wild=turn.all_wild or _all_wild(cards),
        discarded=event.plays_on,
        new=cards,
        plays=(*turn.plays, Play(seat, PlayKind.TOOK_MUERTO, count=event.index)),
        undo=(),
    )
    return _replace(
        deal,
        muertos=(*deal.muertos[: event.index], *deal.muertos[event.index + 1 :]),
        hands=_set(deal.hands, seat, sorted_cards(cards)),
        taken=_set(deal.taken, side, deal.taken[side] + 1),
        muerto_cards=_set(deal.muerto_cards, side, cards),
        muerto_used=_set(deal.muerto_used, side, False),
        turn=turn,
    )


def _offer_muerto(match: Match, deal: Deal, event: MuertoOffered) -> Deal:
    del match
    return _replace(deal, turn=_replace(deal.turn, choosing=event.by))


def _add_third_deck(match: Match, deal: Deal, event: ThirdDeckAdded) -> Deal:
    del match, event
    turn = _noted(deal.turn, Play(deal.turn.seat, PlayKind.THIRD_DECK, count=len(deal.reserve)))
    return _replace(deal, stock=deal.reserve, reserve=(), decks=3, turn=turn)


def _muerto_to_stock(match: Match, deal: Deal, event: MuertoBecameStock) -> Deal:
    del match, event
    turn = _noted(deal.turn, Play(deal.turn.seat, PlayKind.MUERTO_TO_STOCK))
    return _replace(deal, stock=deal.muertos[0], muertos=deal.muertos[1:], turn=turn)


def _next_turn(match: Match, deal: Deal, event: TurnEnded) -> Deal:
    del match
    turn = deal.turn
    return _replace(
        deal,
        turn=Turn(event.next_seat, Phase.DRAW),
        turns_without_draw=0 if turn.drew else deal.turns_without_draw + 1,
        last_plays=turn.plays,
    )


def _end(deal: Deal, event: DealEnded) -> Deal:
    closed = event.how is Ended.CLOSED
    turn = deal.turn
    plays = (*turn.plays, Play(event.seat, PlayKind.CLOSED)) if closed else turn.plays
    return _replace(
        deal,
        turn=_replace(turn, phase=Phase.OVER, choosing=None, plays=plays, undo=()),
        ended=event.how,
        closer=event.seat if closed else None,
        scores=event.scores,
    )


_FOLDS: Final[Mapping[type, Callable[[Match, Deal, Any], Deal]]] = {
    CardDrawn: _draw,
    PileTaken: _take_pile,
    MeldLaid: _lay,
    MeldChanged: _change,
    CardDiscarded: _discard,
    MuertoOffered: _offer_muerto,
    MuertoTaken: _take_muerto,
    ThirdDeckAdded: _add_third_deck,
    MuertoBecameStock: _muerto_to_stock,
    TurnEnded: _next_turn,
    ActionUndone: _undo,
}
"""What each event makes of the deal; those that begin or end one are not here."""
