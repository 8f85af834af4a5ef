"""What the commands share that let robots play: the rules and seating asked for, and a bar of how far it is."""

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot import rulesets
from bot.cli.exits import UNREADABLE, fail
from bot.rulesets import RulesetNotFound
from engine.ruleset import Ruleset, RulesetError
from engine.seating import Seating


def asked_rules(ruleset: str, seating: str) -> tuple[Ruleset, Seating]:
    """The rule set and seating of a command.

    Raises:
        typer.Exit: there is no such thing; it has been said.
    """
    try:
        rules = rulesets.load_file(Path(ruleset)) if ruleset.endswith(rulesets.SUFFIX) else rulesets.load(ruleset)
    except (RulesetNotFound, RulesetError) as error:
        fail(str(error), UNREADABLE)
    except OSError as error:
        fail(f"{ruleset}: {error.strerror}", UNREADABLE)
    known = ", ".join(rules.seatings)
    try:
        places = Seating(seating)
    except ValueError:
        fail(f"no seating {seating!r}; {rules.id} has {known}", UNREADABLE)
    if places not in rules.seatings:
        fail(f"{rules.id} is not played {seating}; it has {known}", UNREADABLE)
    return rules, places


def progress_bar(*, quiet: bool) -> Progress:
    """A bar on standard error that vanishes when it is done."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet,
    )
