"""``buraco rules``: a rule set in plain words, what two differ in, a page to print, and exercises."""

import random
from pathlib import Path

import typer

from bot import rulesets
from bot.cli.exits import FAILED, UNREADABLE, fail
from bot.pictures import Renderer, SheetForm
from bot.presenter.rulebook import differing_lines, is_house_default, rule_lines
from bot.presenter.sheet import sheet_of
from bot.presenter.verdicts import meld_lines, why_not
from bot.presenter.words import signs
from bot.reglas.quiz import exercise, next_number
from bot.rulesets import RulesetNotFound
from bot.texts import own_texts
from engine.ruleset import Ruleset, RulesetError


def tell_rules(ruleset: str | None, diff: tuple[str, str] | None) -> None:
    """Print a rule set in plain words, or what two rule sets differ in, or all ids."""
    if diff is not None:
        _differences(*diff)
    elif ruleset is None:
        for ruleset_id in rulesets.ids():
            typer.echo(f"{ruleset_id}: {_load(ruleset_id).name}")
    else:
        _whole(_load(ruleset))


def write_sheet(renderer: Renderer, ruleset: str, path: Path) -> None:
    """Write the page to print: PNG by the file's ending, else PDF."""
    form = SheetForm.PNG if path.suffix.lower() == ".png" else SheetForm.PDF
    try:
        path.write_bytes(renderer.sheet(sheet_of(own_texts(), _load(ruleset)), form))
    except OSError as error:
        fail(f"{path}: {error.strerror}", FAILED)
    typer.echo(str(path))


def ask(ruleset: str) -> None:
    """Ask exercises until somebody has enough: does this count?"""
    rules, t = _load(ruleset), own_texts()
    _ = t.gettext
    number, streak, rng = 0, 0, random.Random()  # noqa: S311 - exercises
    typer.echo(_("¿Vale este juego? Responde s o n; con q terminas."))
    while True:
        task = exercise(rules, number)
        typer.echo(f"\n{signs(t, task.verdict.cards)}")
        answer = typer.prompt(">", default="q", show_default=False, prompt_suffix=" ").strip().casefold()[:1]
        if answer in ("q", ""):
            return
        right = (answer in ("s", "v", "y", "1")) is (task.verdict.meld is not None)
        streak = streak + 1 if right else 0
        told = meld_lines(t, task.verdict) or (why_not(t, rules, task.verdict),)
        typer.echo(_("¡Bien!") if right else _("Casi…"))
        typer.echo(" ".join((_("Vale.") if task.verdict.meld is not None else _("No vale."), *told)))
        typer.echo(_("Racha: {streak}.").format(streak=streak))
        number = next_number(number, rng)


def _load(name: str) -> Ruleset:
    try:
        path = Path(name)
        return rulesets.load_file(path) if path.suffix == rulesets.SUFFIX else rulesets.load(name)
    except (RulesetNotFound, RulesetError) as error:
        fail(str(error), UNREADABLE)
    except OSError as error:
        fail(f"{name}: {error.strerror}", UNREADABLE)


def _whole(rules: Ruleset) -> None:
    t = own_texts()
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
    t = own_texts()
    for line, counterpart in differing_lines(t, mine, theirs):
        typer.echo(f"{mine.id}: {line.text}")
        typer.echo(f"{theirs.id}: {counterpart.text}\n")
