"""The engine as an environment: its documented example runs, and it is what the engine is."""

import re
from pathlib import Path

import pytest

from bot import rulesets
from bot.shuffling import seeded_deal
from engine.actions import DrawStock, EndTurn
from engine.environment import Environment
from engine.reasons import IllegalAction
from engine.seating import Seating

DOCUMENT = Path(__file__).parents[2] / "docs" / "environment.md"


def test_the_example_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Word by word."""
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, str(DOCUMENT), "exec"), {})  # noqa: S102 - our own text
    assert re.fullmatch(r"\(-?\d+\.0, -?\d+\.0\)\n", capsys.readouterr().out)


def test_reset_step_and_restore() -> None:
    """A refused action changes nothing; a state that was kept can be gone back to."""
    rules, seating = rulesets.load("cerrado"), Seating.ONE_ON_ONE
    game = Environment(rules, seating)
    assert game.legal_actions() == []
    view = game.reset(seeded_deal(rules, seating, 1), starter=1)
    assert (game.mover, view.seat, len(view.hand)) == (1, 1, 11)
    before = game.match
    with pytest.raises(IllegalAction):
        game.step(EndTurn())
    assert game.match is before
    assert game.legal_actions(0) == []
    assert game.step(DrawStock()) is None
    assert len(game.observation(1).hand) == 12
    game.restore(before)
    assert len(game.observation(1).hand) == 11
