"""What people do with a table rather than at it: sitting down, robots, starting, leaving, expelling, ending."""

from random import Random

import msgspec

from bot import lobby
from bot.decisions import DECISION_VERBS, decided, decision_question
from bot.lobby import LobbyError, LobbyProblem
from bot.model import Person, Status, Table
from bot.presenter.leaving import ending_screen, expelling_screen, leaving_screen
from bot.screens import Screen
from bot.store import Record
from bot.texts import Texts
from bot.tokens import ANY_SIDE, Intent, TokenError, Verb, one_figure

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
        Verb.PRIVATE,
        Verb.CUTTING,
        *DECISION_VERBS,
        Verb.ROBOT_LEVEL,
    }
)


def table_question(
    t: Texts, table: Table, version: int, person: Person, intent: Intent, now_ms: int, *, moderator: bool
) -> Screen | None:
    """What has to be answered first; None where the press says it all.

    Raises:
        LobbyError: whatever the answer, it cannot be done.
    """
    if intent.verb in DECISION_VERBS:
        return decision_question(t, table, version, person, intent)
    if intent.verb is Verb.EXPEL and not intent.arguments:
        lobby.check_expelling(table, person.id, moderator=moderator)
        return expelling_screen(t, table, version, person)
    if intent.confirmed:
        return None
    if intent.verb is Verb.LEAVE and table.status is Status.PLAYING:
        return leaving_screen(t, lobby.give_up(table, person.id, table.robot_level), version)
    if intent.verb is Verb.END_TABLE:
        lobby.end(table, person.id, now_ms, moderator=moderator)
        return ending_screen(t, table, version)
    return None


def changed_table(
    record: Record, person: Person, intent: Intent, lot: Random, now_ms: int, *, moderator: bool
) -> Table:
    """The table after a press that has nothing left to ask.

    Raises:
        LobbyError: it cannot be done.
        TokenError: the press makes no sense.
    """
    if intent.verb in DECISION_VERBS:
        return decided(record, person, intent, now_ms)
    table = _changed(record, person, intent, lot, now_ms, moderator=moderator)
    return msgspec.structs.replace(table, touched_ms=now_ms) if table.status is Status.LOBBY else table


def _changed(record: Record, person: Person, intent: Intent, lot: Random, now_ms: int, *, moderator: bool) -> Table:
    table = record.table
    match intent.verb:
        case Verb.JOIN:
            side, code = (
                intent.arguments[0] if intent.arguments else ANY_SIDE,
                intent.arguments[1] if len(intent.arguments) > 1 else "",
            )
            return lobby.join(table, person, None if side == ANY_SIDE else one_figure(side), code)
        case Verb.PRIVATE:
            return lobby.make_private(table, person.id, private=intent.arguments == ("1",))
        case Verb.CUTTING:
            return lobby.set_cutting(table, person.id, cutting=intent.arguments == ("1",))
        case Verb.LEAVE if table.status is Status.PLAYING:
            return lobby.give_up(table, person.id, table.robot_level)
        case Verb.LEAVE:
            return lobby.leave(table, person.id)
        case Verb.ADD_ROBOT:
            return lobby.add_robot(table, person.id, table.robot_level)
        case Verb.REMOVE_ROBOT:
            return lobby.remove_robot(table, person.id)
        case Verb.CANCEL:
            return lobby.cancel(table, person.id, now_ms)
        case Verb.EXPEL:
            # Chairs move up when somebody leaves the lobby: an older press would hit another person.
            if table.status is Status.LOBBY and intent.version != record.version:
                raise LobbyError(LobbyProblem.NOT_SEATED)
            return lobby.expel(table, person.id, one_figure(intent.arguments[0]), moderator=moderator)
        case Verb.END_TABLE:
            return lobby.end(table, person.id, now_ms, moderator=moderator)
        case Verb.START:
            return lobby.start(table, person.id, table.robot_level, lot, now_ms)
        case Verb.ROBOT_LEVEL:
            return lobby.set_level(table, person.id, intent.arguments[0] if intent.arguments else "")
        case _:
            raise TokenError(intent.verb)
