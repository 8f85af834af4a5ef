"""Stock or pile: the decision that is worth the most in this game."""

from math import exp
from typing import NamedTuple

import msgspec

from bot.robots.evaluate import Evaluator
from bot.robots.habits import Habits
from bot.robots.inclining import inclination
from bot.robots.outlook import Outlook
from bot.robots.plan import NEVER, Planner, State
from engine import legal
from engine.actions import Action, AddToMeld, DrawStock, LayMeld, TakePile
from engine.cards import IS_WILD, Card, sorted_cards
from engine.naming import named_for_add, named_for_meld
from engine.pile import takes_top_at_once
from engine.policies import PileTaking
from engine.reasons import IllegalAction
from engine.standing import after_add, after_meld, standing_in
from engine.views import SeatView

USES_TRIED = 3
"""How many of the ways to use the top of the pile are looked at."""

SPREAD = 6
SPREAD_FROM = 2
"""Of the faces, every sixth from the third on is tried: all ranks, and suits mixed."""


class _Taking(NamedTuple):
    value: float
    action: TakePile


def draw_or_take(view: SeatView, outlook: Outlook, evaluator: Evaluator, habits: Habits) -> Action | None:
    """The better of drawing and taking the pile; None where neither may be done."""
    may_draw = legal.draw_problem(view) is None
    uses = legal.pile_uses(view)
    if not uses:
        return DrawStock() if may_draw else None
    if not may_draw and len(uses) == 1:
        return uses[0]
    leaning = inclination(outlook, habits)
    if may_draw and not habits.plan and leaning <= 0.0:
        return DrawStock()
    if len(uses) == 1 and not (may_draw and habits.plan):
        return uses[0]
    taking = max((_taking(view, outlook, evaluator, use) for use in uses[:USES_TRIED]), key=lambda taken: taken.value)
    if may_draw and habits.plan:
        gain = taking.value - _draw_value(outlook, evaluator)
        if leaning + habits.plan * gain <= 0.0:
            return DrawStock()
    return taking.action


def _draw_value(outlook: Outlook, evaluator: Evaluator) -> float:
    planner = Planner(outlook, evaluator, unknown=1)
    plan = planner.best(planner.start(), breadth=1)
    return plan.value + _unseen_worth(outlook, evaluator, plan.end, wilds=True)


def _unseen_worth(outlook: Outlook, evaluator: Evaluator, state: State, *, wilds: bool) -> float:
    """What an unseen card adds to a hand on average, where it or the least needed card is thrown afterwards."""
    before = evaluator.hand_value(state.hand, state.melds)
    least = evaluator.least_loss(state.hand, state.melds)
    total = 0.0
    weight = 0
    for face in range(SPREAD_FROM, 52, SPREAD):
        count = outlook.unseen[face]
        if count and not IS_WILD[face]:
            weight += count
            gain = evaluator.hand_value((*state.hand, Card(face)), state.melds) - before
            total += count * max(0.0, gain - least)
    natural = total / max(1, weight)
    if not wilds:
        return natural
    share = outlook.wilds_unseen / outlook.total_unseen
    return (1.0 - share) * natural + share * (evaluator.wild_value() - least)


def _taking(view: SeatView, outlook: Outlook, evaluator: Evaluator, use: TakePile) -> _Taking:
    table, weights = view.table, outlook.weights
    covered = table.pile_count - len(outlook.pile)
    planner = Planner(outlook, evaluator, unknown=covered)
    owed = table.pile[-1] if table.rules.pile_taking is PileTaking.TOP_THIS_TURN else None
    state = planner.start(outlook.pile, owed)
    if takes_top_at_once(table.rules):
        used = _used(view, outlook, use)
        if used is None:
            return _Taking(NEVER, use)
        state = used
    plan = planner.best(state, breadth=1)
    value = plan.value
    if covered:
        # One of the cards is thrown afterwards: the least needed of all.
        value += (covered - 1) * weights.covered_card
        value += _unseen_worth(outlook, evaluator, plan.end, wilds=False)
    else:
        value -= evaluator.least_loss(plan.end.hand, plan.end.melds)
    return _Taking(value + _denied(outlook, table.pile_count), use)


def _denied(outlook: Outlook, count: int) -> float:
    """What the next opponents would gain by the pile if it were left to them with one more card on it."""
    if outlook.rounds <= 1.0:
        return 0.0
    weights = outlook.weights
    tempted = 1.0 / (1.0 + exp(weights.tempting_slope * (weights.tempting_pile - (count + 1))))
    # Without a partner, a pile that the next opponent leaves comes back bigger.
    each = weights.denied_card if outlook.mates > 1 else weights.denied_alone
    return each * count * tempted


def _used(view: SeatView, outlook: Outlook, use: TakePile) -> State | None:
    """The state after the top of the pile has been used and the rest is in the hand; None where the use fails."""
    table = view.table
    top = table.pile[-1]
    hand = sorted_cards((*view.hand, *outlook.pile))
    standing = msgspec.structs.replace(standing_in(view), hand=hand)
    try:
        match use.use:
            case LayMeld(cards=named):
                cards = named_for_meld(hand, named, (top,))
                after, _ = after_meld(standing, cards.cards, cards.places)
            case AddToMeld(meld=index, cards=named):
                cards = named_for_add(hand, standing.melds[index], named, (top,))
                after, _ = after_add(standing, index, cards.cards, cards.places)
            case _:
                return None
    except IllegalAction:
        return None
    return State(sorted_cards(after.hand), after.melds)
