"""Skill, by OpenSkill's Plackett-Luce model: one number for each person in each seating.

Ratings follow from the results in the order in which they were kept, and from nothing else: whoever folds them again
gets the same. Each result keeps the skills that it started from and how much it counted, so that a person who has been
erased still counts as strong as they were for the others, and as often met.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
from openskill.models import PlackettLuce

from bot.results.meetings import Meetings, weight_of
from bot.results.model import Player, Rating, Result, Skill
from engine.seating import Seating

NEWCOMER: Final = Skill(25.0, 8.333333)
SETTLED: Final = 5
"""Rated matches before a rating is shown as more than a first guess."""
_DIGITS: Final = 6
"""Kept of each number, so that no machine's last bit matters."""
_MODEL: Final = PlackettLuce(mu=NEWCOMER.mu, sigma=NEWCOMER.sigma, beta=NEWCOMER.mu / 6, tau=NEWCOMER.mu / 300)
_BASE: Final = 1000
_SCALE: Final = 40

Skills = Mapping[str, Skill]


def shown_rating(skill: Skill) -> int:
    """A skill as one number: what somebody is worth at least, 1000 for a newcomer."""
    return round(_BASE + _SCALE * (skill.mu - 3 * skill.sigma))


def ranks_of(result: Result) -> tuple[int, ...]:
    """The place of each side, 1 for the winner; sides with equal points share one. Sides that were left are last."""
    left = {result.seating.side_of(seat) for seat, player in enumerate(result.players) if player.left}
    keys = [(side in left, side != result.winner, -total) for side, total in enumerate(result.totals)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


class Rated(NamedTuple):
    """What a result leads to."""

    result: Result
    """With everybody's skill before and after it."""
    ratings: tuple[Rating, ...]
    """Those that it changes."""


def rate(result: Result, ratings: Mapping[str, Rating], meetings: Meetings) -> Rated:
    """Rate a result by what was before it.

    Args:
        result: a match; one that has been rated before keeps its weight.
        ratings: the ratings in its seating before it, by person.
        meetings: those before it, at least of its people within the window.
    """
    skills = {person: rating.skill for person, rating in ratings.items()}
    new = rated(result, skills, _weight(result, ratings, meetings))
    return Rated(new, ratings_after(new, ratings))


def _weight(result: Result, ratings: Mapping[str, Rating], meetings: Meetings) -> float:
    if result.weight is not None:
        return result.weight
    if not result.rated or any(player.before is not None for player in result.players):
        return 1.0  # what was rated without a weight counted in full
    return weight_of(result, ratings, meetings)


def rated(result: Result, skills: Skills, weight: float = 1.0) -> Result:
    """The result with everybody's skill before and after it; as it is where nobody's changes.

    Args:
        result: a match; persons who have been erased bring the skill that they had before.
        skills: the present skill of persons in the match's seating; whoever is not there is a newcomer.
        weight: how much it counts: the part of the way to the skill that the model gives.
    """
    if not result.rated:
        return result
    before = [_skill_of(player, skills) for player in result.players]
    after = [_between(*pair, weight) for pair in zip(before, _after(result, before), strict=True)]
    players = tuple(
        msgspec.structs.replace(player, before=before[seat], after=after[seat] if result.is_rated_for(seat) else None)
        for seat, player in enumerate(result.players)
    )
    return msgspec.structs.replace(result, players=players, weight=weight)


def _between(before: Skill, after: Skill, weight: float) -> Skill:
    if weight == 1.0:
        return Skill(round(after.mu, _DIGITS), round(after.sigma, _DIGITS))
    return Skill(
        round(before.mu + weight * (after.mu - before.mu), _DIGITS),
        round(before.sigma + weight * (after.sigma - before.sigma), _DIGITS),
    )


def _skill_of(player: Player, skills: Skills) -> Skill:
    if player.person is None:
        return player.before or NEWCOMER
    return skills.get(player.person, NEWCOMER)


def _after(result: Result, before: list[Skill]) -> list[Skill]:
    """Everybody's skill after the match.

    Where somebody left, it is that of a match that their side lost to every other, and it is used for them alone.
    """
    seating = result.seating
    sides = [seating.seats_of(side) for side in range(seating.sides)]
    teams = [[_MODEL.rating(mu=before[seat].mu, sigma=before[seat].sigma) for seat in seats] for seats in sides]
    new = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks_of(result)])
    after = list(before)
    for seats, team in zip(sides, new, strict=True):
        for seat, rating in zip(seats, team, strict=True):
            after[seat] = Skill(rating.mu, rating.sigma)
    return after


def ratings_after(result: Result, ratings: Mapping[str, Rating]) -> tuple[Rating, ...]:
    """The ratings that a rated result changes.

    Args:
        result: a match with its skills.
        ratings: the ratings in its seating before it, by person.
    """
    return tuple(
        Rating(
            player.person,
            result.seating,
            player.after,
            (ratings[player.person].matches if player.person in ratings else 0) + 1,
        )
        for player in result.players
        if player.person is not None and player.after is not None
    )


def recomputed(results: Iterable[Result]) -> dict[tuple[str, Seating], Rating]:
    """All ratings anew, from all results in the order in which they were kept."""
    found: dict[tuple[str, Seating], Rating] = {}
    meetings = Meetings()
    for result in results:
        seating = result.seating
        here = {person: found[person, seating] for person in result.people if (person, seating) in found}
        found.update({(rating.person, seating): rating for rating in rate(result, here, meetings).ratings})
        meetings.add(result)
    return found
