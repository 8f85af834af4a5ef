"""What a lookahead is worth: ``uv run python -m tests.robots.tuning.weigh_lookaheads any_top_alone --positions 150``.

``dificil`` plays one side against ``normal``. At some of its decisions each way to go on is played to the end in many
worlds, and what it came to is noted after fewer turns too. Half of the worlds then say what a search with so many turns
and so much caution would choose within a time; the other half, played to the end, say what that gains over the first
way, in points a decision. Ways to go on are played in the true deal as well: the slope of true differences
on believed ones is 1 where what is believed of hidden hands is right, and less where it is too hopeful.

Takes some minutes a kind. What looks best goes into ``bot/robots/tuned/lookaheads.json`` by hand.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from bot.bench.rows import row_of
from bot.robots.dificil import HardRobot, candidates_of
from bot.robots.game_kinds import GameKind
from bot.robots.registry import make_robot
from bot.robots.search import DEFAULT_EFFORT, Effort, ranked, still_in
from bot.robots.swift import layout as at
from bot.robots.swift.believing import begin, deal_out
from bot.robots.swift.gear import Gear, Hidden
from bot.robots.swift.jit import compiled
from bot.robots.swift.leaves import lead_of
from bot.robots.swift.search import begin_with
from bot.robots.swift.turn import play_turn
from bot.robots.swift.workshop import workshop_for
from bot.robots.translating import candidate_of
from bot.robots.worlds import Worlds
from engine.state import Match
from engine.views import SeatView
from tests.robots.rows import dealt, watched
from tests.robots.tuning.sparring import PLACES, Floats, Place, Row, Table

TURNS: Final = np.array([3, 4, 6, 8, 12, 16, 24, 36, 400])
"""After so many turns a world is judged; the last is the end of any deal."""
CAUTIONS: Final = (0.5, 1.0, 1.5, 2.0)
WORLDS: Final = 120
LOOKED_AT: Final = 0.25
"""The share of decisions that is looked at."""
TRIALS: Final = 12
"""How often the worlds of a decision are parted in two."""
_QUICK: Final = Effort(heats=6)


class Decision(NamedTuple):
    """By world, candidate and TURNS what it led to; by candidate what it led to in the true deal."""

    drawing: bool
    led: Any
    true: Any


@compiled
def play_on(s: Row, g: Gear, candidate: Row, turns: Row, led: Floats) -> None:
    """Play a candidate out; ``led`` takes what it leads to after each of so many turns."""
    side = s[at.TURN] % g.r[at.SIDES]
    begin_with(s, g, candidate)
    played = 0
    for i in range(len(turns)):
        while played < turns[i] and not s[at.OVER]:
            play_turn(s, g, 1)
            played += 1
        led[i] = lead_of(s, g.r, g.m, g.leaves, g.features, side)


@compiled
def play_worlds(base: Row, g: Gear, hidden: Hidden, candidates: Table, turns: Row, led: Table) -> None:
    """Deal as many worlds as ``led`` has rows and play every candidate out in each."""
    world, s = base.copy(), base.copy()
    for i in range(len(led)):
        world[:] = base[:]
        deal_out(world, g, hidden)
        for j in range(len(candidates)):
            s[:] = world[:]
            play_on(s, g, candidates[j], turns, led[i, j])


def decisions(place: Place, rng: Random) -> Iterator[Decision]:
    """Decisions of the searching robot on its own way, without an end."""
    name, seating = place
    hard, normal = HardRobot(0, _QUICK), make_robot("normal")
    for number in count():
        side = number % seating.sides
        players = [hard if seating.side_of(seat) == side else normal for seat in range(seating.seats)]
        for match, view in watched(dealt(name, seating, f"lookaheads:{number}", number), players):
            if view.side == side and rng.random() < LOOKED_AT:
                found = looked_at(match, view, rng)
                if found is not None:
                    yield found


def looked_at(match: Match, view: SeatView, rng: Random) -> Decision | None:
    """What each way to go on leads to; None where there are not two."""
    shop = workshop_for(view.table.rules, view.table.seating)
    worlds = Worlds(view, shop)
    rows = [candidate_of(action, shop, worlds.base) for action in candidates_of(view, worlds, shop)]
    known = [row for row in rows if row is not None]
    if len(known) < 2 or rows[0] is None:
        return None
    candidates = np.array(known)
    led, true = np.zeros((WORLDS, len(known), len(TURNS))), np.zeros((len(known), len(TURNS)))
    begin(rng.randrange(1 << 30))
    play_worlds(worlds.base, shop.gear, worlds.hidden, candidates, TURNS, led)
    row = row_of(match, shop)
    row[: at.IDLE] = worlds.base[: at.IDLE]
    for candidate, found in zip(candidates, true, strict=True):
        play_on(row.copy(), shop.gear, candidate, TURNS, found)
    return Decision(not worlds.base[at.DRAWN], led, true[:, -1])


def chosen(led: Any, turns: int, caution: float, budget: float, rng: Any) -> int:
    """What the search would choose in worlds that come in any order, with so many turns of play to spend."""
    order, effort = rng.permutation(len(led)), DEFAULT_EFFORT
    found: list[list[float]] = [[] for _ in range(led.shape[1])]
    running, seen, spent = list(range(len(found))), 0, 0.0
    for heat in range(effort.heats):
        each = len(running) * (turns + 1)
        worlds = min(effort.heat, len(order) - seen, int((budget - spent) / each))
        if worlds <= 0:
            break
        for i in running:
            found[i] += led[order[seen : seen + worlds], i].tolist()
        seen += worlds
        spent += worlds * each
        running = still_in(found, running, effort.kept[min(heat, len(effort.kept) - 1)], effort.behind)
        if len(running) == 1:
            break
    return ranked(found, caution)[0]


def gain(found: list[Decision], place: int, caution: float, budget: float) -> float:
    """Points a decision that a lookahead gains over the first way to go on."""
    rng = np.random.default_rng(1)
    total = 0.0
    for decision in found:
        for _ in range(TRIALS):
            order = rng.permutation(WORLDS)
            seen, judged = decision.led[order[: WORLDS // 2]], decision.led[order[WORLDS // 2 :], :, -1].mean(axis=0)
            best = chosen(seen[:, :, place], int(TURNS[place]), caution, budget, rng)
            total += judged[best] - judged[0]
    return total / TRIALS / len(found)


def slope(found: list[Decision]) -> tuple[float, float]:
    """The slope of true differences on believed ones, and half its 95 % interval."""
    pairs = [(d.led[:, 1:, -1].mean(axis=0) - d.led[:, 0, -1].mean(), d.true[1:] - d.true[0]) for d in found]
    rng = np.random.default_rng(2)

    def of(some: list[tuple[Any, Any]]) -> float:
        believed, true = (np.concatenate(part) for part in zip(*some, strict=True))
        return float((believed * true).sum() / max(1.0, (believed**2).sum()))

    others = [of([pairs[i] for i in rng.integers(0, len(pairs), len(pairs))]) for _ in range(200)]
    return of(pairs), 1.96 * float(np.std(others))


def main() -> None:
    """Print a table for decisions about the pile and one for all others."""
    parser = argparse.ArgumentParser(description="What lookaheads are worth in a kind of game.")
    parser.add_argument("kind", type=GameKind)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument(
        "--budget", type=float, default=1300.0, help="turns of play in 85 ms (about 60 microseconds each)"
    )
    asked = parser.parse_args()
    source = decisions(PLACES[asked.kind][0], Random(f"lookaheads {asked.kind}"))
    every = [next(source) for _ in range(asked.positions)]
    for drawing, what in ((True, "drawing"), (False, "playing")):
        found = [decision for decision in every if decision.drawing is drawing]
        if not found:
            continue
        steep, half = slope(found)
        sys.stdout.write(f"{asked.kind}, {what}: {len(found)} decisions, true on believed {steep:.2f} ± {half:.2f}\n")
        for place, turns in enumerate(TURNS):
            row = "  ".join(f"{gain(found, place, caution, asked.budget):+6.2f}" for caution in CAUTIONS)
            sys.stdout.write(f"  {turns:3} turns, caution {', '.join(map(str, CAUTIONS))}: {row}\n")


if __name__ == "__main__":
    main()
