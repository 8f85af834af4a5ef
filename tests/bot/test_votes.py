"""Deciding together: votes, the host, and seats that somebody takes over, as pure functions of a table."""

import msgspec
import pytest

from bot import lobby, votes
from bot.lobby import LobbyError, LobbyProblem
from bot.model import Chair, Pace, Person, Status, Table, VoteKind
from bot.privacy import without
from bot.robots.registry import NORMAL as ROBOT
from bot.substitutes import LONG_ABSENT_SECONDS, check_claim, needs_no_leave, robot_seats, sit_in
from engine.seating import Seating
from engine.state import Match, Phase
from tests.bot.tables import deal_of, dealt, mover_of, table_of

NOW = 1_700_000_000_000
WHO = [Person(f"p{seat}", name) for seat, name in enumerate(("Ana", "Luis", "Marta", "Pepe"))]
EVA = Person("p9", "Eva")


def match_of(seating: Seating = Seating.TWO_PAIRS) -> Match:
    """A match that has just begun."""
    return dealt(seating, 1)


def table(**fields: object) -> Table:
    """Four people at a public table."""
    return table_of(match_of(), **{"origin": "chat:1", **fields})


def changed(at: Table, seat: int, **fields: object) -> Table:
    """The table with another chair at a seat."""
    chair = msgspec.structs.replace(at.chairs[seat], **fields)
    return msgspec.structs.replace(at, chairs=(*at.chairs[:seat], chair, *at.chairs[seat + 1 :]))


def away(at: Table, seat: int, since: int = NOW) -> Table:
    """The table with somebody away."""
    return changed(at, seat, absent=True, stood_in=True, absent_ms=since)


def problem_of(at: Table, seat: int, person: Person = EVA, now: int = NOW) -> LobbyProblem | None:
    """Why somebody may not take a seat over."""
    try:
        check_claim(at, person.id, seat, now)
    except LobbyError as error:
        return error.problem
    return None


def answered(at: Table, *said: tuple[int, bool], match: Match | None = None, now: int = NOW) -> Table:
    """The table after answers to its vote, decided where that can be."""
    for seat, yes in said:
        assert at.vote is not None
        at = votes.settled(votes.cast(at, f"p{seat}", at.vote.number, now, yes=yes), match, now)
    return at


# votes


def test_the_match_ends_when_more_than_half_of_the_others_want_it() -> None:
    put = votes.put(table(), WHO[0], VoteKind.END, NOW)
    assert put.vote is not None
    assert votes.voters(put, put.vote) == ("p1", "p2", "p3")
    once = answered(put, (1, True))
    assert (once.status, once.vote is not None) == (Status.PLAYING, True)
    ended = answered(once, (2, True))
    assert (ended.status, ended.vote) == (Status.CANCELLED, None)


def test_half_of_the_others_against_it_is_enough_and_whoever_asked_waits() -> None:
    at = answered(votes.put(table(), WHO[0], VoteKind.END, NOW), (1, False), (2, False))
    assert at.status is Status.PLAYING
    assert at.past_vote is not None
    assert at.past_vote.carried is False
    with pytest.raises(LobbyError) as error:
        votes.put(at, WHO[0], VoteKind.END, NOW + 1)
    assert error.value.problem is LobbyProblem.TOO_SOON
    assert votes.put(at, WHO[1], VoteKind.END, NOW + 1).vote is not None
    later = NOW + votes.WAIT_SECONDS * 1000
    assert votes.put(at, WHO[0], VoteKind.END, later).vote is not None


def test_an_answer_may_be_changed_and_counts_once() -> None:
    put = votes.put(table(), WHO[0], VoteKind.END, NOW)
    at = answered(put, (1, True), (1, True), (1, False), (1, True))
    assert at.vote is not None
    assert (at.vote.yes, at.vote.no) == (("p1",), ())
    assert at.status is Status.PLAYING


def test_who_is_away_does_not_count_and_whoever_is_concerned_does_not_vote() -> None:
    at = away(table(), 3)
    put = votes.put(at, WHO[0], VoteKind.EXPEL, NOW, seat=2)
    assert put.vote is not None
    assert votes.voters(put, put.vote) == ("p1",)
    for person in ("p0", "p2", "p3", "p9"):
        with pytest.raises(LobbyError) as error:
            votes.cast(put, person, put.vote.number, NOW, yes=True)
        assert error.value.problem is LobbyProblem.NOT_A_VOTER
    gone = answered(put, (1, True))
    assert gone.chairs[2].robot == ROBOT
    assert (gone.chairs[2].left, gone.chairs[2].left_how) == ("p2", "voted")
    assert gone.seen == {"p2": 2}


def test_nobody_is_sent_away_by_one_alone() -> None:
    at = table_of(dealt(Seating.ONE_ON_ONE, 1))
    with pytest.raises(LobbyError) as error:
        votes.put(at, WHO[0], VoteKind.EXPEL, NOW, seat=1)
    assert error.value.problem is LobbyProblem.NO_VOTERS


@pytest.mark.parametrize(
    ("kind", "more", "problem"),
    [
        (VoteKind.EXPEL, {"seat": 0}, LobbyProblem.NOT_SEATED),
        (VoteKind.EXPEL, {"seat": 7}, LobbyProblem.NOT_SEATED),
        (VoteKind.PACE, {"pace": Pace.FREE}, LobbyProblem.SAME_PACE),
    ],
)
def test_what_makes_no_sense_is_not_put(kind: VoteKind, more: dict[str, object], problem: LobbyProblem) -> None:
    with pytest.raises(LobbyError) as error:
        votes.put(table(), WHO[0], kind, NOW, **more)  # type: ignore[arg-type]
    assert error.value.problem is problem


def test_one_vote_at_a_time_until_it_is_decided_or_lapses() -> None:
    put = votes.put(table(), WHO[0], VoteKind.PACE, NOW, pace=Pace.QUICK)
    with pytest.raises(LobbyError) as error:
        votes.put(put, WHO[1], VoteKind.END, NOW)
    assert error.value.problem is LobbyProblem.VOTE_OPEN
    late = NOW + votes.VOTE_SECONDS * 1000
    assert votes.settled(put, None, late - 1) is put
    lapsed = votes.settled(put, None, late)
    assert lapsed.vote is None
    with pytest.raises(LobbyError) as gone:
        votes.cast(put, "p1", 1, late, yes=True)
    assert gone.value.problem is LobbyProblem.NO_VOTE
    assert votes.put(put, WHO[1], VoteKind.END, late).votes == 2, "a lapsed one does not stand in the way"
    assert answered(put, (1, True), (2, True)).pace is Pace.QUICK


def test_an_older_button_does_not_answer_the_next_vote() -> None:
    at = answered(votes.put(table(), WHO[0], VoteKind.END, NOW), (1, False), (2, False))
    at = votes.put(at, WHO[1], VoteKind.END, NOW)
    with pytest.raises(LobbyError):
        votes.cast(at, "p2", 1, NOW, yes=True)


def test_whoever_put_it_takes_it_back() -> None:
    put = votes.put(table(), WHO[0], VoteKind.END, NOW)
    back = votes.cast(put, "p0", 1, NOW, yes=False)
    assert back.vote is None
    with pytest.raises(LobbyError):
        votes.cast(put, "p0", 1, NOW, yes=True)


def test_people_who_come_and_go_change_the_majority() -> None:
    put = answered(votes.put(table(), WHO[0], VoteKind.END, NOW), (1, True))
    assert votes.settled(away(put, 2), None, NOW).status is Status.PLAYING, "one of two is no majority"
    assert votes.settled(away(away(put, 2), 3), None, NOW).status is Status.CANCELLED
    left = lobby.give_up(votes.put(table(), WHO[0], VoteKind.EXPEL, NOW, seat=2), "p2", ROBOT)
    assert votes.settled(left, None, NOW).chairs[2].left_how == "", "who has left already was not sent away"


# the host


def test_the_host_hands_the_table_over_and_nobody_else_does() -> None:
    assert lobby.pass_host(table(), "p0", 2).host == "p2"
    with pytest.raises(LobbyError):
        lobby.pass_host(table(), "p1", 2)
    with pytest.raises(LobbyError):
        lobby.pass_host(away(table(), 2), "p0", 2)
    assert lobby.give_up(away(table(), 1), "p0", ROBOT).host == "p2", "to somebody who is there"


# seats


def test_whoever_gave_a_seat_up_may_have_it_again_and_nobody_has_to_agree() -> None:
    left = lobby.give_up(table(origin=""), "p1", ROBOT)
    assert robot_seats(left) == (1,)
    assert problem_of(left, 1, WHO[1]) is None
    assert needs_no_leave(left, "p1", 1)
    assert not needs_no_leave(left, "p9", 1)
    back = sit_in(left, "p1", "Luis", 1, match_of())
    assert (back.chairs[1].person, back.chairs[1].left, back.chairs[1].since) == ("p1", None, None)
    assert back.seen == {}


def test_a_seat_that_was_given_up_at_a_public_table_is_free() -> None:
    left = lobby.give_up(table(), "p1", ROBOT)
    assert needs_no_leave(left, "p9", 1)
    taken = sit_in(left, "p9", "Marta", 1, match_of())
    chair = taken.chairs[1]
    assert (chair.person, chair.name, chair.left, chair.since) == ("p9", "Marta 2", "p1", 1)
    assert problem_of(taken, 1, WHO[1]) is LobbyProblem.SEAT_TAKEN


def test_who_has_seen_other_cards_or_was_sent_away_may_not() -> None:
    at = lobby.give_up(lobby.give_up(table(), "p1", ROBOT), "p2", ROBOT)
    assert problem_of(at, 2, WHO[1]) is LobbyProblem.SAW_CARDS
    assert problem_of(at, 1, WHO[3]) is LobbyProblem.ALREADY_SEATED
    assert problem_of(at, 3) is LobbyProblem.SEAT_TAKEN
    sent = lobby.give_up(table(), "p1", ROBOT, "voted")
    assert problem_of(sent, 1, WHO[1]) is LobbyProblem.SENT_AWAY
    assert problem_of(msgspec.structs.replace(at, lesson=True), 1) is LobbyProblem.NOT_PLAYING


def test_somebody_who_is_away_is_only_replaced_after_a_while() -> None:
    at = away(table(), 1)
    assert problem_of(at, 1) is LobbyProblem.NOT_GONE_LONG
    late = NOW + LONG_ABSENT_SECONDS * 1000
    assert problem_of(at, 1, now=late) is None
    assert problem_of(msgspec.structs.replace(at, pace=Pace.MAIL), 1, now=late) is LobbyProblem.NOT_GONE_LONG
    asked = votes.put(at, EVA, VoteKind.SEAT, late, seat=1)
    back = changed(asked, 1, absent=False, absent_ms=None)
    assert votes.settled(back, match_of(), late).vote is None, "the owner came back first"
    match = match_of()
    taken = answered(asked, (0, True), match=match, now=late)
    assert (taken.chairs[1].person, taken.chairs[1].left, taken.chairs[1].left_how) == ("p9", "p1", "absent")
    assert taken.seen == {"p1": 1}


def test_the_host_decides_or_anybody_where_the_host_is_away() -> None:
    at = changed(table(), 1, person=None, robot=ROBOT, name="Lola")
    asked = votes.put(at, EVA, VoteKind.SEAT, NOW, seat=1)
    assert asked.vote is not None
    assert votes.voters(asked, asked.vote) == ("p0",)
    assert answered(asked, (0, False)).chairs[1].robot == ROBOT
    alone = away(asked, 0)
    assert alone.vote is not None
    assert votes.voters(alone, alone.vote) == ("p2", "p3")
    taken = answered(alone, (2, True), match=match_of())
    assert (taken.chairs[1].person, taken.chairs[1].filled, taken.chairs[1].left_name) == ("p9", True, "Lola")
    assert lobby.give_up(taken, "p9", ROBOT).chairs[1].left is None, "a robot's seat again"


def test_nobody_changes_in_the_middle_of_a_turn() -> None:
    match = match_of()
    seat = mover_of(match)
    other = (seat + 1) % 4
    at = changed(table(host=f"p{other}"), seat, person=None, robot=ROBOT, name="Lola")
    deal = deal_of(match)
    turn = msgspec.structs.replace(deal.turn, phase=Phase.PLAY)
    playing = msgspec.structs.replace(match, deal=msgspec.structs.replace(deal, turn=turn))
    granted = answered(votes.put(at, EVA, VoteKind.SEAT, NOW, seat=seat), (other, True), match=playing)
    assert granted.vote is not None
    assert granted.vote.carried
    assert granted.chairs[seat].robot == ROBOT
    assert votes.settled(granted, playing, NOW + 10**9) is granted, "it does not lapse"
    assert votes.settled(granted, match, NOW).chairs[seat].person == "p9"


# erasure


def test_nothing_of_a_vote_tells_of_somebody_who_is_erased() -> None:
    at = lobby.give_up(table(), "p3", ROBOT)
    at = answered(votes.put(at, WHO[1], VoteKind.END, NOW), (2, False))
    at = votes.put(at, WHO[0], VoteKind.EXPEL, NOW, seat=1)
    at = msgspec.structs.replace(at, circle=("p0", "p1", "", "p3"))
    for person in WHO:
        kept = msgspec.json.encode(without(at, person.id, {person.name}, ())).decode()
        assert f'"{person.id}"' not in kept
        assert f'"{person.name}"' not in kept


def test_a_chair_of_before_is_read() -> None:
    assert msgspec.convert({"name": "Ana", "person": "p0"}, Chair) == Chair("Ana", "p0")
