"""From a press in a match to what it leads to: an action and its events, a question to ask first, or a refusal."""

import msgspec

from bot.cautions import Asking, caution
from bot.intents import Unfinished, WhichMeld, WhichPlace, to_action
from bot.presenter.questions import (
    warning_screen,
    which_meld_screen,
    which_move_screen,
    which_place_screen,
)
from bot.presenter.seated import Seated
from bot.screens import Screen
from bot.texts import Texts
from bot.tokens import Intent, Verb, mask_of
from engine import legal
from engine.actions import Action, MoveWild
from engine.arrange import wild_places
from engine.cards import FACE, Face
from engine.decide import Events, decide
from engine.events import MeldChanged, MeldLaid
from engine.evolve import evolve_all
from engine.reasons import IllegalAction, Reason
from engine.state import Match, Phase
from engine.views import SeatView, seat_view


class Move(msgspec.Struct, frozen=True):
    """An action that the rules allow, and its events."""

    action: Action
    events: Events


def resolve(
    t: Texts, place: Seated, match: Match, seat: int, intent: Intent, asking: Asking = Asking.ALWAYS
) -> Move | Screen:
    """What an intent of a seat leads to; a screen is a question that has to be answered first.

    ``asking`` is when the player wants to be asked about doubtful moves; what has to be chosen is always asked.

    Raises:
        TokenError: the intent makes no sense here.
        IllegalAction: the rules refuse it.
    """
    view = seat_view(match, seat)
    _check_turn(view, intent.verb)
    try:
        action = to_action(view, intent)
    except WhichMeld as open_meld:
        found = _to_the_only_meld(t, place, match, view, open_meld)
        if isinstance(found, Screen):
            return found
        action, intent = found
    except WhichPlace as open_place:
        return _which_move(t, place, view, open_place)
    except Unfinished:
        raise AssertionError("every open choice has its question") from None
    events = decide(match, seat, action)
    wild, places = (None, ()) if intent.confirmed else _open_places(view, intent, events)
    if wild is not None and len(places) > 1:
        return which_place_screen(t, place, intent, wild, places)
    warn = None if intent.confirmed else caution(view, action, events)
    if warn is not None and asking.asks(undoable=seat_view(evolve_all(match, events), seat).undo is not None):
        return warning_screen(t, place, intent, warn)
    return Move(action, events)


_AFTER_THE_DRAW = frozenset({Verb.MELD, Verb.ADD, Verb.ADD_SOMEWHERE, Verb.MOVE_WILD, Verb.DISCARD, Verb.END})


def _check_turn(view: SeatView, verb: Verb) -> None:
    """Refuse what comes out of turn or too early, before anything else is found fault with."""
    table = view.table
    if table.phase is Phase.OVER:
        raise IllegalAction(Reason.DEAL_OVER)
    if not view.on_turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN, mover=table.mover)
    if table.choosing is not None and verb is not Verb.MUERTO:
        raise IllegalAction(Reason.MUERTO_CHOICE_NEEDED, mover=table.mover)
    if table.phase is Phase.DRAW and verb in _AFTER_THE_DRAW:
        raise IllegalAction(Reason.MUST_DRAW_FIRST)


def _to_the_only_meld(
    t: Texts, place: Seated, match: Match, view: SeatView, wanted: WhichMeld
) -> tuple[Action, Intent] | Screen:
    """The add to the only meld that takes the cards; a question where several do.

    Raises:
        IllegalAction: none does, for the reason of the meld that comes nearest.
    """
    mask = mask_of(view.hand, wanted.cards)
    verb = Verb.PILE_ADD if wanted.with_pile else Verb.ADD
    refusals: list[IllegalAction] = []
    targets: list[tuple[int, Action, Intent]] = []
    for index in range(len(view.table.melds[view.side])):
        intent = Intent(place.table.id, place.version, verb, (str(index), mask))
        action = to_action(view, intent)
        try:
            decide(match, view.seat, action)
        except IllegalAction as refusal:
            refusals.append(refusal)
        else:
            targets.append((index, action, intent))
    if not targets:
        raise _nearest(refusals)
    if len(targets) == 1:
        return targets[0][1:]
    shown = wanted.cards
    if wanted.with_pile and view.table.pile_top is not None:
        shown = (*shown, view.table.pile_top)
    return which_meld_screen(t, place, view, [(index, intent) for index, _, intent in targets], shown)


def _nearest(refusals: list[IllegalAction]) -> IllegalAction:
    """The refusal that tells most: one that is not merely "no meld"."""
    dull = (Reason.NOT_A_MELD, Reason.MELD_CLOSED)
    if not refusals:
        return IllegalAction(Reason.NO_SUCH_MELD)
    return next((refusal for refusal in refusals if refusal.reason not in dull), refusals[0])


def _which_move(t: Texts, place: Seated, view: SeatView, wanted: WhichPlace) -> Screen:
    options = [
        option
        for option in legal.moves(view)
        if isinstance(option.action, MoveWild) and option.action.meld == wanted.meld
    ]
    if not options:
        raise IllegalAction(Reason.WILD_CANNOT_MOVE)
    return which_move_screen(t, place, wanted.meld, options)


_UNPLACED = {Verb.MELD: 1, Verb.ADD: 2, Verb.PILE_MELD: 1, Verb.PILE_ADD: 2}
"""How many arguments these verbs have while no place is named."""


def _open_places(view: SeatView, intent: Intent, events: Events) -> tuple[Face | None, tuple[Face, ...]]:
    """A wild that is laid, or that its natural card displaces, and the places among which the player may choose."""
    if _UNPLACED.get(intent.verb) != len(intent.arguments):
        return None, ()
    laid = next((event for event in events if isinstance(event, MeldLaid | MeldChanged)), None)
    wild = laid.meld.wild_card if laid is not None else None
    if laid is None or wild is None:
        return None, ()
    if isinstance(laid, MeldChanged) and wild not in laid.added:
        before = view.table.melds[view.side][laid.index]
        # With an equal card in the hand, that one would be meant by name: the wild takes its usual place then.
        namesake = any(FACE[card] == FACE[wild] and card not in laid.added for card in view.hand)
        if before.wild_place == laid.meld.wild_place or namesake:
            return None, ()
    return FACE[wild], wild_places(view.table.rules, laid.meld.cards, wild)
