"""``buraco bench``: how fast the program is, part by part and as a whole, in words or as one JSON object."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import typer

from bot import rulesets
from bot.bench.engine import engine_rows, meld_rows
from bot.bench.load import load_row
from bot.bench.pictures import picture_rows
from bot.bench.selfplay import self_play
from bot.bench.stores import store_rows
from bot.bench.timing import load_average, machine
from bot.cli.exits import FAILED, fail
from bot.cli.playing import progress_bar
from bot.drawing.base import Draws
from bot.pictures import Renderer
from bot.store import OpenStore


class Part(StrEnum):
    """What can be measured."""

    ENGINE = "engine"
    MELDS = "melds"
    STORE = "store"
    PICTURES = "pictures"
    SELF_PLAY = "selfplay"
    LOAD = "load"


class Asked(NamedTuple):
    """What a run is to measure, and for how long."""

    parts: tuple[Part, ...]
    ruleset: str
    seating: str
    rounds: int
    seconds: float
    rulesets: tuple[str, ...]
    commits: int
    loads: tuple[int, ...]
    load_seconds: float
    peers: bool
    database_url: str | None
    picture_workers: int


QUICK_LOADS: Final = (10, 100)
LOADS: Final = (10, 100, 1000)
_QUICK_RULESETS: Final = ("clasico", "abierto", "parejas")
_LONGEST_START: Final = 600.0
"""Seconds that a run under load may take beyond the time that it is asked for."""


def asked(
    *,
    parts: Sequence[Part],
    quick: bool,
    ruleset: str,
    seating: str,
    rounds: int | None,
    seconds: float | None,
    loads: Sequence[int],
    load_seconds: float | None,
    peers: bool,
    database_url: str | None,
    picture_workers: int,
) -> Asked:
    """The run that the command's options stand for."""
    return Asked(
        parts=tuple(parts or Part),
        ruleset=ruleset,
        seating=seating,
        rounds=rounds or (1 if quick else 5),
        seconds=seconds or (0.1 if quick else 1.0),
        rulesets=_QUICK_RULESETS if quick else tuple(rulesets.ids()),
        commits=160 if quick else 1280,
        loads=tuple(loads or (QUICK_LOADS if quick else LOADS)),
        load_seconds=load_seconds or (3.0 if quick else 60.0),
        peers=peers,
        database_url=database_url,
        picture_workers=picture_workers,
    )


def run_bench(run: Asked, open_store: OpenStore, renderer: Renderer, *, as_json: bool) -> None:
    """Measure and tell."""
    began = time.perf_counter()
    told: dict[str, Any] = {"machine": machine()}
    with progress_bar(quiet=as_json) as bar:
        task = bar.add_task("Measuring", total=_steps(run))

        def done() -> None:
            bar.advance(task)

        for part in run.parts:
            bar.update(task, description=f"Measuring {part}")
            told |= _measured(part, run, open_store, renderer, done)
    told["load_average_after"] = load_average()
    told["took_seconds"] = round(time.perf_counter() - began, 1)
    if as_json:
        typer.echo(json.dumps(told))
    else:
        for line in in_words(told):
            typer.echo(line)


def _steps(run: Asked) -> int:
    counts = {
        Part.ENGINE: len(run.rulesets),
        Part.MELDS: 3,
        Part.STORE: 4 if run.database_url is None else 6,
        Part.PICTURES: 5,
        Part.SELF_PLAY: 1,
        Part.LOAD: len(run.loads),
    }
    return sum(counts[part] for part in run.parts)


def _measured(
    part: Part, run: Asked, open_store: OpenStore, renderer: Renderer, done: Callable[[], None]
) -> dict[str, Any]:
    match part:
        case Part.ENGINE:
            return {"engine": _rows(engine_rows(run.rulesets, run.rounds, run.seconds), done)}
        case Part.MELDS:
            return {"melds": _rows(meld_rows(run.rounds, run.seconds), done)}
        case Part.STORE:
            rounds = min(run.rounds, 3)
            missing = [] if run.database_url else ["postgresql: name one with --database-url"]
            rows = store_rows(open_store, run.database_url, run.commits, rounds, done)
            return {"store": rows, "store_missing": missing}
        case Part.PICTURES:
            return {"pictures": _rows(picture_rows(renderer, run.rounds, run.seconds), done)}
        case Part.SELF_PLAY:
            rows, missing = self_play(run.ruleset, run.seating, run.rounds, run.seconds, peers=run.peers)
            done()
            return {"rows": rows, "missing": missing}
        case Part.LOAD:
            return {"load": _rows((_apart(run, matches) for matches in run.loads), done)}


def _rows(rows: Iterable[dict[str, Any]], done: Callable[[], None]) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        found.append(row)
        done()
    return found


def _apart(run: Asked, matches: int) -> dict[str, Any]:
    """A run under load in a process of its own: its memory and its processor time are nobody else's."""
    command = [
        sys.executable,
        "-m",
        "bot",
        "bench",
        "--one-load",
        str(matches),
        "--load-seconds",
        str(run.load_seconds),
        "--picture-workers",
        str(run.picture_workers),
    ]
    if run.database_url is not None:
        command += ["--database-url", run.database_url]
    ended = subprocess.run(  # noqa: S603 - this program, with numbers
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
        timeout=2 * run.load_seconds + _LONGEST_START,
    )
    if ended.returncode:
        fail(f"the run with {matches} matches ended with status {ended.returncode}", FAILED)
    row: dict[str, Any] = json.loads(ended.stdout)
    return row


def one_load(open_store: OpenStore, draws: Draws, matches: int, seconds: float, database_url: str | None) -> None:
    """The other side: one run under load, told as JSON."""
    typer.echo(json.dumps(asyncio.run(load_row(open_store, draws, matches, seconds, database_url))))


# in words


def in_words(told: dict[str, Any]) -> Iterable[str]:
    """The same as tables for people."""
    machine_told = told["machine"]
    yield (
        f"Python {machine_told['python']}, {machine_told['cores']} cores, "
        f"load {' '.join(map(str, machine_told['load_average']))} before and "
        f"{' '.join(map(str, told['load_average_after']))} after, took {told['took_seconds']} s"
    )
    for name, title in _TITLES.items():
        if told.get(name):
            yield ""
            yield title
            yield from _table([_flat(row) for row in told[name]])
    for missing in (*told.get("missing", ()), *told.get("store_missing", ())):
        yield f"not measured: {missing}"


_TITLES: Final = {
    "engine": "Engine: random legal deals, every action judged and its events applied (processor time)",
    "melds": "Melds of a hand",
    "store": "Stores: durable changes",
    "pictures": "Pictures and screens",
    "rows": "Self-play",
    "load": "The whole program under load (times in ms)",
}
_LEFT_OUT: Final = frozenset({"load_average", "memory_growth_mb", "refused"})


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name in _LEFT_OUT:
            continue
        flat[name] = f"{value['p50']:g}/{value['p99']:g}" if isinstance(value, dict) else value
    return flat


def _table(rows: Sequence[dict[str, Any]]) -> Iterable[str]:
    """Rows that become columns where there are more figures than rows."""
    names = list(rows[0])
    cells = [[name, *(str(row.get(name, "")) for row in rows)] for name in names]
    if len(names) <= _WIDE:
        cells = [list(column) for column in zip(*cells, strict=True)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        first, *rest = (
            f"{cell:<{width}}" if i == 0 else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *rest)).rstrip()


_WIDE: Final = 9
