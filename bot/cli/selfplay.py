"""``buraco selfplay``: robots against each other, counted."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.exits import UNREADABLE, fail
from bot.cli.playing import asked_rules, progress_bar
from bot.records import record_of, write_record
from bot.robots.arena import Played, interval, play_deal
from bot.robots.registry import RobotNotFound, make_robot
from bot.robots.robot import Robot
from bot.shuffling import seeded_deal
from engine.notation import write_action
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import new_match


def selfplay(
    ruleset: Annotated[str, typer.Option(help="A rule set's id, or the path of a .toml file with one.")] = "clasico",
    seating: Annotated[str, typer.Option(help="1v1, 1v1v1, 2v2 or 2v2v2.")] = "2v2",
    deals: Annotated[int, typer.Option(min=1, help="How many deals.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same deals.")] = 0,
    robots: Annotated[str, typer.Option(help="A robot a side, by commas.")] = "normal,normal",
    swap: Annotated[
        bool, typer.Option("--swap", help="Play every deal once more with the robots' sides turned.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    record: Annotated[Path | None, typer.Option(help="Write each deal's record into this folder.")] = None,
) -> None:
    """Let robots play deals against each other and count points, ends and speed."""
    rules, places = asked_rules(ruleset, seating)
    names = _robots(robots, places, seed)
    turns = len(names) if swap else 1
    points: list[list[float]] = [[] for _ in names]
    ends: Counter[str] = Counter()
    wins = [0] * len(names)
    actions = 0
    began = time.perf_counter()
    with progress_bar(quiet=as_json) as progress:
        task = progress.add_task("deals", total=deals * turns)
        for number in range(deals):
            sums = [0.0] * len(names)
            for turn in range(turns):
                order = [(side + turn) % len(names) for side in range(len(names))]
                played = _play(rules, places, f"{seed}:{number}", number, [names[robot][1] for robot in order])
                actions += len(played.log)
                _count(played, order, sums, wins, ends)
                if record is not None:
                    labels = [names[order[places.side_of(seat)]][0] for seat in range(places.seats)]
                    _write(record, rules, places, f"{seed}:{number}", number, played, labels, turn)
                progress.advance(task)
            for side, total in enumerate(sums):
                points[side].append(total / turns)
    seconds = time.perf_counter() - began
    _report(names, points, wins, ends, deals * turns, actions, seconds, as_json=as_json)


def _robots(text: str, places: Seating, seed: int) -> list[tuple[str, Robot]]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != places.sides:
        fail(f"{places} wants {places.sides} robots, one a side; {len(names)} are named", UNREADABLE)
    try:
        return [(name, make_robot(name, seed=seed + side)) for side, name in enumerate(names)]
    except RobotNotFound as error:
        fail(str(error), UNREADABLE)


def _play(rules: Ruleset, seating: Seating, seed: str, number: int, robots: Sequence[Robot]) -> Played:
    before = new_match(rules, seating, number % seating.seats)
    seated = [robots[seating.side_of(seat)] for seat in range(seating.seats)]
    return play_deal(before, seeded_deal(rules, seating, seed), seated)


def _count(played: Played, order: Sequence[int], sums: list[float], wins: list[int], ends: Counter[str]) -> None:
    deal = played.match.deal
    if deal is None or deal.scores is None or deal.ended is None:
        raise AssertionError("a deal is played to its end")
    ends[str(deal.ended)] += 1
    best = max(score.total for score in deal.scores)
    leaders = [side for side, score in enumerate(deal.scores) if score.total == best]
    for side, score in enumerate(deal.scores):
        sums[order[side]] += score.total
    if len(leaders) == 1:
        wins[order[leaders[0]]] += 1


def _write(
    folder: Path,
    rules: Ruleset,
    seating: Seating,
    seed: str,
    number: int,
    played: Played,
    names: Sequence[str],
    turn: int,
) -> None:
    before = new_match(rules, seating, number % seating.seats)
    actions = [f"{seat}: {write_action(action)}" for seat, action in played.log]
    deal = record_of(before, names, seeded_deal(rules, seating, seed), actions, played.match)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{rules.id}-{seating}-{seed.replace(':', '-')}-{turn}.toml").write_text(
            write_record(deal), encoding="utf-8"
        )
    except OSError as error:
        fail(f"{folder}: {error.strerror}", UNREADABLE)


def _report(
    names: Sequence[tuple[str, Robot]],
    points: Sequence[Sequence[float]],
    wins: Sequence[int],
    ends: Counter[str],
    deals: int,
    actions: int,
    seconds: float,
    *,
    as_json: bool,
) -> None:
    sides = []
    for (name, _), row, won in zip(names, points, wins, strict=True):
        mean, half = interval(row)
        sides.append({"robot": name, "points": round(mean, 2), "interval95": round(half, 2), "wins": won})
    others = [sum(row) / len(row) for row in zip(*points[1:], strict=True)]
    lead, spread = interval([own - rest for own, rest in zip(points[0], others, strict=True)])
    if as_json:
        # The speed is told to people only: the same seed then prints the same bytes.
        counts = {"deals": deals, "actions": actions, "sides": sides}
        ahead = {"points": round(lead, 2), "interval95": round(spread, 2)}
        typer.echo(json.dumps({**counts, "lead": ahead, "ends": dict(sorted(ends.items()))}))
        return
    typer.echo(f"{deals} deals, {actions} actions, {deals / seconds:.1f} deals/s, {actions / seconds:.0f} actions/s")
    for number, side in enumerate(sides):
        told = f"{side['points']:+} ± {side['interval95']} points a deal, {side['wins']} deals won"
        typer.echo(f"side {number} {side['robot']}: {told}")
    typer.echo(f"side 0 leads by {lead:+.2f} ± {spread:.2f} points a deal")
    typer.echo("ends: " + ", ".join(f"{end} {count}" for end, count in sorted(ends.items())))
