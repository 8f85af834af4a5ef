"""The sensible robot: the one level that tables offer."""

from bot.robots.discards import best_discard
from bot.robots.evaluate import Evaluator
from bot.robots.outlook import Outlook
from bot.robots.pile import draw_or_take
from bot.robots.plan import Planner
from bot.robots.weights import DEFAULT, Weights
from engine import legal
from engine.actions import Action, Discard, EndTurn, TakeMuerto
from engine.cards import FACE
from engine.state import Phase
from engine.views import SeatView

SMALL_HAND = 8
"""A hand of so many cards may soon be empty: more lines are looked at."""


class NormalRobot:
    """Weighs what lies on the table, what the hand may become and how long the deal may last."""

    name = "normal"

    def __init__(self, weights: Weights = DEFAULT) -> None:
        self._weights = weights

    def choose(self, view: SeatView) -> Action:
        """The action that leaves the side best off, as far as the robot can see.

        Raises:
            ValueError: it is not this seat's turn.
        """
        if not view.on_turn:
            raise ValueError(f"seat {view.seat} is not on turn")
        table = view.table
        if table.choosing is not None:
            return TakeMuerto(0)  # the backs tell nothing about what is worth having
        outlook = Outlook(view, self._weights)
        evaluator = Evaluator(outlook)
        if table.phase is Phase.DRAW:
            action = draw_or_take(view, outlook, evaluator)
        else:
            action = _play(view, outlook, evaluator)
        return action or legal.actions(view)[0]


def _play(view: SeatView, outlook: Outlook, evaluator: Evaluator) -> Action | None:
    planner = Planner(outlook, evaluator)
    plan = planner.best(planner.start(), breadth=6 if len(view.hand) <= SMALL_HAND else 2)
    if plan.first is not None:
        return plan.first.action
    if legal.can_end(view):
        return EndTurn()
    card = best_discard(view, outlook, evaluator)
    return None if card is None else Discard(FACE[card])
