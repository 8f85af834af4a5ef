"""Taking over a seat that a robot plays in a match that goes on. Pure functions of a table.

The one whose seat it was has the first claim and needs nobody's leave. Whoever has sat elsewhere at the table has seen
cards that the seat may not know, and is refused. Nobody changes in the middle of a turn.
"""

from typing import Final

import msgspec

from bot.lobby import LobbyError, LobbyProblem
from bot.model import Chair, Pace, Status, Table
from bot.names import unused_name
from engine.state import Match, Phase

LONG_ABSENT_SECONDS: Final = 900
"""Whoever has been away for so long may be replaced."""
LONG_ABSENT_MAIL_SECONDS: Final = 3 * 24 * 3600
"""The same at the pace of days."""

_replace = msgspec.structs.replace


def robot_seats(table: Table) -> tuple[int, ...]:
    """The seats that a robot plays now, for good or for somebody who is away."""
    if table.status is not Status.PLAYING or table.lesson or table.stake:
        return ()
    return tuple(seat for seat, chair in enumerate(table.chairs) if chair.robot is not None or chair.absent)


def check_claim(table: Table, person_id: str, seat: int, now_ms: int) -> None:
    """Refuse what somebody may not take over.

    Raises:
        LobbyError: with the reason.
    """
    _check(table.status is Status.PLAYING and not table.lesson, LobbyProblem.NOT_PLAYING)
    _check(not table.stake, LobbyProblem.STAKED)
    _check(table.seat_of(person_id) is None, LobbyProblem.ALREADY_SEATED)
    _check(seat in robot_seats(table), LobbyProblem.SEAT_TAKEN)
    chair = table.chairs[seat]
    _check(not (chair.left == person_id and chair.left_how == "voted"), LobbyProblem.SENT_AWAY)
    _check(table.seen.get(person_id, seat) == seat, LobbyProblem.SAW_CARDS)
    if chair.absent:
        times = LONG_ABSENT_MAIL_SECONDS if table.pace is Pace.MAIL else LONG_ABSENT_SECONDS
        away = 0 if chair.absent_ms is None else now_ms - chair.absent_ms
        _check(away >= times * 1000, LobbyProblem.NOT_GONE_LONG)


def is_free(table: Table, person_id: str, seat: int, now_ms: int) -> bool:
    """Whether somebody may take a seat over."""
    try:
        check_claim(table, person_id, seat, now_ms)
    except LobbyError:
        return False
    return True


def needs_no_leave(table: Table, person_id: str, seat: int) -> bool:
    """Whether a claim that may be made needs nobody's leave.

    That is so for whoever gave this seat up, and for everybody where they did so by themselves at a public table.
    """
    chair = table.chairs[seat]
    if chair.robot is None or chair.left is None:
        return False
    return chair.left == person_id or (chair.left_how == "" and is_public(table))


def is_public(table: Table) -> bool:
    """Whether anybody may sit down at a table: one that was opened in a server or group, for all who are there."""
    return bool(table.origin) and not table.private


def may_change(table: Table, match: Match | None, seat: int) -> bool:
    """Whether a seat is not in the middle of its turn; where nobody is there, its robot does not end the turn."""
    if not table.present:
        return True
    if match is None or match.deal is None or not match.in_play:
        return True
    return match.deal.turn.seat != seat or match.deal.turn.phase is Phase.DRAW


def sit_in(table: Table, person_id: str, name: str, seat: int, match: Match | None) -> Table:
    """The table with a person in a seat that a robot played."""
    old = table.chairs[seat]
    others = (chair.name for at, chair in enumerate(table.chairs) if at != seat)
    chair = Chair(unused_name(name, others), person_id, stood_in=True, filled=old.filled)
    if old.left == person_id:
        # Back in their own seat: it is as if a robot had stood in.
        return _seated(table, seat, chair)
    since = 0 if match is None else match.deals
    chair = _replace(chair, since=since, left=old.left, left_name=old.left_name, left_how=old.left_how)
    if old.absent and old.left is None and not old.filled:
        chair = _replace(chair, left=old.person, left_name=old.name, left_how="absent")
    elif old.robot is not None and old.left is None:
        chair = _replace(chair, left_name=old.name, filled=True)
    return _seated(table, seat, chair)


def _seated(table: Table, seat: int, chair: Chair) -> Table:
    before = table.chairs[seat].person
    seen = {person: at for person, at in table.seen.items() if person != chair.person}
    if before is not None:
        seen[before] = seat
    chairs = (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])
    host = table.host if table.host is not None and table.host != before else chair.person
    return _replace(table, chairs=chairs, seen=seen, host=host)


def _check(condition: object, problem: LobbyProblem) -> None:
    if not condition:
        raise LobbyError(problem)
