"""Planning the melds of a turn: which of them, and how many, leave the side best off."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from bot.robots.closing import close_value
from bot.robots.evaluate import Evaluator
from bot.robots.outlook import Outlook
from engine import legal
from engine.actions import LayMeld
from engine.cards import Card, sorted_cards, without
from engine.legal import Option
from engine.melds import Meld
from engine.state import Phase
from engine.views import SeatView

Melds = tuple[Meld, ...]
NEVER: Final = -1e9
"""The worth of a state in which the turn cannot end."""
SMALL_HAND: Final = 10
"""From so few cards on, every step looks for all that is possible anew; before, only for what is left."""
FIRST_STEPS: Final = 20
STEPS: Final = 10
"""How many options are weighed at the first step and at each further one, best first as the engine ranks them."""
BIG_HAND: Final = 13
"""From more cards on, half as many are weighed: a decision must stay quick."""

NEARLY_EMPTY: Final = 8
"""A hand of so many cards may soon be empty: more first steps are followed up."""
BREADTH: Final = 2
NEARLY_EMPTY_BREADTH: Final = 6


class State(NamedTuple):
    """The own hand and the own side's melds at a point of the turn, and the card that must still be used."""

    hand: tuple[Card, ...]
    melds: Melds
    owed: Card | None = None


class Plan(NamedTuple):
    """The best end that was found, what it is worth, and the first step there (None: stop melding)."""

    value: float
    first: Option | None
    end: State


def breadth_for(cards: int) -> int:
    """How many first steps are followed up with so many cards in the hand."""
    return NEARLY_EMPTY_BREADTH if cards <= NEARLY_EMPTY else BREADTH


class Planner:
    """Looks for good turns on hypothetical views of the own cards; remembers what it has seen at this decision.

    ``unknown`` cards come to the hand that are not seen yet: those of a covered pile, or the one to be drawn.
    """

    def __init__(self, outlook: Outlook, evaluator: Evaluator, *, unknown: int = 0) -> None:
        self._outlook = outlook
        self._evaluator = evaluator
        self._unknown = unknown
        view = outlook.view
        table = view.table
        self._takes_muerto = bool(table.muertos) and table.taken[outlook.side] < outlook.rules.muertos_a_side
        self._side = outlook.side
        self._view = msgspec.structs.replace(view, table=msgspec.structs.replace(table, phase=Phase.PLAY))
        self._known: dict[State, list[Option]] = {}
        self._values: dict[State, float] = {}
        self._closing: dict[Melds, float] = {}

    def start(self, cards: Sequence[Card] = (), owed: Card | None = None) -> State:
        """The state of the view, with further cards in the hand."""
        view = self._view
        return State(sorted_cards((*view.hand, *cards)), view.table.melds[self._side], owed or view.owed)

    def best(self, state: State, *, breadth: int) -> Plan:
        """The best of stopping here and of the ``breadth`` most promising steps, each followed up greedily."""
        plan = Plan(self.value(state), None, state)
        options = self._options(state)
        steps: list[tuple[float, int, Option, State]] = []
        big = len(state.hand) > BIG_HAND
        for i, option in enumerate(options[: FIRST_STEPS // 2 if big else FIRST_STEPS]):
            after = apply(state, option)
            steps.append((-self.value(after), i, option, after))
        steps.sort(key=lambda step: step[:2])
        for _, _, option, after in steps[: 1 if big else breadth]:
            value, end = self._climb(after, _left(options, option, after))
            if value > plan.value:
                plan = Plan(value, option, end)
        return plan

    def _climb(self, state: State, options: list[Option]) -> tuple[float, State]:
        """The end that is reached by the best next step, again and again, as long as it is worth more."""
        best = self.value(state)
        while state.hand:
            if len(state.hand) <= SMALL_HAND:
                options = self._options(state)
            tried = options[: STEPS // 2 if len(state.hand) > BIG_HAND else STEPS]
            nexts = [(self.value(after := apply(state, option)), -i, after) for i, option in enumerate(tried)]
            if not nexts:
                break
            value, place, after = max(nexts, key=lambda step: step[:2])
            if value <= best:
                break
            options = _left(options, options[-place], after)
            best, state = value, after
        return best, state

    def _options(self, state: State) -> list[Option]:
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = legal.options(self._seen(state)) if state.hand else []
        return known

    def _seen(self, state: State) -> SeatView:
        table = self._view.table
        melds = (*table.melds[: self._side], state.melds, *table.melds[self._side + 1 :])
        return msgspec.structs.replace(
            self._view, table=msgspec.structs.replace(table, melds=melds), hand=state.hand, owed=state.owed
        )

    def value(self, state: State) -> float:
        """What it is worth to stop melding here."""
        known = self._values.get(state)
        if known is None:
            known = self._values[state] = self._value(state)
        return known

    def _value(self, state: State) -> float:
        if state.owed is not None:
            return NEVER
        owes = not self._view.discarded
        held = len(state.hand) + self._unknown
        weights = self._outlook.weights
        if held <= (1 if owes else 0):
            if self._takes_muerto:
                at_once = weights.muerto_at_once if held == 0 else 0.0
                return self._outlook.table_value(state.melds) + self._evaluator.haste(0) + at_once
            return self.close_value(state.melds)
        value = self._evaluator.value(state.hand, state.melds, owes_discard=owes)
        if self._unknown:
            left = held - (1 if owes else 0)
            value += self._evaluator.haste(left) - self._evaluator.haste(left - self._unknown)
        return value

    def close_value(self, melds: Melds) -> float:
        """What it is worth to close with these melds."""
        known = self._closing.get(melds)
        if known is None:
            known = close_value(self._outlook, melds)
            known += self._outlook.weights.close_pull * self._evaluator.haste(0)
            self._closing[melds] = known
        return known


def _left(options: list[Option], used: Option, after: State) -> list[Option]:
    """Those of the options that the step ``used`` leaves possible, without looking for new ones."""
    hand = set(after.hand)
    changed = None if isinstance(used.action, LayMeld) else used.action.meld
    return [
        option
        for option in options
        if hand.issuperset(option.cards) and (isinstance(option.action, LayMeld) or option.action.meld != changed)
    ]


def apply(state: State, option: Option) -> State:
    """The state after an option; a wild that its natural card replaced may come back to the hand."""
    hand = without(state.hand, option.cards)
    action = option.action
    if isinstance(action, LayMeld):
        melds = (*state.melds, option.meld)
    else:
        old = state.melds[action.meld]
        wild = old.wild_card
        if wild is not None and wild not in option.meld.cards:
            hand = sorted_cards((*hand, wild))
        melds = (*state.melds[: action.meld], option.meld, *state.melds[action.meld + 1 :])
    return State(hand, melds, None if state.owed in option.cards else state.owed)
