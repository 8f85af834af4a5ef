"""How turns, deals and matches end."""

from engine.events import DealEnded, Event, MatchWon, TurnEnded
from engine.evolve import evolve, evolve_all
from engine.legal import pile_uses
from engine.policies import StockEnd
from engine.scoring import score_deal, winner_of
from engine.state import Deal, Ended, Match
from engine.views import seat_view


def close(match: Match) -> tuple[Event, ...]:
    """The events of a close by the seat on turn, whose hand is empty in ``match``."""
    return _end_deal(match, Ended.CLOSED)


def end_turn(match: Match, done: tuple[Event, ...] = ()) -> tuple[Event, ...]:
    """The events after a turn that did not close: the next turn, or the end of the deal.

    ``done`` is what ends the turn, such as its discard, where ``match`` does not hold it yet: most turns end without a
    look at more than the stock, which it does not touch.
    """
    deal = _deal(match)
    if match.rules.stock_end is StockEnd.WHILE_PILE and not deal.stock:
        match, done = evolve_all(match, done), ()
    if stock_is_spent(match):
        return _end_deal(evolve_all(match, done), Ended.STOCK_OUT)
    if not deal.turn.drew and deal.turns_without_draw + 1 >= match.rules.rounds_without_draw * match.seating.seats:
        return _end_deal(evolve_all(match, done), Ended.NO_DRAWS)
    seat = deal.turn.seat
    following = TurnEnded(seat, (seat + 1) % match.seating.seats)
    if match.rules.stock_end is StockEnd.WHILE_PILE and not deal.stock and not _next_can_take_pile(match, following):
        return _end_deal(match, Ended.STOCK_OUT)
    return (following,)


def stock_is_spent(match: Match) -> bool:
    """Whether the deal ends with the turn in progress because the stock has run out."""
    deal, rules = _deal(match), match.rules
    left = len(deal.stock)
    match rules.stock_end:
        case StockEnd.DEAL_ENDS:
            return left <= rules.stock_left_at_end
        case StockEnd.THIRD_DECK:
            return left == 0 and not deal.reserve
        case StockEnd.MUERTOS:
            return left == 0 and not deal.muertos
        case StockEnd.WHILE_PILE:
            return left == 0 and not deal.pile


def _next_can_take_pile(match: Match, following: TurnEnded) -> bool:
    return bool(pile_uses(seat_view(evolve(match, following), following.next_seat)))


def _end_deal(match: Match, how: Ended) -> tuple[Event, ...]:
    deal, rules, seating = _deal(match), match.rules, match.seating
    seat = deal.turn.seat
    scores = score_deal(rules, seating, deal, seat if how is Ended.CLOSED else None)
    totals = tuple(before + score.total for before, score in zip(match.totals, scores, strict=True))
    ended = DealEnded(seat, how, scores, totals)
    winner = winner_of(rules, seating, totals, match.first_starter)
    return (ended,) if winner is None else (ended, MatchWon(winner))


def _deal(match: Match) -> Deal:
    if match.deal is None:
        raise AssertionError("turns end only within a deal")
    return match.deal
