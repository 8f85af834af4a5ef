"""``buraco rules``: a rule set in words, two side by side, and files that are broken."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot import rulesets
from bot.cli import app

DATA = Path(__file__).resolve().parent.parent.parent / "data" / "rulesets"


def rules(*arguments: str) -> Result:
    """The command with its exit status and both streams."""
    return CliRunner().invoke(app, ["rules", *arguments])


def test_lists_every_rule_set() -> None:
    lines = rules().stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(rulesets.ids())
    assert "clasico: Clásico" in lines


@pytest.mark.parametrize("ruleset_id", rulesets.ids())
def test_tells_each_in_plain_words(ruleset_id: str) -> None:
    result = rules(ruleset_id)
    assert result.exit_code == 0
    assert result.stdout.startswith(rulesets.load(ruleset_id).name)
    assert "Los puntos" in result.stdout
    assert " *\n" in result.stdout


def test_tells_what_two_differ_in() -> None:
    result = rules("--diff", "cerrado", "cerrado-sucio")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "cerrado: Para cerrar hace falta haber tomado un muerto y tener una canasta sin comodín.",
        "cerrado-sucio: Para cerrar hace falta haber tomado un muerto y tener una canasta.",
        "",
    ]
    assert rules("--diff", "abierto", "abierto").stdout == ""


def test_an_unknown_rule_set(tmp_path: Path) -> None:
    for arguments in (("canasta",), ("--diff", "clasico", "canasta"), (str(tmp_path / "none.toml"),)):
        result = rules(*arguments)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('tie = "another_deal"', 'tie = "coin"', "tie"),
        ("run_minimum = 3", "run_minimum = 9", "run_minimum"),
        ('pile = "pozo"', "", "words.pile"),
        ("target = 3000", "target = 3000\nstakes = 6000", "stakes"),
        ('wild_order = ["home", "high", "low"]', 'wild_order = ["home"]', "wild_order"),
    ],
)
def test_a_broken_file_is_refused_with_the_key_and_what_is_wrong(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = (DATA / "clasico.toml").read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    result = rules(str(file))
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("buraco: mine.toml: ")
    assert told in line
