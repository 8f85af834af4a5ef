"""What happens at a table before the match: sitting down, robots, the lot. Pure functions of a table."""

from collections.abc import Sequence
from enum import StrEnum
from random import Random

import msgspec

from bot.model import Chair, Person, Status, Table
from bot.names import unused_name

ROBOT_NAMES = ("Lola", "Bruno", "Carmen", "Nico", "Vera", "Tomás")
"""Names of the robots, given out in order."""


class LobbyProblem(StrEnum):
    """Why something cannot be done in a lobby."""

    NOT_IN_LOBBY = "not_in_lobby"
    TABLE_FULL = "table_full"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    ONLY_HOST = "only_host"
    NO_ROBOT = "no_robot"


class LobbyError(Exception):
    """Something that cannot be done now."""

    def __init__(self, problem: LobbyProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


_replace = msgspec.structs.replace


def _check(condition: object, problem: LobbyProblem) -> None:
    if not condition:
        raise LobbyError(problem)


def join(table: Table, person: Person) -> Table:
    """The table with a person more; the first becomes the host.

    Raises:
        LobbyError: the match has begun, the table is full, or the person sits there already.
    """
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    _check(table.seat_of(person.id) is None, LobbyProblem.ALREADY_SEATED)
    _check(not table.is_full, LobbyProblem.TABLE_FULL)
    name = unused_name(person.name, (chair.name for chair in table.chairs))
    return _replace(table, chairs=(*table.chairs, Chair(name=name, person=person.id)), host=table.host or person.id)


def leave(table: Table, person_id: str) -> Table:
    """The table without a person; a leaving host hands over to the next, and the last one cancels the table.

    Raises:
        LobbyError: the match has begun, or the person does not sit there.
    """
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    _check(table.seat_of(person_id) is not None, LobbyProblem.NOT_SEATED)
    chairs = tuple(chair for chair in table.chairs if chair.person != person_id)
    left = _replace(table, chairs=chairs)
    if not left.people:
        return _replace(left, host=None, status=Status.CANCELLED)
    return _replace(left, host=left.people[0] if table.host == person_id else table.host)


def add_robot(table: Table, person_id: str, robot: str) -> Table:
    """The table with a robot more.

    Raises:
        LobbyError: only the host may, in the lobby, while there is room.
    """
    _check_host(table, person_id)
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


def cancel(table: Table, person_id: str) -> Table:
    """The table, cancelled.

    Raises:
        LobbyError: only the host may, in the lobby.
    """
    _check_host(table, person_id)
    return _replace(table, status=Status.CANCELLED)


def start(table: Table, person_id: str, robot: str, lot: Random, now_ms: int) -> Table:
    """The table as the match begins: robots on the empty chairs, and every seat drawn by lot (RULESETS.md, 15).

    Raises:
        LobbyError: only the host may, in the lobby.
    """
    _check_host(table, person_id)
    chairs = list(table.chairs)
    while len(chairs) < table.seating.seats:
        chairs.append(_robot_chair(chairs, robot))
    lot.shuffle(chairs)
    return _replace(table, chairs=tuple(chairs), status=Status.PLAYING, started_ms=now_ms)


def _robot_chair(chairs: Sequence[Chair], robot: str) -> Chair:
    taken = [chair.name for chair in chairs]
    robots = sum(1 for chair in chairs if chair.robot)
    return Chair(name=unused_name(ROBOT_NAMES[robots % len(ROBOT_NAMES)], taken), robot=robot)


def _check_host(table: Table, person_id: str) -> None:
    _check(table.status is Status.LOBBY, LobbyProblem.NOT_IN_LOBBY)
    _check(table.host == person_id, LobbyProblem.ONLY_HOST)
