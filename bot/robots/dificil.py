"""The searching robot: what the sensible one would do against its best alternatives, in deals that fit all it saw."""

from collections.abc import Callable
from random import Random

from bot.robots import tuned
from bot.robots.habits import Habits
from bot.robots.normal import NormalRobot
from bot.robots.quick import play_turn
from bot.robots.quick_discards import ranked_discards
from bot.robots.search import DEFAULT_EFFORT, Effort, Search, Weighed
from bot.robots.seeds import seed_of
from bot.robots.translating import first_action
from bot.robots.worlds import Worlds
from engine import legal
from engine.actions import Action, AddToMeld, Discard, DrawStock, LayMeld, TakeMuerto
from engine.cards import IS_WILD, Face
from engine.naming import named_for_add, named_for_meld
from engine.reasons import IllegalAction
from engine.state import Phase
from engine.views import SeatView

DISCARDS = 4
"""How many discards are weighed besides that of the sensible robot."""
MELDS = 2
USES = 2


class HardRobot:
    """Searches; where there is nothing to choose, or no time, it plays as the sensible robot."""

    name = "dificil"

    def __init__(
        self,
        seed: int = 0,
        effort: Effort = DEFAULT_EFFORT,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """``clock`` tells seconds; without one the effort alone ends the search."""
        self._seed = seed
        self._effort = effort
        self._clock = clock
        self._normal = NormalRobot()

    def choose(self, view: SeatView) -> Action:
        """The best action that the search has found.

        Raises:
            ValueError: it is not this seat's turn.
        """
        return self.weigh(view)[0].action

    def weigh(self, view: SeatView) -> list[Weighed]:
        """What was weighed, the action to play first; a single one where there was nothing to choose.

        Raises:
            ValueError: it is not this seat's turn.
        """
        began = self._clock() if self._clock is not None else 0.0
        first = self._normal.choose(view)
        if view.table.choosing is not None or isinstance(first, TakeMuerto):
            return [Weighed(first, 0.0, 0)]
        worlds = Worlds(view)
        habits = tuned.habits_for(worlds.rules)
        candidates = _candidates(view, worlds, first, habits)
        if len(candidates) < 2:
            return [Weighed(first, 0.0, 0)]

        def late() -> bool:
            return self._clock is not None and self._clock() - began >= self._effort.seconds

        search = Search(
            worlds,
            view.seat,
            Random(seed_of(self._seed, view)),  # noqa: S311 - play, not secrets
            habits,
            self._effort,
            late,
        )
        return search.weigh(candidates)


def _candidates(view: SeatView, worlds: Worlds, first: Action, habits: Habits) -> list[Action]:
    """What is worth weighing, the sensible robot's choice first; that alone where there is hardly a choice."""
    found = [first]
    if view.table.phase is Phase.DRAW:
        if legal.draw_problem(view) is None:
            found.append(DrawStock())
        found += legal.pile_uses(view)[:USES]
        return list(dict.fromkeys(found))
    bare = worlds.bare()
    habit = first_action(bare, lambda deal: play_turn(deal, habits))
    if isinstance(habit, LayMeld | AddToMeld):
        if habit == first and not any(IS_WILD[card.face] for card in habit.cards):
            # Natural cards that both would lay: a search would only lose time over them.
            return found
        if _is_accepted(view, habit):
            found.append(habit)
    if view.owed is None:
        faces = [face for face in ranked_discards(bare, habits) if bare.may_discard(face)]
        found += [Discard(Face(face)) for face in faces[:DISCARDS]]
    found += [option.action for option in legal.options(view)[:MELDS]]
    return list(dict.fromkeys(found))


def _is_accepted(view: SeatView, action: LayMeld | AddToMeld) -> bool:
    """Whether the engine would take a meld or add, which the quick player looks at less strictly."""
    melds = view.table.melds[view.side]
    try:
        if isinstance(action, LayMeld):
            legal.judge(view, named_for_meld(view.hand, action.cards, (view.owed, view.barred)).cards)
        else:
            prefer = (view.owed, view.barred)
            cards = named_for_add(view.hand, melds[action.meld], action.cards, prefer).cards
            legal.judge(view, cards, action.meld)
    except IllegalAction:
        return False
    return True
