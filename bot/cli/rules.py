"""``buraco rules``: a rule set in plain words, and what two differ in."""

from pathlib import Path
from typing import Annotated

import typer

from bot import rulesets
from bot.cli.exits import UNREADABLE, fail
from bot.presenter.rulebook import differing_lines, is_house_default, rule_lines
from bot.rulesets import RulesetNotFound
from bot.texts import texts
from engine.ruleset import Ruleset, RulesetError


def rules(
    ruleset: Annotated[str | None, typer.Argument(help="A rule set's id or a file; left out: all ids.")] = None,
    diff: Annotated[tuple[str, str] | None, typer.Option(help="Show what two rule sets differ in.")] = None,
) -> None:
    """Print a rule set in plain Spanish, or what two rule sets differ in."""
    if diff is not None:
        _differences(*diff)
    elif ruleset is None:
        for ruleset_id in rulesets.ids():
            typer.echo(f"{ruleset_id}: {_load(ruleset_id).name}")
    else:
        _whole(_load(ruleset))


def _load(name: str) -> Ruleset:
    try:
        path = Path(name)
        return rulesets.load_file(path) if path.suffix == rulesets.SUFFIX else rulesets.load(name)
    except (RulesetNotFound, RulesetError) as error:
        fail(str(error), UNREADABLE)
    except OSError as error:
        fail(f"{name}: {error.strerror}", UNREADABLE)


def _whole(rules: Ruleset) -> None:
    t = texts()
    _ = t.gettext
    typer.echo(rules.name)
    section = ""
    for line in rule_lines(t, rules):
        if line.section != section:
            section = line.section
            typer.echo(f"\n{section}")
        mark = " *" if is_house_default(rules, line) else ""
        typer.echo(f"  · {line.text}{mark}")
    typer.echo("\n" + _("* Lo que la fuente no dice: es la costumbre de la casa."))


def _differences(one: str, other: str) -> None:
    mine, theirs = _load(one), _load(other)
    t = texts()
    for line, counterpart in differing_lines(t, mine, theirs):
        typer.echo(f"{mine.id}: {line.text}")
        typer.echo(f"{theirs.id}: {counterpart.text}\n")
