"""What a player is warned of before it is done: the few moves that are legal and nearly always a slip."""

from enum import StrEnum

from bot.presenter.questions import Warn
from engine.actions import Action, AddToMeld, Discard, LayMeld
from engine.events import DealEnded, Event, MeldChanged, MeldLaid
from engine.melds import Meld
from engine.policies import MeldsWithoutCanasta
from engine.state import Ended
from engine.views import SeatView


class Asking(StrEnum):
    """When somebody wants to be asked before a doubtful move."""

    ALWAYS = "always"
    GRAVE = "grave"
    """Only where no undo takes it back."""
    NEVER = "never"

    def asks(self, *, undoable: bool) -> bool:
        """Whether a doubtful move is asked about."""
        return self is Asking.ALWAYS or (self is Asking.GRAVE and not undoable)


def caution(view: SeatView, action: Action, events: tuple[Event, ...]) -> Warn | None:
    """The warning that an action deserves, judged from what it leads to; None for nearly all."""
    melds = view.table.melds[view.side]
    closes = any(isinstance(event, DealEnded) and event.how is Ended.CLOSED for event in events)
    if closes and isinstance(action, Discard | LayMeld | AddToMeld):
        counts_negative = view.table.rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE
        if counts_negative and not _canasta_after(melds, events):
            return Warn.CLOSE_WITHOUT_CANASTA
    for event in events:
        if isinstance(event, MeldChanged) and event.added:
            before = melds[event.index] if event.index < len(melds) else None
            if before is not None:
                return _change(before, event.meld)
    return None


def _canasta_after(melds: tuple[Meld, ...], events: tuple[Event, ...]) -> bool:
    laid = [event.meld for event in events if isinstance(event, MeldLaid | MeldChanged)]
    return any(meld.is_canasta for meld in (*melds, *laid))


def _change(before: Meld, after: Meld) -> Warn | None:
    if before.is_clean_canasta and after.wild >= 0:
        return Warn.CLEAN_BECOMES_DIRTY
    if before.wild < 0 and after.wild_card in before.cards:
        return Warn.NATURAL_TWO_BECOMES_WILD
    return None
