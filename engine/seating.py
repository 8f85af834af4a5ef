"""Seatings: how many seats and sides, and which seat belongs to which side.

Seats are numbered in turn order, which runs anticlockwise: the next seat is the player to the right (RULESETS.md).
Partners face each other: a seat's side is ``seat % sides``, so 2v2 sits A B A B and 2v2v2 sits A B C A B C.
"""

from enum import StrEnum


class Seating(StrEnum):
    """Who plays against whom."""

    ONE_ON_ONE = "1v1"
    THREE_ALONE = "1v1v1"
    TWO_PAIRS = "2v2"
    THREE_PAIRS = "2v2v2"

    seats: int
    """How many seats."""
    sides: int
    """How many sides: players alone or pairs."""

    @property
    def in_pairs(self) -> bool:
        """Whether a side is two partners."""
        return self.seats > self.sides

    def side_of(self, seat: int) -> int:
        """The side that a seat belongs to."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, in turn order."""
        return tuple(range(side, self.seats, self.sides))

    def partner_of(self, seat: int) -> int | None:
        """The seat of the partner; None where everybody plays alone."""
        return (seat + self.sides) % self.seats if self.in_pairs else None


# Plain attributes: they are asked for several times an action, and finding a seating in a table takes longer.
for _seating, _seats, _sides in (
    (Seating.ONE_ON_ONE, 2, 2),
    (Seating.THREE_ALONE, 3, 3),
    (Seating.TWO_PAIRS, 4, 2),
    (Seating.THREE_PAIRS, 6, 3),
):
    _seating.seats, _seating.sides = _seats, _sides
