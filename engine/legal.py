"""Help for interfaces and robots: what a seat may do now, as it knows it from its view, and why not.

Everything here takes a :class:`~engine.views.SeatView`, so that no hint can tell more than the seat sees. What is
listed is what :func:`engine.decide.decide` accepts; melds and adds are found fast and ranked, never all combinations.
"""

from collections.abc import Iterable, Iterator

import msgspec

from engine.actions import (
    Action,
    AddToMeld,
    Discard,
    DrawStock,
    EndTurn,
    LayMeld,
    MoveWild,
    NamedCard,
    TakeMuerto,
    TakePile,
)
from engine.arrange import wild_places
from engine.cards import FACE, IS_TWO, IS_WILD, SUIT, Card, sorted_cards
from engine.legal_melds import Cards, adds_with, candidate_adds, candidate_melds, melds_with
from engine.melds import Kind, Meld, Shape, bonus_of, kind_of
from engine.pile import barred_card, must_take_pile
from engine.policies import PileTaking, StockEnd, WildMove
from engine.reasons import IllegalAction, Reason
from engine.standing import (
    Standing,
    after_add,
    after_meld,
    after_move,
    closing_problem,
    discard_problem,
    obligation_can_be_met,
    standing_in,
    way_on_problem,
)
from engine.state import Phase
from engine.views import SeatView


class Option(msgspec.Struct, frozen=True):
    """A meld, an add or a move that is possible now."""

    action: LayMeld | AddToMeld | MoveWild
    cards: Cards
    """The cards of the hand that it uses; the wild itself for a move."""
    meld: Meld
    """What lies on the table afterwards."""
    kind: Kind
    gain: int
    """Points that the table gains: cards and the change of bonus."""
    empties: bool
    """The hand is empty afterwards."""


def draw_problem(view: SeatView) -> Reason | None:
    """Why the stock may not be drawn from; None where it may."""
    table = view.table
    early = _phase_problem(view, Phase.DRAW)
    if early is not None:
        return early
    if must_take_pile(table.rules, view.hand, table.pile_count, stock_is_out=_stock_is_out(view)):
        return Reason.MUST_TAKE_PILE
    return Reason.PILE_EMPTY if _stock_is_out(view) else None


def pile_problem(view: SeatView) -> Reason | None:
    """Why the pile may not be taken; None where it may."""
    early = _phase_problem(view, Phase.DRAW)
    if early is not None:
        return early
    if not view.table.pile_count:
        return Reason.PILE_EMPTY
    return None if pile_uses(view) else Reason.PILE_TOP_NOT_USED


def pile_uses(view: SeatView) -> list[TakePile]:
    """The ways in which the pile may be taken: one where it is free, else one for each use of its top, best first."""
    table = view.table
    if not table.pile_count or _phase_problem(view, Phase.DRAW) is not None:
        return []
    return pile_uses_of(standing_in(view), table.pile, table.pile_count)


def pile_uses_of(before: Standing, shown: Cards, count: int) -> list[TakePile]:
    """The ways in which a pile of ``count`` cards, of which ``shown`` are in view, may be taken from a standing."""
    rules = before.rules
    standing = _with_pile(before, shown, count)
    if rules.pile_taking is PileTaking.FREE:
        return [TakePile()]
    if rules.pile_taking is PileTaking.TOP_THIS_TURN:
        return [TakePile()] if obligation_can_be_met(standing) else []
    top = shown[-1]
    narrow = msgspec.structs.replace(standing, hand=sorted_cards((*before.hand, top)))
    # What lies under a covered pile is unknown, but it comes into the hand: then the hand is not empty.
    covered = count > len(shown)
    uses: list[Option] = []
    uses += _options(narrow, melds_with(rules, narrow.hand, top), None, judged=not covered)
    for index, meld in enumerate(narrow.melds):
        uses += _options(narrow, adds_with(rules, meld, narrow.hand, top), index, judged=not covered)
    if not covered and count > 1:
        uses = [use for use in uses if _way_on_with_rest(standing, use)]
    if covered:
        uses = [use for use in uses if _may_go_on_covered(narrow, use, count - 1)]
    uses.sort(key=_rank)
    return [TakePile(use.action) for use in uses if not isinstance(use.action, MoveWild)]


def _way_on_with_rest(standing: Standing, use: Option) -> bool:
    index = use.action.meld if isinstance(use.action, AddToMeld) else None
    return next(_options(standing, [use.cards], index), None) is not None


def _may_go_on_covered(narrow: Standing, use: Option, covered: int) -> bool:
    """Whether there is a way on with ``covered`` unknown cards of the pile: a single one must be fit for discarding."""
    if covered > 1 or not use.empties or narrow.can_take_muerto:
        return True
    index = use.action.meld if isinstance(use.action, AddToMeld) else None
    after, _ = _after(narrow, use.cards, index)
    return closing_problem(after, by_discard=True) is None


def _with_pile(before: Standing, shown: Cards, count: int) -> Standing:
    """The standing with the pile in hand, as far as it is in view."""
    rules = before.rules
    owes = rules.pile_taking is PileTaking.TOP_THIS_TURN
    return msgspec.structs.replace(
        before,
        hand=sorted_cards((*before.hand, *shown)),
        barred=barred_card(rules, shown if count == 1 else ()),
        owed=shown[-1] if owes else None,
    )


def _stock_is_out(view: SeatView) -> bool:
    table = view.table
    if table.stock_count:
        return False
    match table.rules.stock_end:
        case StockEnd.THIRD_DECK:
            return table.decks > 2
        case StockEnd.MUERTOS:
            return not table.muertos
        case StockEnd.DEAL_ENDS | StockEnd.WHILE_PILE:
            return True


def _phase_problem(view: SeatView, phase: Phase) -> Reason | None:
    """Why nothing of ``phase`` may be done by this seat now."""
    table = view.table
    if table.phase is Phase.OVER:
        return Reason.DEAL_OVER
    if table.mover != view.seat:
        return Reason.NOT_YOUR_TURN
    if table.choosing is not None:
        return Reason.MUERTO_CHOICE_NEEDED
    if table.phase is not phase:
        return Reason.ALREADY_DRAWN if phase is Phase.DRAW else Reason.MUST_DRAW_FIRST
    return None


def discards(view: SeatView) -> list[tuple[Card, Reason | None]]:
    """Every card of the hand with the reason why it may not be discarded; None where it may."""
    early = _phase_problem(view, Phase.PLAY)
    standing = standing_in(view)
    return [(card, early or discard_problem(standing, card)) for card in view.hand]


def can_end(view: SeatView) -> bool:
    """Whether the turn may end without a discard."""
    return _phase_problem(view, Phase.PLAY) is None and view.discarded


def melds(view: SeatView) -> list[Option]:
    """New melds that may be laid now, best first."""
    if _phase_problem(view, Phase.PLAY) is not None:
        return []
    standing = standing_in(view)
    return sorted(_options(standing, candidate_melds(standing.rules, standing.hand), None), key=_rank)


def adds(view: SeatView) -> list[Option]:
    """Adds to the side's melds that are possible now, best first."""
    if _phase_problem(view, Phase.PLAY) is not None:
        return []
    standing = standing_in(view)
    found: list[Option] = []
    for index, meld in enumerate(standing.melds):
        found += _options(standing, candidate_adds(standing.rules, meld, standing.hand), index)
    return sorted(found, key=_rank)


def moves(view: SeatView) -> list[Option]:
    """Wilds that may move to another place now."""
    standing = standing_in(view)
    if _phase_problem(view, Phase.PLAY) is not None or standing.rules.wild_move is WildMove.NO:
        return []
    found: list[Option] = []
    for index, meld in enumerate(standing.melds):
        wild = meld.wild_card
        if wild is None or meld.shape is not Shape.RUN:
            continue
        home = (FACE[wild],) if IS_TWO[wild] and SUIT[wild] == meld.suit else ()
        for place in dict.fromkeys((*home, *wild_places(standing.rules, meld.cards, wild))):
            try:
                after, moved = after_move(standing, index, wild, place)
            except IllegalAction:
                continue
            if way_on_problem(after) is None:
                action = MoveWild(index, FACE[wild], place)
                found.append(_option(standing, action, (wild,), index, moved, after))
    return found


def options(view: SeatView) -> list[Option]:
    """New melds and adds together, best first: the suggestions of an interface."""
    return sorted([*melds(view), *adds(view)], key=_rank)


def actions(view: SeatView) -> list[Action]:
    """Every kind of thing that the seat may do now; never empty for the seat on turn while a deal goes on."""
    table = view.table
    if table.mover != view.seat or table.phase is Phase.OVER:
        return []
    if table.choosing is not None:
        return [TakeMuerto(index) for index in range(len(table.muertos))]
    if table.phase is Phase.DRAW:
        found: list[Action] = [] if draw_problem(view) is not None else [DrawStock()]
        return [*found, *pile_uses(view)]
    laid = [option.action for option in (*options(view), *moves(view))]
    faces = dict.fromkeys(FACE[card] for card, reason in discards(view) if reason is None)
    end = [EndTurn()] if can_end(view) else []
    return [*laid, *(Discard(face) for face in faces), *end]


def judge(view: SeatView, cards: Cards, index: int | None = None) -> Option:
    """What laying ``cards`` of the hand would make: a new meld, or an add to meld ``index`` of the side.

    Raises:
        IllegalAction: why it may not be laid.
    """
    early = _phase_problem(view, Phase.PLAY)
    if early is not None:
        raise IllegalAction(early)
    standing = standing_in(view)
    after, meld = _after(standing, cards, index)
    problem = way_on_problem(after)
    if problem is not None:
        raise IllegalAction(problem)
    return _option(standing, _action(cards, index), cards, index, meld, after)


# how options are made and ranked


def _after(standing: Standing, cards: Cards, index: int | None) -> tuple[Standing, Meld]:
    if index is None:
        return after_meld(standing, cards, {})
    after, added = after_add(standing, index, cards, {})
    return after, added.meld


def _action(cards: Iterable[Card], index: int | None) -> LayMeld | AddToMeld:
    named = tuple(NamedCard(FACE[card]) for card in cards)
    return LayMeld(named) if index is None else AddToMeld(index, named)


def _options(
    standing: Standing, candidates: Iterable[Cards], index: int | None, *, judged: bool = True
) -> Iterator[Option]:
    for candidate in candidates:
        cards = _as_named(standing, candidate)
        try:
            after, meld = _after(standing, cards, index)
        except IllegalAction:
            continue
        if not judged or way_on_problem(after) is None:
            yield _option(standing, _action(cards, index), cards, index, meld, after)


def _as_named(standing: Standing, cards: Cards) -> Cards:
    """The physical cards that an action with these faces means: of equal cards the owed or barred one goes first."""
    for first in (standing.barred, standing.owed):
        if first is not None and first in standing.hand and first not in cards:
            i = next((i for i, card in enumerate(cards) if FACE[card] == FACE[first]), None)
            cards = cards if i is None else (*cards[:i], first, *cards[i + 1 :])
    return cards


def _option(
    standing: Standing,
    action: LayMeld | AddToMeld | MoveWild,
    cards: Cards,
    index: int | None,
    meld: Meld,
    after: Standing,
) -> Option:
    rules = standing.rules
    kind = kind_of(rules, meld)
    before = 0 if index is None else bonus_of(rules, kind_of(rules, standing.melds[index]))
    laid = 0 if isinstance(action, MoveWild) else rules.points(cards)
    return Option(action, cards, meld, kind, laid + bonus_of(rules, kind) - before, not after.hand)


def _rank(option: Option) -> tuple[int, ...]:
    """Best first: what closes a canasta, then what spends no wild, then what lays more."""
    wilds = sum(IS_WILD[card] for card in option.cards)
    natural = option.meld.wild < 0
    bonus = option.gain if option.kind is not Kind.MELD else 0
    return (-bonus, wilds, not natural, -option.gain, -len(option.cards), *(FACE[card] for card in option.cards))
