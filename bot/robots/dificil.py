"""The searching robot: what the sensible one would do against its best alternatives, in deals that fit all it saw."""

from collections.abc import Callable
from typing import Final

from bot.robots.normal import NormalRobot
from bot.robots.plan import breadth_for
from bot.robots.search import DEFAULT_EFFORT, Effort, Search, Weighed
from bot.robots.seeds import seed_of
from bot.robots.swift import choosing
from bot.robots.swift import layout as at
from bot.robots.swift.workshop import LOCK, Workshop, workshop_for
from bot.robots.translating import action_of
from bot.robots.worlds import Worlds
from engine import legal
from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, TakePile
from engine.cards import Face
from engine.naming import named_for_add, named_for_meld
from engine.reasons import IllegalAction
from engine.state import Phase
from engine.views import SeatView

DISCARDS: Final = 5
"""How many discards are weighed."""
MELDS: Final = 3
USES: Final = 3
_NORMAL: Final = NormalRobot()


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
        if not view.on_turn or view.table.choosing is not None:
            return [Weighed(_NORMAL.choose(view), 0.0, 0)]

        def late() -> bool:
            return self._clock is not None and self._clock() - began >= self._effort.seconds

        shop = workshop_for(view.table.rules, view.table.seating)
        with LOCK:
            worlds = Worlds(view, shop)
            candidates = candidates_of(view, worlds, shop)
            if len(candidates) < 2:
                return [Weighed(candidates[0] if candidates else _NORMAL.choose(view), 0.0, 0)]
            return Search(worlds, shop, seed_of(self._seed, view) & 0x7FFFFFFF, self._effort, late).weigh(candidates)


def candidates_of(view: SeatView, worlds: Worlds, shop: Workshop) -> list[Action]:
    """What is worth weighing, what the sensible player would do first; nothing where its compiled twin is at a loss."""
    found = _draws(view, worlds, shop) if view.table.phase is Phase.DRAW else _ways_on(view, worlds, shop)
    if len(set(found)) > 1:
        # The twin sees a little less: the cards of a rank are all one to it, whatever their suits.
        found = [_NORMAL.choose(view), *found]
    return list(dict.fromkeys(found))


def _draws(view: SeatView, worlds: Worlds, shop: Workshop) -> list[Action]:
    uses = list[Action](legal.pile_uses(view))
    if legal.draw_problem(view) is not None:
        return uses[:USES]
    drawing: Action = DrawStock()
    use = choosing.taken(shop, worlds.bare()) if uses else None
    if use is None:
        return [drawing, *uses[:USES]]
    wanted: Action = TakePile(action_of(use)) if use[at.U_COUNT] else TakePile()
    return [wanted if wanted in uses else uses[0], drawing, *uses[:USES]]


def _ways_on(view: SeatView, worlds: Worlds, shop: Workshop) -> list[Action]:
    ways = choosing.ways_on(shop, worlds.bare(), breadth_for(len(view.hand)), MELDS)
    ends: list[Action] = [Discard(Face(face)) for face in ways.discards[:DISCARDS]]
    if legal.can_end(view):
        ends = [EndTurn()]
    uses = ways.uses if ways.first is None else [ways.first, *ways.uses]
    laid = [action for action in map(action_of, uses) if is_accepted(view, action)]
    if ways.first is None:
        return [*ends[:1], *laid, *ends[1:]]
    return [*laid, *ends]


def is_accepted(view: SeatView, action: LayMeld | AddToMeld) -> bool:
    """Whether the engine would take a meld or add, which the compiled player looks at less strictly."""
    melds = view.table.melds[view.side]
    prefer = (view.owed, view.barred)
    try:
        if isinstance(action, LayMeld):
            legal.judge(view, named_for_meld(view.hand, action.cards, prefer).cards)
        else:
            legal.judge(view, named_for_add(view.hand, melds[action.meld], action.cards, prefer).cards, action.meld)
    except IllegalAction:
        return False
    return True
