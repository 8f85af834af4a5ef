"""What a deal is worth to each side, and who has won the match."""

from collections.abc import Sequence

from engine.melds import Meld, bonus_of, kind_of
from engine.policies import MeldsWithoutCanasta, MuertoPenalty, Tie, UnusedMuerto
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Deal, SideScore


def score_deal(rules: Ruleset, seating: Seating, deal: Deal, closer: int | None) -> tuple[SideScore, ...]:
    """The score of each side, as the deal lies. ``closer`` is the seat that closed, if anybody did."""
    closing_side = None if closer is None else seating.side_of(closer)
    return tuple(_score_side(rules, seating, deal, side, closed=side == closing_side) for side in range(seating.sides))


def _score_side(rules: Ruleset, seating: Seating, deal: Deal, side: int, *, closed: bool) -> SideScore:
    melds = deal.melds[side]
    has_canasta = any(meld.is_canasta for meld in melds)
    cards = table_points(rules, melds)
    bonuses = sum(bonus_of(rules, kind_of(rules, meld)) for meld in melds)
    hand = -sum(rules.points(deal.hands[seat]) for seat in seating.seats_of(side))
    muerto = -rules.muerto_penalty if _pays_for_muerto(rules, deal, side) else 0
    closing = rules.closing_bonus if closed and (has_canasta or not rules.closing_bonus_needs_canasta) else 0
    return SideScore(cards, bonuses, hand, muerto, closing, cards + bonuses + hand + muerto + closing)


def table_points(rules: Ruleset, melds: Sequence[Meld]) -> int:
    """What the cards on the table count for a side: negative without a canasta where the rule set says so."""
    points = sum(rules.points(meld.cards) for meld in melds)
    if rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE and not any(meld.is_canasta for meld in melds):
        return -points
    return points


def table_worth(rules: Ruleset, melds: Sequence[Meld]) -> int:
    """What lies on the table is worth to a side now, bonuses included."""
    return table_points(rules, melds) + sum(bonus_of(rules, kind_of(rules, meld)) for meld in melds)


def _pays_for_muerto(rules: Ruleset, deal: Deal, side: int) -> bool:
    if deal.taken[side]:
        return rules.unused_muerto is UnusedMuerto.PENALTY_AND_HAND and not deal.muerto_used[side]
    match rules.muerto_penalty_when:
        case MuertoPenalty.ALWAYS:
            return True
        case MuertoPenalty.UNLESS_NOBODY_DID:
            return any(deal.taken)


def winner_of(rules: Ruleset, seating: Seating, totals: Sequence[int], first_starter: int) -> int | None:
    """The side that has won the match with these totals; None where it goes on.

    Several sides at or over the target: the highest wins. A tie at the top is played out, or goes to the side of the
    match's first starter where the rule set says so.
    """
    top = max(totals)
    if top < rules.target and rules.target:
        return None
    leaders = [side for side, total in enumerate(totals) if total == top]
    if len(leaders) == 1:
        return leaders[0]
    match rules.tie:
        case Tie.ANOTHER_DEAL:
            return None
        case Tie.FIRST_STARTER:
            side = seating.side_of(first_starter)
            return side if side in leaders else leaders[0]
