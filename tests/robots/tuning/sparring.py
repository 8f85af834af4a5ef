"""Compiled deals, dozens a second: the sensible robot by whatever numbers against others and the greedy yardstick."""

import json
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from bot import rulesets
from bot.bench.rows import row_of
from bot.robots import tuned
from bot.robots.beliefs import Beliefs
from bot.robots.game_kinds import GameKind
from bot.robots.habits import Habits
from bot.robots.swift import layout as at
from bot.robots.swift.believing import deal_out
from bot.robots.swift.gear import Gear, Hidden, chance_alone
from bot.robots.swift.jit import compiled
from bot.robots.swift.moves import discard, draw, is_wild, may_discard, may_draw, score, take_pile
from bot.robots.swift.plan import start
from bot.robots.swift.turn import do, finish, play_turn, top_uses
from bot.robots.swift.uses import keep_uses_of, list_uses
from bot.robots.swift.workshop import habits_row, weights_row, workshop_for
from bot.robots.tuned import Numbers
from bot.robots.weights import Weights
from bot.shuffling import seeded_deal
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import new_match

Place = tuple[str, Seating]
PLACES: Final[dict[GameKind, tuple[Place, ...]]] = {
    GameKind.NEGATIVE_ALONE: (("clasico", Seating("1v1")),),
    GameKind.NEGATIVE_PAIRS: (("clasico", Seating("2v2")),),
    GameKind.NEGATIVE_THREE: (("clasico", Seating("1v1v1")),),
    GameKind.NEGATIVE_THREE_PAIRS: (("clasico", Seating("2v2v2")),),
    GameKind.CLEAN_FREE_ALONE: (("abierto", Seating("1v1")),),
    GameKind.CLEAN_FREE_PAIRS: (("abierto", Seating("2v2")),),
    GameKind.CLEAN_TOP_ALONE: (("cerrado", Seating("1v1")), ("parejas-fechado", Seating("1v1"))),
    GameKind.CLEAN_TOP_PAIRS: (("cerrado", Seating("2v2")), ("parejas-fechado", Seating("2v2"))),
    GameKind.ANY_FREE_ALONE: (("burraco", Seating("1v1")), ("fibur", Seating("1v1"))),
    GameKind.ANY_FREE_PAIRS: (("burraco", Seating("2v2")), ("fibur", Seating("2v2"))),
    GameKind.ANY_TOP_ALONE: (("burraco-13", Seating("1v1")), ("parejas", Seating("1v1"))),
    GameKind.ANY_TOP_PAIRS: (("parejas", Seating("2v2")), ("cerrado-sucio", Seating("2v2"))),
}
"""Where the numbers of each kind are found."""
MOST_TURNS: Final = 1200
BIG_PILE: Final = 4
Row = Any
"""One row of int64."""
Table = Any
"""Rows of int64."""
Floats = Any
"""One row of float64."""


class Leads(NamedTuple):
    """By how many points a player led the mean of the others, deal by deal."""

    each: Any
    ends: tuple[int, ...]
    """How often deals ended as the layout's OVER says; the first is of those that came to no end."""

    @property
    def mean(self) -> float:
        """Points a deal."""
        return float(self.each.mean())


class Sparring:
    """Deals at one place, the same for everybody who plays there with the same seed."""

    def __init__(self, place: Place) -> None:
        name, seating = place
        rules = rulesets.load(name)
        match = new_match(rules, seating, 0)
        match = evolve_all(match, start_deal(match, seeded_deal(rules, seating, "sparring")))
        shop = self.shop = workshop_for(rules, seating)
        self.sides = shop.rules.sides
        row = self.base = row_of(match, shop)
        """A fresh table at which everybody's cards still have to be dealt."""
        deal = match.deal
        if deal is None:
            raise AssertionError("a deal has begun")
        loose: list[int] = []
        for count, place_of in ((at.STOCK_COUNT, at.STOCK), (at.PILE_COUNT, at.PILE)):
            loose += row[place_of : place_of + row[count]].tolist()
        for i in range(row[at.MUERTO_COUNT]):
            first = at.MUERTOS + i * at.MUERTO_ROOM
            loose += row[first : first + row[at.MUERTO_SIZES + i]].tolist()
        needs = np.zeros(at.MOST_SEATS + 1, dtype=np.int64)
        needs[at.MOST_SEATS] = row[at.PILE_COUNT]
        for seat in range(seating.seats):
            hand = row[at.HANDS + seat * at.FACES : at.HANDS + (seat + 1) * at.FACES]
            loose += np.repeat(np.arange(at.FACES), hand).tolist()
            needs[seat] = row[at.SIZES + seat]
            hand[:] = row[at.SIZES + seat] = 0
        self.hidden = chance_alone(loose, needs)

    def gear(self, numbers: Floats) -> Gear:
        """What plays by a row of numbers here."""
        w, h = np.split(np.asarray(numbers), [at.WEIGHTS_SIZE])
        return self.shop.gear._replace(w=w, h=h)

    def lead(self, one: Floats, other: Floats | None, deals: int, seed: int) -> Leads:
        """Deals that are played from every side: a row of numbers against another; against the yardstick with None."""
        leads, ends = np.zeros(deals), np.zeros(at.OVER_STUCK + 1, dtype=np.int64)
        others = self.gear(one if other is None else other)
        play_deals(self.base, self.gear(one), others, other is None, seed, deals, self.hidden, leads, ends)
        return Leads(leads, tuple(map(int, ends)))


@lru_cache(maxsize=32)
def sparring(place: Place) -> Sparring:
    """The deals of a place, in this process."""
    return Sparring(place)


def row_of_numbers(numbers: Numbers) -> Floats:
    """Weights, then habits, in the order of their fields."""
    return np.concatenate([weights_row(numbers.weights), habits_row(numbers.habits)])


def numbers_of_row(row: Sequence[float]) -> Numbers:
    """Numbers with three digits each, as they are stored."""
    rounded = [float(f"{value:.3g}") for value in row]
    weights = dict(zip(Weights.__struct_fields__, rounded, strict=False))
    habits = dict(zip(Habits.__struct_fields__, rounded[at.WEIGHTS_SIZE :], strict=True))
    return Numbers(Weights(**weights), Habits(**habits))


def told(leads: Any) -> str:
    """The mean with its 95 % interval."""
    return f"{statistics.mean(leads):+.0f} ± {1.96 * statistics.stdev(leads) / math.sqrt(len(leads)):.0f}"


def store_numbers(kind: GameKind, numbers: Numbers) -> None:
    """Put the numbers of a kind into the package: of each, what is not as everywhere."""

    def changed(found: msgspec.Struct, usual: msgspec.Struct) -> dict[str, float]:
        before = msgspec.structs.asdict(usual)
        return {name: value for name, value in msgspec.structs.asdict(found).items() if value != before[name]}

    told = {"weights": changed(numbers.weights, Weights()), "habits": changed(numbers.habits, Habits())}
    _store("numbers.json", kind, told, lambda known: json.dumps(known, indent=1))


def store_leaves(kind: GameKind, rows: tuned.Leaves) -> None:
    """Put the leaves of a kind into the package."""
    _store("leaves.json", kind, rows, _with_rows)


def store_beliefs(kind: GameKind, beliefs: Beliefs) -> None:
    """Put the beliefs of a kind into the package, with two digits."""
    found = {name: round(value, 2) for name, value in msgspec.structs.asdict(beliefs).items()}
    _store("beliefs.json", kind, found, lambda known: json.dumps(known, indent=1))


def _with_rows(known: Mapping[str, Sequence[Sequence[float]]]) -> str:
    kinds = (
        f'  "{kind}": [\n    ' + ",\n    ".join(json.dumps(row) for row in rows) + "\n  ]"
        for kind, rows in known.items()
    )
    return "{\n" + ",\n".join(kinds) + "\n}"


def _store(name: str, kind: GameKind, value: object, written: Callable[[dict[str, Any]], str]) -> None:
    path = Path(tuned.__file__).with_name(name)
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(written({**known, kind: value}) + "\n", encoding="utf-8")


# the greedy yardstick


@compiled
def company(p: Row, face: int) -> int:
    """How many other cards go with one, as the greedy yardstick counts."""
    if face == at.JOKER:
        return 0
    suit, rank = face // 13, face % 13
    total = 0
    for other in range(52):
        if (
            p[at.P_HAND + other]
            and other != face
            and (other % 13 == rank or (other // 13 == suit and abs(other - face) <= 2))
        ):
            total += p[at.P_HAND + other]
    return total


@compiled
def rank_of(r: Row, m: Table, p: Row, use: Row) -> float:
    """How much the greedy yardstick wants a use."""
    form = use[at.U_NUMBER] >> 2
    gain = float(m[form, at.BONUS])
    if use[at.U_INDEX] != at.NONE:
        gain -= m[p[at.P_TABLE + 2 * use[at.U_INDEX]] >> 2, at.BONUS]
    wilds = 0
    for i in range(use[at.U_COUNT]):
        gain += r[at.POINTS + use[at.U_FACES + i]]
        wilds += is_wild(use[at.U_FACES + i])
    canasta = gain if m[form, at.LENGTH] >= 7 else 0.0
    return float(canasta * 1e9 - wilds * 1e7 + m[form, at.IS_CLEAN] * 1e6 + gain * 100.0 + use[at.U_COUNT])


@compiled
def best_use(r: Row, m: Table, p: Row, u: Table, count: int) -> int:
    """The use that the greedy yardstick wants most."""
    best, chosen = -1e18, at.NONE
    for i in range(count):
        value = rank_of(r, m, p, u[i])
        if value > best:
            best, chosen = value, i
    return chosen


@compiled
def greedy_turn(s: Row, r: Row, m: Table, n: Row, rows: Table, uses: Table) -> None:
    """A turn very nearly as the greedy yardstick plays it."""
    seat = s[at.TURN]
    if not s[at.DRAWN]:
        drawing = may_draw(s, r)
        taken = False
        if s[at.PILE_COUNT] and (s[at.PILE_COUNT] >= BIG_PILE or not drawing):
            if not r[at.AT_ONCE] and not r[at.THIS_TURN]:
                take_pile(s, r)
                taken = True
            else:
                count = top_uses(s, r, m, n, rows[0], uses[0])
                if count:
                    chosen = best_use(r, m, rows[0], uses[0], count)
                    take_pile(s, r)
                    do(s, r, uses[0, chosen])
                    taken = True
        if not taken:
            if not drawing:
                s[at.OVER] = at.OVER_STUCK
                return
            draw(s, r)
    greedy_melds(s, r, m, n, rows, uses)
    if s[at.OVER] or s[at.TURN] != seat:
        return
    if not s[at.DISCARDED]:
        start(s, r, rows[0])
        best, chosen = 1e18, at.NONE
        for face in range(at.FACES):
            if rows[0, at.P_HAND + face] and may_discard(s, r, m, face):
                value = (1e6 if is_wild(face) else 0.0) + company(rows[0], face) * 1e3 + face % 13 * 10.0
                if value < best:
                    best, chosen = value, face
        if chosen == at.NONE:
            s[at.OVER] = at.OVER_STUCK
            return
        discard(s, r, chosen)
        if s[at.DISCARDED] == 1 and not s[at.OVER]:
            greedy_melds(s, r, m, n, rows, uses)
        if s[at.OVER]:
            return
    finish(s, r, m, n, rows[0], uses[0])


@compiled
def greedy_melds(s: Row, r: Row, m: Table, n: Row, rows: Table, uses: Table) -> None:
    """Lay whatever can be laid."""
    while not s[at.OVER]:
        start(s, r, rows[0])
        count = list_uses(s, r, m, n, rows[0], uses[0])
        if s[at.OWED] != at.NONE:
            count = keep_uses_of(uses[0], count, s[at.OWED])
        if count == 0:
            return
        do(s, r, uses[0, best_use(r, m, rows[0], uses[0], count)])


@compiled
def deal_anew(base: Row, g: Gear, world: Row, seed: int, hidden: Hidden) -> None:
    """The deal of a seed, which says too who begins."""
    np.random.seed(seed)
    world[:] = base[:]
    deal_out(world, g, hidden)
    world[at.TURN] = seed % g.r[at.SEATS]


@compiled
def play_deals(
    base: Row, one: Gear, other: Gear, greedily: bool, seed: int, count: int, hidden: Hidden, leads: Floats, ends: Row
) -> None:
    """Deals, each played from every side: one player against another, or against the greedy yardstick."""
    world = base.copy()
    s = base.copy()
    sides = one.r[at.SIDES]
    for deal in range(count):
        deal_anew(base, one, world, seed + deal, hidden)
        total = 0.0
        for side in range(sides):
            s[:] = world[:]
            for _ in range(MOST_TURNS):
                if s[at.OVER]:
                    break
                if s[at.TURN] % sides == side:
                    play_turn(s, one, 1)
                elif greedily:
                    greedy_turn(s, one.r, one.m, one.n, one.rows, one.uses)
                else:
                    play_turn(s, other, 1)
            ends[s[at.OVER]] += 1
            own = rest = 0.0
            for each in range(sides):
                value = score(s, one.r, one.m, each)
                if each == side:
                    own = value
                else:
                    rest += value
            total += own - rest / (sides - 1)
        leads[deal] = total / sides
