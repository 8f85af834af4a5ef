"""Numbers that follow from results: of a person, of two partners, of two rivals."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from bot.results.model import Result


class Tally(msgspec.Struct, frozen=True):
    """Matches, and how many of them were won."""

    matches: int = 0
    won: int = 0

    def plus(self, *, won: bool) -> "Tally":
        """With one more match."""
        return Tally(self.matches + 1, self.won + won)

    @property
    def share(self) -> float:
        """The part that was won, from 0 to 1."""
        return self.won / self.matches if self.matches else 0.0


class Statistics(msgspec.Struct, frozen=True):
    """What a person's results come to. Points and canastas are their side's."""

    people: Tally = Tally()
    """Matches among people; one that the person left counts here, lost."""
    robots: Tally = Tally()
    """Matches with robots, from the beginning or in somebody's place."""
    left: int = 0
    """Matches that the person left: all of them lost."""
    streak: int = 0
    """Matches among people won in a row, up to the last one."""
    best_streak: int = 0
    points: int = 0
    deals: int = 0
    canastas: int = 0
    clean: int = 0
    closed: int = 0
    """Deals that the person closed."""
    best_deal: int | None = None
    by_ruleset: Mapping[str, Tally] = MappingProxyType({})
    by_seating: Mapping[str, Tally] = MappingProxyType({})
    ruleset_names: Mapping[str, str] = MappingProxyType({})

    @property
    def total(self) -> Tally:
        """All matches."""
        return Tally(self.people.matches + self.robots.matches, self.people.won + self.robots.won)

    @property
    def favourite(self) -> str:
        """The rule set that was played most often; the first by name of several, empty without matches."""
        ranked = sorted(self.by_ruleset.items(), key=lambda item: (-item[1].matches, item[0]))
        return ranked[0][0] if ranked else ""


def statistics(results: Iterable[Result], person: str) -> Statistics:
    """A person's statistics, from results in the order in which they were kept; others' are passed over."""
    found = Statistics()
    for result in results:
        found = counted(found, result, person)
    return found


def counted(before: Statistics, result: Result, person: str) -> Statistics:
    """A person's statistics with one more result; as they are where the person did not play."""
    seat = result.seat_of(person)
    if seat is None:
        return before
    won, left = result.won(seat), result.players[seat].left
    if result.among_people(seat):
        streak = before.streak + 1 if won else 0
        after = msgspec.structs.replace(
            before,
            people=before.people.plus(won=won),
            streak=streak,
            best_streak=max(before.best_streak, streak),
        )
    else:
        after = msgspec.structs.replace(before, robots=before.robots.plus(won=won))
    after = msgspec.structs.replace(
        after,
        left=before.left + left,
        by_ruleset=_tallied(before.by_ruleset, result.ruleset, won=won),
        by_seating=_tallied(before.by_seating, result.seating.value, won=won),
        ruleset_names={**before.ruleset_names, result.ruleset: result.ruleset_name},
    )
    # What the robot did in the place of whoever left is not theirs.
    return after if left else _with_points(after, result, seat)


def _with_points(before: Statistics, result: Result, seat: int) -> Statistics:
    side = result.seating.side_of(seat)
    best = [deal.points[side] for deal in result.deals]
    if before.best_deal is not None:
        best.append(before.best_deal)
    return msgspec.structs.replace(
        before,
        points=before.points + result.totals[side],
        deals=before.deals + result.deal_count,
        canastas=before.canastas + sum(deal.canastas[side] for deal in result.deals),
        clean=before.clean + sum(deal.clean[side] for deal in result.deals),
        closed=before.closed + sum(deal.closer == seat for deal in result.deals),
        best_deal=max(best, default=None),
    )


def _tallied(before: Mapping[str, Tally], key: str, *, won: bool) -> Mapping[str, Tally]:
    return {**before, key: before.get(key, Tally()).plus(won=won)}


class Partners(msgspec.Struct, frozen=True):
    """Two people on one side, in matches among people from beginning to end."""

    tally: Tally = Tally()
    points: int = 0
    canastas: int = 0


def partners(results: Iterable[Result], one: str, other: str) -> Partners:
    """What two people did as partners."""
    found = Partners()
    for result, seats in _together(results, one, other):
        side = result.seating.side_of(seats[0])
        if side != result.seating.side_of(seats[1]):
            continue
        found = Partners(
            found.tally.plus(won=result.won(seats[0])),
            found.points + result.totals[side],
            found.canastas + sum(deal.canastas[side] for deal in result.deals),
        )
    return found


class Rivals(msgspec.Struct, frozen=True):
    """Two people on different sides, in matches among people from beginning to end."""

    matches: int = 0
    one: int = 0
    """Won by the first."""
    other: int = 0
    """Won by the second; with three sides, both may have lost."""


def rivals(results: Iterable[Result], one: str, other: str) -> Rivals:
    """What two people did against one another."""
    found = Rivals()
    for result, seats in _together(results, one, other):
        if result.seating.side_of(seats[0]) == result.seating.side_of(seats[1]):
            continue
        found = Rivals(found.matches + 1, found.one + result.won(seats[0]), found.other + result.won(seats[1]))
    return found


def _together(results: Iterable[Result], one: str, other: str) -> Iterable[tuple[Result, tuple[int, int]]]:
    for result in results:
        first, second = result.seat_of(one), result.seat_of(other)
        if first is None or second is None or first == second:
            continue
        if result.among_people(first) and result.among_people(second):
            yield result, (first, second)


def partners_of(results: Sequence[Result], person: str) -> tuple[tuple[str, Partners], ...]:
    """A person's partners, those with most matches first."""
    found: set[str] = set()
    for result in results:
        seat = result.seat_of(person)
        mate = None if seat is None else result.seating.partner_of(seat)
        if mate is not None and (other := result.players[mate].person) is not None:
            found.add(other)
    pairs = ((other, partners(results, person, other)) for other in found)
    ranked = sorted(pairs, key=lambda pair: (-pair[1].tally.matches, -pair[1].tally.won, pair[0]))
    return tuple(pair for pair in ranked if pair[1].tally.matches)


def rivals_of(results: Sequence[Result], person: str) -> tuple[tuple[str, Rivals], ...]:
    """A person's rivals, those with most matches first; in each pair the person is the first."""
    found: set[str] = set()
    for result in results:
        seat = result.seat_of(person)
        if seat is not None:
            side = result.seating.side_of(seat)
            others = enumerate(result.players)
            found |= {one.person for at, one in others if one.person and result.seating.side_of(at) != side}
    pairs = ((other, rivals(results, person, other)) for other in found)
    ranked = sorted(pairs, key=lambda pair: (-pair[1].matches, -pair[1].one, pair[0]))
    return tuple(pair for pair in ranked if pair[1].matches)
