"""The tables of faults and of security: every row is there, and every test that they name is."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^\| (S?\d+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def names_in(path: Path) -> frozenset[str]:
    """The names of a file's tests."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds) and "test_" in node.name)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("docs/faults.md", [str(number) for number in range(1, 73)]),
        ("docs/security-checks.md", [f"S{number}" for number in range(1, 37)]),
    ],
)
def test_every_row_names_tests_that_there_are_or_says_why_not(name: str, wanted: list[str]) -> None:
    rows = _ROW.findall((ROOT / name).read_text(encoding="utf-8"))
    assert [number for number, _, _ in rows] == wanted
    for number, what, proof in rows:
        named = _TEST.findall(proof)
        for path, test in named:
            file = ROOT / "tests" / path
            assert file.is_file(), f"{number}: {path}"
            assert test in names_in(file), f"{number}: {path} has no {test}"
        assert named or proof.startswith(("Not ", "Elsewhere")), f"{number} ({what}): no test, and no word why"
