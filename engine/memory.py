"""What an attentive player remembers of a deal: cards that lay open once and are covered, or in a hand, now.

Every card of the pile was seen when it was thrown, and whoever takes the pile takes cards that all have seen
(RULESETS.md, How the rules work, 13, is about what is shown; this is what was). It is kept beside the state, never
shown to anybody, and given to robots through their seat's view.
"""

from engine.cards import Card
from engine.events import (
    ActionUndone,
    CardDiscarded,
    DealStarted,
    Event,
    MeldChanged,
    MeldLaid,
    PileTaken,
)
from engine.state import Deal, Memory


def first_memory(event: DealStarted) -> Memory:
    """What is open when the cards have been dealt."""
    return Memory(event.pile, (-1,) * len(event.pile), ((),) * len(event.hands))


def remembered(deal: Deal, event: Event) -> Memory:
    """What is remembered after an event, from the deal before it."""
    memory = deal.memory
    if not memory.hands:
        return memory
    match event:
        case PileTaken(seat=seat, cards=cards):
            return Memory((), (), _set(memory.hands, seat, (*memory.hands[seat], *cards)))
        case MeldLaid(seat=seat, meld=meld):
            return _held(memory, seat, _less(memory.hands[seat], meld.cards))
        case MeldChanged(seat=seat, added=added, returned=returned):
            return _held(memory, seat, (*_less(memory.hands[seat], added), *returned))
        case CardDiscarded(seat=seat, card=card):
            hands = _set(memory.hands, seat, _less(memory.hands[seat], (card,)))
            return Memory((*memory.pile, card), (*memory.throwers, seat), hands)
        case ActionUndone():
            return deal.turn.undo[-1].memory  # nobody holds against a player what was taken back
        case _:
            return memory


def _held(memory: Memory, seat: int, hand: tuple[Card, ...]) -> Memory:
    if hand == memory.hands[seat]:
        return memory
    return Memory(memory.pile, memory.throwers, _set(memory.hands, seat, hand))


def _less(cards: tuple[Card, ...], used: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in used) if cards else cards


def _set(hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])
