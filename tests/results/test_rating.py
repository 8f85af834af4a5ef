"""Ratings follow from the results alone."""

from hypothesis import given, settings

from bot.results.meetings import Meetings
from bot.results.model import Rating, Result, Skill, without_person
from bot.results.rating import NEWCOMER, ranks_of, rate, rated, recomputed, shown_rating
from engine.seating import Seating
from tests.results.samples import PEOPLE, ROBOT, histories, player, result


def kept(results: list[Result]) -> tuple[list[Result], dict[tuple[str, Seating], Rating]]:
    """The results as they are kept one after the other, and the ratings they lead to."""
    ratings: dict[tuple[str, Seating], Rating] = {}
    done: list[Result] = []
    for one in results:
        here = {person: ratings[person, one.seating] for person in one.people if (person, one.seating) in ratings}
        new = rate(one, here, Meetings(done))
        done.append(new.result)
        ratings.update({(rating.person, one.seating): rating for rating in new.ratings})
    return done, ratings


@given(histories())
@settings(deadline=None)
def test_folded_again_they_are_the_same(results: list[Result]) -> None:
    done, ratings = kept(results)
    assert recomputed(results) == ratings
    assert recomputed(done) == ratings


@given(histories())
@settings(deadline=None)
def test_the_others_keep_theirs_when_somebody_is_erased(results: list[Result]) -> None:
    done, ratings = kept(results)
    gone = PEOPLE[0]
    after = recomputed([without_person(one, gone) for one in done])
    assert after == {key: rating for key, rating in ratings.items() if key[0] != gone}


def test_winners_rise_and_losers_fall() -> None:
    players = [player("ana"), player("beto"), player("eva"), player("luis")]
    new = rated(result(players, seating=Seating.TWO_PAIRS, winner=1, totals=(900, 3100)), {})
    shown = [shown_rating(one.after) for one in new.players if one.after is not None]
    assert shown[0] == shown[2] < shown[1] == shown[3]
    assert shown_rating(NEWCOMER) == 1000
    assert all(one.before == NEWCOMER for one in new.players)


def test_robots_and_substitutes_change_nobody() -> None:
    for match in (
        result([player("ana"), ROBOT]),
        result([player("ana"), player("beto", stood_in=True)]),
        result([player("ana"), player("beto", absent=True)]),
        result([player("ana", left=True), ROBOT]),
    ):
        assert not match.rated
        assert rated(match, {}) is match
        assert not recomputed([match])


def test_leaving_is_lost_by_whoever_left_and_by_nobody_else() -> None:
    match = result([player("ana", left=True, stood_in=True), player("beto")], winner=0)
    new = rated(match, {})
    assert ranks_of(match) == (2, 1)
    assert new.players[1].after is None
    after = new.players[0].after
    assert after is not None
    assert after.mu < NEWCOMER.mu
    assert set(recomputed([match])) == {("ana", Seating.ONE_ON_ONE)}


def test_places_follow_the_points_behind_the_winner() -> None:
    players = [player("ana"), player("beto"), player("eva")]
    match = result(players, (500, 3000, 500), seating=Seating.THREE_ALONE, winner=1)
    assert ranks_of(match) == (2, 1, 2)
    assert ranks_of(result(players, (700, 3000, 500), seating=Seating.THREE_ALONE, winner=1)) == (2, 1, 3)


def test_a_known_match_has_known_ratings() -> None:
    new = rated(result([player("ana"), player("beto")]), {})
    first, second = (one.after for one in new.players)
    assert first is not None
    assert second is not None
    # What the model's documentation gives for two newcomers.
    assert (first.mu, first.sigma, second.mu, second.sigma) == (27.635389, 8.065901, 22.364611, 8.065901)


def test_winning_against_the_same_person_again_and_again_is_worth_ever_less() -> None:
    """Whoever lets somebody win passes on little: the more is known of two people, the less a match tells."""
    skills: dict[str, Skill] = {}
    shown = [shown_rating(NEWCOMER)]
    for _ in range(200):
        new = rated(result([player("ana"), player("beto")]), skills)
        for one in new.players:
            assert one.person is not None
            assert one.after is not None
            skills[one.person] = one.after
        shown.append(shown_rating(skills["ana"]))
    gained = [shown[end] - shown[end - 50] for end in (50, 100, 150, 200)]
    assert gained == sorted(gained, reverse=True)
    assert gained[-1] < gained[0] / 10
