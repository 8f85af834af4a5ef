"""Where a player stands in the middle of a turn, and whether there is a legal way on.

Everything here works on a :class:`Standing`: what the mover knows (own hand, own melds, the obligations of the turn),
nothing hidden. So the same rules serve :mod:`engine.decide`, which holds the whole state, and :mod:`engine.legal`,
which helps from a seat's view.
"""

from collections.abc import Iterable, Mapping

import msgspec

from engine import arrange
from engine.cards import IS_WILD, Card, Face, without
from engine.legal_melds import adds_with, candidate_adds, candidate_melds, melds_with
from engine.melds import Meld, Shape
from engine.policies import Closing, ClosingBy, DisplacedWild, WildDiscard
from engine.reasons import IllegalAction, Reason
from engine.ruleset import Ruleset
from engine.state import Match
from engine.views import SeatView


class Standing(msgspec.Struct, frozen=True):
    """The mover's own cards and obligations after drawing."""

    rules: Ruleset
    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    """The side's melds."""
    taken: int
    """How many muertos the side has taken."""
    muertos: int
    """How many muertos lie on the table."""
    barred: Card | None
    owed: Card | None
    all_wild: bool
    discarded: bool

    @property
    def can_take_muerto(self) -> bool:
        """Whether an empty hand takes a muerto now."""
        return self.muertos > 0 and self.taken < self.rules.muertos_a_side


def standing_of(match: Match) -> Standing:
    """The standing of the seat on turn.

    Raises:
        ValueError: no deal has begun.
    """
    deal = match.deal
    if deal is None:
        raise ValueError("no deal has begun")
    turn = deal.turn
    side = match.seating.side_of(turn.seat)
    return Standing(
        rules=match.rules,
        hand=deal.hands[turn.seat],
        melds=deal.melds[side],
        taken=deal.taken[side],
        muertos=len(deal.muertos),
        barred=turn.barred,
        owed=turn.owed,
        all_wild=turn.all_wild,
        discarded=turn.discarded,
    )


def standing_in(view: SeatView) -> Standing:
    """The standing of a seat, as it knows it from its view."""
    table = view.table
    return Standing(
        rules=table.rules,
        hand=view.hand,
        melds=table.melds[view.side],
        taken=table.taken[view.side],
        muertos=len(table.muertos),
        barred=view.barred,
        owed=view.owed,
        all_wild=view.all_wild,
        discarded=view.discarded,
    )


# melding


def after_meld(standing: Standing, cards: Iterable[Card], named: Mapping[Card, Face]) -> tuple[Standing, Meld]:
    """The standing after laying a new meld, and the meld; what is left of the hand is not judged here.

    Raises:
        IllegalAction: the cards make no meld, or the side may not lay this one.
    """
    used = tuple(cards)
    rules = standing.rules
    meld = arrange.judge_new(rules, used, named)
    if not rules.second_set_of_rank and any(_sets_of_one_rank(meld, old) for old in standing.melds):
        raise IllegalAction(Reason.SECOND_SET_OF_RANK)
    if rules.first_meld_minimum and not standing.melds:
        points = rules.points(meld.cards)
        if points < rules.first_meld_minimum:
            raise IllegalAction(Reason.FIRST_MELD_MINIMUM, minimum=rules.first_meld_minimum, points=points)
    return _used(standing, used, (), (*standing.melds, meld)), meld


def after_add(
    standing: Standing, index: int, cards: Iterable[Card], named: Mapping[Card, Face]
) -> tuple[Standing, arrange.Added]:
    """The standing after adding cards to a meld, and what became of it; the rest of the hand is not judged here.

    Raises:
        IllegalAction: the final cards make no such meld.
    """
    used = tuple(cards)
    added = arrange.judge_add(standing.rules, standing.melds[index], used, named)
    return _used(standing, used, added.returned, _replaced(standing.melds, index, added.meld)), added


def after_move(standing: Standing, index: int, card: Card, place: Face) -> tuple[Standing, Meld]:
    """The standing after moving a wild, and the meld.

    Raises:
        IllegalAction: the wild cannot move there.
    """
    meld = arrange.judge_move(standing.rules, standing.melds[index], card, place)
    return _used(standing, (), (), _replaced(standing.melds, index, meld)), meld


def _sets_of_one_rank(meld: Meld, other: Meld) -> bool:
    return meld.shape is Shape.SET and other.shape is Shape.SET and other.low == meld.low


def _replaced(melds: tuple[Meld, ...], index: int, meld: Meld) -> tuple[Meld, ...]:
    return (*melds[:index], meld, *melds[index + 1 :])


def _used(standing: Standing, used: tuple[Card, ...], returned: tuple[Card, ...], melds: tuple[Meld, ...]) -> Standing:
    owed = None if standing.owed in used else standing.owed
    hand = without(standing.hand, used) + returned
    return msgspec.structs.replace(standing, hand=hand, melds=melds, owed=owed)


# discarding and closing


def discard_problem(standing: Standing, card: Card) -> Reason | None:
    """Why a card of the hand may not be discarded now; None where it may."""
    if standing.discarded:
        return Reason.ALREADY_DISCARDED
    if standing.owed is not None:
        return Reason.PILE_TOP_NOT_USED
    if card == standing.barred:
        return Reason.PILE_CARD_BARRED
    last = len(standing.hand) == 1
    closes = last and not standing.can_take_muerto
    if IS_WILD[card]:
        match standing.rules.wild_discard:
            case WildDiscard.NEVER if not standing.all_wild:
                return Reason.WILD_DISCARD
            case WildDiscard.NOT_CLOSING if closes:
                return Reason.WILD_DISCARD
            case _:
                pass
    return closing_problem(standing, by_discard=True) if closes else None


def closing_problem(standing: Standing, *, by_discard: bool) -> Reason | None:
    """Which closing condition fails first: muerto, canasta, clean canasta, way of closing; None where all hold."""
    rules = standing.rules
    if standing.taken == 0:
        return Reason.CLOSING_NEEDS_MUERTO
    if rules.closing is not Closing.NONE and not any(meld.is_canasta for meld in standing.melds):
        return Reason.CLOSING_NEEDS_CANASTA
    if rules.closing is Closing.CLEAN and not any(meld.is_clean_canasta for meld in standing.melds):
        return Reason.CLOSING_NEEDS_CLEAN_CANASTA
    if rules.closing_by is ClosingBy.DISCARD and not by_discard:
        return Reason.MUST_CLOSE_BY_DISCARDING
    return None


# the look-ahead


def way_on_problem(standing: Standing, *, further: bool = True) -> Reason | None:
    """Why the standing after a meld, add or move leaves no legal way on (RULESETS.md, How the rules work, 6).

    None where there is one. ``further`` allows for one more action where two or more cards are left that cannot be
    discarded.
    """
    hand = standing.hand
    if not hand:
        return None if standing.can_take_muerto else closing_problem(standing, by_discard=False)
    if standing.discarded or any(discard_problem(standing, card) is None for card in hand):
        return None
    if len(hand) > 1 and further and _one_action_leads_on(standing):
        return None
    return Reason.MUST_KEEP_A_DISCARD


def _one_action_leads_on(standing: Standing) -> bool:
    """Whether one meld or add takes the cards that cannot be discarded off the hand, or meets the obligation."""
    if standing.owed is not None:
        return owed_can_be_used(standing, further=False)
    # Nothing that is left can be discarded, and that will not change: all of it has to go at once.
    return any(way_on_problem(after, further=False) is None for after in _whole_hand_laid(standing))


def _whole_hand_laid(standing: Standing) -> Iterable[Standing]:
    hand = standing.hand
    for index in range(len(standing.melds)):
        try:
            yield after_add(standing, index, hand, {})[0]
        except IllegalAction:
            continue
    try:
        yield after_meld(standing, hand, {})[0]
    except IllegalAction:
        return


def owed_can_be_used(standing: Standing, *, further: bool = True) -> bool:
    """Whether the card that is owed can go into a meld of hand and table with a legal way on."""
    owed = standing.owed
    if owed is None:
        return True
    for cards in melds_with(standing.rules, standing.hand, owed):
        try:
            after, _ = after_meld(standing, cards, {})
        except IllegalAction:
            continue
        if way_on_problem(after, further=further) is None:
            return True
    for index, meld in enumerate(standing.melds):
        for cards in adds_with(standing.rules, meld, standing.hand, owed):
            try:
                after, _ = after_add(standing, index, cards, {})
            except IllegalAction:
                continue
            if way_on_problem(after, further=further) is None:
                return True
    return False


def obligation_can_be_met(standing: Standing) -> bool:
    """Whether a pile just taken can be answered for: its top used this turn, with a legal way on.

    One action may do, or one that prepares it: the first meld where that has a minimum, or an exchange that brings a
    wild back to the hand.
    """
    return owed_can_be_used(standing) or any(way_on_problem(after) is None for after in _preparations(standing))


def _preparations(standing: Standing) -> Iterable[Standing]:
    rules = standing.rules
    if rules.first_meld_minimum and not standing.melds:
        for cards in candidate_melds(rules, standing.hand):
            try:
                yield after_meld(standing, cards, {})[0]
            except IllegalAction:
                continue
    if rules.displaced_wild is DisplacedWild.HAND:
        for index, meld in enumerate(standing.melds):
            for cards in candidate_adds(rules, meld, standing.hand):
                try:
                    after, added = after_add(standing, index, cards, {})
                except IllegalAction:
                    continue
                if added.returned:
                    yield after
