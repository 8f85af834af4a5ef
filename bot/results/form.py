"""How somebody does of late: the last matches, which way the rating moves, and its place among those played with."""

from collections.abc import Sequence
from typing import Final

import msgspec

from bot.pictures import Outcome
from bot.results.model import Rating, Result, Skill
from bot.results.rating import SETTLED, shown_rating
from engine.seating import Seating

RECENT: Final = 10
LATELY: Final = 5
"""Rated matches over which a rating's move is told."""


class Form(msgspec.Struct, frozen=True):
    """What a profile tells of the last time."""

    recent: tuple[Outcome, ...] = ()
    """The last matches, the newest last."""
    rating: Rating | None = None
    """In the seating with most rated matches."""
    moved: int | None = None
    """By how much the rating has moved lately; None where it has not been rated twice."""
    over: int = 0
    """Over how many rated matches that is."""
    place: int | None = None
    """The rating's place, 1 for the highest; None while it is a first guess, or where nobody compares."""
    among: int = 0
    """How many compare, the person among them."""
    lighter: bool = False
    """Whether some of the last rated matches counted less than others do; see :mod:`bot.results.meetings`."""


def recent(results: Sequence[Result], person: str, most: int = RECENT) -> tuple[Outcome, ...]:
    """How a person's last matches ended, the newest last."""
    found = []
    for result in results:
        seat = result.seat_of(person)
        if seat is None:
            continue
        left = result.players[seat].left
        found.append(Outcome.LEFT if left else Outcome.WON if result.won(seat) else Outcome.LOST)
    return tuple(found[-most:])


def main_rating(ratings: Sequence[Rating]) -> Rating | None:
    """The rating that rests on most matches; the first of several."""
    return max(ratings, key=lambda rating: rating.matches, default=None)


def moved(results: Sequence[Result], person: str, seating: Seating, most: int = LATELY) -> tuple[int | None, int]:
    """By how much a rating, as it is shown, has moved over the last rated matches, and over how many.

    The first rated match of all starts from nothing, and tells of no move.
    """
    skills = [after for after, _ in _rated(results, person, seating)]
    if len(skills) < 2:
        return None, 0
    before = max(len(skills) - 1 - most, 0)
    return shown_rating(skills[-1]) - shown_rating(skills[before]), len(skills) - 1 - before


def lighter(results: Sequence[Result], person: str, seating: Seating, most: int = LATELY) -> bool:
    """Whether one of a person's last rated matches counted less than others do."""
    return any(weight < 1.0 for _, weight in _rated(results, person, seating)[-most:])


def _rated(results: Sequence[Result], person: str, seating: Seating) -> list[tuple[Skill, float]]:
    """A person's skill after each match that was rated for them, and how much that counted."""
    found = []
    for result in results:
        seat = result.seat_of(person) if result.seating is seating else None
        player = None if seat is None else result.players[seat]
        if player is not None and player.after is not None:
            found.append((player.after, 1.0 if result.weight is None else result.weight))
    return found


def played_with(results: Sequence[Result], person: str, seating: Seating) -> tuple[str, ...]:
    """Everybody who was at a table with a person in a seating, in the order in which they met."""
    found = (other for result in results if result.seating is seating for other in result.people if other != person)
    return tuple(dict.fromkeys(found))


def placed(own: Rating, others: Sequence[Rating]) -> tuple[int | None, int]:
    """The place of a rating among others, of those that are more than a first guess; None where there are none."""
    settled = [other for other in others if other.matches >= SETTLED]
    if own.matches < SETTLED or not settled:
        return None, 0
    shown = shown_rating(own.skill)
    return 1 + sum(shown_rating(other.skill) > shown for other in settled), 1 + len(settled)
