"""What an attentive player remembers of a deal: cards that lay open once and are covered, or in a hand, now.

Every card of the pile was seen when it was thrown, and whoever takes the pile takes cards that all have seen
(RULESETS.md, How the rules work, 13, is about what is shown; this is what was). It is kept beside the state, never
shown to anybody, and given to robots through their seat's view.
"""

from engine.cards import Card
from engine.events import CardDiscarded, DealStarted, PileTaken
from engine.state import Memory


def first_memory(event: DealStarted) -> Memory:
    """What is open when the cards have been dealt."""
    return Memory(event.pile, (-1,) * len(event.pile), ((),) * len(event.hands))


def taken_from_pile(memory: Memory, event: PileTaken) -> Memory:
    """What is remembered once a seat has taken the pile: all have seen every card of it."""
    if not memory.hands:
        return memory
    return Memory((), (), _set(memory.hands, event.seat, (*memory.hands[event.seat], *event.cards)))


def used_from_hand(memory: Memory, seat: int, used: tuple[Card, ...], returned: tuple[Card, ...]) -> Memory:
    """What is remembered once a seat has laid cards, some of which may come back to its hand."""
    if not memory.hands or (not memory.hands[seat] and not returned):
        return memory
    return _held(memory, seat, (*_less(memory.hands[seat], used), *returned))


def discarded(memory: Memory, event: CardDiscarded) -> Memory:
    """What is remembered once a card lies on the pile."""
    if not memory.hands:
        return memory
    known = memory.hands[event.seat]
    hands = _set(memory.hands, event.seat, _less(known, (event.card,))) if event.card in known else memory.hands
    return Memory((*memory.pile, event.card), (*memory.throwers, event.seat), hands)


def _held(memory: Memory, seat: int, hand: tuple[Card, ...]) -> Memory:
    if hand == memory.hands[seat]:
        return memory
    return Memory(memory.pile, memory.throwers, _set(memory.hands, seat, hand))


def _less(cards: tuple[Card, ...], used: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple([card for card in cards if card not in used]) if cards else cards


def _set(hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])
