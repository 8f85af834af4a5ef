"""What people do with a table rather than at it: sitting down, robots, starting, leaving, expelling, ending."""

from random import Random

from bot import lobby
from bot.lobby import LobbyError, LobbyProblem
from bot.model import Person, Status, Table
from bot.presenter.leaving import ending_screen, expelling_screen, leaving_screen
from bot.screens import Screen
from bot.texts import Texts
from bot.tokens import Intent, TokenError, Verb

TABLE_VERBS = frozenset(
    {
        Verb.JOIN,
        Verb.LEAVE,
        Verb.ADD_ROBOT,
        Verb.REMOVE_ROBOT,
        Verb.START,
        Verb.CANCEL,
        Verb.EXPEL,
        Verb.END_TABLE,
        Verb.ROBOT_LEVEL,
    }
)


def table_question(
    t: Texts, table: Table, version: int, person: Person, intent: Intent, *, moderator: bool
) -> Screen | None:
    """What has to be answered first; None where the press says it all.

    Raises:
        LobbyError: whatever the answer, it cannot be done.
    """
    if intent.verb is Verb.EXPEL and not intent.arguments:
        if table.status is not Status.LOBBY:
            raise LobbyError(LobbyProblem.NOT_IN_LOBBY)
        if not moderator and table.host != person.id:
            raise LobbyError(LobbyProblem.ONLY_HOST)
        return expelling_screen(t, table, version, person)
    if intent.confirmed:
        return None
    if intent.verb is Verb.LEAVE and table.status is Status.PLAYING:
        return leaving_screen(t, lobby.give_up(table, person.id, table.robot_level), version)
    if intent.verb is Verb.END_TABLE:
        lobby.end(table, person.id, moderator=moderator)
        return ending_screen(t, table, version)
    return None


def changed_table(
    table: Table, version: int, person: Person, intent: Intent, lot: Random, now_ms: int, *, moderator: bool
) -> Table:
    """The table after a press that has nothing left to ask.

    Raises:
        LobbyError: it cannot be done.
        TokenError: the press makes no sense.
    """
    match intent.verb:
        case Verb.JOIN:
            return lobby.join(table, person, _number(intent.arguments[0]) if intent.arguments else None)
        case Verb.LEAVE if table.status is Status.PLAYING:
            return lobby.give_up(table, person.id, table.robot_level)
        case Verb.LEAVE:
            return lobby.leave(table, person.id)
        case Verb.ADD_ROBOT:
            return lobby.add_robot(table, person.id, table.robot_level)
        case Verb.REMOVE_ROBOT:
            return lobby.remove_robot(table, person.id)
        case Verb.CANCEL:
            return lobby.cancel(table, person.id)
        case Verb.EXPEL:
            # Chairs move up when somebody leaves: an older press would hit another person.
            if intent.version != version:
                raise LobbyError(LobbyProblem.NOT_SEATED)
            return lobby.expel(table, person.id, _number(intent.arguments[0]), moderator=moderator)
        case Verb.END_TABLE:
            return lobby.end(table, person.id, moderator=moderator)
        case Verb.START:
            return lobby.start(table, person.id, table.robot_level, lot, now_ms)
        case Verb.ROBOT_LEVEL:
            return lobby.set_level(table, person.id, intent.arguments[0] if intent.arguments else "")
        case _:
            raise TokenError(intent.verb)


def _number(argument: str) -> int:
    if not argument.isdecimal() or len(argument) > 1:
        raise TokenError(argument)
    return int(argument)
