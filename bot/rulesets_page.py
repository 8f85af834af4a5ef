"""``docs/rulesets.md``, made from the rule sets as the code has them. ``python -m bot.rulesets_page`` renews it.

The test suite fails while the page is stale.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from bot import rulesets
from engine.ruleset import Ruleset

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "rulesets.md"
_TITLE_FIELDS: Final = frozenset({"id", "name", "source", "house_defaults", "words"})
_COLUMNS: Final = 6
"""Rule sets side by side: more do not fit a screen."""
_SOURCES: Final = {
    "000": "an introduction to Buraco with canastas of exactly seven",
    "001": "a guide to the partnership game of Brazil and Italy, and its variants",
    "002": "the rules of an online room with six modalities",
    "003": "a rulebook of the River Plate",
    "004": "a guide to the game with thirteen cards",
    "federation": "the play of Italian federations",
}

_HEAD: Final = """# The rule sets

Made by `python -m bot.rulesets_page` from `data/rulesets`; do not edit. A star marks what the source leaves open: our
default. What each field and value means stands in `engine/ruleset.py`; `buraco rules ID` tells a rule set in plain
Spanish, `buraco rules --diff A B` what two differ in.
"""


def page() -> str:
    """The page as the rule sets are now."""
    everything = [rulesets.load(ruleset_id) for ruleset_id in rulesets.ids()]
    matrices = [_matrix(everything[start : start + _COLUMNS]) for start in range(0, len(everything), _COLUMNS)]
    return "\n".join([_HEAD, _overview(everything), *matrices])


def _overview(everything: Sequence[Ruleset]) -> str:
    rows = ["| id | name | from | words |", "|---|---|---|---|"]
    for rules in everything:
        words = f"{rules.words.muerto} / {rules.words.canasta} / {rules.words.pile}"
        rows.append(f"| `{rules.id}` | {rules.name} | {rules.source}: {_SOURCES[rules.source]} | {words} |")
    return "\n".join(rows) + "\n"


def _matrix(some: Sequence[Ruleset]) -> str:
    names = [field.name for field in msgspec.structs.fields(Ruleset) if field.name not in _TITLE_FIELDS]
    rows = [
        f"## {', '.join(rules.id for rules in some)}\n",
        "| field | " + " | ".join(f"`{rules.id}`" for rules in some) + " |",
        "|---" * (len(some) + 1) + "|",
    ]
    rows += [f"| `{name}` | " + " | ".join(_cell(rules, name) for rules in some) + " |" for name in names]
    return "\n".join(rows) + "\n"


def _cell(rules: Ruleset, name: str) -> str:
    value = msgspec.to_builtins(getattr(rules, name))
    star = " *" if name in rules.house_defaults else ""
    if isinstance(value, bool):
        return ("yes" if value else "no") + star
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) + star
    return (value if isinstance(value, str) else json.dumps(value)) + star


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
