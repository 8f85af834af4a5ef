"""A finished match as it is kept: who played, how it ended, and what of it counts.

Values are immutable and kept as JSON. A field may be added with a default, but none may change its meaning.
"""

from enum import StrEnum

import msgspec

from engine.seating import Seating


class Kind(StrEnum):
    """What a finished match was, as far as counting goes."""

    PEOPLE = "people"
    """A person at every seat from the beginning to the end: the only kind that is rated for everybody."""
    SUBSTITUTED = "substituted"
    """It began so, but a robot took a seat: for good, or for a while."""
    ROBOTS = "robots"
    """Robots sat at the table from the beginning, or it was a guided lesson."""


class Skill(msgspec.Struct, frozen=True, array_like=True):
    """How strong somebody is believed to be, and how sure that is."""

    mu: float
    sigma: float


class Player(msgspec.Struct, frozen=True):
    """Who sat at a seat.

    Who took somebody's place, robot or person, is not told where that one left, or where the substitute did not play
    most of the match: the seat stays whose it was.
    """

    name: str
    """Empty once the person has been erased."""
    person: str | None = None
    """None for a robot, and for a person who has been erased."""
    robot: bool = False
    """A robot from the beginning."""
    left: bool = False
    """The person gave the seat up to a robot: the match is lost for them, whatever became of it."""
    stood_in: bool = False
    """A robot played some turns for the person, who kept the seat."""
    absent: bool = False
    """It still did at the end."""
    sent_away: bool = False
    """The others voted that the person leave: the match is neither won nor rated for them."""
    filled: bool = False
    """A substitute who played most of the match, in a seat that was a robot's from the beginning."""
    before: Skill | None = None
    """Their skill before the match, where it was rated for anybody."""
    after: Skill | None = None
    """Their skill after it; None where it was not rated for them."""


class Deal(msgspec.Struct, frozen=True):
    """A deal of the match. Tuples a side."""

    points: tuple[int, ...]
    canastas: tuple[int, ...]
    clean: tuple[int, ...]
    """Canastas in which no card stands for another."""
    closer: int | None = None
    """The seat that closed."""


class Result(msgspec.Struct, frozen=True):
    """A finished match."""

    table_id: str
    table: str
    """The table's name."""
    ruleset: str
    ruleset_name: str
    seating: Seating
    target: int
    origin: str
    """The server or group in which the table was opened, by its platform's key; empty elsewhere."""
    started_ms: int
    ended_ms: int
    totals: tuple[int, ...]
    winner: int
    """The winning side."""
    players: tuple[Player, ...]
    """By seat."""
    deals: tuple[Deal, ...] = ()
    """Empty where the match's events could not be read."""
    deal_count: int = 0
    house_rules: bool = False
    """The table had changed rules beyond what it was played to."""
    lesson: bool = False
    stake: int = 0
    """Coins that everybody put up."""
    weight: float | None = None
    """How much it counted for ratings, above 0 and up to 1. None where nobody was rated, and in results from before
    there was a weight: those counted in full."""

    @property
    def kind(self) -> Kind:
        """What the match was."""
        if self.lesson or any(player.robot or player.filled for player in self.players):
            return Kind.ROBOTS
        if any(player.left or player.stood_in or player.absent or player.sent_away for player in self.players):
            return Kind.SUBSTITUTED
        return Kind.PEOPLE

    @property
    def rated(self) -> bool:
        """Whether anybody's skill changes: all people; or somebody left such a match, and it is lost for them alone."""
        kind = self.kind
        return kind is Kind.PEOPLE or (kind is Kind.SUBSTITUTED and any(player.left for player in self.players))

    def is_rated_for(self, seat: int) -> bool:
        """Whether a seat's skill changes."""
        return self.kind is Kind.PEOPLE or (self.kind is Kind.SUBSTITUTED and self.players[seat].left)

    def among_people(self, seat: int) -> bool:
        """Whether the match counts among people for a seat; where not, it counts among those with robots.

        For whoever left, it was one among people, and it is lost.
        """
        return self.is_rated_for(seat)

    def won(self, seat: int) -> bool:
        """Whether the match is won for a seat."""
        player = self.players[seat]
        return self.seating.side_of(seat) == self.winner and not (player.left or player.sent_away)

    def seat_of(self, person: str) -> int | None:
        """Where a person sat."""
        return next((seat for seat, player in enumerate(self.players) if player.person == person), None)

    @property
    def people(self) -> tuple[str, ...]:
        """The persons who played, also those who left."""
        return tuple(dict.fromkeys(player.person for player in self.players if player.person is not None))


class Rating(msgspec.Struct, frozen=True):
    """A person's present skill in a seating."""

    person: str
    seating: Seating
    skill: Skill
    matches: int
    """How many rated matches led to it."""


def without_person(result: Result, person: str) -> Result:
    """The result with one person made nobody: no name, no id. All that others have of it stays as it is."""
    players = tuple(
        msgspec.structs.replace(player, name="", person=None) if player.person == person else player
        for player in result.players
    )
    # Tables are mostly named after whoever opened them.
    names = [player.name for player in result.players if player.person == person and player.name]
    table = "" if any(name in result.table for name in names) else result.table
    return msgspec.structs.replace(result, players=players, table=table)
