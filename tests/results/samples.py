"""Results for tests: by hand, and by chance."""

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from bot.results.model import Deal, Player, Result
from engine.seating import Seating

NOON = 1_770_000_000_000
DAY = 24 * 3_600_000
PEOPLE = tuple(f"p{number}" for number in range(8))
ROBOT = Player("Robot", robot=True)


def name_of(person: str) -> str:
    """The name of a person of the tests."""
    return f"Nombre {person}"


def player(person: str, *, left: bool = False, stood_in: bool = False, absent: bool = False) -> Player:
    """A person at a seat."""
    return Player(name_of(person), person, left=left, stood_in=stood_in, absent=absent)


def result(
    players: Sequence[Player],
    totals: Sequence[int] = (3000, 1200),
    *,
    number: int = 0,
    seating: Seating = Seating.ONE_ON_ONE,
    winner: int = 0,
    deals: Sequence[Deal] = (),
    ruleset: str = "clasico",
    origin: str = "discord:server:1",
    ended_ms: int | None = None,
) -> Result:
    """A finished match; by default one on one, won by the first."""
    assert len(players) == seating.seats
    assert len(totals) == seating.sides
    ended = NOON + number * DAY if ended_ms is None else ended_ms
    return Result(
        table_id=f"t{number}",
        table=f"Mesa {number}",
        ruleset=ruleset,
        ruleset_name=ruleset.title(),
        seating=seating,
        target=3000,
        origin=origin,
        started_ms=ended - 3_600_000,
        ended_ms=ended,
        totals=tuple(totals),
        winner=winner,
        players=tuple(players),
        deals=tuple(deals),
        deal_count=len(deals) or 4,
    )


def deal(points: Sequence[int], *, canastas: Sequence[int] = (), clean: Sequence[int] = (), closer: int = 0) -> Deal:
    """A deal; without canastas where none are named."""
    none = (0,) * len(points)
    return Deal(tuple(points), tuple(canastas) or none, tuple(clean) or none, closer)


def _any_result(number: int, seed: int) -> Result:
    dice = random.Random(seed)
    seating = dice.choice(list(Seating))
    seats = dice.sample(PEOPLE, seating.seats)
    sort = dice.choice(("people", "people", "people", "robots", "substituted", "left"))
    players = [player(person) for person in seats]
    if sort == "robots":
        players[dice.randrange(seating.seats)] = ROBOT
    elif sort != "people":
        seat = dice.randrange(seating.seats)
        players[seat] = player(seats[seat], stood_in=True, left=sort == "left")
    deals = [
        deal(
            [dice.randrange(-300, 1500) for _ in range(seating.sides)],
            canastas=[dice.randrange(4) for _ in range(seating.sides)],
            closer=dice.randrange(seating.seats),
        )
        for _ in range(dice.randrange(1, 6))
    ]
    totals = [sum(one.points[side] for one in deals) for side in range(seating.sides)]
    return result(
        players,
        totals,
        number=number,
        seating=seating,
        winner=totals.index(max(totals)),
        deals=deals,
        ruleset=dice.choice(("clasico", "cerrado", "abierto", "fibur", "burraco", "parejas")),
        origin=dice.choice(("discord:server:1", "telegram:-5", "")),
    )


def histories(longest: int = 25) -> st.SearchStrategy[list[Result]]:
    """Any number of results, one after the other."""
    seeds = st.lists(st.integers(0, 1_000_000), max_size=longest)
    return seeds.map(lambda found: [_any_result(number, seed) for number, seed in enumerate(found)])
