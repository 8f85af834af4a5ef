"""Timing: processor time beside the clock's, several rounds, and what else the machine was doing meanwhile."""

import os
import platform
import resource
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

_PROCESSES: Final = Path("/proc")


class Cost(NamedTuple):
    """What one call of some work takes, in seconds: the least processor time of all rounds, the median of the clock."""

    cpu: float
    wall: float


def cost_of(work: Callable[[], object], rounds: int, seconds: float) -> Cost:
    """What a call of ``work`` costs, over so many rounds of at least so many seconds, after one call that warms up.

    The least of the rounds is what the work itself takes; the others had to share caches with whatever else ran.
    """
    work()
    cpu: list[float] = []
    wall: list[float] = []
    for _ in range(rounds):
        calls = 0
        began, used = time.perf_counter(), time.process_time()
        while not calls or time.perf_counter() - began < seconds:
            work()
            calls += 1
        cpu.append((time.process_time() - used) / calls)
        wall.append((time.perf_counter() - began) / calls)
    return Cost(min(cpu), statistics.median(wall))


class Spread(NamedTuple):
    """How a measure is spread, all in milliseconds."""

    p50: float
    p99: float
    most: float
    number: int


def spread(seconds: Sequence[float]) -> Spread:
    """The spread of some times in seconds; zeros where there are none."""
    if not seconds:
        return Spread(0.0, 0.0, 0.0, 0)
    row = sorted(seconds)
    p50, p99, most = (round(1000 * value, 2) for value in (_at(row, 0.5), _at(row, 0.99), row[-1]))
    return Spread(p50, p99, most, len(row))


def _at(row: Sequence[float], part: float) -> float:
    return row[min(len(row) - 1, int(part * len(row)))]


def memory_mb(pid: int | None = None) -> float:
    """What of a process, left out this one, lies in memory now, in megabytes.

    Where the system does not tell, the most that this one ever had.
    """
    told = _PROCESSES / ("self" if pid is None else str(pid)) / "statm"
    if told.exists():
        pages = int(told.read_text(encoding="ascii").split()[1])
        return round(pages * resource.getpagesize() / 1e6, 1)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / 1e6 if sys.platform == "darwin" else most / 1e3, 1)


def load_average() -> tuple[float, ...]:
    """How many processes have wanted a core, over 1, 5 and 15 minutes; empty where the system does not tell."""
    try:
        return tuple(round(value, 2) for value in os.getloadavg())
    except OSError:
        return ()


def machine() -> dict[str, Any]:
    """What a figure depends on."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 1,
        "sqlite": sqlite3.sqlite_version,
        "load_average": load_average(),
    }
