"""The quick player as a robot of its own: what the searching robot takes everybody for."""

from bot.robots.habits import DEFAULT_HABITS, Habits
from bot.robots.quick import play_turn
from bot.robots.translating import first_action
from engine import legal
from engine.actions import Action, TakeMuerto
from engine.views import SeatView


class QuickRobot:
    """Plays by habit."""

    name = "quick"

    def __init__(self, habits: Habits = DEFAULT_HABITS) -> None:
        self._habits = habits

    def choose(self, view: SeatView) -> Action:
        """The habitual action.

        Raises:
            ValueError: it is not this seat's turn.
        """
        if not view.on_turn:
            raise ValueError(f"seat {view.seat} is not on turn")
        if view.table.choosing is not None:
            return TakeMuerto(0)
        action = first_action(view, lambda deal: play_turn(deal, self._habits))
        return action or legal.actions(view)[-1]
