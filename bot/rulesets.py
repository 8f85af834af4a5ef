"""The rule sets that come with the product: one complete TOML file each in the package folder ``data/rulesets``."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from engine.ruleset import Ruleset, RulesetError, parse_ruleset

SUFFIX: Final = ".toml"


class RulesetNotFound(LookupError):
    """There is no rule set of this id. ``known`` are the ids that there are."""

    def __init__(self, ruleset_id: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no rule set {ruleset_id!r}; there are {', '.join(known)}")
        self.ruleset_id = ruleset_id
        self.known = known


class RulesetFileError(RulesetError):
    """A file that holds no valid rule set: ``file`` is its name, ``path`` the key and ``problem`` what is wrong."""

    def __init__(self, file: str, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.file = file

    def __str__(self) -> str:
        """The file, the key and the problem in one line."""
        return f"{self.file}: {self.path}: {self.problem}"


@cache
def ids() -> tuple[str, ...]:
    """The ids of all rule sets in alphabetical order. Cached: the package's files do not change while it runs."""
    folder = files("data") / "rulesets"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


@cache
def load(ruleset_id: str) -> Ruleset:
    """The rule set of an id. Cached; the value is immutable.

    Raises:
        RulesetNotFound: there is none of this id.
        RulesetFileError: its file is broken.
    """
    if ruleset_id not in ids():
        raise RulesetNotFound(ruleset_id, ids())
    name = ruleset_id + SUFFIX
    rules = _parse((files("data") / "rulesets" / name).read_text(encoding="utf-8"), name)
    if rules.id != ruleset_id:
        raise RulesetFileError(name, "id", f"{rules.id!r} is not the file's name")
    return rules


def load_file(path: Path) -> Ruleset:
    """The rule set in a file of one's own.

    Raises:
        OSError: the file cannot be read.
        RulesetFileError: it holds no valid rule set.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RulesetFileError(path.name, "file", f"not UTF-8: {error.reason} at byte {error.start}") from None
    return _parse(text, path.name)


def _parse(text: str, name: str) -> Ruleset:
    try:
        return parse_ruleset(text)
    except RulesetError as error:
        raise RulesetFileError(name, error.path, error.problem) from None
