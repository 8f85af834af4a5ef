"""What presses do that decide something about a match in play: questions to the others, answers, seats, the host."""

from typing import Final

from bot import lobby, votes
from bot.clocks import came_back
from bot.lobby import LobbyError, LobbyProblem
from bot.model import Pace, Person, Status, Table, VoteKind
from bot.presenter.votes import handing_screen, proposals_screen
from bot.screens import Screen
from bot.store import Record
from bot.substitutes import check_claim, may_change, needs_no_leave, sit_in
from bot.texts import Texts
from bot.tokens import Intent, TokenError, Verb, from_base36, one_figure

DECISION_VERBS: Final = frozenset({Verb.PROPOSE, Verb.VOTE, Verb.TAKE_SEAT, Verb.HAND_OVER})


def decision_question(t: Texts, table: Table, version: int, person: Person, intent: Intent) -> Screen | None:
    """What has to be chosen first; None where the press says it all.

    Raises:
        LobbyError: whatever is chosen, it cannot be done.
    """
    if intent.arguments:
        return None
    if intent.verb is Verb.HAND_OVER:
        if table.status not in (Status.LOBBY, Status.PLAYING):
            raise LobbyError(LobbyProblem.NOT_IN_LOBBY)
        if table.host != person.id:
            raise LobbyError(LobbyProblem.ONLY_HOST)
        return handing_screen(t, table, version, person)
    if intent.verb is Verb.PROPOSE:
        if table.status is not Status.PLAYING:
            raise LobbyError(LobbyProblem.NOT_PLAYING)
        if table.seat_of(person.id) is None:
            raise LobbyError(LobbyProblem.NOT_SEATED)
        return proposals_screen(t, table, version, person)
    raise TokenError(intent.verb)


def decided(record: Record, person: Person, intent: Intent, now_ms: int) -> Table:
    """The table after a press that decides something, or puts a question to the others.

    Raises:
        LobbyError: it cannot be done.
        TokenError: the press makes no sense.
    """
    table, match = record.table, record.match
    if intent.verb is Verb.HAND_OVER:
        # Chairs move up when somebody leaves the lobby: an older press would hit another person.
        if table.status is Status.LOBBY and intent.version != record.version:
            raise LobbyError(LobbyProblem.HAS_CHANGED)
        return lobby.pass_host(table, person.id, one_figure(intent.arguments[0]))
    seat = table.seat_of(person.id)
    if seat is not None and table.status is Status.PLAYING:
        # Whoever takes part is there.
        table = came_back(table, seat)
    if intent.verb is Verb.TAKE_SEAT:
        return _taken(record, person, one_figure(intent.arguments[0]), now_ms)
    if intent.verb is Verb.VOTE:
        if len(intent.arguments) != 2 or intent.arguments[1] not in ("0", "1"):
            raise TokenError(intent.verb)
        number, yes = _number(intent.arguments[0]), intent.arguments[1] == "1"
        return votes.settled(votes.cast(table, person.id, number, now_ms, yes=yes), match, now_ms)
    match intent.arguments:
        case ("e",):
            return votes.put(table, person, VoteKind.END, now_ms)
        case ("x", at):
            return votes.put(table, person, VoteKind.EXPEL, now_ms, seat=one_figure(at))
        case ("p", pace) if pace in tuple(Pace):
            return votes.put(table, person, VoteKind.PACE, now_ms, pace=Pace(pace))
        case _:
            raise TokenError(intent.verb)


def _taken(record: Record, person: Person, seat: int, now_ms: int) -> Table:
    table = record.table
    check_claim(table, person.id, seat, now_ms)
    free = needs_no_leave(table, person.id, seat)
    if free and may_change(table, record.match, seat):
        return sit_in(table, person.id, person.name, seat, record.match)
    return votes.put(table, person, VoteKind.SEAT, now_ms, seat=seat, granted=free)


def _number(argument: str) -> int:
    try:
        return from_base36(argument)
    except ValueError:
        raise TokenError(argument) from None
