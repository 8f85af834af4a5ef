"""From a finished table to its result: a pure function of what is stored of it."""

from collections.abc import Sequence

import structlog

from bot.model import Chair, Status, Table
from bot.results.model import Deal, Player, Result
from bot.store import Record
from engine.events import DealEnded, DealStarted, Event
from engine.evolve import evolve
from engine.state import Deal as PlayedDeal
from engine.state import Match

log = structlog.get_logger()

_FOLDING_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def result_of(record: Record, events: Sequence[Event], ended_ms: int) -> Result | None:
    """The result of a table; None while its match is not over.

    Args:
        record: the table as last committed.
        events: all events of its match; without them the deals are not told one by one.
        ended_ms: when it ended, in milliseconds since the epoch.
    """
    table, match = record.table, record.match
    if table.status is not Status.OVER or match is None or match.winner is None:
        return None
    return Result(
        table_id=table.id,
        table=table.name,
        ruleset=table.rules.id,
        ruleset_name=table.rules.name,
        seating=table.seating,
        target=table.rules.target,
        origin=table.origin,
        started_ms=table.created_ms if table.started_ms is None else table.started_ms,
        ended_ms=ended_ms,
        totals=match.totals,
        winner=match.winner,
        players=tuple(_player(chair, match.deals) for chair in table.chairs),
        deals=_deals(table, match, events),
        deal_count=match.deals,
        house_rules=any(name != "target" for name in table.options),
        lesson=table.lesson,
        stake=table.stake,
    )


def _player(chair: Chair, deals: int) -> Player:
    """Whom a seat of a match with so many deals counts for."""
    if chair.left is not None and chair.left_how == "":
        # Leaving is losing: nobody takes that away by playing on.
        return Player(chair.left_name, chair.left, left=True, stood_in=True)
    if chair.since is not None and 2 * (deals - chair.since) <= deals:
        # A substitute who did not play most of the match has neither won nor lost it.
        return _before(chair)
    if chair.left is not None and chair.since is None:
        return _before(chair)
    return Player(
        chair.name,
        chair.person,
        robot=chair.person is None,
        stood_in=chair.stood_in or chair.absent,
        absent=chair.absent,
        filled=chair.filled and chair.person is not None,
    )


def _before(chair: Chair) -> Player:
    """Who sat at a seat before somebody took it over."""
    if chair.left is None and chair.filled:
        return Player(chair.left_name, robot=True)
    return Player(
        chair.left_name,
        chair.left,
        stood_in=True,
        absent=chair.left_how == "absent",
        sent_away=chair.left_how == "voted",
    )


def _deals(table: Table, match: Match, events: Sequence[Event]) -> tuple[Deal, ...]:
    """The deals, folded from the events."""
    if not events or not isinstance(events[0], DealStarted):
        return ()
    sides = table.seating.sides
    fold = Match(rules=table.rules, seating=table.seating, first_starter=match.first_starter, totals=(0,) * sides)
    found: list[Deal] = []
    try:
        for event in events:
            fold = evolve(fold, event)
            if isinstance(event, DealEnded) and fold.deal is not None:
                found.append(_deal(fold.deal, event))
    except _FOLDING_ERRORS as error:
        log.warning("results.deals_unreadable", table=table.id, error=repr(error))
        return ()
    return tuple(found) if fold.totals == match.totals else ()


def _deal(deal: PlayedDeal, ended: DealEnded) -> Deal:
    return Deal(
        points=tuple(score.total for score in ended.scores),
        canastas=tuple(sum(meld.is_canasta for meld in melds) for melds in deal.melds),
        clean=tuple(sum(meld.is_clean_canasta for meld in melds) for melds in deal.melds),
        closer=deal.closer,
    )
