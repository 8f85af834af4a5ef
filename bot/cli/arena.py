"""``buraco arena``: one robot against another in duplicate deals, in several processes."""

import json
import os
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Annotated, Any

import typer

from bot.cli.exits import FAILED, UNREADABLE, fail
from bot.cli.playing import asked_rules, progress_bar
from bot.robots.arena import Duel, interval, play_duel
from bot.robots.registry import RobotNotFound, make_robot
from engine.ruleset import Ruleset
from engine.seating import Seating


def arena(
    a: Annotated[str, typer.Option("--a", help="The robot that is measured.")] = "dificil",
    b: Annotated[str, typer.Option("--b", help="The one in all other seats.")] = "normal",
    ruleset: Annotated[str, typer.Option(help="A rule set's id, or the path of a .toml file with one.")] = "clasico",
    seating: Annotated[str, typer.Option(help="1v1, 1v1v1, 2v2 or 2v2v2.")] = "2v2",
    deals: Annotated[int, typer.Option(min=1, help="How many shuffles; each is played from every side.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed plays the same shuffles.")] = "0",
    processes: Annotated[int, typer.Option(min=1, help="How many play at once.")] = os.cpu_count() or 1,
    deadline: Annotated[
        bool, typer.Option(help="End a search at its deadline, as in play; without, the same seed plays the same.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    least: Annotated[
        float | None, typer.Option(help="Fail unless the lower end of the interval reaches so many points.")
    ] = None,
) -> None:
    """Measure a robot against another: points a deal with their 95 % interval, wins, time a decision, ends."""
    rules, places = asked_rules(ruleset, seating)
    for name in (a, b):
        try:
            make_robot(name)
        except RobotNotFound as error:
            fail(str(error), UNREADABLE)
    found: list[Duel] = []
    with progress_bar(quiet=as_json) as progress:
        task = progress.add_task(f"{a} - {b}", total=deals)
        for duel in _duels(_Job(rules, places, seed, a, b, deadline), deals, processes):
            found.append(duel)
            progress.advance(task)
    report = summary(found)
    told = {"a": a, "b": b, "ruleset": rules.id, "seating": str(places), "seed": seed, "deals": deals, **report}
    typer.echo(json.dumps(told) if as_json else "\n".join(_lines(told)))
    if least is not None and report["points_per_deal_ci95"][0] < least:
        fail(f"the lower end is below {least:g}", FAILED)


class _Job:
    """What every process needs to know; it is sent to each of them."""

    def __init__(self, rules: Ruleset, seating: Seating, seed: str, a: str, b: str, deadline: bool) -> None:
        self._rules, self._seating, self._seed = rules, seating, seed
        self._a, self._b, self._deadline = a, b, deadline

    def __call__(self, number: int) -> Duel:
        """Play one shuffle from every side."""
        a = make_robot(self._a, seed=2 * number, in_time=self._deadline)
        b = make_robot(self._b, seed=2 * number + 1, in_time=self._deadline)
        return play_duel(self._rules, self._seating, f"{self._seed}:{number}", number, a, b)


def _duels(job: Callable[[int], Duel], deals: int, processes: int) -> Iterator[Duel]:
    if min(processes, deals) == 1:
        yield from map(job, range(deals))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_call, repeat(job), range(deals))


def _call(job: Callable[[int], Duel], number: int) -> Duel:
    return job(number)


def summary(duels: Sequence[Duel]) -> dict[str, Any]:
    """What the duels come to, as the command's JSON has it; times in milliseconds."""
    leads = [duel.lead for duel in duels]
    mean, half = interval(leads)
    hands = sum(duel.hands for duel in duels)
    wins_a, wins_b = sum(duel.wins_a for duel in duels), sum(duel.wins_b for duel in duels)
    ends: Counter[str] = Counter()
    for duel in duels:
        ends.update(duel.ends)
    return {
        "hands": hands,
        "points_per_deal": round(mean, 1),
        "points_per_deal_ci95": [round(mean - half, 1), round(mean + half, 1)],
        "points_per_deal_sd": round(statistics.stdev(leads), 1) if len(leads) > 1 else 0.0,
        "wins": wins_a,
        "wins_b": wins_b,
        "win_rate": round(wins_a / max(1, wins_a + wins_b), 4),
        "deals_ahead": round(sum(lead > 0 for lead in leads) / len(leads), 4),
        "decision_ms": _times([taken for duel in duels for taken in duel.ms_a]),
        "decision_ms_b": _times([taken for duel in duels for taken in duel.ms_b]),
        "actions_per_hand": round(sum(duel.actions for duel in duels) / hands, 1),
        "longest_hand": max(duel.longest for duel in duels),
        "ends": dict(sorted(ends.items())),
    }


def _times(taken: list[float]) -> dict[str, float]:
    taken.sort()

    def at(share: float) -> float:
        return round(taken[min(len(taken) - 1, int(share * len(taken)))], 2)

    return {"median": at(0.5), "p95": at(0.95), "p99": at(0.99), "decisions": len(taken)}


def _lines(told: dict[str, Any]) -> Iterator[str]:
    low, high = told["points_per_deal_ci95"]
    yield f"{told['a']} - {told['b']}, {told['ruleset']} {told['seating']}, {told['deals']} deals from every side"
    yield f"points a deal: {told['points_per_deal']:+.1f} (95 %: {low:+.1f} to {high:+.1f})"
    yield f"hands won: {told['wins']} - {told['wins_b']} of {told['hands']}"
    for name, key in ((told["a"], "decision_ms"), (told["b"], "decision_ms_b")):
        ms = told[key]
        yield f"time a decision, {name}: median {ms['median']} ms, 95 % {ms['p95']} ms, 99 % {ms['p99']} ms"
    yield f"actions a hand: {told['actions_per_hand']}, at most {told['longest_hand']}"
    yield "ends: " + ", ".join(f"{end} {count}" for end, count in told["ends"].items())
