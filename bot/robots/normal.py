"""The sensible robot."""

from bot.robots.discards import best_discard
from bot.robots.evaluate import Evaluator
from bot.robots.outlook import Outlook
from bot.robots.pile import draw_or_take
from bot.robots.plan import Planner, breadth_for
from bot.robots.tuned import Numbers, numbers_for
from engine import legal
from engine.actions import Action, Discard, EndTurn, TakeMuerto
from engine.cards import FACE
from engine.state import Phase
from engine.views import SeatView


class NormalRobot:
    """Weighs what lies on the table, what the hand may become and how long the deal may last."""

    name = "normal"

    def __init__(self, numbers: Numbers | None = None) -> None:
        """``numbers`` to play by, in whatever game; without them those found for each kind of game."""
        self._numbers = numbers

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
        numbers = self._numbers or numbers_for(table.rules, table.seating)
        outlook = Outlook(view, numbers.weights)
        evaluator = Evaluator(outlook)
        if table.phase is Phase.DRAW:
            action = draw_or_take(view, outlook, evaluator, numbers.habits)
        else:
            action = _play(view, outlook, evaluator)
        return action or legal.actions(view)[0]


def _play(view: SeatView, outlook: Outlook, evaluator: Evaluator) -> Action | None:
    planner = Planner(outlook, evaluator)
    plan = planner.best(planner.start(), breadth=breadth_for(len(view.hand)))
    if plan.first is not None:
        return plan.first.action
    if legal.can_end(view):
        return EndTurn()
    card = best_discard(view, outlook, evaluator)
    return None if card is None else Discard(FACE[card])
