"""From stored events back to records: what was dealt, and which actions were taken.

Events tell outcomes. The actions that led to them are found by asking the engine: an action is the one whose events
are the stored ones.
"""

from collections.abc import Iterator, Sequence

import msgspec

from bot.fairness import Seal, chance_of, seal_of
from bot.records import DealRecord, record_of
from engine.actions import (
    Action,
    AddToMeld,
    Discard,
    DrawStock,
    EndTurn,
    LayMeld,
    MoveWild,
    NamedCard,
    TakeMuerto,
    TakePile,
    Undo,
)
from engine.cards import BACK, FACE, Card
from engine.decide import Events, decide
from engine.events import (
    ActionUndone,
    CardDiscarded,
    CardDrawn,
    DealEnded,
    DealStarted,
    Event,
    MeldChanged,
    MeldLaid,
    MuertoBecameStock,
    MuertoTaken,
    PileTaken,
    ThirdDeckAdded,
    TurnEnded,
)
from engine.evolve import evolve_all
from engine.melds import Meld
from engine.notation import write_action
from engine.reasons import IllegalAction
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, Play, new_match


def records_of(
    rules: Ruleset,
    seating: Seating,
    names: Sequence[str],
    events: Sequence[Event],
    seals: Sequence[Seal] = (),
    code: str = "",
) -> list[DealRecord]:
    """The records of the finished deals in a match's events, with their seals; a deal that goes on is left out.

    ``code`` is that of the table, which the seals of packs that were cut bind.

    Raises:
        ValueError: the events are not those of a match.
    """
    if not events:
        return []
    first = events[0]
    if not isinstance(first, DealStarted):
        raise ValueError("a match begins with a deal")
    match = new_match(rules, seating, first.starter)
    records: list[DealRecord] = []
    for deal in _deals(events):
        started = deal[0]
        if not isinstance(started, DealStarted):
            raise ValueError("a deal begins with its cards")
        before, match = match, evolve_all(match, (started,))
        actions: list[str] = []
        position = 1
        while position < len(deal):
            seat, action, taken = _action_at(match, deal[position:])
            actions.append(f"{seat}: {write_action(action)}")
            match = evolve_all(match, taken)
            position += len(taken)
        if any(isinstance(event, DealEnded) for event in deal):
            chance, seal = chance_of(rules, seating, started), seal_of(seals, started.number)
            records.append(record_of(before, names, chance, actions, match, seal, code))
    return records


def last_turns(match: Match, events: Sequence[Event], most: int = 8) -> tuple[tuple[Play, ...], ...]:
    """The plays of the last turns of the deal in progress, at most ``most``, oldest first; the turn in progress last.

    Plays are what everybody may see (RULESETS.md, How the rules work, 13).
    """
    deal = list(_deals(events))[-1] if events else []
    now = Match(rules=match.rules, seating=match.seating, first_starter=match.first_starter, totals=match.totals)
    turns: list[tuple[Play, ...]] = []
    for event in deal:
        before, now = now, evolve_all(now, (event,))
        if before.deal is not None and now.deal is not None and now.deal.last_plays is not before.deal.last_plays:
            turns.append(now.deal.last_plays)
    if now.deal is not None:
        turns.append(now.deal.turn.plays)
    return tuple(turn for turn in turns if turn)[-most:]


def decisions(match: Match, events: Sequence[Event]) -> Iterator[tuple[Match, int, Action]]:
    """Each decision of the last deal: the match before it, the seat and what it did.

    Raises:
        ValueError: the events are not those of a match.
    """
    ahead = list(_deals(events))[-1] if events else []
    totals = match.totals
    if match.deal is not None and match.deal.scores is not None:
        # They count this deal already, which did not yet count when it was played.
        totals = tuple(total - score.total for total, score in zip(totals, match.deal.scores, strict=True))
    now = Match(rules=match.rules, seating=match.seating, first_starter=match.first_starter, totals=totals)
    if not ahead or not isinstance(ahead[0], DealStarted):
        return
    now = evolve_all(now, ahead[:1])
    position = 1
    while position < len(ahead):
        seat, action, taken = _action_at(now, ahead[position:])
        yield now, seat, action
        now = evolve_all(now, taken)
        position += len(taken)


def _deals(events: Sequence[Event]) -> Iterator[list[Event]]:
    deal: list[Event] = []
    for event in events:
        if isinstance(event, DealStarted) and deal:
            yield deal
            deal = []
        deal.append(event)
    yield deal


def _action_at(match: Match, ahead: Sequence[Event]) -> tuple[int, Action, Events]:
    """The seat and action that lead to the next events, and those events."""
    deal = match.deal
    if deal is None:
        raise ValueError("no deal has begun")
    seat = deal.turn.seat
    for action in _candidates(match, ahead):
        try:
            events = decide(match, seat, action)
        except IllegalAction:
            continue
        if _same(events, ahead[: len(events)]):
            return seat, action, events
    raise ValueError(f"no action leads to {type(ahead[0]).__name__}")


def _same(events: Events, stored: Sequence[Event]) -> bool:
    return msgspec.json.encode(events) == msgspec.json.encode(tuple(stored))


def _candidates(match: Match, ahead: Sequence[Event]) -> Iterator[Action]:
    event = ahead[0]
    match event:
        case CardDrawn() | ThirdDeckAdded() | MuertoBecameStock():
            yield DrawStock()
        case PileTaken():
            yield TakePile()
            if len(ahead) > 1:
                yield from (
                    TakePile(use) for use in _candidates(match, ahead[1:]) if isinstance(use, LayMeld | AddToMeld)
                )
        case MeldLaid(meld=meld):
            yield LayMeld(_faces(meld.cards))
            yield LayMeld(_with_place(meld, meld.cards))
        case MeldChanged(index=index, meld=meld, added=added) if added:
            yield AddToMeld(index, _faces(added))
            yield AddToMeld(index, _with_place(meld, added))
            wild, place = meld.wild_card, meld.wild_place
            if wild is not None and place is not None and wild not in added:
                yield AddToMeld(index, (*_faces(added), NamedCard(FACE[wild], place)))
        case MeldChanged(index=index, meld=meld):
            yield from _moves(match, index, meld)
        case CardDiscarded(card=card):
            yield Discard(FACE[card], BACK[card])
        case MuertoTaken(index=index):
            yield TakeMuerto(index)
        case TurnEnded() | DealEnded():
            yield EndTurn()
        case ActionUndone():
            yield Undo()


def _faces(cards: Sequence[Card]) -> tuple[NamedCard, ...]:
    return tuple(NamedCard(FACE[card], None, BACK[card]) for card in cards)


def _with_place(meld: Meld, cards: Sequence[Card]) -> tuple[NamedCard, ...]:
    return tuple(
        NamedCard(FACE[card], meld.wild_place if card == meld.wild_card else None, BACK[card]) for card in cards
    )


def _moves(match: Match, index: int, meld: Meld) -> Iterator[Action]:
    deal = match.deal
    if deal is None:
        return
    moved = deal.melds[match.seating.side_of(deal.turn.seat)][index].wild_card
    if moved is None:
        return
    place = meld.place_of(meld.cards.index(moved))
    if place is not None:
        yield MoveWild(index, FACE[moved], place)
