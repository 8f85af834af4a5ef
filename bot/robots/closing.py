"""When it pays to close: what a side would gain by ending the deal now against what both could still gain."""

from collections.abc import Sequence

from bot.robots.outlook import Outlook, kind_bonus
from engine.melds import Meld
from engine.policies import MeldsWithoutCanasta, MuertoPenalty
from engine.scoring import table_worth


def close_value(outlook: Outlook, melds: Sequence[Meld]) -> float:
    """The worth of closing now with these own melds, on the scale of the evaluator: points over going on."""
    rules, table, weights = outlook.rules, outlook.view.table, outlook.weights
    canasta = any(meld.is_canasta for meld in melds)
    worth = float(table_worth(rules, melds))
    if canasta or not rules.closing_bonus_needs_canasta:
        worth += rules.closing_bonus
    partner = _partner_cards(outlook)
    worth -= partner * outlook.average
    if outlook.rounds > 0:
        worth -= _hand_future(outlook, partner) + outlook.rounds * weights.turn_worth * outlook.mates
    others = [side for side in range(table.seating.sides) if side != outlook.side]
    spoiled = [_spoiled(outlook, side) for side in others]
    # Where two sides lose, the one that is ahead matters more than the other.
    return worth + 0.5 * (max(spoiled) + sum(spoiled) / len(spoiled))


def _partner_cards(outlook: Outlook) -> int:
    table = outlook.view.table
    return sum(table.hands[seat].count for seat in table.seating.seats_of(outlook.side) if seat != outlook.view.seat)


def _hand_future(outlook: Outlook, cards: int) -> float:
    return cards * outlook.weights.card_worth * min(1.0, outlook.rounds / 3.0)


def _spoiled(outlook: Outlook, side: int) -> float:
    """What a side may expect beyond its score as it lies, if the deal goes on."""
    rules, table, weights = outlook.rules, outlook.view.table, outlook.weights
    melds = table.melds[side]
    cards = sum(table.hands[seat].count for seat in table.seating.seats_of(side))
    if outlook.rounds <= 0:
        return 0.0
    worth = _hand_future(outlook, cards) + cards * outlook.average * 0.6
    worth += outlook.rounds * weights.turn_worth * outlook.mates
    worth += sum(outlook.prospects(meld)[0] - kind_bonus(rules, meld) for meld in melds)
    if rules.melds_without_canasta is MeldsWithoutCanasta.NEGATIVE and not any(meld.is_canasta for meld in melds):
        none = 1.0
        for meld in melds:
            none *= 1.0 - outlook.prospects(meld)[1]
        worth += 2 * (1.0 - none) * sum(rules.points(meld.cards) for meld in melds)
    if not table.taken[side] and table.muertos:
        penalised = rules.muerto_penalty_when is MuertoPenalty.ALWAYS or any(table.taken)
        worth += 0.6 * (rules.muerto_penalty if penalised else 0) + 40
    return worth
