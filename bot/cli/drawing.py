"""``buraco render``: the positions of cases as pictures."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import typer

from bot import rulesets
from bot.cli.exits import UNREADABLE, fail
from bot.drawing.base import Drawing, Draws
from bot.model import Chair, Person, Status, Table
from bot.pictures import HandPicture, Renderer, SuitColours, TablePicture
from bot.presenter.hand import hand_screen
from bot.presenter.seated import Seated, seated
from bot.presenter.table import table_picture
from bot.rulesets import RulesetNotFound
from engine.judge import Case, play
from engine.position import PositionError, build_match
from engine.reasons import IllegalAction
from engine.ruleset import Ruleset, RulesetError, with_options
from engine.seating import Seating
from engine.state import Match
from engine.views import seat_view

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fabio")


def draw_cases(renderer: Renderer, files: Sequence[Path], out: Path, seat: int | None) -> int:
    """Draw the cases of the files into ``out``: ``<id>.png``, and ``<id>-hand<seat>.png``; returns the exit status.

    The actions of a case are played first; a refused one ends it there, as in judging.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        typer.echo(f"{out}: {error.strerror}", err=True)
        return UNREADABLE
    for where, line in _lines(files):
        try:
            case = msgspec.json.decode(line, type=Case)
            match = _played(case)
            name = _file_name(case.id)
            (out / f"{name}.png").write_bytes(renderer.table(_table_picture(match)))
            typer.echo(str(out / f"{name}.png"))
            if seat is not None:
                if not 0 <= seat < match.seating.seats:
                    raise PositionError("--seat", f"no seat {seat}")
                (out / f"{name}-hand{seat}.png").write_bytes(renderer.hand(_hand_picture(match, seat)))
                typer.echo(str(out / f"{name}-hand{seat}.png"))
        except (msgspec.DecodeError, RulesetError, RulesetNotFound, PositionError, OSError) as error:
            typer.echo(f"{where}: {error}", err=True)
            return UNREADABLE
    return 0


def _lines(files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for path in files:
        stream = sys.stdin if str(path) == "-" else None
        try:
            text = stream.read() if stream else path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            fail(f"{path}: {error}", UNREADABLE)
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"{path}:{number}", line


def _file_name(case_id: str) -> str:
    """The id as a file name: whatever could lead elsewhere becomes a dash."""
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in case_id) or "case"


def _played(case: Case) -> Match:
    match = build_match(with_options(rulesets.load(case.ruleset), case.options), case.seating, case.position)
    for text in case.do:
        try:
            match = play(match, text)
        except IllegalAction:
            break
    return match


def _seated(match: Match) -> Seated:
    chairs = tuple(Chair(name=name, person=name) for name in NAMES[: match.seating.seats])
    table = Table(
        id="case",
        code="CASE",
        name="Mesa",
        host=None,
        rules=match.rules,
        seating=match.seating,
        status=Status.PLAYING,
        chairs=chairs,
    )
    return seated(table, 0, match)


def _table_picture(match: Match) -> TablePicture:
    place = _seated(match)
    return table_picture(place.texts(), place, SuitColours.FOUR)


def _hand_picture(match: Match, seat: int) -> HandPicture:
    person = Person(id=NAMES[seat], name=NAMES[seat])
    picture = hand_screen(_seated(match), seat_view(match, seat), person).picture
    if not isinstance(picture, HandPicture):
        raise TypeError("a hand's screen shows a hand")
    return picture


def sample_table(rules: Ruleset | None = None) -> TablePicture:
    """A small table to try a renderer on."""
    from bot.shuffling import seeded_deal  # noqa: PLC0415
    from engine.decide import start_deal  # noqa: PLC0415
    from engine.evolve import evolve_all  # noqa: PLC0415
    from engine.state import new_match  # noqa: PLC0415

    rules = rules or rulesets.load("clasico")
    match = new_match(rules, Seating.TWO_PAIRS, 0)
    return _table_picture(evolve_all(match, start_deal(match, seeded_deal(rules, Seating.TWO_PAIRS, 1))))


def probe(renderer: Renderer, draws: Draws) -> str:
    """Draw a table here, and in a process of its own where pictures are drawn in such.

    Raises:
        NotDrawn: the process did not draw it.
        Exception: whatever the renderer raises.
    """
    picture = sample_table()
    told = f"a table draws in {len(renderer.table(picture))} bytes"
    if not isinstance(draws, Drawing):
        return told
    asyncio.run(_drawn_apart(draws, picture))
    return f"{told}, in a process of its own too"


async def _drawn_apart(draws: Drawing, picture: TablePicture) -> None:
    try:
        await draws.draw(picture)
    finally:
        await draws.stop()
