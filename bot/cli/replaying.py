"""``buraco replay`` and ``buraco verify``: records of deals, step by step and checked."""

from pathlib import Path
from typing import Annotated

import typer

from bot.bundles import read_records
from bot.cli.exits import FAILED, UNREADABLE, fail
from bot.cli.showing import show_match, show_seat
from bot.records import DealRecord, RecordError, Step, verify
from bot.records import replay as steps_of


def replay(
    file: Annotated[Path, typer.Argument(help="The record of a deal, or of a match.")],
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step.")] = False,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat sees.")] = None,
) -> None:
    """Step through a record: each action, and the table after it."""
    for name, record in _read(file):
        if seat is not None and not 0 <= seat < record.seating.seats:
            fail(f"there is no seat {seat} in {record.seating}", UNREADABLE)
        try:
            for number, one in enumerate(steps_of(record)):
                _show(record, number, one, seat)
                if step:
                    typer.prompt("", default="", show_default=False, prompt_suffix="")
        except RecordError as error:
            fail(f"{name}: {error}", FAILED)


def _show(record: DealRecord, number: int, step: Step, seat: int | None) -> None:
    head = f"[{number}] {step.action}" if step.action else f"{record.ruleset.id} {record.seating}, deal {record.number}"
    typer.echo(head)
    lines = show_match(step.match, record.names) if seat is None else show_seat(step.match, record.names, seat)
    for line in lines:
        typer.echo(f"    {line}")


def verify_files(
    files: Annotated[list[Path], typer.Argument(help="Records of deals or matches.")],
) -> None:
    """Check records: exit status 0 when all are true, 1 when one is not, 2 for one that cannot be read."""
    wrong = False
    for name, record in [found for file in files for found in _read(file)]:
        try:
            verify(record)
        except RecordError as error:
            typer.echo(f"{name}: WRONG: {error}")
            wrong = True
        else:
            over = "" if record.result is not None else " (the deal is not over)"
            sealed = ", the seal is true" if record.commitment else ""
            typer.echo(f"{name}: ok, {len(record.actions)} actions{over}{sealed}{_cut(record)}")
    raise typer.Exit(FAILED if wrong else 0)


def _cut(record: DealRecord) -> str:
    """Who cut the pack, and where."""
    if not record.cut:
        return ""
    return f", cut at {record.cut} by {'nobody' if record.cutter is None else record.names[record.cutter]}"


def _read(file: Path) -> list[tuple[str, DealRecord]]:
    try:
        return read_records(file)
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{file}: {error}", UNREADABLE)
    except RecordError as error:
        fail(f"{file}: {error}", UNREADABLE)
