"""``buraco judge``: positions with a known answer, played with the real engine (docs/notation.md)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from bot import rulesets
from bot.cli.exits import UNREADABLE, fail
from bot.rulesets import RulesetNotFound
from engine.judge import Case, judge_case
from engine.position import PositionError
from engine.ruleset import RulesetError

STDIN = "-"


def judge(
    files: Annotated[list[str], typer.Argument(help="Files of cases, one JSON object a line; - is standard input.")],
) -> None:
    """Judge cases: print what each got, one JSON object a line, in order.

    Exit status 0 when every expectation held, 1 otherwise, 2 for a line that cannot be read or a position that cannot
    be. Lines before such a line have been answered; nothing after it is read.
    """
    held = True
    for path in files:
        for number, line in _lines(path):
            held = _judge_line(path, number, line) and held
    raise typer.Exit(0 if held else 1)


def _judge_line(path: str, number: int, line: str) -> bool:
    where = f"{path}:{number}"
    try:
        case = msgspec.json.decode(line, type=Case)
        verdict = judge_case(case, rulesets.load(case.ruleset))
    except msgspec.MsgspecError as error:
        fail(f"{where}: {error}", UNREADABLE)
    except (RulesetError, RulesetNotFound, PositionError) as error:
        fail(f"{where}: {error}", UNREADABLE)
    sys.stdout.write(msgspec.json.encode(verdict).decode() + "\n")
    sys.stdout.flush()
    return verdict.ok is not False


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers, as they come."""
    try:
        stream = sys.stdin if path == STDIN else Path(path).open(encoding="utf-8")  # noqa: SIM115 - closed below
    except OSError as error:
        fail(f"{path}: {error.strerror}", UNREADABLE)
    try:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, line
    except (UnicodeDecodeError, OSError) as error:
        fail(f"{path}: cannot be read as UTF-8 text ({error})", UNREADABLE)
    finally:
        if stream is not sys.stdin:
            stream.close()
