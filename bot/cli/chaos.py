"""``buraco chaos``: the bot killed again and again while people press, with a clear verdict."""

import asyncio
import os
import secrets
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from bot.chaos.hunter import DATABASE, Hunter, Verdict
from bot.chaos.lives import PATIENCE_SECONDS
from bot.chaos.worker import bear
from bot.cli.exits import CONFIG, FAILED, fail
from bot.store import OpenStore, StoreUnusable

_SHOWN = 20


def hunt(
    open_store: OpenStore, minutes: float, tables: int, seed: int | None, database: str | None, workers: int = 1
) -> None:
    """Hunt for so many minutes over a database that must not hold anything else, and tell what was found."""
    if not hasattr(os, "fork"):
        fail("chaos needs a system that can fork: Linux or macOS", CONFIG)
    if workers > 1 and not (database or "").startswith("postgres"):
        fail("several workers need a PostgreSQL database: --database postgresql://...", CONFIG)
    seed = secrets.randbelow(1 << 31) if seed is None else seed
    with TemporaryDirectory(prefix="buraco-chaos-") as folder:
        url = database or f"sqlite:///{Path(folder) / 'chaos.sqlite3'}"
        try:
            verdict = asyncio.run(_hunted(open_store, url, minutes * 60, tables, seed, workers))
        except StoreUnusable as error:
            fail(str(error), CONFIG)
    found = (
        f"{verdict.kills} kills, {verdict.tables} tables, {verdict.presses} presses "
        f"in {verdict.deliveries} deliveries: "
        f"{verdict.kept} counted, {verdict.refused} were refused; {verdict.shown} screens (seed {seed})"
    )
    if verdict.is_good:
        typer.echo(f"Nothing was lost and nothing was done twice. {found}")
        return
    for problem in verdict.problems[:_SHOWN]:
        typer.echo(f"  {problem}", err=True)
    fail(f"{len(verdict.problems)} problems. {found}", FAILED)


async def _hunted(open_store: OpenStore, url: str, seconds: float, tables: int, seed: int, workers: int) -> Verdict:
    store = await open_store(url)
    try:
        if await store.open_tables():
            fail("that database has tables: name an empty one, for what is in it would be played with", CONFIG)
    finally:
        await store.close()
    command = (sys.executable, "-m", "bot", "chaos", "--victims")
    hunter = Hunter(command, open_store, url, seed, tables, workers)
    columns = (
        TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[kills]} kills, {task.fields[kept]} presses counted"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Killing", total=seconds, kills=0, kept=0)
        try:
            return await hunter.run(
                seconds,
                lambda done, verdict: bar.update(task, completed=done, kills=verdict.kills, kept=verdict.kept),
            )
        except TimeoutError:
            fail(
                f"nothing came from the bot within {PATIENCE_SECONDS:g} seconds, after {hunter.verdict.kills} kills: "
                f"it hangs, or the machine has no time for it. Nothing has been checked (seed {seed})",
                FAILED,
            )


def be_victims(open_store: OpenStore) -> None:
    """The other side, in a process of its own; its database stands in the environment."""
    bear(open_store, os.environ[DATABASE])
