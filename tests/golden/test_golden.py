"""Golden deals: one for every rule set and seating, with all that every seat sees at each step.

``pytest tests/golden --golden-update`` writes them anew: the same deal where it still can be played, else a new one.
"""

from pathlib import Path

import pytest

from engine.reasons import EngineError
from engine.seating import Seating
from tests.golden.rendering import compose, read_script, render
from tests.strategies import RULESETS, ruleset

HERE = Path(__file__).parent
WANTED = [
    (path.stem, seating)
    for path in sorted(RULESETS.glob("*.toml"))
    for seating in ruleset(path.stem).seatings
]  # fmt: skip


def golden_file(name: str, seating: Seating) -> Path:
    """Where a golden deal lies."""
    return HERE / f"{name}-{seating}.txt"


@pytest.mark.parametrize(("name", "seating"), WANTED, ids=[f"{name}-{seating}" for name, seating in WANTED])
def test_golden_deal(name: str, seating: Seating, request: pytest.FixtureRequest) -> None:
    """Everything observable is as it was when the file was written; a rule set without a deal fails."""
    file = golden_file(name, seating)
    if request.config.getoption("--golden-update"):
        file.write_text(_anew(file, name, seating), encoding="utf-8")
    assert file.exists(), f"{name} has no golden deal for {seating}: write it with --golden-update"
    text = file.read_text(encoding="utf-8")
    script = read_script(text)
    assert (script.ruleset, script.seating) == (name, seating)
    for number, (was, now) in enumerate(zip(text.splitlines(), render(script).splitlines(), strict=False), 1):
        assert now == was, f"{file.name}, line {number}"
    assert text == render(script)


def _anew(file: Path, name: str, seating: Seating) -> str:
    if file.exists():
        try:
            return render(read_script(file.read_text(encoding="utf-8")))
        except EngineError:
            pass
    return render(read_script(render(compose(name, seating))))  # read back: the jokers of a pack look alike


def test_no_golden_deal_is_left_over() -> None:
    """Every file belongs to a rule set that ships."""
    assert {file.name for file in HERE.glob("*.txt")} == {golden_file(*wanted).name for wanted in WANTED}


@pytest.mark.parametrize(("name", "seating"), WANTED, ids=[f"{name}-{seating}" for name, seating in WANTED])
def test_golden_deals_are_whole(name: str, seating: Seating) -> None:
    """Each goes to the scoring and shows the middle of the game."""
    text = golden_file(name, seating).read_text(encoding="utf-8")
    verbs = {action.split()[0] for action in read_script(text).actions}
    assert {"draw", "discard", "meld"} <= verbs
    assert "\nended: " in text
    assert "\nscore 0: " in text
