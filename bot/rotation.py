"""Partners that change from match to match, until everybody has played with everybody: the circle method.

The persons stand in a circle; the first stays, the others move on by one place a match, and whoever faces one another
plays together. Among four that takes three matches, among six it takes five.
"""

from bot.model import Table
from engine.seating import Seating


def turned(table: Table) -> tuple[tuple[str, ...], int]:
    """The circle after a table's match and how often it has turned: begun where others sit there than before."""
    here = sorted(table.people)
    same = len(table.circle) == table.seating.seats and sorted(person for person in table.circle if person) == here
    return (table.circle, table.round + 1) if same else (_circle(table), 1)


def _circle(table: Table) -> tuple[str, ...]:
    """The circle in which partners face one another as they sit at a table."""
    sides = table.seating.sides
    seats = [chair.person or "" for chair in table.chairs]
    rest = [seats[sides], *seats[1:sides], *reversed(seats[sides + 1 :])]
    return (seats[0], *rest)


def side_of(circle: tuple[str, ...], turns: int, person: str) -> int | None:
    """The side on which a person plays after so many turns of the circle; None for whoever is not in it."""
    rest = circle[1:]
    at = turns % len(rest)
    rest = (*rest[-at:], *rest[:-at]) if at else rest
    pairs = [(circle[0], rest[0]), *((rest[i], rest[-i]) for i in range(1, len(circle) // 2))]
    return next((side for side, pair in enumerate(pairs) if person in pair), None)


def can_turn(seating: Seating) -> bool:
    """Whether there are partners to change."""
    return seating.in_pairs
