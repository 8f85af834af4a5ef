"""The engine reads no clock, no chance, no file and no socket, and depends on nothing but itself and msgspec."""

import ast
from pathlib import Path

import pytest

ENGINE = Path(__file__).parent.parent.parent / "engine"
ALLOWED = {"collections", "contextlib", "enum", "functools", "itertools", "typing", "msgspec", "engine"}
MODULES = sorted(ENGINE.glob("**/*.py"))


def imported(tree: ast.AST) -> set[str]:
    """The top names of everything that a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_imports(path: Path) -> None:
    """Neither random nor time nor os nor io, nor any other part of the product."""
    assert imported(ast.parse(path.read_text(encoding="utf-8"))) <= ALLOWED


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_no_side_doors(path: Path) -> None:
    """No call that reaches outside, no global that is rebound, and nothing that depends on identity or hashing."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    assert not names & {"open", "input", "print", "exec", "eval", "compile", "__import__", "hash", "id", "globals"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal)]


def test_the_scan_sees_imports() -> None:
    """The scan itself can fail."""
    assert imported(ast.parse("import random\nfrom os import path\nimport time as t")) == {"random", "os", "time"}
    assert len(MODULES) > 15
