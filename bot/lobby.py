"""What happens at a table before the match: sitting down, robots, the lot. Pure functions of a table."""

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Final

import msgspec

from bot.model import Chair, Pace, Person, Status, Table
from bot.names import unused_name
from bot.robots.registry import LEVELS
from engine.seating import Seating

ROBOT_NAMES = ("Lola", "Bruno", "Carmen", "Nico", "Vera", "Tomás")
"""Names of the robots, given out in order."""
HOST_SECONDS: Final = 300
"""A full lobby in which nothing has happened for so long may be started by anybody in it."""
STALE_SECONDS: Final = 3600
"""A lobby in which nothing has happened for so long may be closed by anybody."""
MAIL_TIMES: Final = 24
"""At the pace of days, both take so many times as long: its players come by once a day."""


class LobbyProblem(StrEnum):
    """Why something cannot be done in a lobby."""

    NOT_IN_LOBBY = "not_in_lobby"
    TABLE_FULL = "table_full"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    ONLY_HOST = "only_host"
    NO_ROBOT = "no_robot"
    SIDE_FULL = "side_full"
    NOT_ALLOWED = "not_allowed"
    PRIVATE = "private"
    """Only those who know the code of a private table may sit down."""
    ONLY_PEOPLE = "only_people"
    """Robots have no coins to put up."""
    NOT_FULL = "not_full"
    """A match for coins begins with a person at every seat."""
    HOST_FIRST = "host_first"
    """Others may only once nothing has happened for a while."""
    HAS_CHANGED = "has_changed"
    NOT_PLAYING = "not_playing"
    NO_VOTE = "no_vote"
    VOTE_OPEN = "vote_open"
    NO_VOTERS = "no_voters"
    NOT_A_VOTER = "not_a_voter"
    TOO_SOON = "too_soon"
    SAME_PACE = "same_pace"
    SEAT_TAKEN = "seat_taken"
    NOT_GONE_LONG = "not_gone_long"
    SAW_CARDS = "saw_cards"
    SENT_AWAY = "sent_away"
    STAKED = "staked"
    """Whoever has put nothing up takes no seat, and nobody is sent away from what they have put up."""
    BLOCKED = "blocked"
    BLOCKED_BY_HOST = "blocked_by_host"


class LobbyError(Exception):
    """Something that cannot be done now."""

    def __init__(self, problem: LobbyProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


_replace = msgspec.structs.replace


def _check(condition: object, problem: LobbyProblem) -> None:
    if not condition:
        raise LobbyError(problem)


def join(table: Table, person: Person, side: int | None = None, code: str = "") -> Table:
    """The table with a person more, on a side or where the lot puts them; the first becomes the host.

    Who sits there already changes over to the side. ``code`` is what the person knows of a private table.

    Raises:
        LobbyError: the match has begun, the table or the side is full, the table is private, or the person sits there.
    """
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    seat = table.seat_of(person.id)
    if seat is None:
        _check(not table.private or not table.chairs or code == table.code, LobbyProblem.PRIVATE)
        _check(not table.is_full, LobbyProblem.TABLE_FULL)
        name = unused_name(person.name, (chair.name for chair in table.chairs))
        table = _replace(
            table, chairs=(*table.chairs, Chair(name=name, person=person.id)), host=table.host or person.id
        )
        return table if side is None else _change_over(table, len(table.chairs) - 1, side)
    _check(side is not None and side != table.chairs[seat].side, LobbyProblem.ALREADY_SEATED)
    return _change_over(table, seat, side)


def side_is_full(table: Table, side: int) -> bool:
    """Whether everybody who fits on a side has chosen it."""
    return sum(chair.side == side for chair in table.chairs) >= table.seating.seats // table.seating.sides


def _change_over(table: Table, seat: int, side: int | None) -> Table:
    if side is not None:
        _check(table.seating.in_pairs and 0 <= side < table.seating.sides, LobbyProblem.SIDE_FULL)
        _check(not side_is_full(table, side), LobbyProblem.SIDE_FULL)
    chairs = list(table.chairs)
    chairs[seat] = _replace(chairs[seat], side=side)
    return _replace(table, chairs=tuple(chairs))


def leave(table: Table, person_id: str) -> Table:
    """The table without a person; a leaving host hands over to the next, and the last one cancels the table.

    Raises:
        LobbyError: the match has begun, or the person does not sit there.
    """
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    _check(table.seat_of(person_id) is not None, LobbyProblem.NOT_SEATED)
    return _without(table, person_id, tuple(chair for chair in table.chairs if chair.person != person_id))


def give_up(table: Table, person_id: str, robot: str, how: str = "") -> Table:
    """The table in play with a robot in a person's place; with the last person the table closes.

    A seat that had been given up before stays in the first one's name.

    Raises:
        LobbyError: nothing is being played, or the person does not sit there.
    """
    _check(table.status is Status.PLAYING, LobbyProblem.NOT_IN_LOBBY)
    seat = table.seat_of(person_id)
    _check(seat is not None, LobbyProblem.NOT_SEATED)
    chairs = tuple(
        _given_up(_robot_chair(table.chairs, robot), chair, how) if chair.person == person_id else chair
        for chair in table.chairs
    )
    seen = table.seen if seat is None else {**table.seen, person_id: seat}
    return _without(_replace(table, seen=seen), person_id, chairs)


def _given_up(robot: Chair, chair: Chair, how: str) -> Chair:
    if chair.left is not None:
        return _replace(robot, left=chair.left, left_name=chair.left_name, left_how=chair.left_how)
    if chair.filled:
        # It was a robot's from the start, and is again.
        return robot
    return _replace(robot, left=chair.person, left_name=chair.name, left_how=how)


def expel(table: Table, person_id: str, seat: int, *, moderator: bool = False) -> Table:
    """The table without the person on a chair; in play a robot has their seat.

    Raises:
        LobbyError: only the host or a moderator may, in play only a moderator, and not themselves.
    """
    check_expelling(table, person_id, moderator=moderator)
    _check(0 <= seat < len(table.chairs), LobbyProblem.NOT_SEATED)
    other = table.chairs[seat].person
    _check(other is not None and other != person_id, LobbyProblem.NOT_SEATED)
    return (
        leave(table, other or "")
        if table.status is Status.LOBBY
        else give_up(table, other or "", table.robot_level, "voted")
    )


def check_expelling(table: Table, person_id: str, *, moderator: bool) -> None:
    """Refuse somebody who may send nobody away.

    Raises:
        LobbyError: they are neither the host nor a moderator, or the match has begun and they are no moderator.
    """
    playing = table.status is Status.PLAYING and moderator
    _check(table.status is Status.LOBBY or playing, LobbyProblem.NOT_IN_LOBBY)
    _check(moderator or table.host == person_id, LobbyProblem.ONLY_HOST)


def end(table: Table, person_id: str, now_ms: int, *, moderator: bool = False) -> Table:
    """The table, closed for good.

    A moderator may at any time, and the host who plays with robots only; anybody, a lobby that has been left.

    Raises:
        LobbyError: somebody else wants that, or the table is closed already.
    """
    _check(table.status in (Status.LOBBY, Status.PLAYING), LobbyProblem.NOT_IN_LOBBY)
    alone = table.host == person_id and table.people == (person_id,)
    waiting = table.status is Status.LOBBY
    forgotten = waiting and is_left(table, STALE_SECONDS, now_ms)
    _check(moderator or alone or forgotten, LobbyProblem.HOST_FIRST if waiting else LobbyProblem.NOT_ALLOWED)
    return _replace(table, status=Status.CANCELLED)


def _without(table: Table, person_id: str, chairs: tuple[Chair, ...]) -> Table:
    left = _replace(table, chairs=chairs)
    if not left.people:
        return _replace(left, host=None, status=Status.CANCELLED)
    return handed_over(left) if table.host == person_id else left


def handed_over(table: Table) -> Table:
    """The table with the first of the others as its host, those who are there before those who are away."""
    others = [person for person in (*table.present, *table.people) if person != table.host]
    return _replace(table, host=others[0]) if others else table


def pass_host(table: Table, person_id: str, seat: int) -> Table:
    """The table with the person of a seat (in the lobby: on a chair) as its host.

    Raises:
        LobbyError: only the host may, at an open table, and to somebody who sits there.
    """
    _check(table.status in (Status.LOBBY, Status.PLAYING), LobbyProblem.NOT_IN_LOBBY)
    _check(table.host == person_id, LobbyProblem.ONLY_HOST)
    other = table.chairs[seat].person if 0 <= seat < len(table.chairs) else None
    _check(other is not None and other != person_id and other in table.present, LobbyProblem.NOT_SEATED)
    return _replace(table, host=other)


def is_left(table: Table, seconds: int, now_ms: int) -> bool:
    """Whether nothing has happened in a lobby for so long; at the pace of days, for ``MAIL_TIMES`` as long."""
    times = MAIL_TIMES if table.pace is Pace.MAIL else 1
    return now_ms - max(table.touched_ms, table.created_ms) >= seconds * times * 1000


def add_robot(table: Table, person_id: str, robot: str) -> Table:
    """The table with a robot more.

    Raises:
        LobbyError: only the host may, in the lobby, while there is room.
    """
    _check_host(table, person_id)
    _check(not table.stake, LobbyProblem.ONLY_PEOPLE)
    _check(not table.is_full, LobbyProblem.TABLE_FULL)
    return _replace(table, chairs=(*table.chairs, _robot_chair(table.chairs, robot)))


def remove_robot(table: Table, person_id: str) -> Table:
    """The table without the robot that came last.

    Raises:
        LobbyError: only the host may, in the lobby, and there must be a robot.
    """
    _check_host(table, person_id)
    robots = [chair for chair in table.chairs if chair.robot]
    _check(robots, LobbyProblem.NO_ROBOT)
    return _replace(table, chairs=tuple(chair for chair in table.chairs if chair != robots[-1]))


def set_level(table: Table, person_id: str, level: str) -> Table:
    """The table with its robots, those that sit there and those to come, at another level.

    Raises:
        LobbyError: only the host may, in the lobby, and the level must be one that tables offer.
    """
    _check_host(table, person_id)
    _check(level in LEVELS, LobbyProblem.NOT_ALLOWED)
    chairs = tuple(_replace(chair, robot=level) if chair.robot else chair for chair in table.chairs)
    return _replace(table, chairs=chairs, robot_level=level)


def make_private(table: Table, person_id: str, *, private: bool) -> Table:
    """The table, hidden from lists and open only to those who know its code; or not any more.

    Raises:
        LobbyError: only the host may, in the lobby.
    """
    _check_host(table, person_id)
    return _replace(table, private=private)


def set_cutting(table: Table, person_id: str, *, cutting: bool) -> Table:
    """The table at which somebody cuts before each deal; or not any more.

    Raises:
        LobbyError: only the host may, in the lobby.
    """
    _check_host(table, person_id)
    return _replace(table, cutting=cutting)


def cancel(table: Table, person_id: str, now_ms: int) -> Table:
    """The table, cancelled.

    Raises:
        LobbyError: only the host may, in the lobby; anybody, once it has been left for a while.
    """
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    forgotten = is_left(table, STALE_SECONDS, now_ms)
    _check(table.host == person_id or forgotten, LobbyProblem.HOST_FIRST)
    return _replace(table, status=Status.CANCELLED)


def start(table: Table, person_id: str, robot: str, lot: Random, now_ms: int) -> Table:
    """The table as the match begins: robots on the empty chairs, and the seats drawn by lot (RULESETS.md, 15).

    Who has chosen a side gets a seat of it; the lot gives out the others.

    Raises:
        LobbyError: only the host may, in the lobby; anybody in it, once it is full and the host lets them wait.
            With a stake there must be somebody at every seat.
    """
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    if table.host != person_id:
        _check(table.is_full and table.seat_of(person_id) is not None, LobbyProblem.ONLY_HOST)
        _check(is_left(table, HOST_SECONDS, now_ms), LobbyProblem.HOST_FIRST)
    _check(not table.stake or table.is_full, LobbyProblem.NOT_FULL)
    chairs = list(table.chairs)
    while len(chairs) < table.seating.seats:
        chairs.append(_robot_chair(chairs, robot))
    if not table.lesson:
        lot.shuffle(chairs)
    seated = _by_sides(table.seating, chairs)
    return _replace(table, chairs=seated, status=Status.PLAYING, started_ms=now_ms)


def _by_sides(seating: Seating, chairs: Sequence[Chair]) -> tuple[Chair, ...]:
    seats: dict[int, Chair] = {}
    for chair in chairs:
        if chair.side is not None:
            seat = next(seat for seat in seating.seats_of(chair.side) if seat not in seats)
            seats[seat] = _replace(chair, side=None)
    free = (seat for seat in range(seating.seats) if seat not in seats)
    seats.update(zip(free, (chair for chair in chairs if chair.side is None), strict=True))
    return tuple(seats[seat] for seat in range(seating.seats))


def _robot_chair(chairs: Sequence[Chair], robot: str) -> Chair:
    taken = [chair.name for chair in chairs]
    robots = sum(1 for chair in chairs if chair.robot)
    return Chair(name=unused_name(ROBOT_NAMES[robots % len(ROBOT_NAMES)], taken), robot=robot)


def _check_host(table: Table, person_id: str) -> None:
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    _check(table.host == person_id, LobbyProblem.ONLY_HOST)
