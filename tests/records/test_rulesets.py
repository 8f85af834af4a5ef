"""The rule sets that ship, found by id, and what is said of files that hold none."""

from pathlib import Path

import pytest

from bot import rulesets
from bot.rulesets import RulesetFileError, RulesetNotFound
from tests.strategies import RULESETS


def test_every_file_is_found() -> None:
    """The ids are the names of the files, and each loads."""
    assert rulesets.ids() == tuple(sorted(path.stem for path in RULESETS.glob("*.toml")))
    assert [rulesets.load(name).id for name in rulesets.ids()] == list(rulesets.ids())


@pytest.mark.parametrize("name", ["", "nada", "../rulesets/clasico", "clasico.toml"])
def test_an_unknown_id(name: str) -> None:
    """It names those that there are."""
    with pytest.raises(RulesetNotFound, match=r"there are .*clasico"):
        rulesets.load(name)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("hand_size = 11", "hand_size = 0"), "broken.toml: hand_size: must be from 1 to 20"),
        (("sets = true", "sets = 3"), "broken.toml: sets: "),
        (("target = 3000", ""), "broken.toml: .*target"),
        (("target = 3000", "target ="), "broken.toml: file: "),
    ],
)
def test_a_broken_file(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    """The file's name, the key and the problem."""
    path = tmp_path / "broken.toml"
    path.write_text((RULESETS / "clasico.toml").read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(RulesetFileError, match=told):
        rulesets.load_file(path)


def test_other_files(tmp_path: Path) -> None:
    """A file of one's own loads, bytes that are no text are told, a missing file is an OSError."""
    path = tmp_path / "mine.toml"
    path.write_text((RULESETS / "clasico.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert rulesets.load_file(path) == rulesets.load("clasico")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RulesetFileError, match=r"mine.toml: file: not UTF-8"):
        rulesets.load_file(path)
    with pytest.raises(OSError, match="missing"):
        rulesets.load_file(tmp_path / "missing.toml")
