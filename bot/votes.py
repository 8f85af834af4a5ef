"""What the people at a table decide together, without anybody who keeps order. Pure functions of a table.

Who votes are the others: everybody who is present, without whoever put the question and without whom it is about. More
than half of them carry it. Whether a seat may be taken over is asked of the host, or of anybody where the host is away.
"""

from typing import Final

import msgspec

from bot import lobby
from bot.lobby import LobbyError, LobbyProblem
from bot.model import Pace, Person, Status, Table, Vote, VoteKind
from bot.substitutes import is_free, may_change, sit_in
from engine.state import Match

VOTE_SECONDS: Final = 600
"""A vote that nobody has decided lapses after so long."""
WAIT_SECONDS: Final = 900
"""Whoever put a question in vain waits so long before the next."""
MAIL_SECONDS: Final = 24 * 3600
"""Both, at the pace of days."""

_replace = msgspec.structs.replace


def open_vote(table: Table, now_ms: int) -> Vote | None:
    """The vote that goes on at a table; None where none does, or it has lapsed."""
    vote = table.vote
    return vote if vote is not None and (vote.carried or now_ms < vote.until_ms) else None


def voters(table: Table, vote: Vote) -> tuple[str, ...]:
    """The persons who may answer."""
    if vote.kind is VoteKind.SEAT:
        return (table.host,) if table.host is not None and table.host in table.present else table.present
    return tuple(person for person in table.present if person not in (vote.by, vote.about))


def put(
    table: Table,
    person: Person,
    kind: VoteKind,
    now_ms: int,
    *,
    seat: int = -1,
    pace: Pace | None = None,
    granted: bool = False,
) -> Table:
    """The table with a question put to the others; one that is ``granted`` only waits for the end of a turn.

    Raises:
        LobbyError: nothing is being played, another vote goes on, nobody could answer, or it makes no sense.
    """
    _check(table.status is Status.PLAYING, LobbyProblem.NOT_PLAYING)
    _check(kind is VoteKind.SEAT or table.seat_of(person.id) is not None, LobbyProblem.NOT_SEATED)
    _check(open_vote(table, now_ms) is None, LobbyProblem.VOTE_OPEN)
    _check(granted or table.waits.get(person.id, 0) <= now_ms, LobbyProblem.TOO_SOON)
    name = about = ""
    if kind in (VoteKind.EXPEL, VoteKind.SEAT):
        _check(0 <= seat < len(table.chairs), LobbyProblem.NOT_SEATED)
        name, about = table.chairs[seat].name, table.chairs[seat].person or ""
    if kind is VoteKind.EXPEL:
        _check(about not in ("", person.id), LobbyProblem.NOT_SEATED)
    _check(kind is not VoteKind.EXPEL or not table.stake, LobbyProblem.STAKED)
    _check(kind is not VoteKind.PACE or pace not in (None, table.pace), LobbyProblem.SAME_PACE)
    until = now_ms + _seconds(table, VOTE_SECONDS) * 1000
    number = table.votes + 1
    own = table.seat_of(person.id)
    by_name = person.name if own is None else table.chairs[own].name
    vote = Vote(number, kind, person.id, by_name, until, seat, name, about, pace)
    if granted:
        vote = _replace(vote, carried=True)
    _check(granted or voters(table, vote), LobbyProblem.NO_VOTERS)
    return _replace(table, vote=vote, votes=number)


def cast(table: Table, person_id: str, number: int, now_ms: int, *, yes: bool) -> Table:
    """The table with somebody's answer, which replaces an earlier one; whoever put the question may take it back.

    Raises:
        LobbyError: that vote does not go on any more, or it is not theirs to answer.
    """
    vote = open_vote(table, now_ms)
    if vote is None or vote.number != number or vote.carried or table.status is not Status.PLAYING:
        raise LobbyError(LobbyProblem.NO_VOTE)
    if person_id == vote.by and not yes:
        return _dropped(table, vote, now_ms)
    _check(person_id in voters(table, vote), LobbyProblem.NOT_A_VOTER)
    others_yes = tuple(other for other in vote.yes if other != person_id)
    others_no = tuple(other for other in vote.no if other != person_id)
    answered = (
        _replace(vote, yes=(*others_yes, person_id), no=others_no)
        if yes
        else _replace(vote, yes=others_yes, no=(*others_no, person_id))
    )
    return _replace(table, vote=answered)


def outcome(table: Table, vote: Vote) -> bool | None:
    """Whether a vote is carried or lost; None while it is open."""
    if vote.carried:
        return True
    who = voters(table, vote)
    yes, no = (sum(person in who for person in said) for said in (vote.yes, vote.no))
    if vote.kind is VoteKind.SEAT and (yes or no):
        return yes > 0
    if not who or 2 * no >= len(who):
        return False
    return True if 2 * yes > len(who) else None


def settled(table: Table, match: Match | None, now_ms: int) -> Table:
    """The table with its vote decided, where it can be; the same table where there is nothing to decide yet."""
    vote = table.vote
    if vote is None or table.status is not Status.PLAYING:
        return table
    gone = vote.kind is VoteKind.EXPEL and table.chairs[vote.seat].person != vote.about
    if gone or (vote.kind is VoteKind.SEAT and not is_free(table, vote.by, vote.seat, now_ms)):
        return _dropped(table, vote, now_ms, wait=False)
    decided = outcome(table, vote)
    if decided:
        return _carried(table, vote, match)
    if decided is False or now_ms >= vote.until_ms:
        return _dropped(table, vote, now_ms)
    return table


def _carried(table: Table, vote: Vote, match: Match | None) -> Table:
    granted = _replace(vote, carried=True)
    if vote.kind is VoteKind.SEAT and not may_change(table, match, vote.seat):
        return table if vote.carried else _replace(table, vote=granted)
    after = _replace(table, vote=None, past_vote=granted)
    if vote.kind is VoteKind.END:
        return _replace(after, status=Status.CANCELLED)
    if vote.kind is VoteKind.PACE:
        return _replace(after, pace=vote.pace or table.pace)
    if vote.kind is VoteKind.SEAT:
        return sit_in(after, vote.by, vote.by_name, vote.seat, match)
    return lobby.give_up(after, vote.about, table.robot_level, "voted")


def _dropped(table: Table, vote: Vote, now_ms: int, *, wait: bool = True) -> Table:
    waits = {person: until for person, until in table.waits.items() if until > now_ms}
    if wait:
        waits[vote.by] = now_ms + _seconds(table, WAIT_SECONDS) * 1000
    return _replace(table, vote=None, past_vote=_replace(vote, carried=False), waits=waits)


def _seconds(table: Table, seconds: int) -> int:
    return MAIL_SECONDS if table.pace is Pace.MAIL else seconds


def without_person(table: Table, person_id: str) -> Table:
    """A table whose votes, and what follows from them, do not tell of a person any more."""
    vote, past = (None if _tells(vote, person_id) else vote for vote in (table.vote, table.past_vote))
    return _replace(
        table,
        vote=vote,
        past_vote=past,
        waits={person: until for person, until in table.waits.items() if person != person_id},
        seen={person: seat for person, seat in table.seen.items() if person != person_id},
        circle=() if person_id in table.circle else table.circle,
    )


def _tells(vote: Vote | None, person_id: str) -> bool:
    return vote is not None and person_id in (vote.by, vote.about, *vote.yes, *vote.no)


def _check(condition: object, problem: LobbyProblem) -> None:
    if not condition:
        raise LobbyError(problem)
